-- Who changes commands most often?  Submissions that were replaced or withdrawn, by player.
SELECT p.name, sum(r.submissions) AS submissions, sum(r.replaced) AS replaced
FROM submission_stats r JOIN seat s ON s.match = r.match AND s.seat = r.seat JOIN player p ON p.id = s.player
GROUP BY p.id
ORDER BY replaced DESC, p.name
