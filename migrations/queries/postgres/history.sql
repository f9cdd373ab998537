-- A player's matches, newest first.
-- needs player=NAME
SELECT s.match, m.ruleset, s.seat,
       CASE WHEN m.status <> 'over' THEN m.status
            WHEN m.winner IS NULL THEN 'draw'
            WHEN m.winner = s.seat THEN 'won' ELSE 'lost' END AS result,
       m.reason, v.turns, v.players,
       datetime(m.started_at / 1000, 'unixepoch') AS started
FROM seat s JOIN player p ON p.id = s.player JOIN match m ON m.id = s.match
JOIN match_summary v ON v.match = m.id
WHERE lower(p.name) = lower(:player)
ORDER BY s.match DESC
