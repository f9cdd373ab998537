/*
 * Shared by the files of the racers ruleset: the compiled config, the position
 * and the working memory.
 *
 * A state is a struct sk_state followed by a position; a view is a position
 * alone, without the active grenades.  A position is one block: its head, the
 * rows of walls as bits, then its lists, each with space for as many items as
 * the board can ever hold.  Lists keep the order in which items were added.
 *
 * Owner:   all memory is the caller's.
 */
#ifndef SK_RACERS_INTERNAL_H
#define SK_RACERS_INTERNAL_H

#include "common/base/grid.h"
#include "common/core/turn.h"
#include "common/rules/racers/racers.h"

#define RACERS_SEATS   2
#define RACERS_NOBODY  SK_NOBODY
#define RACERS_NOWHERE 0xffff /* no index in a list */

/* The random streams, see sk_rng_start. */
enum racers_label {
    RACERS_CHANCE_FAILURES, /* of the turns that a resolution opens */
    RACERS_CHANCE_BOARD,
    RACERS_CHANCE_FIRST_FAILURES, /* of the first turn, which the setup opens */
    RACERS_CHANCE_GUESS,
};

/* ---- positions --------------------------------------------------------------------------- */

struct racers_spot {
    uint8_t x;
    uint8_t y;
};

struct racers_trail {
    int32_t action; /* the owner's action at which the square was left */
    struct racers_spot at;
    bool hop; /* it was left through a teleporter */
};

struct racers_racer {
    struct racers_spot at;
    uint16_t debt;
    uint16_t skip;
    uint8_t carried_count;
    uint8_t trail_count;
    int32_t performed; /* own actions so far */
    uint8_t carried[SK_RACERS_CARRIED_MAX];
    struct racers_trail trail[SK_RACERS_TRAIL_MAX]; /* newest first */
};

struct racers_teleporter {
    struct racers_spot at;
    struct racers_spot to;
};

struct racers_item {
    struct racers_spot at;
    uint8_t kind;
    uint8_t state; /* of a grenade; else 0 */
};

struct racers_failure {
    struct racers_spot at;
    uint8_t turns_left;
};

struct racers_position {
    uint8_t active;
    uint8_t actions_left; /* 0 only when the match is over */
    bool moved;           /* in this turn of the active racer */
    uint8_t underfoot;    /* in a view: seats that stand on an active grenade and may know it */
    uint16_t wall_count;
    uint16_t teleporter_count;
    uint16_t item_count;
    uint16_t failure_count;
    struct racers_spot start[RACERS_SEATS];
    struct racers_racer racer[RACERS_SEATS];
    uint64_t wall_row[]; /* bit x of row y; the lists follow */
};

#define RACERS_STATE_HEAD ((sizeof(struct sk_state) + 7) & ~(size_t)7)

static inline struct racers_position *
racers_position(struct sk_state *state)
{
    return (struct racers_position *)(void *)((uint8_t *)state + RACERS_STATE_HEAD);
}

static inline const struct racers_position *
racers_position_of(const struct sk_state *state)
{
    return (const struct racers_position *)(const void *)((const uint8_t *)state +
                                                          RACERS_STATE_HEAD);
}

/* ---- config ------------------------------------------------------------------------------ */

struct racers_config {
    uint8_t rows;
    uint8_t cols;
    uint16_t failure_permille;
    uint32_t turn_limit;
    uint32_t board_at;      /* struct racers_position: the board that params give, or 0 */
    uint16_t grenade_count; /* of the match, wherever they are */

    /* Offsets of the lists in every position, and its size. */
    uint32_t walls_at;       /* struct racers_spot */
    uint32_t teleporters_at; /* struct racers_teleporter */
    uint32_t items_at;       /* struct racers_item */
    uint32_t failures_at;    /* struct racers_failure */
    uint32_t position_size;
};

/* The number of squares, and the capacities of the lists. */
static inline uint32_t
racers_squares(const struct racers_config *config)
{
    return (uint32_t)config->rows * config->cols;
}

/* One of each kind on every square, or carried. */
#define RACERS_ITEMS_MAX(squares) \
    (RACERS_ITEM_KINDS * (squares) + RACERS_SEATS * SK_RACERS_CARRIED_MAX)

/* A square fails at most once per turn, and a failure lasts SK_RACERS_FAILURE_TURNS turns. */
#define RACERS_FAILURES_MAX(squares) (SK_RACERS_FAILURE_TURNS * (squares))

#define RACERS_SQUARES_MAX (SK_GRID_MAX * SK_GRID_MAX)

