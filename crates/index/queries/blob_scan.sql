SELECT address, codec, length, data FROM blob ORDER BY id
