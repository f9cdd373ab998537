-- A player's matches that are not over: running, or waiting for others.
-- needs player=NAME
SELECT s.match, s.ruleset, s.result AS status, s.seat, v.players, v.turns,
       datetime(coalesce(v.started_at, v.created_at) / 1000, 'unixepoch') AS since
FROM match_seat s JOIN match_summary v ON v.match = s.match
WHERE lower(s.name) = lower(:player) AND s.result IN ('running', 'waiting')
ORDER BY s.match DESC
