SELECT number, turn, at_ms, summary, raw_chars, summary_chars
FROM batch
WHERE conversation = ?1
ORDER BY number
