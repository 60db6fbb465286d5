SELECT name, root, version, overview, overview_key, imported_ms, id FROM sources ORDER BY name
