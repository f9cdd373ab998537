-- What is not kept for ever: records, and persons.

-- Matches whose records were dropped.  Their rows and where their chains ended stay.
CREATE TABLE pruned (
    match     INTEGER PRIMARY KEY REFERENCES match (id),
    pruned_at INTEGER NOT NULL,
    records   INTEGER NOT NULL,
    turns     INTEGER NOT NULL
) STRICT;

-- The person is gone; the row stays for the matches.
ALTER TABLE player ADD COLUMN forgotten_at INTEGER;
