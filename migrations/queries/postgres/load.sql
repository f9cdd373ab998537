-- The last 24 hours, per hour: matches started, turns resolved, commands in them.  With
-- now=SECONDS since 1970, the 24 hours before that time.
WITH period AS (
    SELECT coalesce(CAST(:now AS INTEGER), unixepoch()) AS till
), part AS (
    SELECT r.match, r.at / 3600000 AS hour, count(*) FILTER (WHERE r.kind = 'turn') AS turns,
           count(*) FILTER (WHERE r.kind = 'submission') AS submissions
    FROM record r, period p
    WHERE r.at / 1000 BETWEEN p.till - 86400 AND p.till
    GROUP BY r.match, r.at / 3600000
), started AS (
    SELECT r.at / 3600000 AS hour, count(*) AS matches
    FROM match_record r, period p
    WHERE r.kind = 'joined' AND r.at / 1000 BETWEEN p.till - 86400 AND p.till AND (r.body::json ->> 'starts')::boolean
    GROUP BY r.at / 3600000
)
SELECT sk_time(r.hour * 3600, 'YYYY-MM-DD HH24:00') AS hour,
       coalesce(max(s.matches), 0) AS started, sum(r.turns) AS turns,
       sum(r.submissions) AS submissions, count(*) AS matches
FROM part r LEFT JOIN started s ON s.hour = r.hour
GROUP BY r.hour
ORDER BY r.hour
