SELECT d.id, s.name, d.path, d.title, d.date, d.created_at_manual, d.kind, d.content_hash, d.chars,
    d.file_bytes, d.file_modified_ms, d.summary, d.summary_by, d.summary_of
FROM documents AS d JOIN sources AS s ON s.id = d.source
WHERE d.id = ?1
