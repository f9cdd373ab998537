-- Who changes his mind?  Submissions that were replaced or withdrawn, by player.
SELECT p.name, count(*) AS submissions,
       sum(EXISTS (SELECT 1 FROM record l
                   WHERE l.match = r.match AND l.seat = r.seat AND l.turn = r.turn AND l.seq > r.seq
                     AND l.kind IN ('submission', 'withdrawn'))) AS replaced
FROM record r JOIN seat s ON s.match = r.match AND s.seat = r.seat JOIN player p ON p.id = s.player
WHERE r.kind = 'submission'
GROUP BY p.id
ORDER BY replaced DESC, p.name
