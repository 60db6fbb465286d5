INSERT INTO batch (conversation, number, turn, at_ms, summary, raw_chars, summary_chars)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
