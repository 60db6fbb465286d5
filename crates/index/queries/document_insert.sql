INSERT INTO documents (
    source, path, title, date, created_at_manual, kind, content_hash, chars, bytes,
    file_bytes, file_modified_ms
) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8, ?9, ?10)
