INSERT INTO blob (address, codec, length, data) VALUES (?1, ?2, ?3, ?4)
