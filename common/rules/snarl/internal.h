/*
 * Shared by the files of the snarl ruleset: the compiled config with its
 * levels, the position, the view and the single rules.
 *
 * A config is one block of bytes that may be moved, so its parts are found by
 * offsets from its start.  A state is a struct sk_state followed by a position.
 *
 * Heroes and adversaries are units: a hero's number is its index in params, an
 * adversary's is SNARL_FIRST_ADVERSARY + its index in the level.
 */
#ifndef SK_SNARL_INTERNAL_H
#define SK_SNARL_INTERNAL_H

#include "common/base/grid.h"
#include "common/core/turn.h"
#include "common/rules/snarl/snarl.h"

#define SNARL_FIRST_ADVERSARY SK_SNARL_HEROES_MAX
#define SNARL_UNITS_MAX       (SK_SNARL_HEROES_MAX + SK_SNARL_ADVERSARIES_MAX)
#define SNARL_OBJECTS         2 /* that a level may have: a key and an exit */
#define SNARL_NO_UNIT         0xff
#define SNARL_NO_ROOM         0xff
#define SNARL_HERO_STEPS      2
#define SNARL_GHOST_HUNTS     10 /* steps, at most */
#define SNARL_SIGHT           2  /* how far a hero sees in each direction */
#define SNARL_SIGHT_SIDE      (2 * SNARL_SIGHT + 1)
#define SNARL_TILES_MAX       ((size_t)SK_SNARL_SIDE_MAX * SK_SNARL_SIDE_MAX)

/* Tiles, as views show them.  A hallway is floor outside all rooms. */
#define SNARL_VOID   ' '
#define SNARL_WALL   '#'
#define SNARL_FLOOR  '.'
#define SNARL_DOOR   '+'
#define SNARL_UNSEEN '?'

/* The random streams; see sk_turn_rng. */
enum snarl_chance {
    SNARL_CHANCE_STEPS, /* of adversaries with no hero in reach */
    SNARL_CHANCE_RELOCATION,
    SNARL_CHANCE_PLACEMENT, /* + SNARL_CHANCE_LEVEL per level */
};
#define SNARL_CHANCE_LEVEL 256u

/* ---- config ------------------------------------------------------------------------------ */

/* Properties of a kind of adversary: rules use these, never the kind's name. */
struct snarl_kind_facts {
    int32_t steps; /* unless params say otherwise: see snarl_config */
    bool enters_doors;
    bool enters_walls;    /* and comes out somewhere else */
    bool hunts_in_room;   /* hunts only heroes in its own room, at any distance; else ... */
    int32_t hunts_within; /* ... those at most this many steps away */
};

extern const struct snarl_kind_facts snarl_kinds[SNARL_KIND_COUNT];
extern const char *const snarl_kind_words[SNARL_KIND_COUNT];

struct snarl_room {
    struct sk_cell origin;
    int32_t cols;
    int32_t rows;
    uint32_t floor_count; /* tiles */
};

struct snarl_hallway {
    uint32_t points_at; /* struct sk_cell: from, waypoints, to */
    uint32_t point_count;
    uint8_t rooms[2]; /* of its ends */
};

struct snarl_adversary_config {
    struct sk_id id;
    struct sk_cell at; /* its start, unless random */
    uint8_t kind;
};

struct snarl_level {
    int32_t cols;
    int32_t rows;
    struct sk_cell key;
    struct sk_cell exit;
    bool has_key;
    bool has_exit; /* always true in a match */
    bool places_at_random;
    uint16_t room_count;
    uint16_t hallway_count;
    uint16_t adversary_count;
    uint32_t tiles_at; /* char[rows * cols] */
    uint32_t rooms_at;
    uint32_t hallways_at;
    uint32_t adversaries_at;
    struct sk_cell start[SK_SNARL_HEROES_MAX];
};

