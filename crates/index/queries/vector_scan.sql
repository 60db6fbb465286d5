SELECT v.chunk, c.document, c.position, v.data
FROM vectors AS v
CROSS JOIN chunks AS c ON c.id = v.chunk
WHERE v.model = (SELECT id FROM vector_models WHERE name = ?1)
ORDER BY v.chunk
