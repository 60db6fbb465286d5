INSERT INTO edit (rendering, position, byte_offset, length, original) VALUES (?1, ?2, ?3, ?4, ?5)
