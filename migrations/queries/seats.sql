-- Does one seat win more often?
SELECT m.ruleset, s.seat, count(*) AS games, sum(m.winner IS s.seat) AS wins,
       sum(m.winner IS NULL) AS draws,
       round(100.0 * sum(m.winner IS s.seat) / count(*), 1) AS win_percent
FROM seat s JOIN match m ON m.id = s.match
WHERE m.status = 'over' AND m.started_at IS NOT NULL
GROUP BY m.ruleset, s.seat
ORDER BY m.ruleset, s.seat
