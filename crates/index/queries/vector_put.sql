INSERT INTO vectors (chunk, model, data) SELECT id, ?2, ?3 FROM chunks WHERE id = ?1
ON CONFLICT (chunk, model) DO UPDATE SET data = excluded.data
