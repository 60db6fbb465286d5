INSERT INTO sources (name, root, version, created_ms) VALUES (?1, ?2, 0, ?3)
ON CONFLICT (name) DO UPDATE SET root = excluded.root
