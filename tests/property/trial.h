/*
 * trial - one position of a random match with the commands drawn for it, and
 * what they came to: what every promise is asked about.
 *
 * What is known of a single ruleset (random params, promises of its own, how
 * a match looks from the other side) is its breed.  A ruleset without one is
 * played with its default params and asked what all rulesets promise.
 */
#ifndef SK_TEST_TRIAL_H
#define SK_TEST_TRIAL_H

#include "tests/support/table.h"

struct breed;

/* What a turn came to, kept while promises resolve it again in other ways. */
struct trial_result {
    uint64_t hash;
    uint64_t events; /* a digest */
    struct sk_judgement judgements[SK_SEATS_MAX][SK_COMMANDS_MAX];
};

/* The same match from the other side of the board, its two seats swapped. */
struct mirror {
    struct table table;
    const void *params;
    struct command_list lists[2];
};

struct trial {
    const struct breed *breed; /* NULL = nothing is known of the ruleset */
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
    bool is_of_simultaneous; /* of those rulesets only */
    bool is_of_mirrored;     /* of those that have a mirror */
    bool (*holds)(struct trial *trial);
    uint64_t asked;
    uint64_t broken;
};

/* ---- promises.c: of every ruleset -------------------------------------------------------- */

extern struct promise shared_promises[];
extern const uint32_t shared_promise_count;

/* Is what stands in the table's turn what was expected?  Verdicts must be in the same order. */
bool trial_came_to_the_same(struct trial *trial);

/* ---- breeds ------------------------------------------------------------------------------ */

struct breed {
    const struct sk_ruleset *ruleset;
    struct promise *promises;
    uint32_t promise_count;

    /* Random params that the ruleset takes, in the arena; crowded, so that much happens. */
    const void *(*draw_params)(struct sk_rng *rng, struct sk_arena *arena);

    /* A command of the seat that random players hardly come to; NULL = they come to all. */
    void (*draw_command)(struct trial *trial, uint8_t seat, void *ret_command);

    /* The other side.  NULL = the ruleset has none. */
    const void *(*mirror_params)(struct sk_rng *rng, struct sk_arena *arena, const void *params);
    void (*mirror_command)(const struct mirror *mirror, void *command);
    bool (*mirror_is_same)(const struct trial *trial, const struct sk_state *here,
                           const struct sk_state *there); /* but for turn and outcome */
};

#define BREED_ARENA (256u * 1024u) /* what the largest params and their mirrored ones need */

extern const struct breed breed_halma;
extern const struct breed breed_racers;
extern const struct breed breed_snarl;
extern const struct breed breed_tactics;

/* The ruleset's breed, or NULL. */
const struct breed *breed_find(const struct sk_ruleset *ruleset);

/* ---- mirror.c ---------------------------------------------------------------------------- */

/* `params` are those that the trial's table was opened with. */
void mirror_open(struct trial *trial, struct sk_arena *arena, const void *params);
void mirror_close(struct mirror *mirror);
bool mirror_comes_to_the_same(struct trial *trial);

/* The mirrored match goes on, too. */
void mirror_play(struct mirror *mirror);

#endif /* SK_TEST_TRIAL_H */
