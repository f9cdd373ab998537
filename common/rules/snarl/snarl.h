/*
 * snarl - alternating, one to four heroes: the public interface of the ruleset.
 *
 * The forms below are the structs behind the JSON of params, states, commands
 * and events; README.md beside this file explains the rules.  Single rules are
 * found by name, and the rule checker's questions at the end of this file:
 *
 *     sk_validate_alone(&in, sk_check_find(&sk_ruleset_snarl, "distance"));
 *     snarl_ask_move(config, state, SK_TEXT("zombie-1"), sk_cell(3, 4), &reasons);
 *
 * Owner:   all memory is the caller's; nothing is kept from one call to the
 *          next.
 * Threads: any.
 */
#ifndef SK_SNARL_H
#define SK_SNARL_H

#include "common/core/ruleset.h"

extern const struct sk_ruleset sk_ruleset_snarl;

/* ---- limits ------------------------------------------------------------------------------ */

#define SK_SNARL_HEROES_MAX          SK_SEATS_MAX
#define SK_SNARL_LEVELS_MAX          32
#define SK_SNARL_SIDE_MAX            200 /* rows or columns of a level, counted from 0 */
#define SK_SNARL_ROOMS_MAX           64  /* per level, like the next ones */
#define SK_SNARL_HALLWAYS_MAX        128
#define SK_SNARL_WAYPOINTS_MAX       64     /* per hallway */
#define SK_SNARL_HALLWAY_TILES_MAX   400000 /* over all levels; crossings count again */
#define SK_SNARL_OBJECTS_MAX         16     /* config.c reports too many of a type */
#define SK_SNARL_HERO_STARTS_MAX     16     /* those beyond the number of heroes are not used */
#define SK_SNARL_ADVERSARIES_MAX     64
#define SK_SNARL_COUNT_MAX           1000000 /* keys, exits or expulsions in a state from outside */
#define SK_SNARL_ROUND_LIMIT_DEFAULT 300
#define SK_SNARL_STEPS_MAX           8 /* of an adversary per move */

/* ---- levels ------------------------------------------------------------------------------ */

/* A place inside a level's JSON is [row, column]; everywhere else it is [x,y]. */
struct snarl_point {
    struct sk_cell row_column; /* x is the row, y the column, as in the JSON */
};

static inline struct sk_cell
snarl_cell(struct snarl_point point)
{
    return sk_cell(point.row_column.y, point.row_column.x);
}

struct snarl_bounds_form {
    int32_t rows;
    int32_t columns;
};

struct snarl_room_form {
    uint8_t type;
    struct snarl_point origin;
    struct snarl_bounds_form bounds;
    struct sk_list layout; /* struct sk_list of int32_t: enum snarl_layout */
};

enum snarl_layout {
    SNARL_LAYOUT_WALL,
    SNARL_LAYOUT_FLOOR,
    SNARL_LAYOUT_DOOR,
};

struct snarl_hallway_form {
    uint8_t type;
    struct snarl_point from;
    struct snarl_point to;
    struct sk_list waypoints; /* struct snarl_point */
};

enum snarl_object {
    SNARL_KEY,
    SNARL_EXIT,
};

struct snarl_object_form {
    uint8_t type; /* enum snarl_object */
    struct snarl_point position;
};

enum snarl_kind {
    SNARL_ZOMBIE,
    SNARL_GHOST,
    SNARL_KIND_COUNT,
};

struct snarl_start_form {
    uint8_t kind; /* enum snarl_kind */
    struct snarl_point at;
};

struct snarl_starts_form {
    bool has_adversaries;
    struct sk_list heroes;      /* struct snarl_point */
    struct sk_list adversaries; /* struct snarl_start_form */
};

struct snarl_level_form {
    uint8_t type;
    bool has_starts;
    struct sk_list rooms;    /* struct snarl_room_form */
    struct sk_list hallways; /* struct snarl_hallway_form */
    struct sk_list objects;  /* struct snarl_object_form */
    struct snarl_starts_form starts;
};

/* ---- params ------------------------------------------------------------------------------ */

enum snarl_mode {
    SNARL_COOP,
    SNARL_VERSUS,
};

enum snarl_level_end {
    SNARL_END_ALL,
    SNARL_END_ANY,
};

enum snarl_adversaries {
    SNARL_AUTO,
    SNARL_IDLE,
};

/* Steps per move, for each kind; 0 = the kind's default. */
struct snarl_steps_form {
    int32_t of[SNARL_KIND_COUNT];
};

