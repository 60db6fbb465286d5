SELECT id FROM documents WHERE source = ?1
