CREATE VIEW bot_call AS
SELECT c.id AS call, c.match, m.ruleset, c.turn, c.seat, c.bot, c.at, c.latency_ms, c.status,
       c.error, c.request, c.answer, c.message, p.name
FROM bot_call_log c LEFT JOIN match m ON m.id = c.match
     LEFT JOIN seat s ON s.match = c.match AND s.seat = c.seat
     LEFT JOIN player p ON p.id = s.player;

CREATE VIEW match_failure AS
SELECT r.match, m.ruleset, r.turn, (f.value ->> 'seat')::integer AS seat, p.name,
       f.value ->> 'error' AS error, f.value ->> 'message' AS message
FROM record r JOIN match m ON m.id = r.match
     CROSS JOIN LATERAL json_array_elements(sk_list(r.body -> 'failures')) f(value)
     LEFT JOIN seat s ON s.match = r.match AND s.seat = (f.value ->> 'seat')::integer
     LEFT JOIN player p ON p.id = s.player
WHERE r.kind = 'turn';
