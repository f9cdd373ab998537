-- The busiest hours, UTC, by turns.  from=2026-09-01 and to=2026-10-01 limit the period; the day of
-- to= is not included.
WITH part AS (
    SELECT r.match, r.seat, r.at / 3600000 AS hour, sum(r.kind = 'turn') AS turns,
           sum(r.kind = 'submission') AS submissions
    FROM record r
    WHERE (:from IS NULL OR r.at >= 1000 * unixepoch(:from)) AND (:to IS NULL OR r.at < 1000 * unixepoch(:to))
    GROUP BY r.match, r.seat, r.at / 3600000
)
SELECT strftime('%Y-%m-%d %H:00', r.hour * 3600, 'unixepoch') AS hour, sum(r.turns) AS turns,
       sum(r.submissions) AS submissions, count(DISTINCT r.match) AS matches,
       count(DISTINCT s.player) AS players
FROM part r LEFT JOIN seat s ON s.match = r.match AND s.seat = r.seat
GROUP BY r.hour
ORDER BY turns DESC, submissions DESC, r.hour
LIMIT 50
