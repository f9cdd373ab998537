-- How much happens in a turn?
SELECT ruleset, turns, CAST(round(1.0 * commands / turns, 1) AS DOUBLE PRECISION) AS commands,
       CAST(round(1.0 * refused / turns, 2) AS DOUBLE PRECISION) AS refused, CAST(round(1.0 * events / turns, 1) AS DOUBLE PRECISION) AS events
FROM turn_stats
ORDER BY ruleset
