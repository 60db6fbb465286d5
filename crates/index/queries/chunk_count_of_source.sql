SELECT count(*)
FROM sources AS s
CROSS JOIN documents AS d ON d.source = s.id
CROSS JOIN chunks AS c ON c.document = d.id
WHERE s.name = ?1
