/*
 * glicko - Glickman's Glicko-2 ratings: the arithmetic and nothing else.
 *
 * A rating is a guess at a player's strength, its deviation how uncertain the
 * guess is, its volatility how much the strength seems to change.  Figures are
 * on the scale that people know: 1500 is where everybody begins.
 *
 * The same calls in the same order give the same bits: nothing depends on
 * anything but the arguments.
 *
 * Threads: any; nothing is kept.
 */
#ifndef SK_STORE_GLICKO_H
#define SK_STORE_GLICKO_H

#include <stdint.h>

#define GLICKO_RATING_FIRST     1500.0
#define GLICKO_DEVIATION_FIRST  350.0 /* also the largest */
#define GLICKO_VOLATILITY_FIRST 0.06
#define GLICKO_TAU              0.5 /* how fast a volatility may change */

/* Of more uncertain ratings little is known: they are provisional.  The view has it too. */
#define GLICKO_PROVISIONAL 110.0

/* One of Glickman's rating periods; of time without a match, parts of it count as well. */
#define GLICKO_PERIOD_MS 86400000

struct glicko {
    double rating;
    double deviation;
    double volatility;
};

/* What a player's opponent was before the match, and what the player got: 1, 0.5 or 0. */
struct glicko_game {
    struct glicko opponent;
    double score;
};

extern const struct glicko glicko_first;

/* Time passes: the rating becomes more uncertain. */
struct glicko glicko_age(struct glicko player, int64_t elapsed_ms);

/* The rating after games of one period, at least one. */
struct glicko glicko_after(struct glicko player, const struct glicko_game *games, uint32_t count);

#endif /* SK_STORE_GLICKO_H */
