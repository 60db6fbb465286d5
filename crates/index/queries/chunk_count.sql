SELECT count(*) FROM chunks
