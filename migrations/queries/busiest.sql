-- The busiest hours, UTC, by turns.  from= and to= are a period, such as from=2026-09-01 to=2026-10-01;
-- its end is not part of it.
SELECT strftime('%Y-%m-%d %H:00', r.at / 1000, 'unixepoch') AS hour, sum(r.kind = 'turn') AS turns,
       sum(r.kind = 'submission') AS submissions, count(DISTINCT r.match) AS matches,
       count(DISTINCT s.player) AS players
FROM record r LEFT JOIN seat s ON s.match = r.match AND s.seat = r.seat
WHERE (:from IS NULL OR r.at >= 1000 * unixepoch(:from)) AND (:to IS NULL OR r.at < 1000 * unixepoch(:to))
GROUP BY hour
ORDER BY turns DESC, submissions DESC, hour
LIMIT 50
