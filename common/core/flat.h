/*
 * Flat rulesets: the defaults of everything that their schemas tell.
 *
 * The config of a flat ruleset is a copy of its params.  One struct is its
 * state, its view and the form of both: it begins with struct sk_form_head, and
 * its members are numbers, words, cells, structs of these and rows of these
 * (SK_ROW: a list inside the struct), so that it can be copied.  Nothing in it is
 * hidden.
 *
 *     struct hill_state {
 *         struct sk_form_head head;
 *         ...
 *     };
 *     const struct sk_ruleset sk_ruleset_hill = { SK_FLAT("hill", members, struct hill_state), ...
 *
 * Programs use these functions through common/core/rules.h.
 *
 * Owner:   the caller.
 * Threads: any.
 */
#ifndef SK_FLAT_H
#define SK_FLAT_H

#include "common/core/ruleset.h"
#include "common/core/turn.h"
#include "common/core/validate.h"

/* ---- members that rulesets share --------------------------------------------------------- */

/* A param that is a number and may be left out; the limit of turns. */
#define SK_OPTION(type, field, name, least, most, usual, words)                    \
    SK_INT(type, field, name, .min = (least), .max = (most), .flags = SK_OPTIONAL, \
           .fallback = (usual), .doc = (words))
#define SK_TURN_LIMIT(type, usual)                                         \
    SK_OPTION(type, turn_limit, "turn_limit", 1, SK_TURN_LIMIT_MAX, usual, \
              "After this turn the match is a draw.")

/* A thing on the board that belongs to a seat; what its points are is up to the ruleset. */
struct sk_piece {
    int32_t seat;
    int32_t points;
    struct sk_cell at;
};

/* Params of a ruleset that has a square board and no others. */
struct sk_board_params {
    int32_t size;
    int32_t turn_limit;
};

/* Lists inside a state, of structs, pieces and cells.  `field` is the struct sk_row before the
 * items. */
#define SK_THINGS(type, field, name, members, item_type, least, most)                         \
    SK_ROW(type, field, name, SK_ITEM(members, item_type), sizeof(item_type), .min = (least), \
           .max = (most))
#define SK_ITEM(of, type)                               \
    (&(const struct sk_member){ .kind = SK_KIND_OBJECT, \
                                .object =               \
                                    &(const struct sk_schema)SK_SCHEMA("item", NULL, of, type) })
#define SK_CELLS(type, field, name, least, most) \
    SK_ROW(type, field, name, &sk_cell_item, sizeof(struct sk_cell), .min = (least), .max = (most))

#define SK_PIECES(type, field, name, least, most)                                      \
    SK_ROW(type, field, name, &sk_piece_item, sizeof(struct sk_piece), .min = (least), \
           .max = (most))

extern const struct sk_member sk_cell_item;
extern const struct sk_member sk_piece_item;

#define SK_PIECE_POINTS_MAX 1000000

/* Steps to the nearest of a list of cells; SK_GRID_MAX = there is none. */
int32_t sk_cells_nearest(const struct sk_row *cells, struct sk_cell from);

/* Any cell of a board. */
struct sk_cell sk_rng_cell(struct sk_rng *rng, int32_t cols, int32_t rows);

/* ---- tables ------------------------------------------------------------------------------ */

/* Initializers of a flat ruleset: its params, or those of a board alone; its state, which is its
 * view, too; kinds of commands and of events. */
#define SK_PARAMS(name, members, usual)                                                 \
    .params = &(const struct sk_schema)SK_SCHEMA(name " params", NULL, members, usual), \
    .default_params = &(usual)
#define SK_BOARD_PARAMS(name, least, most, usual, usual_limit)                                    \
    .params = &(const struct sk_schema)SK_SCHEMA(                                                 \
        name " params", NULL,                                                                     \
        ((const struct sk_member[]){ SK_OPTION(struct sk_board_params, size, "size", least, most, \
                                               usual, "Columns and rows of the board."),          \
                                     SK_TURN_LIMIT(struct sk_board_params, usual_limit) }),       \
        struct sk_board_params),                                                                  \
    .default_params = &(const struct sk_board_params){ usual, usual_limit },                      \
    .turn_limit_at = (uint16_t)offsetof(struct sk_board_params, turn_limit),                      \
    SK_BOARD(struct sk_board_params, size, size)
#define SK_COMMAND_KINDS(name, table, type) \
    .command = &(const struct sk_variants)SK_COMMANDS(name " command", table, type)
