/*
 * Shared by the files of the halma ruleset: the compiled config, the position
 * and the working memory.
 *
 * A config is one block of bytes that may be moved, so its parts are found by
 * offsets from its start.  A state is a struct sk_state followed by a position;
 * a view is a position alone.
 */
#ifndef SK_HALMA_INTERNAL_H
#define SK_HALMA_INTERNAL_H

#include "common/base/grid.h"
#include "common/rules/halma/halma.h"

struct sk_turn;

#define HALMA_NO_UNIT 0xff

/* ---- config ------------------------------------------------------------------------------ */

struct halma_unit_config {
    struct sk_id id;
    uint8_t id_length;
    uint8_t seat;
    uint8_t x; /* where it starts */
    uint8_t y;
};

struct halma_config {
    uint8_t size;
    uint8_t unit_counts[SK_HALMA_SEATS];
    uint8_t unit_count; /* seat 0's come first */
    uint32_t turn_limit;
    uint32_t stall_limit;
    uint32_t cycle_ms;
    uint32_t units_at;        /* struct halma_unit_config[unit_count] */
    uint32_t destinations_at; /* uint64_t[SK_HALMA_SEATS][size]: row by row, bit x = column x */
};

static inline const struct halma_unit_config *
halma_units(const struct halma_config *config)
{
    return (const void *)((const uint8_t *)config + config->units_at);
}

static inline struct sk_text
halma_id_text(const struct halma_config *config, uint32_t unit)
{
    const struct halma_unit_config *found = &halma_units(config)[unit];

    return (struct sk_text){ found->id.at, found->id_length };
}

static inline const uint64_t *
halma_destinations(const struct halma_config *config, uint8_t seat)
{
    const uint64_t *rows = (const void *)((const uint8_t *)config + config->destinations_at);

    return rows + (size_t)seat * config->size;
}

/* The piece's index in the order of params, or HALMA_NO_UNIT. */
uint8_t halma_unit_find(const struct halma_config *config, const struct sk_id *id);

enum sk_status halma_config_build(const void *params, struct sk_arena *ret_config,
                                  struct sk_arena *scratch, struct sk_fault *ret_fault);

/* The maximum size of a config; parts begin at multiples of 16. */
#define HALMA_CONFIG_SIZE_MAX                                                               \
    (sizeof(struct halma_config) + SK_HALMA_PIECES_MAX * sizeof(struct halma_unit_config) + \
     SK_HALMA_SEATS * SK_GRID_MAX * sizeof(uint64_t) + 3 * (size_t)16)
#define HALMA_SCRATCH_SIZE_MAX 16 /* building needs no scratch memory */

extern const struct halma_params halma_default_params;

/* ---- positions --------------------------------------------------------------------------- */

struct halma_piece {
    uint8_t x;
    uint8_t y;
    uint8_t damage;
};

struct halma_position {
    uint32_t faults[SK_HALMA_SEATS]; /* not-enacted turns toward the stall limit */
    struct halma_piece piece[];
};

#define HALMA_FAULTS_MAX INT32_MAX /* the count stops there: halma_faults_after */
#define HALMA_STATE_HEAD ((sizeof(struct sk_state) + 7) & ~(size_t)7)

static inline size_t
halma_position_size(const struct halma_config *config)
{
    return sizeof(struct halma_position) + config->unit_count * sizeof(struct halma_piece);
}

static inline struct halma_position *
halma_position(struct sk_state *state)
{
    return (struct halma_position *)(void *)((uint8_t *)state + HALMA_STATE_HEAD);
}

static inline const struct halma_position *
halma_position_of(const struct sk_state *state)
{
    return (const struct halma_position *)(const void *)((const uint8_t *)state + HALMA_STATE_HEAD);
}

static inline struct sk_cell
halma_cell_of(const struct halma_position *position, uint32_t unit)
{
    return sk_cell(position->piece[unit].x, position->piece[unit].y);
}

