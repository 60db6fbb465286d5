INSERT INTO conversation (id, format, session_id, title, parent, created_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (id) DO UPDATE SET title = excluded.title
WHERE conversation.title <> excluded.title
