-- Who thinks longest?  Only matches with a clock.
SELECT name, count(*) AS turns, round(avg(used_ms) / 1000.0, 1) AS average_seconds,
       round(max(used_ms) / 1000.0, 1) AS longest_seconds
FROM clock_usage
WHERE name IS NOT NULL
GROUP BY player
ORDER BY average_seconds DESC, name
