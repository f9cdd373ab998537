-- In which cells do players bounce or collide?  ruleset=NAME for one ruleset.
SELECT ruleset, x, y, bounces, matches
FROM bounce_cells
WHERE :ruleset IS NULL OR ruleset = :ruleset
ORDER BY bounces DESC, ruleset, y NULLS FIRST, x NULLS FIRST
