SELECT title, content_hash, summary, summary_of FROM documents WHERE id = ?1
