SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM chunks)
