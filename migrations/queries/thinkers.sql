-- Who thinks longest?  Only matches with a clock.
SELECT p.name, sum(c.turns) AS turns,
       CAST(round(1.0 * sum(c.used_ms) / sum(c.turns) / 1000.0, 1) AS DOUBLE PRECISION) AS average_seconds,
       CAST(round(max(c.longest_ms) / 1000.0, 1) AS DOUBLE PRECISION) AS longest_seconds
FROM clock_stats c JOIN seat s ON s.match = c.match AND s.seat = c.seat JOIN player p ON p.id = s.player
GROUP BY p.id
ORDER BY average_seconds DESC, p.name
