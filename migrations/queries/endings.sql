-- How do matches end?
SELECT ruleset, reason, count(*) AS matches, CAST(round(avg(turns), 1) AS DOUBLE PRECISION) AS average_turns
FROM match_summary
WHERE status = 'over'
GROUP BY ruleset, reason
ORDER BY ruleset, matches DESC, reason NULLS FIRST
