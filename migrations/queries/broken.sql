-- Integrity: chains whose end, numbers or rows do not fit together.  No row is good news;
-- skirmish verify looks at every byte.  What was pruned has no records, and should have none.
SELECT m.id AS match, m.status,
       c.last_seq, (SELECT max(r.seq) FROM record r WHERE r.match = m.id) AS found_seq,
       (SELECT count(*) FROM record r WHERE r.match = m.id) AS records
FROM match m LEFT JOIN chain c ON c.match = m.id
WHERE NOT EXISTS (SELECT 1 FROM pruned d WHERE d.match = m.id) AND (c.last_seq IS NULL
   OR c.last_seq <> (SELECT max(r.seq) FROM record r WHERE r.match = m.id)
   OR c.last_seq <> (SELECT count(*) FROM record r WHERE r.match = m.id)
   OR c.head <> (SELECT r.hash FROM record r WHERE r.match = m.id ORDER BY r.seq DESC LIMIT 1)
   OR (m.status = 'over') <> EXISTS (SELECT 1 FROM record r WHERE r.match = m.id AND r.kind = 'ended'))
ORDER BY m.id
