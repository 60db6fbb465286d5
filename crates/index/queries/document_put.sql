INSERT INTO documents (
    source, path, title, date, created_at_manual, kind, content_hash, chars, bytes,
    file_bytes, file_modified_ms
) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8, ?9, ?10)
ON CONFLICT (source, path) DO UPDATE SET
    title = excluded.title,
    date = CASE WHEN created_at_manual THEN date ELSE excluded.date END,
    kind = excluded.kind,
    content_hash = excluded.content_hash,
    chars = excluded.chars,
    bytes = excluded.bytes,
    file_bytes = excluded.file_bytes,
    file_modified_ms = excluded.file_modified_ms
RETURNING id