struct snarl_params {
    bool has_levels;       /* none given = the levels that ship with the project */
    struct sk_list levels; /* struct snarl_level_form */
    struct sk_list heroes; /* struct sk_text: their ids */
    uint8_t mode;
    uint8_t level_end;
    uint8_t adversaries;
    int32_t round_limit;
    bool has_steps;
    struct snarl_steps_form steps;
};

/* ---- states and views -------------------------------------------------------------------- */

enum snarl_status {
    SNARL_ACTIVE,
    SNARL_EXITED,
    SNARL_EXPELLED,
    SNARL_RESIGNED,
};

struct snarl_hero_form {
    struct sk_text id;
    int32_t seat;
    bool has_at;
    bool has_counts; /* in a view: other heroes' counts are not shown */
    struct sk_cell at;
    uint8_t status;
    int32_t keys;
    int32_t exits;
    int32_t expulsions;
};

struct snarl_adversary_form {
    struct sk_text id;
    uint8_t kind;
    struct sk_cell at;
};

struct snarl_active_form {
    struct sk_text unit;
};

struct snarl_tiles_form {
    struct sk_cell origin;
    struct sk_list rows; /* struct sk_text */
};

/* For states and views; a view omits what the seat may not know. */
struct snarl_position_form {
    struct sk_form_head head;
    int32_t level;
    int32_t round;
    bool has_round;
    bool exit_unlocked;
    bool has_key;
    bool has_exit;
    bool has_tiles;
    struct snarl_active_form active;
    struct sk_list heroes;      /* struct snarl_hero_form */
    struct sk_list adversaries; /* struct snarl_adversary_form */
    struct sk_cell key;
    struct sk_cell exit;
    struct snarl_tiles_form tiles;
};

/* ---- commands ---------------------------------------------------------------------------- */

enum snarl_command_kind {
    SNARL_MOVE = SK_COMMAND_OWN,
};

struct snarl_command {
    struct sk_command head;
    bool has_to;       /* null = stay */
    struct sk_id unit; /* empty = the unit to move */
    struct sk_cell to;
};

/* ---- verdicts and reasons ---------------------------------------------------------------- */

#define SNARL_VERDICTS(X)                       \
    X(SNARL_TOO_FAR, "too_far")                 \
    X(SNARL_NOT_TRAVERSABLE, "not_traversable") \
    X(SNARL_DOOR_BARRED, "door")                \
    X(SNARL_MUST_MOVE, "must_move")

#define SNARL_REASONS(X)  \
    X(SNARL_WON, "won")   \
    X(SNARL_LOST, "lost") \
    X(SNARL_DRAW_EQUAL, "draw_equal")

#define SNARL_WORD_NUMBER(number, word) number,
enum snarl_verdict {
    SNARL_VERDICT_BEFORE = SK_VERDICT_OWN - 1,
    SNARL_VERDICTS(SNARL_WORD_NUMBER)
};
enum snarl_reason {
    SNARL_REASON_BEFORE = SK_REASON_OWN - 1,
    SNARL_REASONS(SNARL_WORD_NUMBER)
};
#undef SNARL_WORD_NUMBER

/* ---- events ------------------------------------------------------------------------------ */

enum snarl_event_kind {
    SNARL_EVENT_MOVED,
    SNARL_EVENT_TOOK_KEY,
    SNARL_EVENT_EXITED,
    SNARL_EVENT_EXPELLED,
    SNARL_EVENT_RELOCATED,
    SNARL_EVENT_LEVEL_ENDED,
    SNARL_EVENT_LEVEL_STARTED,
    SNARL_EVENT_GAME_ENDED,
    SNARL_EVENT_EXIT_LOCKED, /* since version 2 */
};

/* Why a level ended. */
enum snarl_why {
    SNARL_WHY_LEFT, /* at least one hero has left by the exit */
    SNARL_WHY_LOST, /* nobody has */
    SNARL_WHY_ROUND_LIMIT,
};

/* One struct for all kinds; each kind's schema lists its members. */
struct snarl_event {
    struct sk_event head;
    uint8_t seen_by; /* the heroes who see it, as bits; not part of the form */
    uint8_t why;     /* level_ended */
    bool has_winner; /* game_ended */
    struct sk_text unit;
    struct sk_text by;     /* expelled: an adversary's id, or round_limit */
    struct sk_cell from;   /* moved, relocated */
    struct sk_cell at;     /* moved, relocated: to; the others: where */
    struct sk_text reason; /* game_ended */
    int32_t winner;
    int32_t level; /* level_ended, level_started */
};

/* ---- the rule checker's questions -------------------------------------------------------- */

