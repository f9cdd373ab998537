-- The longest matches, by turns.
SELECT match, ruleset, players, turns, duration_ms / 1000 AS seconds, winner_name AS winner, reason
FROM match_summary
WHERE status = 'over'
ORDER BY turns DESC, match
LIMIT 20