/* ---- the board --------------------------------------------------------------------------- */

/* Occupied squares: row by row, bit x = column x. */
struct halma_board {
    uint64_t taken[SK_GRID_MAX];
};

void halma_board_fill(const struct halma_config *config, const struct halma_position *position,
                      struct halma_board *ret_board);

static inline bool
halma_on_board(const struct halma_config *config, struct sk_cell cell)
{
    return sk_cell_on_grid(cell, config->size, config->size);
}

/* Whether the square is occupied; false off the board. */
static inline bool
halma_is_taken(const struct halma_config *config, const struct halma_board *board,
               struct sk_cell cell)
{
    return halma_on_board(config, cell) && (board->taken[cell.y] >> cell.x & 1) != 0;
}

/* The square that a jump passes over. */
static inline struct sk_cell
halma_middle(struct sk_cell from, struct sk_cell to)
{
    return sk_cell(from.x + (to.x - from.x) / 2, from.y + (to.y - from.y) / 2);
}

/* Whether the jump passes over a piece; false off the board. */
static inline bool
halma_can_jump(const struct halma_config *config, const struct halma_board *board,
               struct sk_cell from, struct sk_cell to)
{
    return halma_is_taken(config, board, halma_middle(from, to));
}

/* Whether the square is free for the mover.  Its own square counts as free, even if shared. */
static inline bool
halma_can_land(const struct halma_config *config, const struct halma_board *board,
               struct sk_cell start, struct sk_cell to)
{
    return !halma_is_taken(config, board, to) || sk_cell_same(to, start);
}

/* The number of squares of the path that are stored. */
static inline uint32_t
halma_path_length(const struct halma_path *path)
{
    return path->row.count < SK_HALMA_PATH_MAX ? path->row.count : SK_HALMA_PATH_MAX;
}

/* Whether all destinations of the seat are occupied, at least one by its own piece. */
bool halma_is_halmate(const struct halma_config *config, const struct halma_position *position,
                      uint8_t seat);

/* Whose pieces are on the seat's destinations. */
struct halma_filling halma_count_filled(const struct halma_config *config,
                                        const struct halma_position *position, uint8_t seat);

/* Whether the seat loses because it alone kept too many turns from being enacted. */
static inline bool
halma_has_stalled(const struct halma_config *config, const struct halma_position *position,
                  uint8_t seat)
{
    return config->stall_limit > 0 && position->faults[seat] >= config->stall_limit;
}

/* ---- working space ------------------------------------------------------------------------ */

struct halma_work {
    struct halma_board board;                          /* at turn start */
    uint8_t unit[SK_HALMA_SEATS][SK_COMMANDS_MAX];     /* the piece of each command */
    const struct halma_command *order[SK_HALMA_SEATS]; /* for the stages: accepted, or NULL */
    uint8_t mover[SK_HALMA_SEATS];                     /* the piece that the order names */
};

/* ---- tables ------------------------------------------------------------------------------ */

#define HALMA_CHECK_COUNT 8
#define HALMA_STAGE_COUNT 5

extern const struct sk_check halma_checks[HALMA_CHECK_COUNT];
extern const struct sk_stage halma_stages[HALMA_STAGE_COUNT];

extern const struct sk_schema halma_params_schema;
extern const struct sk_schema halma_state_schema;
extern const struct sk_schema halma_view_schema;
extern const struct sk_variants halma_command_variants;
extern const struct sk_variants halma_event_variants;
extern const struct sk_picture halma_picture;

void halma_prepare(const struct sk_check_in *in);
void halma_collect(struct sk_turn *turn);
void halma_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink);

enum sk_status halma_state_read(const void *config, const void *form, struct sk_state *ret_state,
                                struct sk_fault *ret_fault);
enum sk_status halma_view_form(const void *config, const void *view, struct sk_arena *arena,
                               void *ret_form);

#endif /* SK_HALMA_INTERNAL_H */
