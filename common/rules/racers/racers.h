/*
 * racers - two racers on a grid, each on the way to the other's start.
 *
 * The public face of the ruleset: the forms of its params, states, views,
 * commands and events, and the words for its verdicts and reasons.  Programs
 * that use single rules fill in these structs themselves; the JSON names are
 * in forms.c, the rules in README.md beside this file.
 *
 * Owner:   forms are filled by their readers; lists live in the reader's arena.
 */
#ifndef SK_RACERS_H
#define SK_RACERS_H

#include "common/core/ruleset.h"

extern const struct sk_ruleset sk_ruleset_racers;

/* ---- limits ------------------------------------------------------------------------------ */

#define SK_RACERS_GRID_MIN                 10
#define SK_RACERS_GRID_DEFAULT             12
#define SK_RACERS_ACTIONS                  3 /* of a player's turn */
#define SK_RACERS_CARRIED_MAX              6
#define SK_RACERS_TRAIL_MAX                3 /* squares of one racer's light trail */
#define SK_RACERS_FAILURE_TURNS            3 /* how long a power failure lasts */
#define SK_RACERS_FAILURE_PERMILLE_DEFAULT 50
#define SK_RACERS_DEBT_MAX                 1000
#define SK_RACERS_SKIP_MAX                 100
#define SK_RACERS_PERFORMED_MAX            2000000000 /* a state that is handed in: room to go on */
#define SK_RACERS_TURN_LIMIT_DEFAULT       1000

enum racers_direction {
    RACERS_N, /* toward y = 0; the others clockwise */
    RACERS_NE,
    RACERS_E,
    RACERS_SE,
    RACERS_S,
    RACERS_SW,
    RACERS_W,
    RACERS_NW,
    RACERS_DIRECTIONS,
};

enum racers_item_kind {
    RACERS_GRENADE,
    RACERS_DISC,
    RACERS_CHARGED_DISC,
    RACERS_ITEM_KINDS,
};

enum racers_grenade_state {
    RACERS_INACTIVE,
    RACERS_PLACED,
    RACERS_ACTIVE,
    RACERS_EXPLODED,
};

/* ---- params ------------------------------------------------------------------------------ */

struct racers_item_form {
    struct sk_cell at;
    uint8_t kind;
    uint8_t state; /* of a grenade */
    bool has_state;
};

struct racers_teleporter_form {
    struct sk_cell at;
    struct sk_cell to;
};

struct racers_ground_form {
    struct sk_list walls;       /* struct sk_cell */
    struct sk_list starts;      /* struct sk_cell: seat 0's, seat 1's */
    struct sk_list items;       /* struct racers_item_form */
    struct sk_list teleporters; /* struct racers_teleporter_form */
};

struct racers_params {
    int32_t rows;
    int32_t cols;
    int32_t failure_permille;
    int32_t turn_limit;
    bool has_board; /* false = everything is placed at random */
    struct racers_ground_form board;
};

/* ---- states and views -------------------------------------------------------------------- */

struct racers_trail_form {
    struct sk_cell at;
    int32_t action;
    bool hop;
};

struct racers_racer_form {
    int32_t seat;
    struct sk_cell at;
    int32_t debt;
    int32_t skip;
    int32_t performed;
    struct sk_list carried; /* uint8_t: kinds of items, in the order they were picked up */
    struct sk_list trail;   /* struct racers_trail_form, newest first */
};

struct racers_failure_form {
    struct sk_cell at;
    int32_t turns_left;
};

/* Of states and of views: a view's items leave out the active grenades. */
struct racers_position_form {
    struct sk_form_head head;
    struct racers_ground_form ground;
    int32_t active;
    int32_t actions_left;
    bool moved;
    struct sk_list racers;   /* struct racers_racer_form */
    struct sk_list failures; /* struct racers_failure_form */
};

/* ---- commands ---------------------------------------------------------------------------- */

enum racers_command_kind {
    RACERS_MOVE = SK_COMMAND_OWN,
    RACERS_PICK_UP,
    RACERS_USE,
    RACERS_END_TURN,
};

struct racers_command {
    struct sk_command head;
    uint8_t dir;  /* move; use of a disc */
    uint8_t item; /* pick_up, use */
    bool has_dir; /* use */
    bool confirm; /* end_turn */
};

/* ---- verdicts and reasons ---------------------------------------------------------------- */

#define RACERS_VERDICTS(X)                     \
    X(RACERS_WALL, "wall")                     \
    X(RACERS_TRAIL, "trail")                   \
    X(RACERS_CROSSES_TRAIL, "crosses_trail")   \
    X(RACERS_BLOCKED, "blocked")               \
    X(RACERS_MUST_MOVE, "must_move")           \
    X(RACERS_NOTHING_HERE, "nothing_here")     \
    X(RACERS_INVENTORY_FULL, "inventory_full") \
    X(RACERS_NOT_CARRIED, "not_carried")       \
    X(RACERS_GRENADE_HERE, "grenade_here")     \
    X(RACERS_BAD_DIRECTION, "bad_direction")

#define RACERS_REASONS(X)          \
    X(RACERS_FINISHED, "finished") \
    X(RACERS_TRAPPED, "trapped")   \
    X(RACERS_UNMOVED, "unmoved")

#define RACERS_WORD_NUMBER(number, word) number,
enum racers_verdict {
    RACERS_VERDICT_BEFORE = SK_VERDICT_OWN - 1,
    RACERS_VERDICTS(RACERS_WORD_NUMBER)
};
enum racers_reason {
    RACERS_REASON_BEFORE = SK_REASON_OWN - 1,
    RACERS_REASONS(RACERS_WORD_NUMBER)
};
#undef RACERS_WORD_NUMBER

/* ---- events ------------------------------------------------------------------------------ */

enum racers_event_kind {
    RACERS_EVENT_MOVED,
    RACERS_EVENT_TELEPORTED,
    RACERS_EVENT_PICKED_UP,
    RACERS_EVENT_PLACED,
    RACERS_EVENT_LAUNCHED,
    RACERS_EVENT_DISC_HIT,
    RACERS_EVENT_EXPLODED,
    RACERS_EVENT_POWER_FAILED,
    RACERS_EVENT_POWERED_OUT,
    RACERS_EVENT_TURN_PASSED,
    RACERS_EVENT_TRAPPED,
    RACERS_EVENT_FINISHED,
};

/* Why a player's turn passed. */
enum racers_why {
    RACERS_ACTIONS_USED,
    RACERS_ENDED,
    RACERS_POWER_FAILURE,
    RACERS_PENALTY,
    RACERS_SKIPPED,
    RACERS_TIMEOUT,
};

/* One struct for all kinds; each kind's schema names the members it has. */
struct racers_event {
    struct sk_event head;
    int32_t seat;
    struct sk_cell from;  /* moved, teleported */
    struct sk_cell at;    /* moved, teleported: to; launched: where it landed; others: where */
    struct sk_list cells; /* struct sk_cell; launched: path; power_failed: centres */
    int32_t actions_lost; /* exploded */
    uint8_t item;         /* picked_up, launched */
    uint8_t dir;          /* launched */
    uint8_t why;          /* turn_passed */
};

#endif /* SK_RACERS_H */
