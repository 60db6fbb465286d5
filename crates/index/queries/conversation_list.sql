SELECT
    id, format, session_id, title, parent, created_ms,
    (SELECT count(*) FROM batch WHERE batch.conversation = conversation.id) AS batches,
    (SELECT count(short) FROM call WHERE call.conversation = conversation.id) AS refs,
    (
        SELECT coalesce(sum(length), 0) FROM blob WHERE blob.id IN (
            SELECT args FROM call WHERE call.conversation = conversation.id
            UNION
            SELECT result FROM call WHERE call.conversation = conversation.id
        )
    ) AS original_bytes,
    coalesce(
        (SELECT max(at_ms) FROM batch WHERE batch.conversation = conversation.id),
        created_ms
    ) AS updated_ms
FROM conversation
WHERE id > ?1
ORDER BY id
LIMIT ?2
