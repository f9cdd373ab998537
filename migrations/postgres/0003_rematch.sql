CREATE INDEX match_rematch ON match (rematch_of) WHERE rematch_of IS NOT NULL;
