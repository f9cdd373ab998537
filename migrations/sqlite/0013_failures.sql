-- Answers of bots that did not count, in words: per turn of the match, and per call.

ALTER TABLE bot_call_log ADD COLUMN message TEXT;

DROP VIEW bot_call;

CREATE VIEW bot_call AS
SELECT c.id AS call, c.match AS match, m.ruleset AS ruleset, c.turn AS turn, c.seat AS seat,
       c.bot AS bot, c.at AS at, c.latency_ms AS latency_ms, c.status AS status,
       c.error AS error, c.request AS request, c.answer AS answer, c.message AS message,
       p.name AS name
FROM bot_call_log c LEFT JOIN match m ON m.id = c.match
     LEFT JOIN seat s ON s.match = c.match AND s.seat = c.seat
     LEFT JOIN player p ON p.id = s.player;

CREATE VIEW match_failure AS
SELECT r.match AS match, m.ruleset AS ruleset, r.turn AS turn,
       json_extract(f.value, '$.seat') AS seat, p.name AS name,
       json_extract(f.value, '$.error') AS error, json_extract(f.value, '$.message') AS message
FROM match_record r JOIN match m ON m.id = r.match, json_each(r.body, '$.failures') f
     LEFT JOIN seat s ON s.match = r.match AND s.seat = json_extract(f.value, '$.seat')
     LEFT JOIN player p ON p.id = s.player
WHERE r.kind = 'turn';
