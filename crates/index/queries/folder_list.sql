SELECT f.path, f.summary, f.key
FROM sources AS s CROSS JOIN folders AS f ON f.source = s.id
WHERE s.name = ?1 ORDER BY f.path
