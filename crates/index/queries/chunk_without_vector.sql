SELECT id, document, position, first, past, trail
FROM chunks AS c
WHERE id > ?2 AND NOT EXISTS (
    SELECT 1 FROM vectors AS v JOIN vector_models AS m ON m.id = v.model
    WHERE v.chunk = c.id AND m.name = ?1
)
ORDER BY id LIMIT ?3
