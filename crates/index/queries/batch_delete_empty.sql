-- A batch whose calls all moved to a later one says nothing any more.
DELETE FROM batch
WHERE conversation = ?1 AND number = ?2 AND NOT EXISTS (
    SELECT 1 FROM call WHERE call.conversation = ?1 AND call.batch = ?2
)
