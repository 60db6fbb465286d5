UPDATE documents SET
    source = ?2,
    path = ?3,
    title = ?4,
    date = CASE WHEN created_at_manual THEN date ELSE ?5 END,
    file_bytes = ?6,
    file_modified_ms = ?7
WHERE id = ?1