/* The size of a position with this many squares, at most. */
#define RACERS_POSITION_SIZE_MAX(squares)                                          \
    (sizeof(struct racers_position) + SK_GRID_MAX * sizeof(uint64_t) + 4 * 8 +     \
     (squares) * (sizeof(struct racers_spot) + sizeof(struct racers_teleporter)) + \
     RACERS_ITEMS_MAX(squares) * sizeof(struct racers_item) +                      \
     RACERS_FAILURES_MAX(squares) * sizeof(struct racers_failure))

#define RACERS_CONFIG_SIZE_MAX \
    (sizeof(struct racers_config) + 16 + RACERS_POSITION_SIZE_MAX((size_t)RACERS_SQUARES_MAX))

extern const struct racers_params racers_default_params;

enum sk_status racers_config_build(const void *params, struct sk_arena *ret_config,
                                   struct sk_arena *scratch, struct sk_fault *ret_fault);

/* ---- the lists of a position ------------------------------------------------------------- */

static inline const struct racers_spot *
racers_walls(const struct racers_config *config, const struct racers_position *position)
{
    return (const void *)((const uint8_t *)position + config->walls_at);
}

static inline const struct racers_teleporter *
racers_teleporters(const struct racers_config *config, const struct racers_position *position)
{
    return (const void *)((const uint8_t *)position + config->teleporters_at);
}

static inline const struct racers_item *
racers_items(const struct racers_config *config, const struct racers_position *position)
{
    return (const void *)((const uint8_t *)position + config->items_at);
}

static inline const struct racers_failure *
racers_failures(const struct racers_config *config, const struct racers_position *position)
{
    return (const void *)((const uint8_t *)position + config->failures_at);
}

/* The same lists, writable. */
static inline struct racers_teleporter *
racers_teleporter_space(const struct racers_config *config, struct racers_position *position)
{
    return (void *)((uint8_t *)position + config->teleporters_at);
}

static inline struct racers_item *
racers_item_space(const struct racers_config *config, struct racers_position *position)
{
    return (void *)((uint8_t *)position + config->items_at);
}

static inline struct racers_failure *
racers_failure_space(const struct racers_config *config, struct racers_position *position)
{
    return (void *)((uint8_t *)position + config->failures_at);
}

/* Those that are carried included. */
uint32_t racers_items_in_all(const struct racers_position *position);

/* Appends.  The list has space, because its capacity is the maximum. */
void racers_wall_add(const struct racers_config *config, struct racers_position *position,
                     struct racers_spot at);
void racers_item_add(const struct racers_config *config, struct racers_position *position,
                     struct racers_item item);
void racers_item_remove(const struct racers_config *config, struct racers_position *position,
                        uint32_t place);

/* ---- the board --------------------------------------------------------------------------- */

static inline struct sk_cell
racers_cell(struct racers_spot spot)
{
    return sk_cell(spot.x, spot.y);
}

/* Requires a cell on the board. */
static inline struct racers_spot
racers_spot(struct sk_cell cell)
{
    return (struct racers_spot){ (uint8_t)cell.x, (uint8_t)cell.y };
}

static inline bool
racers_spot_same(struct racers_spot a, struct racers_spot b)
{
    return a.x == b.x && a.y == b.y;
}

static inline bool
racers_spot_is(struct racers_spot spot, struct sk_cell cell)
{
    return spot.x == cell.x && spot.y == cell.y;
}

_Static_assert(RACERS_SEATS == 2, "a racer has one opponent");

static inline uint8_t
racers_other(uint8_t seat)
{
    return (uint8_t)(1 - seat);
}

static inline bool
racers_on_grid(const struct racers_config *config, struct sk_cell cell)
{
    return sk_cell_on_grid(cell, config->cols, config->rows);
}

/* The neighbour in that direction; may be off the board. */
struct sk_cell racers_neighbour(struct sk_cell from, uint8_t dir);

static inline bool
racers_is_diagonal(uint8_t dir)
{
    return dir % 2 != 0;
}

/* For any cell, also off the board, where there is nothing. */
bool racers_is_wall(const struct racers_config *config, const struct racers_position *position,
                    struct sk_cell cell);
bool racers_is_dark(const struct racers_config *config, const struct racers_position *position,
                    struct sk_cell cell);
int racers_racer_on(const struct racers_position *position, struct sk_cell cell);
const struct racers_teleporter *racers_teleporter_on(const struct racers_config *config,
                                                     const struct racers_position *position,
                                                     struct sk_cell cell);

