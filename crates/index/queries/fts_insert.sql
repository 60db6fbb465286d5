INSERT INTO chunks_fts (rowid, title, trail, text, bigrams) VALUES (?1, ?2, ?3, ?4, ?5)
