DELETE FROM sources WHERE id = ?1
