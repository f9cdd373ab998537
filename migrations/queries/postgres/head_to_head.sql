-- A player against each other player, or with other=NAME against one.
-- needs player=NAME
SELECT o.name AS other, s.ruleset, count(*) AS games, count(*) FILTER (WHERE s.result = 'won') AS won,
       count(*) FILTER (WHERE s.result = 'draw') AS drawn, count(*) FILTER (WHERE s.result = 'lost' AND o.result = 'won') AS lost,
       datetime(max(s.ended_at) / 1000, 'unixepoch') AS last
FROM match_seat s JOIN match_seat o ON o.match = s.match AND o.seat <> s.seat
WHERE lower(s.name) = lower(:player) AND (:other IS NULL OR lower(o.name) = lower(:other))
  AND o.player <> s.player AND s.result IN ('won', 'lost', 'draw')
GROUP BY o.player, o.name, s.ruleset
ORDER BY games DESC, other, s.ruleset
