-- More of what admins ask.  ../README.md has every column; ../queries has questions
-- that are asked often, ready to be asked.

-- What a seat sent and was told at once.  What a turn used in the end is match_command.
CREATE VIEW match_submission AS
SELECT r.match AS match, m.ruleset AS ruleset, r.turn AS turn, r.seat AS seat, r.seq AS seq,
       r.at AS at, commands.key AS place,
       json_extract(commands.value, '$.kind') AS kind,
       json_extract(commands.value, '$.unit') AS unit,
       json_extract(r.body, '$.verdicts[' || commands.key || '].verdict') AS verdict,
       json_extract(r.body, '$.verdicts[' || commands.key || '].check') AS check_name,
       commands.value AS command
FROM match_record r JOIN match m ON m.id = r.match, json_each(r.body, '$.commands') commands
WHERE r.kind = 'submission';

-- A row a ruleset, check and verdict.  A refused command that was corrected in time
-- counts in `submitted` only, a bounce in `resolved` only.
CREATE VIEW refusal_stats AS
SELECT ruleset, check_name, verdict, sum(submitted) AS submitted, sum(resolved) AS resolved
FROM (SELECT ruleset, check_name, verdict, 1 AS submitted, 0 AS resolved
      FROM match_submission WHERE verdict <> 'ok'
      UNION ALL
      SELECT ruleset, check_name, verdict, 0, 1
      FROM match_command WHERE verdict <> 'ok')
GROUP BY ruleset, check_name, verdict;

CREATE VIEW bounce_cells AS
SELECT ruleset, x, y, count(*) AS bounces, count(DISTINCT match) AS matches
FROM match_event
WHERE kind IN ('bounced', 'collided')
GROUP BY ruleset, x, y;

-- A row a turn and seat of matches with a clock.
CREATE VIEW clock_usage AS
SELECT t.match AS match, t.ruleset AS ruleset, t.turn AS turn, used.key AS seat,
       s.player AS player, p.name AS name, used.value AS used_ms,
       json_extract(t.bank_ms, '$[' || used.key || ']') AS bank_ms
FROM match_turn t, json_each(t.used_ms) used
LEFT JOIN seat s ON s.match = t.match AND s.seat = used.key
LEFT JOIN player p ON p.id = s.player;

-- A row a player and ruleset: every match that was started and ended, rated or not.
CREATE VIEW player_record AS
SELECT p.id AS player, p.name AS name, p.is_bot AS is_bot, m.ruleset AS ruleset,
       count(*) AS games,
       sum(m.winner IS s.seat) AS wins,
       sum(m.winner IS NULL) AS draws,
       sum(m.winner IS NOT NULL AND m.winner <> s.seat) AS losses,
       sum(m.is_rated) AS rated,
       min(m.started_at) AS first_at, max(m.ended_at) AS last_at
FROM seat s JOIN match m ON m.id = s.match JOIN player p ON p.id = s.player
WHERE m.status = 'over' AND m.started_at IS NOT NULL
GROUP BY p.id, m.ruleset;

-- A row a player and ruleset: rated matches only.
CREATE VIEW leaderboard AS
SELECT st.ruleset AS ruleset,
       rank() OVER (PARTITION BY st.ruleset ORDER BY st.wins DESC, st.losses) AS place,
       st.player AS player, p.name AS name, p.is_bot AS is_bot,
       st.games AS games, st.wins AS wins, st.draws AS draws, st.losses AS losses
FROM standing st JOIN player p ON p.id = st.player;
