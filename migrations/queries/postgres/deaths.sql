-- Which models of tactics die, and how early?
SELECT coalesce(u.value ->> 'model', e.unit) COLLATE "C" AS model, count(*) AS deaths,
       round(avg(e.turn), 1)::float8 AS average_turn, min(e.turn) AS earliest_turn
FROM unit_death e JOIN match m ON m.id = e.match
LEFT JOIN LATERAL json_array_elements(sk_list(m.params::json -> 'units')) u(value) ON u.value ->> 'id' = e.unit
WHERE e.ruleset = 'tactics'
GROUP BY 1
ORDER BY deaths DESC, model NULLS FIRST
