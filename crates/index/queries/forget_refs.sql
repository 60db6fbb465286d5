SELECT count(short) FROM call WHERE conversation = ?1