/*
 * Each is answered from the whole state, not from what a seat sees, and does
 * not depend on whose turn it is.  `config` is a config of sk_ruleset_snarl,
 * `state` any of its states: from a match, or read by snarl_ask_state.
 */

/*
 * Checks whether this is a state, and if not, why.  Accepts what the ruleset's
 * state_read accepts, and also a state whose level is over although the match
 * goes on.  `ret_state` has the ruleset's sizes.state bytes, which are all
 * written; after a refusal they are not a state.
 */
enum sk_status snarl_ask_state(const void *config, const struct snarl_position_form *form,
                               struct sk_state *ret_state, struct sk_fault *ret_fault);

/* The verdict of each rule on a move by itself; SK_VERDICT_OK = no objection. */
struct snarl_move_reasons {
    sk_verdict distance;
    sk_verdict tile;
    sk_verdict door; /* only for adversaries, like must_move */
    sk_verdict interaction;
    sk_verdict must_move;
};

/*
 * Whether the hero or adversary may go there, by the rules of its kind: the
 * first refusal in the order of the checks, or SK_VERDICT_OK.  SK_UNKNOWN_UNIT
 * for a unit that is not on the board; then all of *ret_reasons have that
 * verdict.
 */
sk_verdict snarl_ask_move(const void *config, const struct sk_state *state, struct sk_text unit,
                          struct sk_cell to, struct snarl_move_reasons *ret_reasons);

/* What a unit meets on a tile; among several things, the first that matters to it. */
enum snarl_meeting {
    SNARL_MEETS_NOTHING,
    SNARL_MEETS_WALL,      /* or void; a ghost comes out of a wall elsewhere */
    SNARL_MEETS_HERO,      /* another hero: a hero may not go there, an adversary expels it */
    SNARL_MEETS_ADVERSARY, /* another adversary: it expels a hero; an adversary may not go there */
    SNARL_MEETS_KEY,       /* a hero takes it, an adversary ignores it, like the exit */
    SNARL_MEETS_LOCKED_EXIT,
    SNARL_MEETS_UNLOCKED_EXIT,
};

/* What a hero meets on the cell; the hero of that id does not meet itself. */
enum snarl_meeting snarl_ask_hero_meets(const void *config, const struct sk_state *state,
                                        struct sk_text hero, struct sk_cell cell);
enum snarl_meeting snarl_ask_adversary_meets(const void *config, const struct sk_state *state,
                                             struct sk_text adversary, struct sk_cell cell);

enum snarl_level_why {
    SNARL_LEVEL_EXIT_LOCKED, /* goes on: heroes are inside, and nobody can leave yet */
    SNARL_LEVEL_INSIDE,      /* goes on: heroes are inside */
    SNARL_LEVEL_ALL_LEFT,    /* over: every hero has left by the exit */
    SNARL_LEVEL_SOME_LEFT,   /* over: nobody is inside, at least one hero has left */
    SNARL_LEVEL_ANY_LEFT,    /* over: one hero has left, which ends it by params (level_end any) */
    SNARL_LEVEL_EXPELLED,    /* over: nobody is inside, nobody has left */
};

/* Heroes are bits, by their indices in params. */
struct snarl_level_answer {
    bool is_over;
    uint8_t why; /* enum snarl_level_why */
    bool exit_unlocked;
    uint8_t inside;
    uint8_t left;
    uint8_t expelled;
    uint8_t resigned;
};

/* Whether the level has ended, and why. */
struct snarl_level_answer snarl_ask_level(const void *config, const struct sk_state *state);

enum snarl_game_why {
    SNARL_GAME_LEVEL_GOES_ON,
    SNARL_GAME_MORE_LEVELS, /* goes on: this level is over, and has been left */
    SNARL_GAME_WON,         /* over: the last level was left by at least one hero */
    SNARL_GAME_LOST,        /* over: nobody has left the level */
    SNARL_GAME_SETTLED,     /* over: by a resignation, an agreed draw and the like */
};

struct snarl_game_answer {
    bool is_over;
    uint8_t why;   /* enum snarl_game_why */
    int32_t level; /* from 1 */
    int32_t level_count;
    struct sk_outcome outcome; /* once it is over */
};

/* Whether the game is over, and why. */
struct snarl_game_answer snarl_ask_game(const void *config, const struct sk_state *state);

/* Whether every hero has been expelled from this level.  Resigned ones do not count. */
bool snarl_ask_all_expelled(const void *config, const struct sk_state *state);

#endif /* SK_SNARL_H */
