-- What admins and tools read.  These columns are a public contract: later
-- migrations add to them, and neither rename nor remove.  ../README.md has every
-- column and example queries.

-- One body that is not JSON must not make every query over all matches fail.
CREATE VIEW match_record AS
SELECT r.match AS match, r.seq AS seq, r.kind AS kind, r.turn AS turn, r.seat AS seat,
       r.command_id AS command_id, r.at AS at, lower(hex(r.hash)) AS hash,
       CASE WHEN json_valid(r.body) THEN r.body ELSE 'null' END AS body
FROM record r;

CREATE VIEW match_summary AS
SELECT m.id AS match, m.ruleset AS ruleset, m.version AS version, m.status AS status,
       m.is_open AS is_open, m.is_rated AS is_rated, m.seat_count AS seats,
       (SELECT json_group_array(named.name)
        FROM (SELECT p.name AS name
              FROM seat s LEFT JOIN player p ON p.id = s.player
              WHERE s.match = m.id
              ORDER BY s.seat) named) AS players,
       -- Backwards from the newest record: the first turn met is the last one played.
       (SELECT r.turn FROM record r
        WHERE r.match = m.id AND r.kind = 'turn'
        ORDER BY r.seq DESC LIMIT 1) AS turn,
       (SELECT count(*) FROM record r WHERE r.match = m.id AND r.kind = 'turn') AS turns,
       m.created_at AS created_at, m.started_at AS started_at, m.ended_at AS ended_at,
       m.ended_at - m.started_at AS duration_ms,
       m.winner AS winner,
       (SELECT p.name FROM seat s JOIN player p ON p.id = s.player
        WHERE s.match = m.id AND s.seat = m.winner) AS winner_name,
       m.reason AS reason, m.settings AS settings,
       (SELECT lower(hex(c.head)) FROM chain c WHERE c.match = m.id) AS head
FROM match m;

CREATE VIEW match_turn AS
SELECT r.match AS match, m.ruleset AS ruleset, r.turn AS turn, r.seq AS seq, r.at AS at,
       (SELECT coalesce(sum(json_array_length(seats.value)), 0)
        FROM json_each(r.body, '$.commands') seats) AS commands,
       (SELECT count(*)
        FROM json_each(r.body, '$.verdicts') seats, json_each(seats.value) verdicts
        WHERE json_extract(verdicts.value, '$.verdict') <> 'ok') AS refused,
       coalesce(json_array_length(r.body, '$.events'), 0) AS events,
       json_extract(r.body, '$.hash') AS state_hash,
       json_extract(r.body, '$.used_ms') AS used_ms,
       json_extract(r.body, '$.bank_ms') AS bank_ms
FROM match_record r JOIN match m ON m.id = r.match
WHERE r.kind = 'turn';

CREATE VIEW match_command AS
SELECT r.match AS match, m.ruleset AS ruleset, r.turn AS turn,
       seats.key AS seat, commands.key AS place,
       json_extract(commands.value, '$.kind') AS kind,
       json_extract(commands.value, '$.unit') AS unit,
       CASE
           WHEN json_type(commands.value, '$.path') = 'array'
               THEN json_extract(commands.value, '$.path')
           WHEN json_type(commands.value, '$.target') = 'array'
               THEN json_array(json_extract(commands.value, '$.target'))
           WHEN json_type(commands.value, '$.to') = 'array'
               THEN json_array(json_extract(commands.value, '$.to'))
       END AS cells,
       coalesce(json_extract(commands.value, '$.path[#-1][0]'),
                json_extract(commands.value, '$.target[0]'),
                json_extract(commands.value, '$.to[0]')) AS x,
       coalesce(json_extract(commands.value, '$.path[#-1][1]'),
                json_extract(commands.value, '$.target[1]'),
                json_extract(commands.value, '$.to[1]')) AS y,
       json_extract(r.body, '$.verdicts[' || seats.key || '][' || commands.key || '].verdict')
           AS verdict,
       json_extract(r.body, '$.verdicts[' || seats.key || '][' || commands.key || '].check')
           AS check_name,
       commands.value AS command
FROM match_record r JOIN match m ON m.id = r.match,
     json_each(r.body, '$.commands') seats, json_each(seats.value) commands
WHERE r.kind = 'turn';

CREATE VIEW match_event AS
SELECT r.match AS match, m.ruleset AS ruleset, r.turn AS turn, events.key AS place,
       json_extract(events.value, '$.kind') AS kind,
       json_extract(events.value, '$.unit') AS unit,
       coalesce(json_extract(events.value, '$.at[0]'),
                json_extract(events.value, '$.to[0]'),
                json_extract(events.value, '$.path[#-1][0]'),
                json_extract(events.value, '$.target[0]')) AS x,
       coalesce(json_extract(events.value, '$.at[1]'),
                json_extract(events.value, '$.to[1]'),
                json_extract(events.value, '$.path[#-1][1]'),
                json_extract(events.value, '$.target[1]')) AS y,
       events.value AS event
FROM match_record r JOIN match m ON m.id = r.match, json_each(r.body, '$.events') events
WHERE r.kind = 'turn';
