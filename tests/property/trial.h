/*
 * trial - one position of a random match, the commands drawn for it, and their result: the input of
 * every property.
 *
 * A breed has what is specific to a ruleset: random params, its own properties, and the mirrored
 * match. A ruleset without a breed is played with its default params, and checked for the
 * properties of all rulesets.
 */
#ifndef SK_TEST_TRIAL_H
#define SK_TEST_TRIAL_H

#include "tests/support/table.h"

struct breed;

/* The result of a turn, kept while properties resolve it again in other ways. */
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
    const struct breed *breed; /* NULL = the ruleset has none */
    struct table table;
    struct sk_rng rng;
    struct command_list lists[SK_SEATS_MAX];
    const struct command_list *pointers[SK_SEATS_MAX];
    struct command_list spare[SK_SEATS_MAX]; /* for the properties */
    struct trial_result expected;
    struct sk_state *after; /* the state after the turn */
    bool has_mirror;
    struct mirror mirror;
    uint64_t allocations; /* of the first resolution */
};

struct property {
    const char *sentence;
    bool is_of_simultaneous; /* of those rulesets only */
    bool is_of_mirrored;     /* of those that have a mirror */
    bool (*holds)(struct trial *trial);
    uint64_t checked;
    uint64_t broken;
};

/* ---- shared.c: of every ruleset ---------------------------------------------------------- */

extern struct property shared_properties[];
extern const uint32_t shared_property_count;

/* Whether the table's turn has the expected result. Verdicts must be in the same order. */
bool trial_has_same_result(struct trial *trial);

/* ---- breeds ------------------------------------------------------------------------------ */

struct breed {
    const struct sk_ruleset *ruleset;
    struct property *properties;
    uint32_t property_count;

    /* Random valid params, in the arena; crowded, so that much happens. */
    const void *(*draw_params)(struct sk_rng *rng, struct sk_arena *arena);

    /* A command of the seat that random players rarely choose; NULL = not needed. */
    void (*draw_command)(struct trial *trial, uint8_t seat, void *ret_command);

    /* The mirror. NULL = the ruleset has none. */
    const void *(*mirror_params)(struct sk_rng *rng, struct sk_arena *arena, const void *params);
    void (*mirror_command)(const struct mirror *mirror, void *command);
    bool (*mirror_is_same)(const struct trial *trial, const struct sk_state *here,
                           const struct sk_state *there); /* except turn and outcome */
};

#define BREED_ARENA (256u * 1024u) /* the memory of the largest params and their mirror */

extern const struct breed breed_halma;
extern const struct breed breed_racers;
extern const struct breed breed_snarl;
extern const struct breed breed_tactics;

/* The ruleset's breed, or NULL. */
const struct breed *breed_find(const struct sk_ruleset *ruleset);

/* ---- mirror.c ---------------------------------------------------------------------------- */

/* `params` are those of the trial's table. */
void mirror_open(struct trial *trial, struct sk_arena *arena, const void *params);
void mirror_close(struct mirror *mirror);
bool mirror_comes_to_the_same(struct trial *trial);

/* Continues the mirrored match, too. */
void mirror_play(struct mirror *mirror);

#endif /* SK_TEST_TRIAL_H */
