SELECT id, document, position, first, past, trail FROM chunks WHERE id = ?1
