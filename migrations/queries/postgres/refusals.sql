-- Which check refuses most commands?  ruleset=NAME for one ruleset.
SELECT ruleset, check_name, verdict, submitted, resolved
FROM refusal_stats
WHERE :ruleset IS NULL OR ruleset = :ruleset
ORDER BY submitted + resolved DESC, ruleset, check_name COLLATE "C" NULLS FIRST,
         verdict COLLATE "C"
