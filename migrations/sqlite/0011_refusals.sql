-- The same rows in a third of the time: from the verdicts alone, and only of bodies that have
-- another one than ok.

DROP VIEW refusal_stats;

CREATE VIEW refusal_stats AS
SELECT ruleset, check_name, verdict, sum(submitted) AS submitted, sum(resolved) AS resolved
FROM (SELECT m.ruleset AS ruleset, json_extract(v.value, '$.check') AS check_name,
             json_extract(v.value, '$.verdict') AS verdict, 1 AS submitted, 0 AS resolved
      FROM match_record r JOIN match m ON m.id = r.match, json_each(r.body, '$.verdicts') v
      WHERE r.kind = 'submission' AND instr(replace(r.body, '{"verdict":"ok"}', ''), '"verdict":') > 0
        AND json_extract(v.value, '$.verdict') <> 'ok'
      UNION ALL
      SELECT m.ruleset, json_extract(v.value, '$.check'), json_extract(v.value, '$.verdict'), 0, 1
      FROM match_record r JOIN match m ON m.id = r.match, json_each(r.body, '$.verdicts') seats,
           json_each(seats.value) v
      WHERE r.kind = 'turn' AND instr(replace(r.body, '{"verdict":"ok"}', ''), '"verdict":') > 0
        AND json_extract(v.value, '$.verdict') <> 'ok')
GROUP BY ruleset, check_name, verdict;
