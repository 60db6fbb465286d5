SELECT call.conversation, call.provider_id, call.occurrence
FROM call
LEFT JOIN blob AS args ON args.id = call.args
LEFT JOIN blob AS result ON result.id = call.result
WHERE call.short IS NOT NULL AND (args.id IS NULL OR result.id IS NULL)
