-- Integrity: chains whose end, numbers or rows are inconsistent.  No rows means no problem;
-- skirmish verify checks every byte.  Pruned matches must have no records.
WITH found AS (
    SELECT match, max(seq) AS found_seq, count(*) AS records, max(CASE WHEN kind = 'ended' THEN 1 ELSE 0 END) AS has_ended
    FROM record
    GROUP BY match
)
SELECT m.id AS match, m.status, c.last_seq, f.found_seq, coalesce(f.records, 0) AS records
FROM match m LEFT JOIN chain c ON c.match = m.id LEFT JOIN found f ON f.match = m.id
LEFT JOIN record r ON r.match = m.id AND r.seq = c.last_seq
WHERE NOT EXISTS (SELECT 1 FROM pruned d WHERE d.match = m.id)
  AND (c.last_seq IS NULL OR c.last_seq IS DISTINCT FROM f.found_seq OR c.last_seq IS DISTINCT FROM f.records
       OR c.last_seq IS DISTINCT FROM r.seq OR c.head IS DISTINCT FROM r.hash
       OR (m.status = 'over')::integer <> coalesce(f.has_ended, 0))
ORDER BY m.id
