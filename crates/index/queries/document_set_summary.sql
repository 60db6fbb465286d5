UPDATE documents SET summary = ?2, summary_by = ?3, summary_of = ?4 WHERE id = ?1
