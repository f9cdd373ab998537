CREATE INDEX match_rematch ON match (rematch_of) WHERE rematch_of IS NOT NULL;

-- Of two nodes that make a rematch at the same time one is refused, and joins that of the other.
CREATE UNIQUE INDEX match_rematch_live ON match (rematch_of)
    WHERE rematch_of IS NOT NULL AND status IN ('waiting', 'running');
