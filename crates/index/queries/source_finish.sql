UPDATE sources SET version = version + ?2, imported_ms = ?3 WHERE name = ?1 RETURNING version
