CREATE VIEW unit_death AS
SELECT r.match, m.ruleset, r.turn, e.value ->> 'unit' AS unit
FROM record r JOIN match m ON m.id = r.match
     CROSS JOIN LATERAL json_array_elements(sk_list(r.body -> 'events')) e(value)
WHERE r.kind = 'turn' AND position('"kind":"died"' IN r.body::text) > 0
  AND e.value ->> 'kind' = 'died';
