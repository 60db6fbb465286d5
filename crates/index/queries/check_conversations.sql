SELECT count(*) FROM conversation
