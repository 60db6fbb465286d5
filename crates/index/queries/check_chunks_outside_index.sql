SELECT document, position FROM chunks
WHERE id NOT IN (SELECT id FROM chunks_fts_docsize) ORDER BY id
