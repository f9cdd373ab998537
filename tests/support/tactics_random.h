/*
 * Random params of tactics, and the same params from the other side of the
 * board.  All of them are taken by the ruleset.
 *
 * Owner:   lists and texts live in the arena.
 */
#ifndef SK_TEST_TACTICS_RANDOM_H
#define SK_TEST_TACTICS_RANDOM_H

#include "common/base/arena.h"
#include "common/base/rng.h"
#include "common/rules/tactics/tactics.h"

/* What the largest params need. */
#define TACTICS_RANDOM_ARENA (256u * 1024u)

void tactics_random_params(struct sk_rng *rng, struct sk_arena *arena,
                           struct tactics_params *ret_params);

/*
 * The board turned by 180 degrees and the seats swapped.  Units stand in an
 * order of their own, which must not matter either.
 */
void tactics_mirror_params(struct sk_rng *rng, struct sk_arena *arena,
                           const struct tactics_params *params, struct tactics_params *ret_params);

/* What is off the board stays what it is, so that it cannot overflow. */
struct sk_cell tactics_mirror_cell(const struct tactics_params *params, struct sk_cell cell);

#endif /* SK_TEST_TACTICS_RANDOM_H */
