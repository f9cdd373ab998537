-- Which match a rematch plays again: who wants it second, or after a restart,
-- joins the one that is there.

ALTER TABLE match ADD COLUMN rematch_of INTEGER REFERENCES match (id);

CREATE INDEX match_rematch ON match (rematch_of) WHERE rematch_of IS NOT NULL;
