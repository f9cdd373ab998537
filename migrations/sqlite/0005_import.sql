-- Matches that were played elsewhere and came here as files.  The hashes of their
-- records are made with the number they had there, so that number stays known.

CREATE TABLE origin (
    match       INTEGER PRIMARY KEY REFERENCES match (id),
    number      INTEGER NOT NULL CHECK (number >= 1),
    imported_at INTEGER NOT NULL
) STRICT;

CREATE INDEX origin_number ON origin (number);

-- The records name players by their ids there.
ALTER TABLE seat ADD COLUMN origin_player INTEGER;
