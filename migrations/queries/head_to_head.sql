-- A player against each other player, or with other=NAME against one.
-- needs player=NAME
SELECT o.name AS other, s.ruleset, count(*) AS games, sum(s.result = 'won') AS won,
       sum(s.result = 'draw') AS drawn, sum(s.result = 'lost' AND o.result = 'won') AS lost,
       datetime(max(s.ended_at) / 1000, 'unixepoch') AS last
FROM match_seat s JOIN match_seat o ON o.match = s.match AND o.seat <> s.seat
WHERE s.name = :player COLLATE NOCASE AND (:other IS NULL OR o.name = :other COLLATE NOCASE)
  AND o.player <> s.player AND s.result IN ('won', 'lost', 'draw')
GROUP BY o.player, s.ruleset
ORDER BY games DESC, other, s.ruleset
