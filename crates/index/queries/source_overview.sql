UPDATE sources SET overview = ?2, overview_key = ?3 WHERE name = ?1
