/*
 * sk_ruleset - the rules of one game, as a table of functions and facts.
 *
 * A ruleset is a constant.  It never allocates: it says how much memory a
 * config, a state, a view, its working memory and a turn's events need, and
 * the caller provides that memory.  Sizes follow from the match's params, so
 * a small board does not cost the memory of the largest.
 *
 *   params (a form)  --config_build-->  config   compiled, position-independent bytes, shared
 *                                                by all matches with the same params
 *   config + seed    --setup-------->   state    position-independent bytes, copied freely
 *   state            --view--------->   view     what one seat may know
 *
 * Checks, hints and default commands receive a view and cannot reach the
 * state: a refusal or a hint cannot reveal what the seat may not see.
 *
 * What can have a default may be left out (NULL).  A flat ruleset leaves out most
 * of it: its config is its params, and one struct is its state, its view and the
 * form of both.  common/rules/README.md builds one.  So programs do not call the
 * table's functions, but those of common/core/rules.h, which know the defaults.
 */
#ifndef SK_RULESET_H
#define SK_RULESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/bytes.h"
#include "common/base/fault.h"
#include "common/base/rng.h"
#include "common/core/event.h"
#include "common/core/picture.h"
#include "common/core/schema.h"
#include "common/core/verdict.h"

struct sk_turn;

/* The audience without a seat. */
#define SK_SPECTATOR 0xff

/* Every state begins with this. */
struct sk_state {
    uint32_t turn;
    struct sk_outcome outcome;
};

/* Every state form and every view form begin with this; a state uses only its outcome.  So does a
 * flat state, which is its own form; forms do not use `state`. */
struct sk_form_head {
    struct sk_state state;
    bool has_outcome;
    bool has_winner;
    bool has_seat;
    int32_t winner;
    struct sk_text reason;
    int32_t turn;
    int32_t seat;
    struct sk_list owing; /* int32_t */
};

extern const struct sk_schema sk_state_head;
extern const struct sk_schema sk_view_head;

/*
 * Commands that every ruleset accepts.  A ruleset's variants begin with
 * SK_SHARED_COMMANDS and continue with its own kinds at SK_COMMAND_OWN.  Every
 * command struct begins with struct sk_command.
 */
enum sk_shared_command {
    SK_COMMAND_RESIGN,
    SK_COMMAND_TIMEOUT,
    SK_COMMAND_ABANDON,
    SK_COMMAND_AGREE_DRAW,
    SK_COMMAND_OWN,
};

struct sk_command {
    uint8_t kind;
};

extern const struct sk_schema sk_bare_command;

#define SK_SHARED_COMMANDS                                                                    \
    { .kind = "resign", .schema = &sk_bare_command, .doc = "The seat gives the match up." },  \
        { .kind = "timeout", .schema = &sk_bare_command, .doc = "A deadline passed." },       \
        { .kind = "abandon", .schema = &sk_bare_command, .doc = "The seat stayed away." },    \
    {                                                                                         \
        .kind = "agree_draw", .schema = &sk_bare_command, .doc = "A draw offer was accepted." \
    }

/* One seat's commands: structs of the ruleset's command size, one after another. */
struct sk_commands {
    const void *at;
    uint32_t count;
};

/* What a check may read.  The caller of the validator fills in the first part. */
struct sk_check_in {
    const struct sk_ruleset *ruleset;
    const void *config;
    const void *view;
    struct sk_commands commands;
    struct sk_judgement *judgements; /* one per command: the result of the checks before this one */
    void *work;                      /* sizes.work bytes, kept from one check to the next */
    uint8_t seat;

    /* Set by the validator: see common/core/validate.h. */
    uint8_t place;      /* index of the running check in the table */
    uint32_t given;     /* kinds of all commands together, including refused ones */
    uint32_t kinds;     /* of the running check */
    uint32_t *standing; /* one per command: the bit of its kind, or 0 once it is refused */
};

