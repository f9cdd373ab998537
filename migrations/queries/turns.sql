-- How much happens in a turn?
SELECT ruleset, turns, round(1.0 * commands / turns, 1) AS commands,
       round(1.0 * refused / turns, 2) AS refused, round(1.0 * events / turns, 1) AS events
FROM turn_stats
ORDER BY ruleset