struct snarl_config {
    uint8_t mode;
    uint8_t level_end;
    uint8_t adversaries;
    uint8_t hero_count;
    uint16_t level_count;
    uint16_t adversary_max; /* of the level with the most */
    uint32_t tiles_max;
    int32_t round_limit;
    int32_t steps[SNARL_KIND_COUNT]; /* per move, for each kind */
    uint32_t levels_at;
    struct sk_id hero[SK_SNARL_HEROES_MAX];
};

static inline const void *
snarl_part(const struct snarl_config *config, uint32_t offset)
{
    return (const uint8_t *)config + offset;
}

static inline const struct snarl_level *
snarl_level_at(const struct snarl_config *config, int32_t level)
{
    return (const struct snarl_level *)snarl_part(config, config->levels_at) + level;
}

static inline const struct snarl_adversary_config *
snarl_adversaries_of(const struct snarl_config *config, const struct snarl_level *level)
{
    return snarl_part(config, level->adversaries_at);
}

/* Compiles rooms, hallways and objects; offsets are from the arena's start.  `work` is counted over
 * all levels. */
enum sk_status snarl_level_build(const struct snarl_level_form *form, struct sk_arena *arena,
                                 struct snarl_level *level, uint32_t *work,
                                 struct sk_fault *ret_fault);

enum sk_status snarl_config_build(const void *params, struct sk_arena *ret_config,
                                  struct sk_arena *scratch, struct sk_fault *ret_fault);

/* The maximum size of a config: all levels at their limits, each part rounded up. */
#define SNARL_CONFIG_SIZE_MAX                                                               \
    (sizeof(struct snarl_config) + 1024 +                                                   \
     SK_SNARL_LEVELS_MAX *                                                                  \
         (sizeof(struct snarl_level) + SNARL_TILES_MAX +                                    \
          SK_SNARL_ROOMS_MAX * sizeof(struct snarl_room) +                                  \
          SK_SNARL_HALLWAYS_MAX * (sizeof(struct snarl_hallway) + 16 +                      \
                                   (SK_SNARL_WAYPOINTS_MAX + 2) * sizeof(struct sk_cell)) + \
          SK_SNARL_ADVERSARIES_MAX * sizeof(struct snarl_adversary_config) + 64))
#define SNARL_SCRATCH_SIZE_MAX 64 /* only the result is built */

extern const struct snarl_params snarl_default_params;

/* ---- positions --------------------------------------------------------------------------- */

struct snarl_hero {
    struct sk_cell at; /* 0,0 unless active */
    int32_t keys;
    int32_t exits;
    int32_t expulsions;
    uint8_t status;
};

struct snarl_adversary {
    struct sk_cell at;
    bool is_here; /* false: left out of a state from outside, or not seen in a view */
};

struct snarl_position {
    int32_t level; /* from 0 */
    int32_t round; /* from 1 */
    bool exit_unlocked;
    bool has_key; /* the key lies where the level has it */
    uint8_t active;
    struct snarl_hero hero[SK_SNARL_HEROES_MAX];
    struct snarl_adversary adversary[];
};

#define SNARL_STATE_HEAD ((sizeof(struct sk_state) + 7) & ~(size_t)7)

static inline size_t
snarl_position_size(const struct snarl_config *config)
{
    return sizeof(struct snarl_position) + config->adversary_max * sizeof(struct snarl_adversary);
}

static inline struct snarl_position *
snarl_position(struct sk_state *state)
{
    return (struct snarl_position *)(void *)((uint8_t *)state + SNARL_STATE_HEAD);
}

static inline const struct snarl_position *
snarl_position_of(const struct sk_state *state)
{
    return (const struct snarl_position *)(const void *)((const uint8_t *)state + SNARL_STATE_HEAD);
}

static inline bool
snarl_is_hero(uint8_t unit)
{
    return unit < SNARL_FIRST_ADVERSARY;
}

/* ---- the board (board.c) ----------------------------------------------------------------- */

/* The tile, or void outside the level; the coordinates may be any 32-bit numbers. */
char snarl_tile(const struct snarl_config *config, const struct snarl_level *level,
                struct sk_cell cell);
