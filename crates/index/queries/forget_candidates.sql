-- Originals that the conversation needs; some of them may be needed elsewhere too.
SELECT args FROM call WHERE conversation = ?1 AND args IS NOT NULL
UNION
SELECT result FROM call WHERE conversation = ?1 AND result IS NOT NULL
UNION
SELECT edit.original FROM rendering JOIN edit ON edit.rendering = rendering.id
WHERE rendering.conversation = ?1
