-- Does one seat win more often?  low and high are the 95% confidence interval (Wilson):
-- while it contains 50 (for two seats), the difference may be chance.
WITH score AS (
    SELECT ruleset, seat, count(*) AS games, sum(result = 'won') AS wins, sum(result = 'draw') AS draws,
           avg(result = 'won') AS share, 1.96 * 1.96 / count(*) AS z
    FROM match_seat
    WHERE result IN ('won', 'lost', 'draw')
    GROUP BY ruleset, seat
)
SELECT ruleset, seat, games, wins, draws, round(100 * share, 1) AS win_percent,
       round(100 * (share + z / 2 - sqrt(z * (share * (1 - share) + z / 4))) / (1 + z), 1) AS low,
       round(100 * (share + z / 2 + sqrt(z * (share * (1 - share) + z / 4))) / (1 + z), 1) AS high
FROM score
ORDER BY ruleset, seat
