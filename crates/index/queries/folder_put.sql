INSERT INTO folders (source, path, summary, key) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (source, path) DO UPDATE SET summary = excluded.summary, key = excluded.key
