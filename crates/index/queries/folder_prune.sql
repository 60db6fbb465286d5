DELETE FROM folders AS f WHERE source = ?1 AND NOT EXISTS (
    SELECT 1 FROM documents AS d
    -- `0` is the character after `/`: these are the paths inside the folder.
    WHERE d.source = ?1 AND (f.path = '' OR d.path > f.path || '/' AND d.path < f.path || '0')
)