/* Indices in the list of items, or RACERS_NOWHERE. */
uint32_t racers_grenade_on(const struct racers_config *config,
                           const struct racers_position *position, struct sk_cell cell);
uint32_t racers_item_to_pick_up(const struct racers_config *config,
                                const struct racers_position *position, struct sk_cell cell,
                                uint8_t kind);

/* Whether trail on the cell blocks the seat's racer at the next action. */
bool racers_has_trail(const struct racers_position *position, uint8_t seat, struct sk_cell cell);

/* Whether the step would cross a link of a chain that blocks the seat's racer. */
bool racers_crosses_trail(const struct racers_position *position, uint8_t seat, uint8_t dir);

/* Whether a teleporter is there that the seat's racer cannot use now. */
bool racers_is_blocked(const struct racers_config *config, const struct racers_position *position,
                       uint8_t seat, struct sk_cell cell);

/* The target of a move of the seat's racer; the verdict of all checks of moves together. */
struct sk_cell racers_target(const struct racers_position *position, uint8_t seat, uint8_t dir);
bool racers_can_move(const struct racers_config *config, const struct racers_position *position,
                     uint8_t seat, uint8_t dir);

static inline bool
racers_has_finished(const struct racers_position *position, uint8_t seat)
{
    return racers_spot_same(position->racer[seat].at, position->start[racers_other(seat)]);
}

/* Whether the seat's racer can move in any direction. */
bool racers_has_way(const struct racers_config *config, const struct racers_position *position,
                    uint8_t seat);

#define RACERS_GRENADE_COSTS      3
#define RACERS_DARK_GRENADE_COSTS 4
#define RACERS_DISC_RANGE         4 /* of one that is not charged, from a square with power */

/* What a racer meets on a square other than the finish, and the index of a grenade there. */
static inline struct racers_entering_answer
racers_meets(const struct racers_config *config, const struct racers_position *position,
             struct sk_cell cell, uint32_t *ret_grenade)
{
    uint32_t place = racers_grenade_on(config, position, cell);
    bool is_dark = racers_is_dark(config, position, cell);

    *ret_grenade = place;
    if (place != RACERS_NOWHERE && racers_items(config, position)[place].state == RACERS_ACTIVE) {
        return (struct racers_entering_answer){
            .meets = RACERS_MEETS_GRENADE,
            .actions_lost = is_dark ? RACERS_DARK_GRENADE_COSTS : RACERS_GRENADE_COSTS,
        };
    }
    return (struct racers_entering_answer){
        .meets = is_dark ? RACERS_MEETS_DARK : RACERS_MEETS_NOTHING,
    };
}

/* Whether the active racer has an action to take but nowhere to go. */
bool racers_is_trapped(const struct racers_config *config, const struct racers_position *position);

/* Whether the racer may now do something other than moving. */
static inline bool
racers_must_move(const struct racers_position *position)
{
    return !position->moved && position->actions_left <= 1;
}

bool racers_carries(const struct racers_racer *racer, uint8_t kind);

/* Shares of the board in a random setup. */
#define RACERS_WALL_PERCENT       20 /* at most */
#define RACERS_WALL_SIDE_PERCENT  50 /* of a side, for one wall's length, at most */
#define RACERS_GRENADE_PERCENT    2
#define RACERS_DISC_PERCENT       2
#define RACERS_TELEPORTER_PERCENT 3
#define RACERS_WALL_LENGTH_MIN    2
#define RACERS_GRENADE_BLOCK      3 /* side of the block at a start that holds a grenade ... */
#define RACERS_DISC_BLOCK         5 /* ... and a disc */
#define RACERS_CHARGED_MARGIN     2 /* how much nearer one racer may be to a charged disc */

/* That percentage of `count`, rounded up. */
static inline uint32_t
racers_share(uint32_t count, uint32_t percent)
{
    return (count * percent + 99) / 100;
}

/* ---- setup and turns --------------------------------------------------------------------- */

/* Places everything at random into a zeroed position. */
void racers_setup_board(const struct racers_config *config, const struct sk_seed *seed,
                        struct racers_position *ret_position);

/* The seat's start in a random setup. */
struct racers_spot racers_corner(const struct racers_config *config, uint8_t seat);

#define RACERS_UNREACHED 0xffff

/* Steps in 8 directions from one square, around walls, or RACERS_UNREACHED. */
struct racers_distances {
    uint16_t of[SK_GRID_MAX][SK_GRID_MAX];
};