/*
 * One rule of the pipeline.  `run` checks the commands of `kinds` that are
 * still ok and refuses those that break the rule.  A rule about several
 * commands together refuses all of them at once.
 */
struct sk_check {
    const char *name;
    uint32_t kinds; /* SK_KIND_BIT of each */
    void (*run)(const struct sk_check_in *in);
};

#define SK_KIND_BIT(kind) (1u << (kind))
#define SK_OWN_KINDS      (~0u << SK_COMMAND_OWN) /* the ruleset's own, not the shared ones */

/* One step of a resolution.  It works on turn->after and adds to turn->events. */
struct sk_stage {
    const char *name;
    void (*run)(struct sk_turn *turn);
};

/* A number of the rules that no params change, for whoever explains the game. */
struct sk_fact {
    const char *name;
    int32_t value;
    const char *doc;
};

/*
 * Receives the hints of a seat, one command at a time; returning false ends them.
 *
 * take_cells, which may be NULL, takes many at once: commands that differ from
 * `command` only in the cell at `offset` in it.  Row i of the `count` rows has y + i,
 * and bit x of its columns is the cell in column x.
 */
struct sk_hint_sink {
    bool (*take)(struct sk_hint_sink *sink, const void *command);
    bool (*take_cells)(struct sk_hint_sink *sink, const void *command, size_t offset, int32_t y,
                       uint32_t count, const uint64_t *columns);
};

/* A verdict or a reason.  `doc` is a sentence for people; NULL = the page has its own texts. */
struct sk_word {
    const char *name;
    const char *doc;
};

/* The board's size: where the params have it.  For shared checks, default hints and pictures. */
struct sk_board {
    bool is_given;
    uint16_t cols_at; /* offsets of int32_t members of the params */
    uint16_t rows_at;
};

struct sk_sizes {
    size_t state;
    size_t view;
    size_t work;     /* for checks and stages, shared between them */
    size_t events;   /* the events of the largest turn */
    size_t snapshot; /* the longest snapshot, including the common head */
};

struct sk_ruleset {
    const char *name;
    const char *summary;            /* one sentence for people who choose a ruleset */
    uint32_t version;               /* changes if any stored match could resolve differently */
    const struct sk_ruleset *older; /* the previous version, kept for its replays, or NULL */
    bool is_simultaneous;
    uint8_t seats_min;
    uint8_t seats_max;

    const struct sk_schema *params;
    const struct sk_schema *params_shown; /* the same form with what may be known during the match;
                                           * NULL = all of it */
    const struct sk_schema *state;
    const struct sk_schema *view;
    const struct sk_variants *command;
    const struct sk_variants *event;

    const struct sk_word *verdicts; /* the ruleset's own, from SK_VERDICT_OWN on */
    uint8_t verdict_count;
    const struct sk_word *reasons; /* the same from SK_REASON_OWN on */
    uint8_t reason_count;

    const struct sk_check *checks;
    uint8_t check_count;
    const struct sk_stage *stages;
    uint8_t stage_count;
    const struct sk_fact *facts;
    uint8_t fact_count;

    /* The params of a match that gives none: a constant of the params form. */
    const void *default_params;

    /* Where the config has the turn after which the match is a draw (draw_turn_limit): the offset
     * of an int32_t or uint32_t that is not the first member.  0 = matches are not limited. */
    uint16_t turn_limit_at;

    /* Flat rulesets: the board, and the most events of a turn. */
    struct sk_board board;
    uint16_t events_max;

    /* Memory for config_build: the maximum size of a config, and of the scratch memory. */
    size_t config_size_max;
    size_t scratch_size_max;

    /* Compiles params.  The config is arena->base to arena->used and may then be moved.  NULL = it
     * is a copy of the params, which params_check may refuse (NULL = takes all of the form). */
    enum sk_status (*config_build)(const void *params, struct sk_arena *ret_config,
                                   struct sk_arena *scratch, struct sk_fault *ret_fault);
    enum sk_status (*params_check)(const void *params, struct sk_fault *ret_fault);

