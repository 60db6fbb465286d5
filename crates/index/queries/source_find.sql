SELECT name, root, version, overview, overview_key, imported_ms, id FROM sources WHERE name = ?1
