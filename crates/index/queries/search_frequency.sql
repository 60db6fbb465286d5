SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?1