#define SK_EVENT_KINDS(name, table, type) \
    .event = &(const struct sk_variants)SK_EVENTS(name " event", table, type)
#define SK_FLAT(name, members, type)                                                           \
    .state = &(const struct sk_schema)SK_SCHEMA(name " state", &sk_state_head, members, type), \
    .view = &(const struct sk_schema)SK_SCHEMA(name " view", &sk_view_head, members, type)

/* And its board: the members of the params that have its size. */
#define SK_BOARD(type, cols, rows) \
    .board = { true, (uint16_t)offsetof(type, cols), (uint16_t)offsetof(type, rows) }

/* ---- checks that rulesets share ---------------------------------------------------------- */

/* The seat has a turn now (not_your_turn).  Alternating rulesets begin with it, as own_turn. */
void sk_check_own_turn(const struct sk_check_in *in);

/* The seat sent one command of these kinds; more are refused together (multiple_commands). */
void sk_check_single_command(const struct sk_check_in *in);

/* Every cell that is a member of the command itself, not those in lists and structs, is on the
 * board (out_of_bounds). */
void sk_check_on_board(const struct sk_check_in *in);

/* ---- commands that rulesets share -------------------------------------------------------- */

struct sk_to_command {
    struct sk_command head;
    struct sk_cell from;
    struct sk_cell to;
};

extern const struct sk_schema sk_command_to;      /* to */
extern const struct sk_schema sk_command_from_to; /* from, to */

/* The command of a seat that may send one per turn; NULL = none was accepted. */
const void *sk_turn_command(const struct sk_turn *turn, uint8_t seat);

/* Where it goes; without one, `otherwise`.  For commands that are struct sk_to_command. */
struct sk_cell sk_turn_target(const struct sk_turn *turn, uint8_t seat, struct sk_cell otherwise);

/* Refuses the accepted commands of all seats in the name of a stage. */
void sk_turn_refuse_commands(struct sk_turn *turn, sk_verdict verdict,
                             void (*stage)(struct sk_turn *turn));

/* ---- events that rulesets share ---------------------------------------------------------- */

/* Something that happened to a seat, at a cell, or from one cell to another. */
struct sk_plain_event {
    struct sk_event head;
    int32_t seat;
    struct sk_cell from;
    struct sk_cell to;
};

extern const struct sk_schema sk_event_of_seat; /* seat */
extern const struct sk_schema sk_event_at_cell; /* seat, at: `to` */
extern const struct sk_schema sk_event_moved;   /* seat, from, to */

/* Adds one of these; members that its schema does not have may be anything. */
void sk_turn_tell(struct sk_turn *turn, uint8_t kind, uint8_t seat, struct sk_cell from,
                  struct sk_cell to);

/* ---- the defaults ------------------------------------------------------------------------ */

/* Whether the schemas are flat where the ruleset leaves functions out. */
bool sk_flat_is_sound(const struct sk_ruleset *ruleset);

bool sk_flat_can_hint(const struct sk_ruleset *ruleset);

/* Columns and rows, at most and in a match; 0,0 if the ruleset has no board. */
struct sk_cell sk_flat_board_max(const struct sk_ruleset *ruleset);
struct sk_cell sk_flat_board(const struct sk_ruleset *ruleset, const void *config);

size_t sk_flat_config_size(const struct sk_ruleset *ruleset);
enum sk_status sk_flat_config_build(const struct sk_ruleset *ruleset, const void *params,
                                    struct sk_arena *ret_config, struct sk_fault *ret_fault);
void sk_flat_sizes(const struct sk_ruleset *ruleset, struct sk_sizes *ret_sizes);
void sk_flat_hints(const struct sk_ruleset *ruleset, const void *config, const void *view,
                   uint8_t seat, struct sk_hint_sink *sink);

/* The form and the state are the same struct; their heads are left as they are. */
void sk_flat_copy(const struct sk_ruleset *ruleset, const void *from, void *to);
enum sk_status sk_flat_state_check(const struct sk_ruleset *ruleset, const void *config,
                                   const struct sk_state *state, struct sk_fault *ret_fault);

void sk_flat_snapshot_write(const struct sk_ruleset *ruleset, const struct sk_state *state,
                            struct sk_bytes_out *out);
enum sk_status sk_flat_snapshot_read(const struct sk_ruleset *ruleset, const void *config,
                                     struct sk_bytes_in *in, struct sk_state *ret_state);

#endif /* SK_FLAT_H */
