-- Records in the order of their arrival, each with the id of the one before it in its match.
--
-- An index by match has a page of its own for every live match, and each commit writes all of them
-- again: four times the bytes of the records.  A match is read along `previous`, from
-- chain.last_record back; record_block is for everybody else, and its entries of one commit are side
-- by side however many matches there are.

-- Views name the table that is made anew; they stay as they are.
PRAGMA legacy_alter_table = ON;

-- `id` is never changed by VACUUM; those of pruned records may be given again, so whoever follows one
-- looks at the match too.  `body` comes last so that the other columns are read without it.
CREATE TABLE record_heap (
    id         INTEGER PRIMARY KEY,
    previous   INTEGER, -- NULL: it is the match's first
    match      INTEGER NOT NULL REFERENCES match (id),
    seq        INTEGER NOT NULL CHECK (seq >= 1),
    epoch      INTEGER NOT NULL,
    turn       INTEGER CHECK (turn >= 0),
    seat       INTEGER CHECK (seat >= 0),
    command_id TEXT,
    kind       TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    body       TEXT    NOT NULL
) STRICT;

INSERT INTO record_heap (id, previous, match, seq, epoch, turn, seat, command_id, kind, at, hash, body)
SELECT r.rowid, (SELECT p.rowid FROM record p WHERE p.match = r.match AND p.seq = r.seq - 1),
       r.match, r.seq, r.epoch, r.turn, r.seat, r.command_id, r.kind, r.at, r.hash, r.body
FROM record r
ORDER BY r.rowid;

ALTER TABLE chain ADD COLUMN last_record INTEGER;
ALTER TABLE chain ADD COLUMN first_record INTEGER;

UPDATE chain
SET last_record = (SELECT r.rowid FROM record r WHERE r.match = chain.match AND r.seq = chain.last_seq),
    first_record = (SELECT r.rowid FROM record r WHERE r.match = chain.match AND r.seq = 1);

DROP TABLE record;
ALTER TABLE record_heap RENAME TO record;
PRAGMA legacy_alter_table = OFF;

-- By blocks of 2,048 records.  `WHERE match = 7` looks into each block, if SQLite knows that there
-- are few of them beside the records: that is what the line in sqlite_stat1 tells.
CREATE UNIQUE INDEX record_block ON record (id >> 11, match, seq);

ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('record', 'record_block', '1000000 2048 4 1');
ANALYZE sqlite_schema;

-- The same columns, from the last record back: the first turn met is the last one played, and turns
-- are numbered from 0 without gaps.
DROP VIEW match_summary;

CREATE VIEW match_summary AS
SELECT match, ruleset, version, status, is_open, is_rated, seats, players, turn,
       coalesce(turn + 1, 0) AS turns, created_at, started_at, ended_at, duration_ms, winner,
       winner_name, reason, settings, head
FROM (SELECT m.id AS match, m.ruleset AS ruleset, m.version AS version, m.status AS status,
             m.is_open AS is_open, m.is_rated AS is_rated, m.seat_count AS seats,
             (SELECT json_group_array(named.name)
              FROM (SELECT p.name AS name
                    FROM seat s LEFT JOIN player p ON p.id = s.player
                    WHERE s.match = m.id
                    ORDER BY s.seat) named) AS players,
             (WITH RECURSIVE walk(previous, seq, kind, turn) AS (
                  SELECT r.previous, r.seq, r.kind, r.turn
                  FROM chain c JOIN record r ON r.id = c.last_record AND r.match = c.match
                  WHERE c.match = m.id
                  UNION ALL
                  SELECT r.previous, r.seq, r.kind, r.turn
                  FROM walk w JOIN record r ON r.id = w.previous
                  WHERE w.kind <> 'turn' AND r.match = m.id AND r.seq < w.seq)
              SELECT walk.turn FROM walk WHERE walk.kind = 'turn') AS turn,
             m.created_at AS created_at, m.started_at AS started_at, m.ended_at AS ended_at,
             m.ended_at - m.started_at AS duration_ms,
             m.winner AS winner,
             (SELECT p.name FROM seat s JOIN player p ON p.id = s.player
              WHERE s.match = m.id AND s.seat = m.winner) AS winner_name,
             m.reason AS reason, m.settings AS settings,
             (SELECT lower(hex(c.head)) FROM chain c WHERE c.match = m.id) AS head
      FROM match m);
