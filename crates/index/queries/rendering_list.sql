SELECT conversation, output, output_length, source, source_length, at_ms
FROM rendering
WHERE output_length <= ?1
ORDER BY output_length DESC, output
