-- Which models of tactics die, and how early?
SELECT coalesce(json_extract(u.value, '$.model'), e.unit) AS model, count(*) AS deaths,
       round(avg(e.turn), 1) AS average_turn, min(e.turn) AS earliest_turn
FROM unit_death e JOIN match m ON m.id = e.match
LEFT JOIN json_each(m.params, '$.units') u ON json_extract(u.value, '$.id') = e.unit
WHERE e.ruleset = 'tactics'
GROUP BY model
ORDER BY deaths DESC, model