bool snarl_is_traversable(char tile);

/* The index of the room that contains the cell, including walls and doors, or SNARL_NO_ROOM. */
uint8_t snarl_room_at(const struct snarl_config *config, const struct snarl_level *level,
                      struct sk_cell cell);

/* The rooms one hallway away, as bits: from the cell's room, or the end rooms of its hallways. */
uint64_t snarl_rooms_beyond(const struct snarl_config *config, const struct snarl_level *level,
                            struct sk_cell cell);

struct sk_text snarl_unit_id(const struct snarl_config *config, int32_t level, uint8_t unit);

/* The unit of that id in the level, on the board or not, or SNARL_NO_UNIT. */
uint8_t snarl_unit_find(const struct snarl_config *config, int32_t level, struct sk_text id);

/* Whether the unit is on the board. */
bool snarl_is_here(const struct snarl_config *config, const struct snarl_position *position,
                   uint8_t unit);
struct sk_cell snarl_cell_of(const struct snarl_position *position, uint8_t unit);

/* Who stands on the cell, or SNARL_NO_UNIT. */
uint8_t snarl_hero_on(const struct snarl_config *config, const struct snarl_position *position,
                      struct sk_cell cell);
uint8_t snarl_adversary_on(const struct snarl_config *config, const struct snarl_position *position,
                           struct sk_cell cell);

/* The room's floor tiles without unit or object: how many, and the n-th in reading order. */
uint32_t snarl_free_count(const struct snarl_config *config, const struct snarl_position *position,
                          uint32_t room);
struct sk_cell snarl_free_at(const struct snarl_config *config,
                             const struct snarl_position *position, uint32_t room, uint32_t n);

/* Whether a hero on `from` sees `cell`. */
static inline bool
snarl_is_in_sight(struct sk_cell from, struct sk_cell cell)
{
    int64_t dx = (int64_t)cell.x - from.x;
    int64_t dy = (int64_t)cell.y - from.y;

    return dx >= -SNARL_SIGHT && dx <= SNARL_SIGHT && dy >= -SNARL_SIGHT && dy <= SNARL_SIGHT;
}

/* ---- views (view.c) ---------------------------------------------------------------------- */

struct snarl_seen_hero {
    struct snarl_hero hero;
    bool is_shown;
    bool is_own;    /* with its counts; visible wherever it is */
    bool has_sight; /* `tiles` are set */
    char tiles[SNARL_SIGHT_SIDE * SNARL_SIGHT_SIDE];
};

struct snarl_view {
    bool is_whole; /* nothing is hidden: tiles are those of the level */
    bool exit_unlocked;
    bool sees_key;
    bool sees_exit;
    uint8_t active;
    int32_t level;
    int32_t round; /* only in a whole view */
    struct sk_cell key;
    struct sk_cell exit;
    struct snarl_seen_hero hero[SK_SNARL_HEROES_MAX];
    struct snarl_adversary adversary[];
};

void snarl_view_make(const void *config, const struct sk_state *state, uint8_t seat,
                     void *ret_view);

/* Makes a view of everything in zeroed memory: what adversaries know. */
void snarl_view_whole(const struct snarl_config *config, const struct snarl_position *position,
                      struct snarl_view *ret_view);

/* The tile, or SNARL_UNSEEN. */
char snarl_view_tile(const struct snarl_config *config, const struct snarl_view *view,
                     struct sk_cell cell);

bool snarl_event_is_shown(const void *config, const struct sk_state *before,
                          const struct sk_state *after, const struct sk_event *event, uint8_t seat);
void snarl_guess(const void *config, const void *view, const struct sk_seed *seed,
                 struct sk_state *ret_state);

/* ---- rules, one question each (rules.c) -------------------------------------------------- */

/* Whether the seat may move that unit, according to its view. */
bool snarl_is_own_turn(const struct snarl_config *config, const struct snarl_view *view,
                       uint8_t seat, uint8_t unit);

