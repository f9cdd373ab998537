CREATE UNIQUE INDEX player_bot ON player (bot) WHERE bot IS NOT NULL;
