SELECT codec, length, data FROM contents WHERE document = ?1