/* The number of steps in one move of the unit. */
int32_t snarl_steps_of(const struct snarl_config *config, int32_t level, uint8_t unit);

/*
 * The cells that the unit's steps lead to, except its own: nearest first, among
 * equals those that begin up, left, right, down.  A path leads over tiles that
 * the unit may walk on; the last step may lead anywhere, and other rules judge
 * what is there.
 */
#define SNARL_REACH_MAX (2 * SK_SNARL_STEPS_MAX * (SK_SNARL_STEPS_MAX + 1))
uint32_t snarl_reach(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
                     struct sk_cell ret_cells[SNARL_REACH_MAX]);

/* Each is for a unit that the view shows. */
sk_verdict snarl_judge_distance(const struct snarl_config *config, const struct snarl_view *view,
                                uint8_t unit, struct sk_cell to);
sk_verdict snarl_judge_tile(const struct snarl_config *config, const struct snarl_view *view,
                            uint8_t unit, struct sk_cell to);
sk_verdict snarl_judge_door(const struct snarl_config *config, const struct snarl_view *view,
                            uint8_t unit, struct sk_cell to);
sk_verdict snarl_judge_interaction(const struct snarl_config *config, const struct snarl_view *view,
                                   uint8_t unit, struct sk_cell to);
sk_verdict snarl_judge_must_move(const struct snarl_config *config, const struct snarl_view *view,
                                 uint8_t unit, struct sk_cell to);

/* tile, door and interaction, in this order: the rules about the destination itself. */
sk_verdict snarl_judge_destination(const struct snarl_config *config, const struct snarl_view *view,
                                   uint8_t unit, struct sk_cell to);

/* All rules in order. */
sk_verdict snarl_judge_move(const struct snarl_config *config, const struct snarl_view *view,
                            uint8_t unit, struct sk_cell to);

/* The unit's cell in the view; false = the view does not show it. */
bool snarl_seen_at(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
                   struct sk_cell *ret_at);

/* What a hero or an adversary meets on the cell, other than `unit` itself (or SNARL_NO_UNIT). */
enum snarl_meeting snarl_meets(const struct snarl_config *config,
                               const struct snarl_position *position, uint8_t unit, bool is_hero,
                               struct sk_cell cell);

/* The same for a tile that the unit may be on: not a wall, and no unit of its own side. */
static inline enum snarl_meeting
snarl_meets_inside(const struct snarl_config *config, const struct snarl_position *position,
                   bool is_hero, struct sk_cell cell)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);

    if (is_hero && snarl_adversary_on(config, position, cell) != SNARL_NO_UNIT) {
        return SNARL_MEETS_ADVERSARY;
    }
    if (!is_hero && snarl_hero_on(config, position, cell) != SNARL_NO_UNIT) {
        return SNARL_MEETS_HERO;
    }
    if (position->has_key && sk_cell_same(level->key, cell)) {
        return SNARL_MEETS_KEY;
    }
    if (level->has_exit && sk_cell_same(level->exit, cell)) {
        return position->exit_unlocked ? SNARL_MEETS_UNLOCKED_EXIT : SNARL_MEETS_LOCKED_EXIT;
    }
    return SNARL_MEETS_NOTHING;
}

/* Whether every hero has left or been expelled, or (level_end any) one has left. */
bool snarl_level_is_over(const struct snarl_config *config, const struct snarl_position *position);

/* Whether a hero who has not resigned has left the level. */
bool snarl_has_exit(const struct snarl_config *config, const struct snarl_position *position);

/* The outcome of the position; leaves *ret_outcome untouched while the match goes on. */
void snarl_outcome(const struct snarl_config *config, const struct snarl_position *position,
                   struct sk_outcome *ret_outcome);

/* ---- playing (play.c, adversaries.c) ----------------------------------------------------- */

/* Up, left, right, down: the order in which steps are tried. */
#define SNARL_DIRECTIONS 4
extern const struct sk_cell snarl_directions[SNARL_DIRECTIONS];

