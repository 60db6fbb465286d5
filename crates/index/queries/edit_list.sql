SELECT edit.byte_offset, edit.length, blob.address
FROM rendering
JOIN edit ON edit.rendering = rendering.id
JOIN blob ON blob.id = edit.original
WHERE rendering.output = ?1
ORDER BY edit.position