void racers_measure(const struct racers_config *config, const struct racers_position *position,
                    struct racers_spot from, struct racers_distances *ret_distances);

/* Whether the ways from both starts are about equally long. */
bool racers_is_fair(const struct racers_distances distances[RACERS_SEATS], struct racers_spot spot);

/* Puts the racers on their starts, seat 0 to move. */
void racers_setup_racers(struct racers_position *position);

/* Begins the active racer's turn.  Returns the number of new failures, which end the list. */
uint32_t racers_open_power(const struct racers_config *config, struct racers_position *position,
                           struct sk_rng *rng);
uint32_t racers_power_expire(const struct racers_config *config, struct racers_position *position);
uint32_t racers_power_roll(const struct racers_config *config, struct racers_position *position,
                           struct sk_rng *rng);

/* Applies skips and debt; false = the turn has no actions, and *ret_why says why it passes. */
bool racers_take_actions(const struct racers_config *config, struct racers_position *position,
                         uint8_t *ret_why);

/* Turns that one resolution can open: nobody has an action while they skip or owe. */
#define RACERS_OPENINGS_MAX \
    (RACERS_SEATS * (SK_RACERS_SKIP_MAX + SK_RACERS_DEBT_MAX / (SK_RACERS_ACTIONS - 1)) + 1)

/* ---- resolution -------------------------------------------------------------------------- */

void racers_fly(const struct racers_config *config, const struct racers_position *position,
                struct sk_cell from, uint8_t dir, bool is_charged, uint16_t *hops,
                struct racers_flight *flight);

struct racers_work {
    const struct racers_command *command; /* the one being played, or NULL */
    bool is_ended;                        /* the turn passes, even if actions are left ... */
    uint8_t why;                          /* ... because of this */
    uint16_t hops[];                      /* per square, for racers_fly */
};

static inline struct racers_event *
racers_event_add(struct sk_turn *turn, uint8_t kind, uint8_t seat)
{
    struct racers_event *event = sk_events_add(&turn->events, kind, sizeof(struct racers_event));

    event->seat = seat;
    return event;
}

/* ---- forms and bytes --------------------------------------------------------------------- */

/* Reads walls, starts, items and teleporters into a zeroed position. */
enum sk_status racers_ground_read(const struct racers_config *config,
                                  const struct racers_ground_form *form,
                                  struct racers_position *position, struct sk_fault *ret_fault);

/* Refuses an impossible ground.  Rules for a given board are stricter than for one in play. */
enum sk_status racers_ground_check(const struct racers_config *config,
                                   const struct racers_position *position, bool is_new,
                                   struct sk_fault *ret_fault);

/* Refuses an impossible position; `is_over` = its match has ended. */
enum sk_status racers_position_check(const struct racers_config *config,
                                     const struct racers_position *position, bool is_over,
                                     struct sk_fault *ret_fault);

/* A fault inside an item of a list; returns SK_ERR_REFUSED. */
enum sk_status racers_refuse(struct sk_fault *fault, const char *code, const char *message,
                             const char *list, uint32_t index, const char *member);
enum sk_status racers_refuse_racer(struct sk_fault *fault, uint32_t seat, const char *message,
                                   const char *member);

enum sk_status racers_state_read(const void *config, const void *form, struct sk_state *ret_state,
                                 struct sk_fault *ret_fault);
enum sk_status racers_state_form(const void *config, const struct sk_state *state,
                                 struct sk_arena *arena, void *ret_form);
enum sk_status racers_view_form(const void *config, const void *view, struct sk_arena *arena,
                                void *ret_form);

size_t racers_snapshot_size(const struct racers_config *config);
void racers_snapshot_write(const void *config, const struct sk_state *state,
                           struct sk_bytes_out *out);
enum sk_status racers_snapshot_read(const void *config, struct sk_bytes_in *in,
                                    struct sk_state *ret_state);

/* ---- tables ------------------------------------------------------------------------------ */

#define RACERS_CHECK_COUNT 13
#define RACERS_STAGE_COUNT 6

extern const struct sk_check racers_checks[RACERS_CHECK_COUNT];
extern const struct sk_stage racers_stages[RACERS_STAGE_COUNT];

extern const struct sk_schema racers_params_schema;
extern const struct sk_schema racers_state_schema;
extern const struct sk_schema racers_view_schema;
extern const struct sk_variants racers_command_variants;
extern const struct sk_variants racers_event_variants;
extern const struct sk_picture racers_picture;

void racers_collect(struct sk_turn *turn);
void racers_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink);

#endif /* SK_RACERS_INTERNAL_H */
