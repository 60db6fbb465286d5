SELECT codec, length, data FROM blob WHERE address = ?1
