DELETE FROM documents WHERE source = ?1
