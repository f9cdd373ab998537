-- Players that the server itself plays: which bot it is, as `create` names it, so that
-- a match goes on with its bots after a restart.  Nobody has a token of theirs.

ALTER TABLE player ADD COLUMN bot TEXT;

CREATE UNIQUE INDEX player_bot ON player (bot) WHERE bot IS NOT NULL;
