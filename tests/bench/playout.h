/*
 * playout - plays whole tactics matches between two players, and counts what happens.
 *
 * A match is a pure function of its setup, independent of earlier matches.
 *
 * Owner:   struct playout owns its memory; the config stays the caller's and
 *          must live as long.
 * Threads: one at a time.
 */
#ifndef SK_BENCH_PLAYOUT_H
#define SK_BENCH_PLAYOUT_H

#include "common/core/match.h"
#include "tests/bench/players.h"

#define PLAYOUT_EVERY_MODEL (-1)

struct playout {
    const struct tactics_config *config;
    struct players *players;
    struct sk_turn turn;
    void *turn_memory;
    struct sk_state *state;
};

struct playout_setup {
    struct sk_seed seed;
    uint32_t series; /* matches of one series differ by their number only */
    uint32_t number;
    enum player player[TACTICS_SEATS];
    int32_t without[TACTICS_SEATS]; /* a model that the seat lacks, or PLAYOUT_EVERY_MODEL */
};

/* The placement turn is not counted: the first turn of play is turn 1. */
struct playout_result {
    int winner; /* a seat or SK_NOBODY */
    uint32_t turns;
    uint32_t contact; /* the turn in which an enemy was hit first, 0 = never */
    bool is_at_limit; /* a draw because the turn limit was reached */
};

enum tally_time {
    TALLY_BEGIN, /* of the match */
    TALLY_TURN,  /* of play, each */
    TALLY_END,
    TALLY_TIMES,
};

/* Sums over all units of a model and all matches counted. */
struct model_tally {
    uint64_t living[TALLY_TIMES]; /* units that were alive at that time */
    uint64_t attacks;
    uint64_t moves;
    uint64_t damage;          /* dealt to enemies */
    uint64_t friendly_damage; /* dealt to its own side, itself included */
    double kills;             /* one killed by several counts in equal parts */
};

/* False when there is not enough memory; then there is nothing to fini. */
bool playout_init(struct playout *playout, const struct tactics_config *config);
void playout_fini(struct playout *playout);

/* Plays one match.  `tallies`, one per model, may be NULL. */
struct playout_result playout_run(struct playout *playout, const struct playout_setup *setup,
                                  struct model_tally *tallies);

#endif /* SK_BENCH_PLAYOUT_H */
