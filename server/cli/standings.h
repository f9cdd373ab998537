/*
 * standings - who won how often against whom, and what follows for the strength
 * of each.
 *
 * Ratings are Elo numbers by maximum likelihood (Bradley and Terry's model, a draw
 * is half a win).  One drawn match against an average player is added for each, so
 * that a player who won everything has a rating, too.  Their average is 0.
 *
 * Owner:   the caller; it holds no pointers.
 * Threads: none of its own.
 */
#ifndef SK_CLI_STANDINGS_H
#define SK_CLI_STANDINGS_H

#include <stdint.h>

#define STANDINGS_MAX 32

struct standings {
    uint32_t count;
    uint32_t wins[STANDINGS_MAX][STANDINGS_MAX]; /* [a][b]: of a against b */
    uint32_t draws[STANDINGS_MAX][STANDINGS_MAX];
};

struct rating {
    double elo;
    double margin; /* of the 95% interval, to both sides */
};

uint32_t standings_games(const struct standings *standings, uint32_t a, uint32_t b);

/* Wins, draws and matches of one player against all others. */
struct standing {
    uint32_t wins;
    uint32_t draws;
    uint32_t games;
};

struct standing standings_of(const struct standings *standings, uint32_t player);

void standings_rate(const struct standings *standings, struct rating ret_ratings[STANDINGS_MAX]);

/* Wilson's 95% interval of a share, in percent, which also holds for small numbers. */
void standings_interval(uint32_t wins, uint32_t games, double *ret_low, double *ret_high);

#endif /* SK_CLI_STANDINGS_H */
