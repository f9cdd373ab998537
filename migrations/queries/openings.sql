-- Openings that win: a seat's first command of the first turn in play, and how it went for the seat.
WITH first_turn AS (
    SELECT c.*, rank() OVER (PARTITION BY c.match ORDER BY c.turn) AS turn_place
    FROM match_command c
    WHERE c.turn <= 1 AND c.place = 0
      AND c.kind NOT IN ('place', 'timeout', 'resign', 'abandon', 'agree_draw')
)
SELECT f.ruleset, f.seat, f.kind, f.unit, f.cells, count(*) AS played,
       sum(m.winner IS f.seat) AS won,
       round(100.0 * sum(m.winner IS f.seat) / count(*), 1) AS won_percent
FROM first_turn f JOIN match m ON m.id = f.match
WHERE m.status = 'over' AND f.turn_place = 1 AND f.verdict = 'ok'
GROUP BY f.ruleset, f.seat, f.kind, f.unit, f.cells
ORDER BY played DESC, won_percent DESC, f.ruleset, f.seat, f.unit, f.cells
LIMIT 50
