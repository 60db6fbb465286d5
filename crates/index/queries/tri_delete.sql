DELETE FROM chunks_tri WHERE rowid = ?1
