-- Matches that a player left: abandoned, resigned, or claimed.
SELECT match, ruleset, players, reason, winner_name AS winner, turns,
       datetime(ended_at / 1000, 'unixepoch') AS ended
FROM match_summary
WHERE reason IN ('abandoned', 'resignation', 'draw_resigned', 'expired')
ORDER BY match DESC
