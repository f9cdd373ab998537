-- What web services that play seats were asked and answered: the newest calls only,
-- the daemon forgets older ones.

CREATE TABLE bot_call_log (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    match      INTEGER NOT NULL,
    turn       INTEGER NOT NULL,
    seat       INTEGER NOT NULL,
    bot        TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    latency_ms INTEGER NOT NULL,
    status     INTEGER,
    error      TEXT,
    request    TEXT,
    answer     TEXT
) STRICT;

CREATE INDEX bot_call_match ON bot_call_log (match, turn, seat);

CREATE VIEW bot_call AS
SELECT c.id AS call, c.match AS match, m.ruleset AS ruleset, c.turn AS turn, c.seat AS seat,
       c.bot AS bot, c.at AS at, c.latency_ms AS latency_ms, c.status AS status,
       c.error AS error, c.request AS request, c.answer AS answer
FROM bot_call_log c LEFT JOIN match m ON m.id = c.match;
