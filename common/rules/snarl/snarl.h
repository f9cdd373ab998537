/*
 * snarl - alternating, one to four heroes: the public face of the ruleset.
 *
 * The forms below are the structs behind the JSON of params, states,
 * commands and events; README.md beside this file explains the rules.
 * Programs that want single rules find them by name:
 *
 *     sk_validate_alone(&in, sk_check_find(&sk_ruleset_snarl, "distance"));
 */
#ifndef SK_SNARL_H
#define SK_SNARL_H

#include "common/core/ruleset.h"

extern const struct sk_ruleset sk_ruleset_snarl;

/* ---- limits ------------------------------------------------------------------------------ */

#define SK_SNARL_HEROES_MAX          SK_SEATS_MAX
#define SK_SNARL_LEVELS_MAX          32
#define SK_SNARL_SIDE_MAX            200 /* rows or columns of a level, from its row or column 0 */
#define SK_SNARL_ROOMS_MAX           64  /* of one level, as are those that follow */
#define SK_SNARL_HALLWAYS_MAX        128
#define SK_SNARL_WAYPOINTS_MAX       64 /* of one hallway */
#define SK_SNARL_OBJECTS_MAX         16 /* how many of them are too many is a reason of its own */
#define SK_SNARL_HERO_STARTS_MAX     16 /* those past the last hero are not used */
#define SK_SNARL_ADVERSARIES_MAX     64
#define SK_SNARL_COUNT_MAX           1000000 /* keys, exits or expulsions in a state handed in */
#define SK_SNARL_ROUND_LIMIT_DEFAULT 300

/* ---- levels ------------------------------------------------------------------------------ */

/* A place inside a level's JSON is [row, column]; everywhere else it is [x,y]. */
struct snarl_point {
    struct sk_cell row_column; /* x is the row, y the column, as the JSON has them */
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

struct snarl_params {
    bool has_levels;       /* none given = those that ship with the project */
    struct sk_list levels; /* struct snarl_level_form */
    struct sk_list heroes; /* struct sk_text: their ids */
    uint8_t mode;
    uint8_t level_end;
    uint8_t adversaries;
    int32_t round_limit;
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
    bool has_counts; /* of a view: those of other heroes are not shown */
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

/* Of states and of views; a view leaves out what the seat may not know. */
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
    struct sk_id unit; /* empty = the one that is to move */
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
};

/* Why a level ended. */
enum snarl_why {
    SNARL_WHY_LEFT, /* at least one hero has left it by the exit */
    SNARL_WHY_LOST, /* nobody has */
    SNARL_WHY_ROUND_LIMIT,
};

/* One struct for all kinds; each kind's schema names the members it has. */
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

#endif /* SK_SNARL_H */
