/*
 * table - one match on the table: all that a test needs to play any ruleset.
 *
 * A table owns the config, the turn's memory, the state and a seat's view.
 * Whatever cannot be made ends the program with the reason on standard
 * error: a test has nothing to do without it.
 *
 * Chance comes from struct sk_rng only, so a printed seed repeats a test.
 *
 * Owner:   the caller owns the struct, the table everything it points to.
 * Threads: one at a time; several tables may stand side by side.
 */
#ifndef SK_TEST_TABLE_H
#define SK_TEST_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/core/match.h"
#include "common/core/turn.h"

#define TABLE_PIECES_MAX 10

/* Commands one after the other, each of the ruleset's command size. */
struct command_list {
    uint32_t item_size;
    uint32_t count;
    uint32_t room;
    uint8_t *at;
};

struct table {
    const struct sk_ruleset *ruleset;
    void *config; /* exactly as long as it must be */
    size_t config_size;
    struct sk_seed seed;
    struct sk_turn turn;
    struct sk_match match;
    void *turn_memory;
    void *view;                     /* sizes.view bytes, for the caller to use */
    void *pieces[TABLE_PIECES_MAX]; /* see table_guard */
    size_t piece_sizes[TABLE_PIECES_MAX];
    uint32_t piece_count;
    struct command_list hints[2]; /* for random players: own and another seat's */
};

/* ---- tables ------------------------------------------------------------------------------ */

/* A seed for players and setups out of a number that is easily printed and typed. */
struct sk_seed table_seed(uint64_t number);

/* Begins a match.  `params` is a form of the ruleset's, or NULL for its default. */
void table_open(struct table *table, const struct sk_ruleset *ruleset, const void *params,
                const struct sk_seed *seed);

/* The same with params as JSON text, or NULL for the default.  Needs json-c: table_json.c. */
void table_open_json(struct table *table, const struct sk_ruleset *ruleset, const char *params,
                     const struct sk_seed *seed);

/* For params that may be refused: then the fault is written and nothing is to close. */
enum sk_status table_try(struct table *table, const struct sk_ruleset *ruleset, const void *params,
                         const struct sk_seed *seed, struct sk_fault *ret_fault);
enum sk_status table_try_json(struct table *table, const struct sk_ruleset *ruleset,
                              const char *params, const struct sk_seed *seed,
                              struct sk_fault *ret_fault);

void table_close(struct table *table);

/*
 * Gives each part of the turn's memory a block of its own, exactly as large
 * as the ruleset said it needs: so AddressSanitizer sees the first byte too
 * many, which in the one block it is given otherwise would belong to the next
 * part.  Without AddressSanitizer a few marked bytes follow each block, and
 * table_guard_holds says whether they still are what they were.
 */
void table_guard(struct table *table);
bool table_guard_holds(const struct table *table);

/* Prints the sentence and ends the program.  For what a test cannot do without. */
_Noreturn void table_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- playing ----------------------------------------------------------------------------- */

/* Resolves what the lists say (NULL = nothing), of an alternating ruleset's lists one command, and
 * leaves the match as it was. */
void table_resolve(struct table *table, const struct command_list *const *lists);

/* Plays all that the lists say, and the match goes on from there. */
void table_play(struct table *table, const struct command_list *const *lists);

/* Calls every check and every stage alone on what the lists say, although no other has run before
 * it; the match stays as it is.  False when a check refuses in the name of another. */
bool table_ask_alone(struct table *table, const struct command_list *const *lists);

/* The hash of the match's current state. */
uint64_t table_hash(struct table *table);

/* What `seat` (or SK_SPECTATOR) sees now, in table->view. */
const void *table_look(struct table *table, uint8_t seat);

/* ---- commands ---------------------------------------------------------------------------- */

void commands_init(struct command_list *list, const struct sk_ruleset *ruleset);
void commands_fini(struct command_list *list);
void commands_clear(struct command_list *list);
void commands_add(struct command_list *list, const void *command);
void commands_add_bare(struct command_list *list, uint8_t kind);
void commands_copy(struct command_list *list, const struct command_list *from);
void commands_shuffle(struct command_list *list, struct sk_rng *rng);
const void *commands_item(const struct command_list *list, uint32_t index);

/* A block of exactly the list's size would be lost with the list: it points into it. */
struct sk_commands commands_of(const struct command_list *list);

/* ---- random players ---------------------------------------------------------------------- */

/* How a random player plays, all in permille. */
struct habits {
    uint32_t careless; /* how often its list is drawn without looking whether it all stands */
    uint32_t wild;     /* of its commands: how many are any form at all ... */
    uint32_t bent;     /* ... or right but for one member ... */
    uint32_t twice;    /* ... or one that it has given already ... */
    uint32_t foreign;  /* ... or what would be right for another seat */
    uint32_t alone;    /* how often only one command of its list is left */
    uint32_t shared;   /* how often a list holds a resignation, timeout or the like */
};

/* Plays well-formed commands that mostly stand. */
extern const struct habits habits_orderly;

/* Plays all the ways there are of being refused. */
extern const struct habits habits_unruly;

/* Every hint of the seat in the match's current state. */
void table_hints(struct table *table, uint8_t seat, struct command_list *ret_hints);

/* Draws what `seat` submits next; the list is cleared first. */
void table_draw_commands(struct table *table, struct sk_rng *rng, const struct habits *habits,
                         uint8_t seat, struct command_list *ret_commands);

#endif /* SK_TEST_TABLE_H */
