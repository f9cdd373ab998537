CREATE VIEW match_seat AS
SELECT s.match, m.ruleset, s.seat, s.player, p.name,
       greatest(s.is_bot, coalesce(p.is_bot, 0)) AS is_bot,
       CASE WHEN m.status <> 'over' THEN m.status
            WHEN m.started_at IS NULL THEN 'none'
            WHEN m.winner IS NULL THEN 'draw'
            WHEN m.winner = s.seat THEN 'won' ELSE 'lost' END AS result,
       s.rating_before, s.rating_after, m.started_at, m.ended_at
FROM seat s JOIN match m ON m.id = s.match LEFT JOIN player p ON p.id = s.player;
