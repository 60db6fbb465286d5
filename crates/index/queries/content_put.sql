INSERT INTO contents (document, codec, length, data) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (document) DO UPDATE SET
    codec = excluded.codec, length = excluded.length, data = excluded.data
