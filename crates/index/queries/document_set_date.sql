UPDATE documents SET date = ?2, created_at_manual = 1 WHERE id = ?1
