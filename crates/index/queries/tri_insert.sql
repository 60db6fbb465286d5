INSERT INTO chunks_tri (rowid, text) VALUES (?1, ?2)
