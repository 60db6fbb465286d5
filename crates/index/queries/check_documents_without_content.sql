SELECT id FROM documents WHERE id NOT IN (SELECT document FROM contents) ORDER BY id
