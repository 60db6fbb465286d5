SELECT id, format, session_id, title, parent, created_ms FROM conversation WHERE id = ?1