    /* NULL = seats_max. */
    uint8_t (*seat_count)(const void *config);

    /* NULL = flat: state and view are the struct of `state`, and checks have no working memory. */
    void (*sizes)(const void *config, struct sk_sizes *ret_sizes);

    /* Makes the first state (turn 0) in zeroed memory.  The caller settles its outcome. */
    void (*setup)(const void *config, const struct sk_seed *seed, struct sk_state *ret_state);

    /* The seats that the next turn waits for, as bits.  Called only while the match runs.  NULL =
     * all seats. */
    uint32_t (*owing)(const void *config, const struct sk_state *state);

    /* For alternating rulesets: the most steps that a turn takes (tiles and units visited, about
     * 2 ns each): see sk_list_max.  NULL = few. */
    uint32_t (*turn_work)(const void *config);

    /* Whether the clock of the seat that owes continues from one state to the next, because both
     * belong to one turn of that player.  NULL = every turn has its own clock. */
    bool (*clock_goes_on)(const void *config, const struct sk_state *before,
                          const struct sk_state *after);

    /* How long the params want each turn to take, even if all are ready earlier; 0 = not given.
     * Only the host of the match uses it.  NULL = params have no such member. */
    uint32_t (*cycle_ms)(const void *config);

    /* For alternating rulesets: whether a match continues when a seat leaves it (resign, abandon).
     * NULL = no, the other seat wins.  If it continues, `leave` takes the seat out of turn->after
     * and passes its turn on; it may add events.  The checks have accepted the command. */
    bool (*outlives_leaving)(const void *config);
    void (*leave)(struct sk_turn *turn, uint8_t seat);

    /* The outcome of the position; leaves *ret_outcome untouched while the match goes on.  The turn
     * limit is not its business. */
    void (*outcome)(const void *config, const struct sk_state *state,
                    struct sk_outcome *ret_outcome);

    /* Copies what `seat` (or SK_SPECTATOR) may know into zeroed memory.  NULL = nothing is hidden:
     * the view is the state's last sizes.view bytes, which may be all of it. */
    void (*view_make)(const void *config, const struct sk_state *state, uint8_t seat,
                      void *ret_view);

    /* Whether `seat` may see the event.  NULL = everybody sees everything. */
    bool (*event_is_shown)(const void *config, const struct sk_state *before,
                           const struct sk_state *after, const struct sk_event *event,
                           uint8_t seat);

    /* Runs before the checks of each submission; fills `work`.  NULL = nothing to do. */
    void (*prepare)(const struct sk_check_in *in);

    /* Runs after the checks of all seats, before the stages.  NULL = nothing to do. */
    void (*collect)(struct sk_turn *turn);

    /* Emits every command that would be ok alone.  NULL = flat: tries every command that the schema
     * and the board allow, and asks the checks. */
    void (*hints)(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink);

    /* The command of a seat that sends nothing; false = none.  NULL = never any. */
    bool (*default_command)(const void *config, const void *view, uint8_t seat, void *ret_command);

    /* A state that the view allows, with its own random choices: for what-if and search.  NULL =
     * the view has all of it. */
    void (*guess)(const void *config, const void *view, const struct sk_seed *seed,
                  struct sk_state *ret_state);

    /* Forms.  An impossible state is refused; head and turn are up to the caller.  NULL: a flat
     * state is its own form; and a state's form is that of the view, if nothing is hidden. */
    enum sk_status (*state_read)(const void *config, const void *form, struct sk_state *ret_state,
                                 struct sk_fault *ret_fault);
    enum sk_status (*state_form)(const void *config, const struct sk_state *state,
                                 struct sk_arena *arena, void *ret_form);
    enum sk_status (*view_form)(const void *config, const void *view, struct sk_arena *arena,
                                void *ret_form);

