-- A player's ratings, match by match, newest first.  ruleset=NAME for one ruleset.
-- needs player=NAME
SELECT s.match, s.ruleset, s.result,
       (SELECT string_agg(o.name, ', ' ORDER BY o.seat) FROM match_seat o
        WHERE o.match = s.match AND o.seat <> s.seat) AS against,
       round(s.rating_before::numeric, 1)::float8 AS before, round(s.rating_after::numeric, 1)::float8 AS after,
       round((s.rating_after - s.rating_before)::numeric, 1)::float8 AS change,
       datetime(s.ended_at / 1000, 'unixepoch') AS ended
FROM match_seat s JOIN rated_match r ON r.match = s.match
WHERE lower(s.name) = lower(:player) AND s.rating_after IS NOT NULL
  AND (:ruleset IS NULL OR s.ruleset = :ruleset)
ORDER BY r.number DESC
