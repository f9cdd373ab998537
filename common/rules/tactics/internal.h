/*
 * Shared by the files of the tactics ruleset: the compiled config, the position
 * and the working memory.
 *
 * A config is one block of bytes that may be moved, so its parts are found by
 * offsets from its start.  A state is a struct sk_state followed by a position;
 * a view is a position alone.
 */
#ifndef SK_TACTICS_INTERNAL_H
#define SK_TACTICS_INTERNAL_H

#include "common/base/grid.h"
#include "common/rules/tactics/tactics.h"

#define TACTICS_SEATS   2
#define TACTICS_NO_UNIT 0xff
#define TACTICS_NO_MAP  0xffff

/* ---- config ------------------------------------------------------------------------------ */

struct tactics_unit_config {
    struct sk_id id;
    uint8_t id_length;
    uint8_t model;
    uint8_t seat;
    uint8_t x;
    uint8_t y;
};

/* The cells in reach of a centre: row by row, bit x = column x. */
struct tactics_reach {
    uint32_t side;
    uint32_t rows_at; /* uint64_t[side] */
};

struct tactics_model {
    struct sk_id name;
    struct tactics_reach move; /* of all its movement patterns together */
    struct tactics_reach attack;
    int32_t health;
    int32_t power;
    uint32_t move_at; /* uint16_t indices of patterns */
    uint32_t attack_at;
    uint16_t move_count;
    uint16_t attack_count;
};

struct tactics_pattern {
    struct tactics_reach targets;
    uint32_t maps_at; /* uint16_t[side * side]: a pattern's index or TACTICS_NO_MAP; 0 = no maps */
    uint32_t area_at; /* struct tactics_offset[area_count]: affected by a mapped target */
    uint32_t area_count;
    uint32_t largest; /* largest area of its mapped targets; 0 = it has none */
};

/* Offsets too far away to meet a board of this size are left out. */
struct tactics_offset {
    int8_t dx;
    int8_t dy;
};

struct tactics_config {
    uint8_t rows;
    uint8_t cols;
    uint8_t start_rows;
    bool placement;
    uint32_t turn_limit;
    uint16_t unit_count;
    uint16_t model_count;
    uint16_t pattern_count;
    uint16_t slot_mask; /* of the hash table from ids to units */
    uint32_t area_max;  /* cells of the largest area on this board, at least 1 */
    uint32_t work;      /* steps that compiling took so far */
    uint32_t units_at;
    uint32_t models_at;
    uint32_t patterns_at;
    uint32_t slots_at; /* uint8_t[slot_mask + 1]: a unit's index + 1, or 0 */
};

static inline const void *
tactics_part(const struct tactics_config *config, uint32_t offset)
{
    return (const uint8_t *)config + offset;
}

static inline const struct tactics_unit_config *
tactics_units(const struct tactics_config *config)
{
    return tactics_part(config, config->units_at);
}

static inline struct sk_text
tactics_id_text(const struct tactics_config *config, uint32_t unit)
{
    const struct tactics_unit_config *found = &tactics_units(config)[unit];

    return (struct sk_text){ found->id.at, found->id_length };
}

static inline const struct tactics_model *
tactics_model_of(const struct tactics_config *config, uint32_t unit)
{
    const struct tactics_model *models = tactics_part(config, config->models_at);

    return &models[tactics_units(config)[unit].model];
}

static inline const struct tactics_pattern *
tactics_pattern_at(const struct tactics_config *config, uint32_t place)
{
    const struct tactics_pattern *patterns = tactics_part(config, config->patterns_at);

    return &patterns[place];
}

/* The unit's index in params, or TACTICS_NO_UNIT. */
uint8_t tactics_unit_find(const struct tactics_config *config, const struct sk_id *id);

/* The first slot of an id in the hash table of ids. */
uint32_t tactics_id_slot(const struct sk_id *id);

enum sk_status tactics_config_build(const void *params, struct sk_arena *ret_config,
                                    struct sk_arena *scratch, struct sk_fault *ret_fault);

/* Checks and compiles all patterns into `config`, whose rows and cols are set already. */
enum sk_status tactics_patterns_build(const struct sk_list *forms, struct tactics_config *config,
                                      struct sk_arena *arena, struct sk_arena *scratch,
                                      struct sk_fault *ret_fault);

