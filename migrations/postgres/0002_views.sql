-- The same views as SQLite's, in their last form: same columns, same rows, same text.

CREATE VIEW match_record AS
SELECT r.match, r.seq, r.kind, r.turn, r.seat, r.command_id, r.at, encode(r.hash, 'hex') AS hash,
       r.body::text AS body
FROM record r;

CREATE VIEW match_summary AS
SELECT m.id AS match, m.ruleset, m.version, m.status, m.is_open, m.is_rated, m.seat_count AS seats,
       (SELECT '[' || coalesce(string_agg(coalesce(to_json(p.name)::text, 'null'), ','
                                          ORDER BY s.seat), '') || ']'
        FROM seat s LEFT JOIN player p ON p.id = s.player
        WHERE s.match = m.id) AS players,
       t.turn, coalesce(t.turn + 1, 0) AS turns,
       m.created_at, m.started_at, m.ended_at, m.ended_at - m.started_at AS duration_ms, m.winner,
       (SELECT p.name FROM seat s JOIN player p ON p.id = s.player
        WHERE s.match = m.id AND s.seat = m.winner) AS winner_name,
       m.reason, m.settings,
       (SELECT encode(c.head, 'hex') FROM chain c WHERE c.match = m.id) AS head
FROM match m LEFT JOIN LATERAL (SELECT r.turn FROM record r
                                WHERE r.match = m.id AND r.kind = 'turn'
                                ORDER BY r.seq DESC LIMIT 1) t ON true;

CREATE VIEW match_turn AS
SELECT r.match, m.ruleset, r.turn, r.seq, r.at,
       (SELECT coalesce(sum(json_array_length(sk_list(c.value))), 0)
        FROM json_array_elements(sk_list(r.body -> 'commands')) c(value)) AS commands,
       (SELECT count(*)
        FROM json_array_elements(sk_list(r.body -> 'verdicts')) s(value),
             json_array_elements(sk_list(s.value)) v(value)
        WHERE v.value ->> 'verdict' <> 'ok') AS refused,
       json_array_length(sk_list(r.body -> 'events')) AS events,
       r.body ->> 'hash' AS state_hash, (r.body -> 'used_ms')::text AS used_ms,
       (r.body -> 'bank_ms')::text AS bank_ms
FROM record r JOIN match m ON m.id = r.match
WHERE r.kind = 'turn';

CREATE VIEW match_command AS
SELECT r.match, m.ruleset, r.turn, (s.n - 1)::integer AS seat, (c.n - 1)::integer AS place,
       c.value ->> 'kind' AS kind, c.value ->> 'unit' AS unit,
       CASE WHEN json_typeof(c.value -> 'path') = 'array' THEN (c.value -> 'path')::text
            WHEN json_typeof(c.value -> 'target') = 'array'
                THEN '[' || (c.value -> 'target')::text || ']'
            WHEN json_typeof(c.value -> 'to') = 'array' THEN '[' || (c.value -> 'to')::text || ']'
       END AS cells,
       coalesce(c.value -> 'path' -> -1 ->> 0, c.value -> 'target' ->> 0,
                c.value -> 'to' ->> 0)::bigint AS x,
       coalesce(c.value -> 'path' -> -1 ->> 1, c.value -> 'target' ->> 1,
                c.value -> 'to' ->> 1)::bigint AS y,
       c.verdict ->> 'verdict' AS verdict, c.verdict ->> 'check' AS check_name,
       c.value::text AS command
FROM record r JOIN match m ON m.id = r.match
     CROSS JOIN LATERAL ROWS FROM (json_array_elements(sk_list(r.body -> 'commands')),
                                   json_array_elements(sk_list(r.body -> 'verdicts')))
         WITH ORDINALITY AS s(commands, verdicts, n)
     CROSS JOIN LATERAL ROWS FROM (json_array_elements(sk_list(s.commands)),
                                   json_array_elements(sk_list(s.verdicts)))
         WITH ORDINALITY AS c(value, verdict, n)
WHERE r.kind = 'turn' AND c.value IS NOT NULL;

CREATE VIEW match_event AS
SELECT r.match, m.ruleset, r.turn, (e.n - 1)::integer AS place, e.value ->> 'kind' AS kind,
       e.value ->> 'unit' AS unit,
       coalesce(e.value -> 'at' ->> 0, e.value -> 'to' ->> 0, e.value -> 'path' -> -1 ->> 0,
                e.value -> 'target' ->> 0)::bigint AS x,
       coalesce(e.value -> 'at' ->> 1, e.value -> 'to' ->> 1, e.value -> 'path' -> -1 ->> 1,
                e.value -> 'target' ->> 1)::bigint AS y,
       e.value::text AS event
FROM record r JOIN match m ON m.id = r.match
     CROSS JOIN LATERAL json_array_elements(sk_list(r.body -> 'events'))
         WITH ORDINALITY AS e(value, n)
WHERE r.kind = 'turn';
