-- Which models of tactics die first in a match, when, and how often does their side lose then?
WITH death AS (
    SELECT e.match, e.turn, e.unit, rank() OVER (PARTITION BY e.match ORDER BY e.turn) AS place
    FROM unit_death e
    WHERE e.ruleset = 'tactics'
)
SELECT coalesce(json_extract(u.value, '$.model'), d.unit) AS model, count(*) AS first_deaths,
       round(avg(d.turn), 1) AS average_turn,
       sum(m.winner IS NOT NULL AND m.winner <> json_extract(u.value, '$.seat')) AS lost,
       round(100.0 * sum(m.winner IS NOT NULL AND m.winner <> json_extract(u.value, '$.seat'))
             / count(*), 1) AS lost_percent
FROM death d JOIN match m ON m.id = d.match
LEFT JOIN json_each(m.params, '$.units') u ON json_extract(u.value, '$.id') = d.unit
WHERE d.place = 1 AND m.status = 'over'
GROUP BY model
ORDER BY first_deaths DESC, model
