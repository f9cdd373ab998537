-- A match started and ended when the records say so, to the millisecond: skirmish verify compares.
-- Earlier programs read the clock again for the row, a moment later.

-- A rating depends on when matches ended: 0 lets the program count all of them anew.
UPDATE standing SET rated_at = 0
WHERE EXISTS (SELECT 1
              FROM rated_match q JOIN match m ON m.id = q.match JOIN chain c ON c.match = m.id
              JOIN record r ON r.match = m.id AND r.seq = c.last_seq
              WHERE r.kind = 'ended' AND abs(m.ended_at - r.at) BETWEEN 1 AND 1000);

UPDATE match SET ended_at = r.at
FROM chain c JOIN record r ON r.match = c.match AND r.seq = c.last_seq
WHERE c.match = match.id AND r.kind = 'ended' AND abs(match.ended_at - r.at) BETWEEN 1 AND 1000;

UPDATE match SET started_at = s.at
FROM (SELECT m.id AS match,
             (SELECT r.at FROM record r
              WHERE r.match = m.id AND r.kind = 'joined'
                AND CASE WHEN json_valid(r.body) THEN json_extract(r.body, '$.starts') END
              ORDER BY r.seq LIMIT 1) AS at
      FROM match m WHERE m.started_at IS NOT NULL) s
WHERE s.match = match.id AND abs(match.started_at - s.at) BETWEEN 1 AND 1000;
