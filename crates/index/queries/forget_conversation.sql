DELETE FROM conversation WHERE id = ?1
