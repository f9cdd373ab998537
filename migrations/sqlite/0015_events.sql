-- The same rows in a part of the time: only bodies that have what is asked for are read as JSON,
-- and they are chosen by their text before that.

DROP VIEW bounce_cells;

CREATE VIEW bounce_cells AS
SELECT m.ruleset AS ruleset,
       coalesce(json_extract(e.value, '$.at[0]'), json_extract(e.value, '$.to[0]'),
                json_extract(e.value, '$.path[#-1][0]'), json_extract(e.value, '$.target[0]')) AS x,
       coalesce(json_extract(e.value, '$.at[1]'), json_extract(e.value, '$.to[1]'),
                json_extract(e.value, '$.path[#-1][1]'), json_extract(e.value, '$.target[1]')) AS y,
       count(*) AS bounces, count(DISTINCT r.match) AS matches
FROM record r JOIN match m ON m.id = r.match,
     json_each(CASE WHEN json_valid(r.body) THEN r.body ELSE 'null' END, '$.events') e
WHERE r.kind = 'turn'
  AND (instr(r.body, '"kind":"bounced"') > 0 OR instr(r.body, '"kind":"collided"') > 0)
  AND json_extract(e.value, '$.kind') IN ('bounced', 'collided')
GROUP BY 1, 2, 3;

DROP VIEW refusal_stats;

CREATE VIEW refusal_stats AS
SELECT ruleset, check_name, verdict, sum(submitted) AS submitted, sum(resolved) AS resolved
FROM (SELECT m.ruleset AS ruleset, json_extract(v.value, '$.check') AS check_name,
             json_extract(v.value, '$.verdict') AS verdict, 1 AS submitted, 0 AS resolved
      FROM record r JOIN match m ON m.id = r.match,
           json_each(CASE WHEN json_valid(r.body) THEN r.body ELSE 'null' END, '$.verdicts') v
      WHERE r.kind = 'submission'
        AND instr(replace(r.body, '{"verdict":"ok"}', ''), '"verdict":') > 0
        AND json_extract(v.value, '$.verdict') <> 'ok'
      UNION ALL
      SELECT m.ruleset, json_extract(v.value, '$.check'), json_extract(v.value, '$.verdict'), 0, 1
      FROM record r JOIN match m ON m.id = r.match,
           json_each(CASE WHEN json_valid(r.body) THEN r.body ELSE 'null' END, '$.verdicts') seats,
           json_each(seats.value) v
      WHERE r.kind = 'turn'
        AND instr(replace(r.body, '{"verdict":"ok"}', ''), '"verdict":') > 0
        AND json_extract(v.value, '$.verdict') <> 'ok')
GROUP BY ruleset, check_name, verdict;

-- Deaths of units, for the questions about them.
CREATE VIEW unit_death AS
SELECT r.match AS match, m.ruleset AS ruleset, r.turn AS turn,
       json_extract(e.value, '$.unit') AS unit
FROM record r JOIN match m ON m.id = r.match,
     json_each(CASE WHEN json_valid(r.body) THEN r.body ELSE 'null' END, '$.events') e
WHERE r.kind = 'turn' AND instr(r.body, '"kind":"died"') > 0
  AND json_extract(e.value, '$.kind') = 'died';
