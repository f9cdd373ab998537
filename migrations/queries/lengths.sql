-- How long do matches take?  Turns and minutes of matches that were started and ended.
WITH played AS (
    SELECT ruleset, turns, duration_ms,
           row_number() OVER (PARTITION BY ruleset ORDER BY turns) AS place,
           count(*) OVER (PARTITION BY ruleset) AS matches
    FROM match_summary
    WHERE status = 'over' AND started_at IS NOT NULL
)
SELECT ruleset, count(*) AS matches, CAST(round(avg(turns), 1) AS DOUBLE PRECISION) AS average_turns,
       CAST(round(avg(turns) FILTER (WHERE place IN ((matches + 1) / 2, (matches + 2) / 2)), 1)
            AS DOUBLE PRECISION) AS median,
       min(turns) AS shortest, max(turns) AS longest,
       CAST(round(avg(duration_ms) / 60000.0, 1) AS DOUBLE PRECISION) AS average_minutes
FROM played
GROUP BY ruleset
ORDER BY ruleset
