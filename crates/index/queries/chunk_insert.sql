INSERT INTO chunks (document, position, first, past, trail) VALUES (?1, ?2, ?3, ?4, ?5)