/* Counts steps of compiling; false once they exceed SK_TACTICS_WORK_MAX. */
bool tactics_work_fits(struct tactics_config *config, uint32_t steps);

/* The fault for that; the caller adds the position. */
enum sk_status tactics_refuse_work(struct sk_fault *ret_fault);

/* The index of the pattern of that name, or the number of patterns. */
uint32_t tactics_pattern_find(const struct sk_list *forms, struct sk_text name);

/* The number of cells of the board that one attack by the model may affect; at least 1. */
uint32_t tactics_model_cells(const struct tactics_config *config,
                             const struct tactics_model *model);

/* Slots of the set in which an area is built: a power of two, over twice its maximum size. */
#define TACTICS_SET_SLOTS 16384u

/* The maximum size of a config: all patterns, models and units at their limits, each part rounded
 * up. */
#define TACTICS_SIDE_MAX ((size_t)SK_TACTICS_PATTERN_SIDE_MAX)
#define TACTICS_CONFIG_SIZE_MAX                                                                \
    (sizeof(struct tactics_config) + 1024 +                                                    \
     SK_TACTICS_PATTERNS_MAX *                                                                 \
         (sizeof(struct tactics_pattern) + TACTICS_SIDE_MAX * sizeof(uint64_t) +               \
          TACTICS_SIDE_MAX * TACTICS_SIDE_MAX * sizeof(uint16_t) +                             \
          SK_TACTICS_AREA_MAX * sizeof(struct tactics_offset) + 32) +                          \
     SK_TACTICS_MODELS_MAX *                                                                   \
         (sizeof(struct tactics_model) + 2 * SK_TACTICS_PATTERNS_MAX * sizeof(uint16_t) + 16 + \
          2 * TACTICS_SIDE_MAX * sizeof(uint64_t)) +                                           \
     SK_TACTICS_UNITS_MAX * sizeof(struct tactics_unit_config))

/* Scratch memory for building: maps and areas of each pattern, the set, the board. */
#define TACTICS_SCRATCH_SIZE_MAX                                                                   \
    (SK_TACTICS_PATTERNS_MAX *                                                                     \
         (128 + SK_TACTICS_MAPS_MAX * sizeof(uint16_t) + SK_TACTICS_AREA_MAX * sizeof(uint32_t)) + \
     (TACTICS_SET_SLOTS + SK_TACTICS_AREA_MAX) * sizeof(uint32_t) + SK_GRID_MAX * SK_GRID_MAX +    \
     1024)

extern const struct tactics_params tactics_default_params;

/* ---- positions --------------------------------------------------------------------------- */

struct tactics_unit {
    int32_t health; /* 0 = dead; then x and y are 0 too */
    uint8_t x;
    uint8_t y;
};

struct tactics_position {
    uint8_t phase;
    struct tactics_unit unit[];
};

#define TACTICS_STATE_HEAD ((sizeof(struct sk_state) + 7) & ~(size_t)7)

static inline size_t
tactics_position_size(const struct tactics_config *config)
{
    return sizeof(struct tactics_position) + config->unit_count * sizeof(struct tactics_unit);
}

static inline struct tactics_position *
tactics_position(struct sk_state *state)
{
    return (struct tactics_position *)(void *)((uint8_t *)state + TACTICS_STATE_HEAD);
}

static inline const struct tactics_position *
tactics_position_of(const struct sk_state *state)
{
    return (const struct tactics_position *)(const void *)((const uint8_t *)state +
                                                           TACTICS_STATE_HEAD);
}

static inline bool
tactics_is_alive(const struct tactics_position *position, uint32_t unit)
{
    return position->unit[unit].health > 0;
}

/* The outcome, from which seats have units left; false = the match goes on. */
bool tactics_decide(const bool *is_left, struct sk_outcome *ret_outcome);

static inline struct sk_cell
tactics_cell_of(const struct tactics_position *position, uint32_t unit)
{
    return sk_cell(position->unit[unit].x, position->unit[unit].y);
}

/* ---- patterns in use --------------------------------------------------------------------- */

/* The step from a unit to a target as the unit sees it: turned for seat 1, like its patterns. */
struct tactics_step {
    int64_t dx;
    int64_t dy;
};

