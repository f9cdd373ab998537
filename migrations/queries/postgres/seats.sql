-- Does one seat win more often?  low and high are the 95% confidence interval (Wilson):
-- while it contains 50 (for two seats), the difference may be chance.
WITH score AS (
    SELECT ruleset, seat, count(*) AS games, count(*) FILTER (WHERE result = 'won') AS wins, count(*) FILTER (WHERE result = 'draw') AS draws,
           count(*) FILTER (WHERE result = 'won') / count(*)::float8 AS share, 1.96::float8 * 1.96::float8 / count(*) AS z
    FROM match_seat
    WHERE result IN ('won', 'lost', 'draw')
    GROUP BY ruleset, seat
)
SELECT ruleset, seat, games, wins, draws, round((100 * share)::numeric, 1)::float8 AS win_percent,
       round((100 * (share + z / 2 - sqrt(z * (share * (1 - share) + z / 4))) / (1 + z))::numeric, 1)::float8 AS low,
       round((100 * (share + z / 2 + sqrt(z * (share * (1 - share) + z / 4))) / (1 + z))::numeric, 1)::float8 AS high
FROM score
ORDER BY ruleset, seat
