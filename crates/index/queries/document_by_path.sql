SELECT d.id, s.name, d.path, d.title, d.date, d.created_at_manual, d.kind, d.content_hash, d.chars,
    d.file_bytes, d.file_modified_ms, d.summary, d.summary_by, d.summary_of
FROM sources AS s CROSS JOIN documents AS d ON d.source = s.id
WHERE s.name = ?1 AND d.path = ?2
