-- Who plays most, and with what success?
SELECT name, is_bot, ruleset, games, wins, draws, losses, rated
FROM player_record
ORDER BY games DESC, name, ruleset
