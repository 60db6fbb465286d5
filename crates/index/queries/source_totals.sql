SELECT count(*),
    count(*) - count(summary),
    coalesce(sum(summary IS NOT NULL AND summary_of IS NOT content_hash), 0),
    (SELECT count(*) FROM documents AS d JOIN chunks ON chunks.document = d.id WHERE d.source = ?1),
    coalesce(sum(bytes), 0)
FROM documents WHERE source = ?1