    /* The ruleset's part of a snapshot; reading accepts only what writing can produce.  The state
     * has its turn and outcome already.  NULL = flat: the members of the schema. */
    void (*snapshot_write)(const void *config, const struct sk_state *state,
                           struct sk_bytes_out *out);
    enum sk_status (*snapshot_read)(const void *config, struct sk_bytes_in *in,
                                    struct sk_state *ret_state);

    /* Flat rulesets: whether a match can come to a state from outside.  Its members are within the
     * bounds of the schema, and its cells on the board.  NULL = all of these are possible. */
    bool (*is_possible)(const void *config, const struct sk_state *state);

    /* How good a state is for a seat, as a number that grows: the bot `greedy` chooses by it.
     * NULL = the ruleset has no such bot, or one of its own. */
    int32_t (*score)(const void *config, const struct sk_state *state, uint8_t seat);

    /* How many of the levels random, greedy and search the project's bots play it with.  0 =
     * random, and greedy if there is a score and nothing is hidden. */
    uint8_t bot_levels;

    /* For people: the board as characters, events as sentences.  NULL = both from the schemas. */
    const struct sk_picture *picture;
};

/* ---- tables ------------------------------------------------------------------------------ */

/* Initializers of a ruleset that have a count beside them. */
#define SK_VERDICTS(table) .verdicts = (table), .verdict_count = SK_COUNT_OF(table)
#define SK_REASONS(table)  .reasons = (table), .reason_count = SK_COUNT_OF(table)
#define SK_CHECKS(table)   .checks = (table), .check_count = SK_COUNT_OF(table)
#define SK_STAGES(table)   .stages = (table), .stage_count = SK_COUNT_OF(table)
#define SK_FACTS(table)    .facts = (table), .fact_count = SK_COUNT_OF(table)

#define SK_WORDS(own_verdicts, own_reasons) SK_VERDICTS(own_verdicts), SK_REASONS(own_reasons)
#define SK_PIPELINE(table, its_stages)      SK_CHECKS(table), SK_STAGES(its_stages)
#define SK_SEATS(least, most)               .seats_min = (least), .seats_max = (most)

/* Of a word's list X(NUMBER, "word"). */
#define SK_WORD_OF(number, word) { (word), NULL },

/* Variants over a table of kinds; `type` begins with struct sk_command or struct sk_event. */
#define SK_COMMANDS(name, table, type) SK_VARIANTS(name, table, type, struct sk_command)
#define SK_EVENTS(name, table, type)   SK_VARIANTS(name, table, type, struct sk_event)
#define SK_VARIANTS(name, table, type, begin)                                          \
    {                                                                                  \
        .title = (name), .of = (table), .count = (uint16_t)SK_COUNT_OF(table),         \
        .kind_offset = (uint16_t)offsetof(begin, kind), .size = (uint32_t)sizeof(type) \
    }

const char *sk_verdict_name(const struct sk_ruleset *ruleset, sk_verdict verdict);
const char *sk_reason_name(const struct sk_ruleset *ruleset, uint8_t reason);

/* Returns false if the ruleset has no such reason. */
bool sk_reason_find(const struct sk_ruleset *ruleset, struct sk_text name, uint8_t *ret_reason);

/* The name of the check or stage that refused, or NULL. */
const char *sk_check_name(const struct sk_ruleset *ruleset, struct sk_judgement judgement);

/* To use a single rule by its name; NULL if there is none. */
const struct sk_check *sk_check_find(const struct sk_ruleset *ruleset, const char *name);
const struct sk_stage *sk_stage_find(const struct sk_ruleset *ruleset, const char *name);

static inline const struct sk_command *
sk_command_at(const struct sk_ruleset *ruleset, struct sk_commands commands, uint32_t index)
{
    return (const struct sk_command *)(const void *)((const uint8_t *)commands.at +
                                                     (size_t)index * ruleset->command->size);
}

#endif /* SK_RULESET_H */
