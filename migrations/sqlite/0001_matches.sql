-- Players, matches and the append-only table of records.
--
-- The records are the truth; seats, results and standings can be rebuilt from
-- them.  Times are milliseconds since 1970-01-01 UTC.  ../README.md has every
-- column.

CREATE TABLE player (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice: records name players by it
    name       TEXT    NOT NULL COLLATE NOCASE,
    token_hash BLOB    NOT NULL CHECK (length(token_hash) = 32),
    is_bot     INTEGER NOT NULL DEFAULT 0 CHECK (is_bot IN (0, 1)),
    created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX player_name ON player (name);
CREATE UNIQUE INDEX player_token ON player (token_hash);

CREATE TABLE match (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    ruleset    TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    status     TEXT    NOT NULL, -- waiting | running | over | quarantined
    is_open    INTEGER NOT NULL CHECK (is_open IN (0, 1)),
    is_rated   INTEGER NOT NULL CHECK (is_rated IN (0, 1)),
    seat_count INTEGER NOT NULL CHECK (seat_count >= 1),
    owner      TEXT,
    epoch      INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at   INTEGER,
    winner     INTEGER,
    reason     TEXT,
    code       TEXT,
    seed       BLOB    NOT NULL CHECK (length(seed) = 32),
    salt       BLOB    NOT NULL CHECK (length(salt) = 32),
    settings   TEXT    NOT NULL,
    params     TEXT    NOT NULL
) STRICT;

CREATE UNIQUE INDEX match_code ON match (code) WHERE code IS NOT NULL;
CREATE INDEX match_status ON match (status, id);
CREATE INDEX match_unfinished ON match (id) WHERE status IN ('waiting', 'running');

CREATE TABLE seat (
    match         INTEGER NOT NULL REFERENCES match (id),
    seat          INTEGER NOT NULL,
    player        INTEGER REFERENCES player (id),
    is_bot        INTEGER NOT NULL DEFAULT 0 CHECK (is_bot IN (0, 1)),
    rating_before REAL,
    rating_after  REAL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seat_player ON seat (player, match) WHERE player IS NOT NULL;

-- Appended by rowid, which is several times faster than a clustered key; `body`
-- comes last so that the other columns are read without it.
CREATE TABLE record (
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

CREATE UNIQUE INDEX record_seq ON record (match, seq);

-- A repeated send has one effect.  Most records have no command id.
CREATE UNIQUE INDEX record_command ON record (match, seat, command_id)
    WHERE command_id IS NOT NULL;

-- Where each match's chain ends, so that a lost last record shows.  Not in the
-- match's row, which holds the params: SQLite writes a row as a whole.
CREATE TABLE chain (
    match    INTEGER PRIMARY KEY REFERENCES match (id),
    last_seq INTEGER NOT NULL,
    head     BLOB    NOT NULL CHECK (length(head) = 32)
) STRICT;

-- Results of rated matches, counted in the transaction that ends them, so that a
-- leaderboard never has to go through all matches.
CREATE TABLE standing (
    ruleset TEXT    NOT NULL,
    player  INTEGER NOT NULL REFERENCES player (id),
    games   INTEGER NOT NULL,
    wins    INTEGER NOT NULL,
    draws   INTEGER NOT NULL,
    losses  INTEGER NOT NULL,
    PRIMARY KEY (ruleset, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX standing_order ON standing (ruleset, wins DESC, losses, player);

-- Until when the clocks ran: one row.
CREATE TABLE beat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;
