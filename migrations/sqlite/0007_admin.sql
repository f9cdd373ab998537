-- What admins do to a running daemon, and who may not come in.

CREATE TABLE ban (
    player INTEGER PRIMARY KEY REFERENCES player (id),
    since  INTEGER NOT NULL,
    until  INTEGER, -- NULL: until it is taken back
    reason TEXT    NOT NULL
) STRICT;

CREATE TABLE admin_log (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    uid     INTEGER NOT NULL, -- of the system's user who asked
    command TEXT    NOT NULL,
    match   INTEGER,
    player  INTEGER,
    detail  TEXT    NOT NULL  -- JSON
) STRICT;

CREATE INDEX admin_log_at ON admin_log (at);
