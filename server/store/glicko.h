/*
 * glicko - Glickman's Glicko-2 ratings: only the arithmetic.
 *
 * A rating estimates a player's strength.  Its deviation says how uncertain the
 * estimate is, its volatility how much the strength seems to change.  Values
 * are on the usual scale; everybody starts at 1500.
 *
 * The same calls in the same order give the same bits: results depend only on
 * the arguments.
 *
 * Threads: any; nothing is kept.
 */
#ifndef SK_STORE_GLICKO_H
#define SK_STORE_GLICKO_H

#include <stdint.h>

#define GLICKO_RATING_FIRST     1500.0
#define GLICKO_DEVIATION_FIRST  350.0 /* also the maximum */
#define GLICKO_VOLATILITY_FIRST 0.06
#define GLICKO_TAU              0.5 /* limits how fast a volatility changes */

/* A rating with a larger deviation is provisional.  The SQL view repeats this number. */
#define GLICKO_PROVISIONAL 110.0

/* One rating period.  Time without a match counts in fractions of it. */
#define GLICKO_PERIOD_MS 86400000

struct glicko {
    double rating;
    double deviation;
    double volatility;
};

/* The opponent before the match, and the player's score: 1, 0.5 or 0. */
struct glicko_game {
    struct glicko opponent;
    double score;
};

extern const struct glicko glicko_first;

/* The rating after time without games: more uncertain. */
struct glicko glicko_age(struct glicko player, int64_t elapsed_ms);

/* The rating after the games of one period; requires at least one. */
struct glicko glicko_after(struct glicko player, const struct glicko_game *games, uint32_t count);

#endif /* SK_STORE_GLICKO_H */
