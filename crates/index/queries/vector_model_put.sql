INSERT INTO vector_models (name, dimension) VALUES (?1, ?2)
ON CONFLICT (name) DO UPDATE SET dimension = excluded.dimension
RETURNING id
