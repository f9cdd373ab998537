-- Glicko-2 ratings by ruleset.

ALTER TABLE standing ADD COLUMN rating REAL NOT NULL DEFAULT 1500.0;
ALTER TABLE standing ADD COLUMN deviation REAL NOT NULL DEFAULT 350.0;
ALTER TABLE standing ADD COLUMN volatility REAL NOT NULL DEFAULT 0.06;
-- When the last of its matches ended; 0: none was counted yet, and the program that finds such a
-- row counts all matches anew.
ALTER TABLE standing ADD COLUMN rated_at INTEGER NOT NULL DEFAULT 0;

-- The matches that count, in the order in which they were counted: a rating depends on it.
CREATE TABLE rated_match (
    number INTEGER PRIMARY KEY,
    match  INTEGER NOT NULL UNIQUE REFERENCES match (id)
) STRICT;

INSERT INTO rated_match (match)
SELECT m.id
FROM match m
JOIN seat a ON a.match = m.id AND a.seat = 0
JOIN seat b ON b.match = m.id AND b.seat = 1
WHERE m.status = 'over' AND m.is_rated AND m.started_at IS NOT NULL AND m.seat_count = 2
  AND a.player <> b.player
  AND NOT EXISTS (SELECT 1 FROM origin o WHERE o.match = m.id)
ORDER BY m.ended_at, m.id;

-- Uncertain ratings stand behind the others.
DROP VIEW leaderboard;

CREATE VIEW leaderboard AS
SELECT st.ruleset AS ruleset,
       rank() OVER (PARTITION BY st.ruleset
                    ORDER BY st.deviation > 110.0, st.rating DESC, st.wins DESC, st.losses) AS place,
       st.player AS player, p.name AS name, p.is_bot AS is_bot,
       st.games AS games, st.wins AS wins, st.draws AS draws, st.losses AS losses,
       st.rating AS rating, st.deviation AS deviation, st.volatility AS volatility,
       st.deviation > 110.0 AS is_provisional, st.rated_at AS rated_at
FROM standing st JOIN player p ON p.id = st.player;

DROP INDEX standing_order;
CREATE INDEX standing_order ON standing (ruleset, deviation > 110.0, rating DESC, wins DESC, losses,
                                          player);
