/*
 * sk_replay - resolves a stored match again and compares the hashes.
 *
 * The caller provides the stored turns one by one; the runner stops at the
 * first hash that differs.  So a stored match is a proof: params, seed and
 * commands lead to the stored states, or they do not.
 *
 * Owner:   the caller owns all memory.
 * Threads: one at a time; several replays may run in parallel.
 */
#ifndef SK_REPLAY_H
#define SK_REPLAY_H

#include "common/core/match.h"

struct sk_replay_turn {
    struct sk_commands commands[SK_SEATS_MAX];
    uint64_t hash; /* of the state after this turn */
};

/* Returns the next stored turn; false = there are no more. */
struct sk_replay_source {
    bool (*next)(struct sk_replay_source *source, struct sk_replay_turn *ret_turn);
};

struct sk_replay_result {
    uint32_t turns;    /* resolved with equal hashes */
    uint64_t expected; /* the first hash that differs, and ... */
    uint64_t found;    /* ... the one computed */
};

/*
 * Continues `match` from its current state.  Returns SK_ERR_DIFFERS at the
 * first hash that differs from the stored one; the result is written either
 * way.
 */
enum sk_status sk_replay_run(struct sk_match *match, struct sk_turn *turn,
                             struct sk_replay_source *source, struct sk_replay_result *ret_result);

#endif /* SK_REPLAY_H */