static inline struct tactics_step
tactics_step_of(uint8_t seat, struct sk_cell from, struct sk_cell target)
{
    struct tactics_step step = { (int64_t)target.x - from.x, (int64_t)target.y - from.y };

    return seat == 0 ? step : (struct tactics_step){ -step.dx, -step.dy };
}

/* The index of a step in a square, or -1 if it is out of reach. */
static inline int32_t
tactics_place_of(const struct tactics_config *config, const struct tactics_reach *reach,
                 struct tactics_step step)
{
    const uint64_t *rows = tactics_part(config, reach->rows_at);
    uint64_t x = (uint64_t)(step.dx + reach->side / 2); /* left of the square = very large */
    uint64_t y = (uint64_t)(step.dy + reach->side / 2);

    if (x >= reach->side || y >= reach->side || (rows[y] >> x & 1) == 0) {
        return -1;
    }
    return (int32_t)(y * reach->side + x);
}

/* Whether `target` is in one of the unit's patterns of that kind, seen from `from`. */
static inline bool
tactics_can_reach(const struct tactics_config *config, uint32_t unit, uint8_t kind,
                  struct sk_cell from, struct sk_cell target)
{
    const struct tactics_model *model = tactics_model_of(config, unit);

    return tactics_place_of(config, kind == TACTICS_MOVE ? &model->move : &model->attack,
                            tactics_step_of(tactics_units(config)[unit].seat, from, target)) >= 0;
}

/*
 * The cells on the board that an attack of the unit on `target` affects, in
 * reading order.  The first attack pattern that contains the target decides.
 * `ret_cells` has space for config->area_max.  Returns 0 if no pattern contains
 * it.
 */
uint32_t tactics_area(const struct tactics_config *config, uint32_t unit, struct sk_cell from,
                      struct sk_cell target, struct sk_cell *ret_cells);

/* Whether the seat starts in this row.  Seat 0 starts at the bottom. */
bool tactics_is_start_row(const struct tactics_config *config, uint8_t seat, int32_t y);

/* ---- working memory ---------------------------------------------------------------------- */

struct tactics_work {
    uint8_t unit[TACTICS_SEATS][SK_COMMANDS_MAX]; /* the unit of each command, or TACTICS_NO_UNIT */

    uint8_t count[SK_TACTICS_UNITS_MAX]; /* commands per unit */

    /* Placement: the command of each own unit that is still ok, or NULL. */
    const struct tactics_command *placing[SK_TACTICS_UNITS_MAX];

    /* For the stages: the accepted command of each unit, or NULL. */
    const struct tactics_command *order[SK_TACTICS_UNITS_MAX];

    int32_t damage[SK_TACTICS_UNITS_MAX];
    uint64_t hit_by[SK_TACTICS_UNITS_MAX][SK_TACTICS_UNITS_MAX / 64];
    uint8_t cells[]; /* one byte per cell of the board, for one use at a time */
};

/* Marks each living unit's cell with its index + 1, all others with 0. */
void tactics_board_fill(const struct tactics_config *config,
                        const struct tactics_position *position, uint8_t *cells);

/* ---- tables ------------------------------------------------------------------------------ */

#define TACTICS_CHECK_COUNT 11
#define TACTICS_STAGE_COUNT 5

extern const struct sk_check tactics_checks[TACTICS_CHECK_COUNT];
extern const struct sk_stage tactics_stages[TACTICS_STAGE_COUNT];

extern const struct sk_schema tactics_params_schema;
extern const struct sk_schema tactics_state_schema;
extern const struct sk_schema tactics_view_schema;
extern const struct sk_variants tactics_command_variants;
extern const struct sk_variants tactics_event_variants;

void tactics_prepare(const struct sk_check_in *in);
void tactics_collect(struct sk_turn *turn);
void tactics_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink);

enum sk_status tactics_state_read(const void *config, const void *form, struct sk_state *ret_state,
                                  struct sk_fault *ret_fault);
enum sk_status tactics_view_form(const void *config, const void *view, struct sk_arena *arena,
                                 void *ret_form);

extern const struct sk_picture tactics_picture;

#endif /* SK_TACTICS_INTERNAL_H */