/* Random streams of one resolution; each starts once. */
struct snarl_dice {
    struct sk_rng steps;
    struct sk_rng relocation;
};

void snarl_dice_start(const struct sk_turn *turn, struct snarl_dice *ret_dice);

/* Moves the unit by a legal move; a ghost in a wall comes out elsewhere.  False = it stays where it
 * was. */
bool snarl_move_unit(struct sk_turn *turn, uint8_t unit, struct sk_cell to,
                     struct snarl_dice *dice);

/* The first version with an event for a locked exit. */
#define SNARL_VERSION_EXIT_LOCKED 2

/* The effects of the unit's tile on it, or of the unit on those who stand there. */
void snarl_arrive(struct sk_turn *turn, uint8_t unit);

/* The unit to move has moved or left: levels end and begin, the turn passes, and adversaries played
 * by the server move, until a seat owes or the game is over. */
void snarl_pass_on(struct sk_turn *turn, struct snarl_dice *dice);

/* The move of an adversary played by the server; its own cell if no move is valid. */
struct sk_cell snarl_choose_step(const struct sk_turn *turn, uint8_t unit, struct sk_rng *rng);

/* Sets up a level: all heroes who have not resigned are on the board again. */
void snarl_begin_level(const struct snarl_config *config, const struct sk_seed *seed, uint32_t turn,
                       struct snarl_position *position);

void snarl_leave(struct sk_turn *turn, uint8_t seat);

/*
 * Path lengths for each kind of adversary: from each tile of the level to a
 * hero, or to the nearest wall.  No hero moves while the server plays
 * adversaries, so each search is made once.
 */
#define SNARL_TARGETS  (SK_SNARL_HEROES_MAX + 1)
#define SNARL_TO_WALLS SK_SNARL_HEROES_MAX
#define SNARL_MAPS     (SNARL_KIND_COUNT * SNARL_TARGETS)

struct snarl_maps {
    uint32_t known; /* those that were searched, as bits */
    uint16_t at[];  /* tiles_max for the queue of a search, then for each map */
};

static inline size_t
snarl_work_size(const struct snarl_config *config)
{
    return sizeof(struct snarl_maps) + (1 + SNARL_MAPS) * config->tiles_max * sizeof(uint16_t);
}

/* ---- tables ------------------------------------------------------------------------------ */

#define SNARL_CHECK_COUNT 6
#define SNARL_STAGE_COUNT 3

extern const struct sk_check snarl_checks[SNARL_CHECK_COUNT];
extern const struct sk_stage snarl_stages[SNARL_STAGE_COUNT];

extern const struct sk_schema snarl_params_schema;
extern const struct sk_schema snarl_params_shown_schema;
extern const struct sk_schema snarl_state_schema;
extern const struct sk_schema snarl_view_schema;
extern const struct sk_variants snarl_command_variants;
extern const struct sk_variants snarl_event_variants;
extern const struct sk_picture snarl_picture;
extern const struct sk_schema snarl_room_schema;
extern const struct sk_schema snarl_level_schema;

void snarl_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink);

enum sk_status snarl_state_read(const void *config, const void *form, struct sk_state *ret_state,
                                struct sk_fault *ret_fault);

/* The same; `may_be_between`: a level may be over although the next has not begun. */
enum sk_status snarl_position_read(const struct snarl_config *config,
                                   const struct snarl_position_form *form, bool may_be_between,
                                   struct snarl_position *position, struct sk_fault *ret_fault);
enum sk_status snarl_state_form(const void *config, const struct sk_state *state,
                                struct sk_arena *arena, void *ret_form);
enum sk_status snarl_view_form(const void *config, const void *view, struct sk_arena *arena,
                               void *ret_form);

void snarl_snapshot_write(const void *config, const struct sk_state *state,
                          struct sk_bytes_out *out);
enum sk_status snarl_snapshot_read(const void *config, struct sk_bytes_in *in,
                                   struct sk_state *ret_state);

#endif /* SK_SNARL_INTERNAL_H */
