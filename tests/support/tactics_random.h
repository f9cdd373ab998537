/*
 * Random params of tactics, and the same params from the other side of the
 * board.  The ruleset accepts all of them.
 *
 * Owner:   lists and texts are in the arena.
 */
#ifndef SK_TEST_TACTICS_RANDOM_H
#define SK_TEST_TACTICS_RANDOM_H

#include "common/base/arena.h"
#include "common/base/rng.h"
#include "common/rules/tactics/tactics.h"

/* Enough for the largest params. */
#define TACTICS_RANDOM_ARENA (256u * 1024u)

void tactics_random_params(struct sk_rng *rng, struct sk_arena *arena,
                           struct tactics_params *ret_params);

/*
 * The board turned by 180 degrees with the seats swapped.  Units are in a
 * different order, which must not matter either.
 */
void tactics_mirror_params(struct sk_rng *rng, struct sk_arena *arena,
                           const struct tactics_params *params, struct tactics_params *ret_params);

/* A cell off the board is returned unchanged, to avoid overflow. */
struct sk_cell tactics_mirror_cell(const struct tactics_params *params, struct sk_cell cell);

#endif /* SK_TEST_TACTICS_RANDOM_H */
