SELECT left_reason, batch FROM call WHERE provider_id = ?1 AND conversation = ?2 AND occurrence = ?3
