SELECT document, codec, length, data FROM contents ORDER BY document
