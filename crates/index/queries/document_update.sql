UPDATE documents SET
    title = ?3,
    date = CASE WHEN created_at_manual THEN date ELSE ?4 END,
    kind = ?5,
    content_hash = ?6,
    chars = ?7,
    bytes = ?8,
    file_bytes = ?9,
    file_modified_ms = ?10
WHERE source = ?1 AND path = ?2
