SELECT coalesce(max(number) + 1, 0) FROM batch WHERE conversation = ?1
