-- What is known about one player: the standings in all rulesets.
CREATE INDEX standing_player ON standing (player, ruleset);
