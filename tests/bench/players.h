/*
 * Players for testing the balance of a roster: each plays one seat of a tactics match from the
 * seat's view.
 *
 *   random     any legal command of each unit, or none
 *   greedy     attacks where it hurts the enemy most if nobody moves away,
 *              else goes where it can attack next
 *   cautious   the same, but weighs what it may suffer there and gives way
 *
 * None of them looks further ahead. Equal options are chosen at random, never by the order of units
 * or cells, so that neither seat has an advantage from it.
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
 * Writes the seat's commands of this turn and returns their number, at most one per unit. In the
 * placement turn all players do the same: in half of the matches they leave their units in place,
 * in the others they scatter them over the start rows.
 */
uint32_t players_decide(const struct players *players, enum player player,
                        const struct tactics_position *view, uint8_t seat, struct sk_rng *rng,
                        struct tactics_command *ret_commands);

#endif /* SK_BENCH_PLAYERS_H */
