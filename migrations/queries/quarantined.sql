-- Which matches are quarantined, and why?
SELECT match, ruleset, players, reason FROM match_summary WHERE status = 'quarantined' ORDER BY match
