/*
 * Players for judging the balance of a roster: each commands one seat of a
 * tactics match from what the seat sees.
 *
 *   random     any legal command of each unit, or none
 *   greedy     attacks where it hurts the enemy most if nobody moves away,
 *              else goes where it can attack next
 *   cautious   the same, but weighs what it may suffer there and gives way
 *
 * None of them looks further ahead.  What decides between options of equal
 * worth is chance, never the order of units or cells, so that a seat's place
 * on the board gives it nothing.
 *
 * Owner:   struct players is the heap's; the config stays the caller's and
 *          must live as long.
 * Threads: one at a time for each stream of chance.
 */
#ifndef SK_BENCH_PLAYERS_H
#define SK_BENCH_PLAYERS_H

#include "common/rules/tactics/internal.h"

enum player {
    PLAYER_RANDOM,
    PLAYER_GREEDY,
    PLAYER_CAUTIOUS,
    PLAYER_COUNT,
};

extern const char *const player_names[PLAYER_COUNT];

struct players;

/* NULL when there is not enough memory. */
struct players *players_alloc(const struct tactics_config *config);
void players_free(struct players *players);

/*
 * Fills in the seat's commands of this turn and returns their number, at most
 * one a unit.  In the placement turn every player does the same: in half of
 * the matches it leaves its units where they are, in the others it scatters
 * them over its start rows.
 */
uint32_t players_decide(const struct players *players, enum player player,
                        const struct tactics_position *view, uint8_t seat, struct sk_rng *rng,
                        struct tactics_command *ret_commands);

#endif /* SK_BENCH_PLAYERS_H */
