-- Which matches are running or waiting for players?
SELECT match, ruleset, status, players, turns,
       datetime(created_at / 1000, 'unixepoch') AS created
FROM match_summary
WHERE status IN ('waiting', 'running')
ORDER BY match
