SELECT count(*), coalesce(sum(length), 0) FROM blob
