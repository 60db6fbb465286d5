UPDATE documents SET
    file_bytes = ?2,
    file_modified_ms = ?3,
    date = CASE WHEN created_at_manual THEN date ELSE ?4 END
WHERE id = ?1
