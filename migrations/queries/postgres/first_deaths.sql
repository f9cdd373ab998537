-- Which models of tactics die first in a match, when, and how often does their side lose then?
WITH death AS (
    SELECT e.match, e.turn, e.unit, rank() OVER (PARTITION BY e.match ORDER BY e.turn) AS place
    FROM unit_death e
    WHERE e.ruleset = 'tactics'
)
SELECT coalesce(u.value ->> 'model', d.unit) COLLATE "C" AS model, count(*) AS first_deaths,
       round(avg(d.turn), 1)::float8 AS average_turn,
       count(*) FILTER (WHERE m.winner <> (u.value ->> 'seat')::integer) AS lost,
       round(100.0 * count(*) FILTER (WHERE m.winner <> (u.value ->> 'seat')::integer)
             / count(*), 1)::float8 AS lost_percent
FROM death d JOIN match m ON m.id = d.match
LEFT JOIN LATERAL json_array_elements(sk_list(m.params::json -> 'units')) u(value) ON u.value ->> 'id' = d.unit
WHERE d.place = 1 AND m.status = 'over'
GROUP BY 1
ORDER BY first_deaths DESC, model NULLS FIRST
