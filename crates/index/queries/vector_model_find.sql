SELECT id, dimension, EXISTS (SELECT 1 FROM vectors WHERE model = vector_models.id)
FROM vector_models WHERE name = ?1
