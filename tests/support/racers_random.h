/*
 * Random params of racers: crowded boards with the racers close to each other,
 * so that a short match covers everything.  The ruleset accepts all of them.
 *
 * Owner:   lists are in the arena.
 */
#ifndef SK_TEST_RACERS_RANDOM_H
#define SK_TEST_RACERS_RANDOM_H

#include "common/base/arena.h"
#include "common/base/rng.h"
#include "common/rules/racers/racers.h"

/* Enough for the largest params. */
#define RACERS_RANDOM_ARENA (64u * 1024u)

void racers_random_params(struct sk_rng *rng, struct sk_arena *arena,
                          struct racers_params *ret_params);

#endif /* SK_TEST_RACERS_RANDOM_H */
