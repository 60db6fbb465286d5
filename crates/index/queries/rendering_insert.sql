INSERT INTO rendering (conversation, output, output_length, source, source_length, at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (output) DO NOTHING
