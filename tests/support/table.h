/*
 * table - one match: everything that a test needs to play any ruleset.
 *
 * A table owns the config, the turn's memory, the state and a seat's view.  If
 * something cannot be made, the program ends with the reason on standard error,
 * because a test cannot continue without it.
 *
 * Chance comes only from struct sk_rng, so a printed seed repeats a test.
 *
 * Owner:   the caller owns the struct, the table everything it points to.
 * Threads: one at a time; several tables may be used in parallel.
 */
#ifndef SK_TEST_TABLE_H
#define SK_TEST_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/core/match.h"
#include "common/core/turn.h"

#define TABLE_PIECES_MAX 10

/* Commands in order, each of the ruleset's command size. */
struct command_list {
    uint32_t item_size;
    uint32_t count;
    uint32_t space;
    uint8_t *at;
};

struct table {
    const struct sk_ruleset *ruleset;
    void *config; /* exactly as long as needed */
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

/* A seed for players and setups from a number that is easy to print and type. */
struct sk_seed table_seed(uint64_t number);

/* Begins a match.  `params` is a form of the ruleset's params, or NULL for the default. */
void table_open(struct table *table, const struct sk_ruleset *ruleset, const void *params,
                const struct sk_seed *seed);

/* The same with params as JSON text, or NULL for the default.  Needs json-c: table_json.c. */
void table_open_json(struct table *table, const struct sk_ruleset *ruleset, const char *params,
                     const struct sk_seed *seed);

/* For params that may be refused: then the fault is written and there is nothing to close. */
enum sk_status table_try(struct table *table, const struct sk_ruleset *ruleset, const void *params,
                         const struct sk_seed *seed, struct sk_fault *ret_fault);
enum sk_status table_try_json(struct table *table, const struct sk_ruleset *ruleset,
                              const char *params, const struct sk_seed *seed,
                              struct sk_fault *ret_fault);

void table_close(struct table *table);

/*
 * Gives each part of the turn's memory its own block, exactly as large as the
 * ruleset asked for.  So AddressSanitizer detects the first byte too many,
 * which would otherwise belong to the next part.  Without AddressSanitizer a
 * few marked bytes follow each block, and table_guard_holds checks them.
 */
void table_guard(struct table *table);
bool table_guard_holds(const struct table *table);

/* Prints the message and ends the program. */
_Noreturn void table_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- playing ----------------------------------------------------------------------------- */

/* Resolves the lists (NULL = nothing), one command of an alternating ruleset's lists, and leaves
 * the match unchanged. */
void table_resolve(struct table *table, const struct command_list *const *lists);

/* Plays the lists completely; the match continues from there. */
void table_play(struct table *table, const struct command_list *const *lists);

/* Runs every check and every stage alone on the lists, without those before it; the match stays
 * unchanged.  False if a check refuses in the name of another. */
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

/* Points into the list, so a separate block of exactly its size would be lost with the list. */
struct sk_commands commands_of(const struct command_list *list);

/* ---- random players ---------------------------------------------------------------------- */

/* How a random player plays, all in per mille. */
struct habits {
    uint32_t careless; /* how often its list is drawn without checking it as a whole */
    uint32_t wild;     /* share of commands that are random forms ... */
    uint32_t bent;     /* ... or valid except for one member ... */
    uint32_t twice;    /* ... or repeat an earlier one ... */
    uint32_t foreign;  /* ... or would be valid for another seat */
    uint32_t alone;    /* how often only one command of its list is kept */
    uint32_t shared;   /* how often a list contains a resignation, timeout or the like */
};

/* Plays well-formed commands that are mostly accepted. */
extern const struct habits habits_orderly;

/* Tries all ways of being refused. */
extern const struct habits habits_unruly;

/* All hints for the seat in the match's current state. */
void table_hints(struct table *table, uint8_t seat, struct command_list *ret_hints);

/* Draws the next submission of `seat`; the list is cleared first. */
void table_draw_commands(struct table *table, struct sk_rng *rng, const struct habits *habits,
                         uint8_t seat, struct command_list *ret_commands);

#endif /* SK_TEST_TABLE_H */
