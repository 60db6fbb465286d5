SELECT c.id, c.document, c.position, hit.score
FROM (
    SELECT rowid AS id, -bm25(chunks_tri) AS score
    FROM chunks_tri WHERE chunks_tri MATCH ?1 AND EXISTS (
        SELECT 1 FROM chunks AS c JOIN documents AS d ON d.id = c.document
        WHERE c.id = chunks_tri.rowid AND d.source = (SELECT id FROM sources WHERE name = ?3)
    )
    ORDER BY score DESC, id LIMIT ?2
) AS hit
CROSS JOIN chunks AS c ON c.id = hit.id
