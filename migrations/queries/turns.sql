-- How much happens in a turn?
SELECT ruleset, count(*) AS turns, round(avg(commands), 1) AS commands,
       round(avg(refused), 2) AS refused, round(avg(events), 1) AS events
FROM match_turn
GROUP BY ruleset
ORDER BY ruleset
