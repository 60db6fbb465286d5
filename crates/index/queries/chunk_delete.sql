DELETE FROM chunks WHERE document = ?1 AND position = ?2
