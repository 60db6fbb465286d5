SELECT position, first, past FROM chunks WHERE document = ?1 AND position >= 0 ORDER BY position
