SELECT c.id, c.document, c.position, hit.score
FROM (
    SELECT rowid AS id, -bm25(chunks_fts, 5.0, 1.0, 1.0, 1.0) AS score
    FROM chunks_fts WHERE chunks_fts MATCH ?1 AND EXISTS (
        SELECT 1 FROM chunks AS c JOIN documents AS d ON d.id = c.document
        WHERE c.id = chunks_fts.rowid AND d.source = (SELECT id FROM sources WHERE name = ?3)
    )
    ORDER BY score DESC, id LIMIT ?2
) AS hit
CROSS JOIN chunks AS c ON c.id = hit.id
