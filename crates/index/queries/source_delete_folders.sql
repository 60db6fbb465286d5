DELETE FROM folders WHERE source = ?1
