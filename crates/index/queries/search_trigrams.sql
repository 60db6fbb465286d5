SELECT c.id, c.document, c.position, hit.score
FROM (
    SELECT rowid AS id, -bm25(chunks_tri) AS score
    FROM chunks_tri WHERE chunks_tri MATCH ?1
    ORDER BY score DESC, id LIMIT ?2
) AS hit
CROSS JOIN chunks AS c ON c.id = hit.id
