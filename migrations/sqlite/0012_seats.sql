-- Who sat where, with what result, by name; and when somebody was last there.

-- When the player last came or went; NULL: not since this is noted.
ALTER TABLE player ADD COLUMN last_seen INTEGER;

CREATE VIEW match_seat AS
SELECT s.match AS match, m.ruleset AS ruleset, s.seat AS seat, s.player AS player, p.name AS name,
       s.is_bot OR coalesce(p.is_bot, 0) AS is_bot,
       CASE WHEN m.status <> 'over' THEN m.status
            WHEN m.started_at IS NULL THEN 'none'
            WHEN m.winner IS NULL THEN 'draw'
            WHEN m.winner = s.seat THEN 'won' ELSE 'lost' END AS result,
       s.rating_before AS rating_before, s.rating_after AS rating_after,
       m.started_at AS started_at, m.ended_at AS ended_at
FROM seat s JOIN match m ON m.id = s.match LEFT JOIN player p ON p.id = s.player;
