-- What was set aside, and why?
SELECT match, ruleset, players, reason FROM match_summary WHERE status = 'quarantined' ORDER BY match
