SELECT c.document, c.codec, c.length, c.data
FROM sources AS s
CROSS JOIN documents AS d ON d.source = s.id
CROSS JOIN contents AS c ON c.document = d.id
WHERE s.name = ?1
