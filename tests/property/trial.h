/*
 * trial - one position of a random match with the commands drawn for it, and
 * what they came to: what every promise is asked about.
 */
#ifndef SK_TEST_TRIAL_H
#define SK_TEST_TRIAL_H

#include "common/rules/tactics/tactics.h"
#include "tests/support/table.h"

/* What a turn came to, kept while promises resolve it again in other ways. */
struct trial_result {
    uint64_t hash;
    uint64_t events; /* a digest */
    struct sk_judgement judgements[SK_SEATS_MAX][SK_COMMANDS_MAX];
};

/* The same match from the other side of the board; tactics only. */
struct mirror {
    struct table table;
    struct tactics_params params;
    struct command_list lists[2];
    uint8_t place_of[SK_TACTICS_UNITS_MAX]; /* where each unit stands in the other's params */
};

struct trial {
    struct table table;
    struct sk_rng rng;
    struct command_list lists[SK_SEATS_MAX];
    const struct command_list *pointers[SK_SEATS_MAX];
    struct command_list spare[SK_SEATS_MAX]; /* for promises to use */
    struct trial_result expected;
    struct sk_state *after; /* the state that the turn came to */
    bool has_mirror;
    struct mirror mirror;
    uint64_t allocations; /* made by the first resolving */
};

struct promise {
    const char *sentence;
    bool is_of_tactics;      /* else of every ruleset */
    bool is_of_simultaneous; /* of those only */
    bool (*holds)(struct trial *trial);
    uint64_t asked;
    uint64_t broken;
};

extern struct promise promises[];
extern const uint32_t promise_count;

/* Is what stands in the table's turn what was expected?  Verdicts must be in the same order. */
bool trial_came_to_the_same(struct trial *trial);

/* ---- mirror.c ---------------------------------------------------------------------------- */

/* `params` are those that the trial's table was opened with. */
void mirror_open(struct mirror *mirror, struct sk_rng *rng, struct sk_arena *arena,
                 const struct tactics_params *params, const struct table *table);
void mirror_close(struct mirror *mirror);
bool mirror_comes_to_the_same(struct trial *trial);

/* The mirrored match goes on, too. */
void mirror_play(struct mirror *mirror);

#endif /* SK_TEST_TRIAL_H */
