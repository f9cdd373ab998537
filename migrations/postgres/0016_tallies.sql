CREATE VIEW turn_stats AS
SELECT ruleset, count(*) AS turns, sum(commands) AS commands, sum(refused) AS refused,
       sum(events) AS events
FROM match_turn
GROUP BY ruleset;

CREATE VIEW clock_stats AS
SELECT match, ruleset, seat, count(*) AS turns, sum(used_ms) AS used_ms, max(used_ms) AS longest_ms
FROM clock_usage
GROUP BY match, ruleset, seat;

CREATE VIEW submission_stats AS
SELECT match, seat, count(*) AS submissions, count(*) FILTER (WHERE is_replaced) AS replaced
FROM (SELECT match, seat, kind,
             lead(seq) OVER (PARTITION BY match, seat, turn ORDER BY seq) IS NOT NULL AS is_replaced
      FROM record
      WHERE kind IN ('submission', 'withdrawn')) s
WHERE kind = 'submission'
GROUP BY match, seat;

CREATE VIEW opening_turn AS
SELECT match, ruleset, seat, turn, string_agg(words, '; ' ORDER BY words COLLATE "C") AS words
FROM (SELECT match, ruleset, seat, turn,
             kind || coalesce(' ' || unit, '')
                 || coalesce(' ' || (command::json ->> 'item'), '')
                 || coalesce(' ' || (command::json ->> 'dir'), '')
                 || coalesce(' ' || (SELECT string_agg(replace(trim('[]' FROM c.value::text),
                                                               ' ', ''), ' ' ORDER BY c.n)
                                     FROM json_array_elements(sk_list(cells::json))
                                         WITH ORDINALITY AS c(value, n)), '') AS words
      FROM match_command
      WHERE turn <= 6 AND verdict IN ('ok', 'bounced')
        AND kind NOT IN ('place', 'timeout', 'resign', 'abandon', 'agree_draw')) w
GROUP BY match, ruleset, seat, turn;
