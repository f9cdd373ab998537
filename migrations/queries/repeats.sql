-- Who changes his mind?  Submissions that were replaced or withdrawn, by player.
SELECT p.name, count(*) AS submissions, sum(r.is_replaced) AS replaced
FROM (SELECT match, seat, kind,
             lead(seq) OVER (PARTITION BY match, seat, turn ORDER BY seq) IS NOT NULL AS is_replaced
      FROM record
      WHERE kind IN ('submission', 'withdrawn')) r
JOIN seat s ON s.match = r.match AND s.seat = r.seat JOIN player p ON p.id = s.player
WHERE r.kind = 'submission'
GROUP BY p.id
ORDER BY replaced DESC, p.name
