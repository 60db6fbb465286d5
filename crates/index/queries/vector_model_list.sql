SELECT m.name, m.dimension, count(*)
FROM vector_models AS m JOIN vectors AS v ON v.model = m.id
GROUP BY m.id ORDER BY m.name
