-- Openings that win: a seat's first turn in play, and how it went for the seat.  The commands of one
-- turn have no order and are sorted; if seats take turns (racers), the first three are one opening.
WITH early AS (
    SELECT match, ruleset, seat, turn, words,
           row_number() OVER (PARTITION BY match, seat ORDER BY turn) AS place
    FROM opening_turn
), opening AS (
    SELECT match, ruleset, seat, string_agg(words, '; ' ORDER BY turn) COLLATE "C" AS opening
    FROM early
    WHERE place <= CASE ruleset WHEN 'racers' THEN 3 ELSE 1 END
    GROUP BY match, ruleset, seat
)
SELECT o.ruleset, o.seat, o.opening, count(*) AS played, count(*) FILTER (WHERE m.winner = o.seat) AS won,
       round(100.0 * count(*) FILTER (WHERE m.winner = o.seat) / count(*), 1)::float8 AS won_percent
FROM opening o JOIN match m ON m.id = o.match
WHERE m.status = 'over'
GROUP BY o.ruleset, o.seat, o.opening
ORDER BY played DESC, won_percent DESC, o.ruleset, o.seat, o.opening
LIMIT 50
