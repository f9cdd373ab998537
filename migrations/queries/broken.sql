-- Integrity: chains whose end, numbers or rows are inconsistent.  No rows means no problem;
-- skirmish verify checks every byte.  Pruned matches must have no records.
WITH found AS (
    SELECT match, max(seq) AS found_seq, count(*) AS records, max(kind = 'ended') AS has_ended
    FROM record
    GROUP BY match
)
SELECT m.id AS match, m.status, c.last_seq, f.found_seq, coalesce(f.records, 0) AS records
FROM match m LEFT JOIN chain c ON c.match = m.id LEFT JOIN found f ON f.match = m.id
LEFT JOIN record r ON r.id = c.last_record AND r.match = m.id
WHERE NOT EXISTS (SELECT 1 FROM pruned d WHERE d.match = m.id)
  AND (c.last_seq IS NULL OR c.last_seq IS NOT f.found_seq OR c.last_seq IS NOT f.records
       OR c.last_seq IS NOT r.seq OR c.head IS NOT r.hash
       OR (m.status = 'over') <> coalesce(f.has_ended, 0))
ORDER BY m.id
