-- What the ready-made questions count over all records, by match or by ruleset.  Whoever asks the
-- views gets it from here; skirmish query counts the same in one pass of its own, several times
-- faster (server/store/tally.h), and its tests compare the two.

CREATE VIEW turn_stats AS
SELECT ruleset, count(*) AS turns, sum(commands) AS commands, sum(refused) AS refused,
       sum(events) AS events
FROM match_turn
GROUP BY ruleset;

CREATE VIEW clock_stats AS
SELECT match, ruleset, seat, count(*) AS turns, sum(used_ms) AS used_ms,
       max(used_ms) AS longest_ms
FROM clock_usage
GROUP BY match, seat;

CREATE VIEW submission_stats AS
SELECT match, seat, count(*) AS submissions, sum(is_replaced) AS replaced
FROM (SELECT match, seat, kind,
             lead(seq) OVER (PARTITION BY match, seat, turn ORDER BY seq) IS NOT NULL AS is_replaced
      FROM record
      WHERE kind IN ('submission', 'withdrawn'))
WHERE kind = 'submission'
GROUP BY match, seat;

-- A seat's commands of one of the first turns, as words.  They have no order and are sorted.
CREATE VIEW opening_turn AS
SELECT match, ruleset, seat, turn, group_concat(words, '; ') AS words
FROM (SELECT match, ruleset, seat, turn,
             kind || coalesce(' ' || unit, '')
                 || coalesce(' ' || json_extract(command, '$.item'), '')
                 || coalesce(' ' || json_extract(command, '$.dir'), '')
                 || coalesce(' ' || (SELECT group_concat(replace(trim(c.value, '[]'), ' ', ''), ' ')
                                     FROM json_each(cells) c), '') AS words
      FROM match_command
      WHERE turn <= 6 AND verdict IN ('ok', 'bounced')
        AND kind NOT IN ('place', 'timeout', 'resign', 'abandon', 'agree_draw')
      ORDER BY match, seat, turn, words)
GROUP BY match, seat, turn;
