INSERT INTO call (
    conversation, batch, position, provider_id, occurrence, tool, is_error, timestamp, lines, bytes,
    left_reason, short, duplicate, content_hash, args, result, bullets, rendering
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
