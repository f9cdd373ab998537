-- More of what admins ask; refusal_stats, bounce_cells and leaderboard in the form of later
-- migrations.

CREATE VIEW match_submission AS
SELECT r.match, m.ruleset, r.turn, r.seat, r.seq, r.at, (c.n - 1)::integer AS place,
       c.value ->> 'kind' AS kind, c.value ->> 'unit' AS unit, c.verdict ->> 'verdict' AS verdict,
       c.verdict ->> 'check' AS check_name, c.value::text AS command
FROM record r JOIN match m ON m.id = r.match
     CROSS JOIN LATERAL ROWS FROM (json_array_elements(sk_list(r.body -> 'commands')),
                                   json_array_elements(sk_list(r.body -> 'verdicts')))
         WITH ORDINALITY AS c(value, verdict, n)
WHERE r.kind = 'submission' AND c.value IS NOT NULL;

-- Only bodies that have what is asked for are read as JSON: they are chosen by their text.
CREATE VIEW refusal_stats AS
SELECT ruleset, check_name, verdict, sum(submitted) AS submitted, sum(resolved) AS resolved
FROM (SELECT m.ruleset, v.value ->> 'check' AS check_name, v.value ->> 'verdict' AS verdict,
             1 AS submitted, 0 AS resolved
      FROM record r JOIN match m ON m.id = r.match
           CROSS JOIN LATERAL json_array_elements(sk_list(r.body -> 'verdicts')) v(value)
      WHERE r.kind = 'submission'
        AND position('"verdict":' IN replace(r.body::text, '{"verdict":"ok"}', '')) > 0
        AND v.value ->> 'verdict' <> 'ok'
      UNION ALL
      SELECT m.ruleset, v.value ->> 'check', v.value ->> 'verdict', 0, 1
      FROM record r JOIN match m ON m.id = r.match
           CROSS JOIN LATERAL json_array_elements(sk_list(r.body -> 'verdicts')) s(value)
           CROSS JOIN LATERAL json_array_elements(sk_list(s.value)) v(value)
      WHERE r.kind = 'turn'
        AND position('"verdict":' IN replace(r.body::text, '{"verdict":"ok"}', '')) > 0
        AND v.value ->> 'verdict' <> 'ok') u
GROUP BY ruleset, check_name, verdict;

CREATE VIEW bounce_cells AS
SELECT ruleset, x, y, count(*) AS bounces, count(DISTINCT match) AS matches
FROM match_event
WHERE kind IN ('bounced', 'collided')
GROUP BY ruleset, x, y;

CREATE VIEW clock_usage AS
SELECT t.match, t.ruleset, t.turn, (u.n - 1)::integer AS seat, s.player, p.name,
       (u.used #>> '{}')::bigint AS used_ms, (u.bank #>> '{}')::bigint AS bank_ms
FROM match_turn t
     CROSS JOIN LATERAL ROWS FROM (json_array_elements(sk_list(t.used_ms::json)),
                                   json_array_elements(sk_list(t.bank_ms::json)))
         WITH ORDINALITY AS u(used, bank, n)
     LEFT JOIN seat s ON s.match = t.match AND s.seat = u.n - 1
     LEFT JOIN player p ON p.id = s.player
WHERE u.used IS NOT NULL;

CREATE VIEW player_record AS
SELECT p.id AS player, p.name, p.is_bot, m.ruleset, count(*) AS games,
       count(*) FILTER (WHERE m.winner = s.seat) AS wins,
       count(*) FILTER (WHERE m.winner IS NULL) AS draws,
       count(*) FILTER (WHERE m.winner <> s.seat) AS losses, sum(m.is_rated) AS rated,
       min(m.started_at) AS first_at, max(m.ended_at) AS last_at
FROM seat s JOIN match m ON m.id = s.match JOIN player p ON p.id = s.player
WHERE m.status = 'over' AND m.started_at IS NOT NULL
GROUP BY p.id, m.ruleset;

CREATE VIEW leaderboard AS
SELECT st.ruleset,
       rank() OVER (PARTITION BY st.ruleset
                    ORDER BY st.deviation > 110.0, st.rating DESC, st.wins DESC, st.losses) AS place,
       st.player, p.name, p.is_bot, st.games, st.wins, st.draws, st.losses, st.rating, st.deviation,
       st.volatility, (st.deviation > 110.0)::integer AS is_provisional, st.rated_at
FROM standing st JOIN player p ON p.id = st.player;
