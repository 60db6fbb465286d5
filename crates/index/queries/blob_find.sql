SELECT id FROM blob WHERE address = ?1
