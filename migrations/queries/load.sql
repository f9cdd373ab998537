-- The last 24 hours by the hour: matches started, turns resolved, commands in them.  :now is
-- another end than the present, in seconds since 1970.
SELECT strftime('%Y-%m-%d %H:00', r.at / 1000, 'unixepoch') AS hour,
       sum(r.kind = 'joined' AND json_extract(r.body, '$.starts')) AS started,
       sum(r.kind = 'turn') AS turns,
       sum(r.kind = 'submission') AS submissions,
       count(DISTINCT r.match) AS matches
FROM match_record r
WHERE r.at / 1000 BETWEEN coalesce(CAST(:now AS INTEGER), unixepoch()) - 86400
                      AND coalesce(CAST(:now AS INTEGER), unixepoch())
GROUP BY hour
ORDER BY hour
