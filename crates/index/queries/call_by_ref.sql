SELECT
    call.conversation, provider_id, occurrence, batch, turn, tool, is_error, timestamp, lines, bytes,
    left_reason, short, duplicate, content_hash, args.address, result.address, bullets, rendering
FROM call
JOIN batch ON batch.conversation = call.conversation AND batch.number = call.batch
LEFT JOIN blob AS args ON args.id = call.args
LEFT JOIN blob AS result ON result.id = call.result
WHERE call.short = ?1 AND call.conversation = ?2
ORDER BY call.batch, call.position
