-- A player's ratings, match by match, newest first.  ruleset=NAME for one ruleset.
-- needs player=NAME
SELECT s.match, s.ruleset, s.result,
       (SELECT group_concat(o.name, ', ') FROM match_seat o
        WHERE o.match = s.match AND o.seat <> s.seat) AS against,
       round(s.rating_before, 1) AS before, round(s.rating_after, 1) AS after,
       round(s.rating_after - s.rating_before, 1) AS change,
       datetime(s.ended_at / 1000, 'unixepoch') AS ended
FROM match_seat s JOIN rated_match r ON r.match = s.match
WHERE s.name = :player COLLATE NOCASE AND s.rating_after IS NOT NULL
  AND (:ruleset IS NULL OR s.ruleset = :ruleset)
ORDER BY r.number DESC
