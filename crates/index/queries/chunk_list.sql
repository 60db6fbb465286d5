SELECT id, document, position, first, past, trail FROM chunks WHERE document = ?1 ORDER BY position
