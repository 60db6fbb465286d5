SELECT 'chunks_fts', id FROM chunks_fts_docsize WHERE id NOT IN (SELECT id FROM chunks)
UNION ALL
SELECT 'chunks_tri', id FROM chunks_tri_docsize WHERE id NOT IN (SELECT id FROM chunks)
