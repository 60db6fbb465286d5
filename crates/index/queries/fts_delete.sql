DELETE FROM chunks_fts WHERE rowid = ?1
