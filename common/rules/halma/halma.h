/*
 * halma - simultaneous, two seats: the public face of the ruleset.
 *
 * The forms below are the structs behind the JSON of params, states,
 * commands and events; README.md beside this file explains the rules.
 * Programs that want single rules find them by name:
 *
 *     sk_validate_alone(&in, sk_check_find(&sk_ruleset_halma, "jump_over_piece"));
 */
#ifndef SK_HALMA_H
#define SK_HALMA_H

#include "common/core/ruleset.h"

extern const struct sk_ruleset sk_ruleset_halma;

/* ---- limits ------------------------------------------------------------------------------ */

#define SK_HALMA_SEATS               2
#define SK_HALMA_SIZE_MIN            6 /* and at most SK_GRID_MAX */
#define SK_HALMA_SIZE_DEFAULT        18
#define SK_HALMA_PIECES_PER_SEAT_MAX 64
#define SK_HALMA_PIECES_MAX          (SK_HALMA_SEATS * SK_HALMA_PIECES_PER_SEAT_MAX)
#define SK_HALMA_DESTINATIONS_MAX    64  /* of one seat */
#define SK_HALMA_PATH_MAX            256 /* squares of one command */
#define SK_HALMA_DAMAGE              5   /* of a collision: turns without jumping */
#define SK_HALMA_SHARING_MAX         2   /* pieces on one square */
#define SK_HALMA_TURN_LIMIT_DEFAULT  200
#define SK_HALMA_STALL_LIMIT_DEFAULT 5
#define SK_HALMA_CYCLE_MS_MIN        10 /* where there is a cycle; 0 = none */
#define SK_HALMA_CYCLE_MS_MAX        3600000

/* Hints: squares of the longest chain, and chains of one piece beside the shortest ones. */
#define SK_HALMA_HINT_PATH_MAX    32
#define SK_HALMA_HINT_DETOURS_MAX 1024

/* ---- params ------------------------------------------------------------------------------ */

struct halma_params {
    int32_t size;
    int32_t turn_limit;
    int32_t stall_limit; /* 0 = never */
    int32_t cycle_ms;    /* 0 = no cycle; the host's matter */
    bool has_pieces;     /* not given = those of the default board */
    bool has_destinations;
    struct sk_list pieces;       /* struct sk_list for each seat, of struct sk_cell */
    struct sk_list destinations; /* likewise */
};

/* ---- states and views -------------------------------------------------------------------- */

struct halma_unit_form {
    struct sk_text id;
    int32_t seat;
    struct sk_cell at;
    int32_t damage;
};

/* Of states and of views: nothing is hidden but commands that are not resolved yet. */
struct halma_position_form {
    struct sk_form_head head;
    struct sk_list units;  /* struct halma_unit_form: all pieces, in the order of params */
    struct sk_list faults; /* int32_t for each seat; none = 0 */
};

/* ---- commands ---------------------------------------------------------------------------- */

enum halma_command_kind {
    HALMA_MOVE = SK_COMMAND_OWN,
};

/* `row.count` squares were given; SK_HALMA_PATH_MAX of them at most are here. */
struct halma_path {
    struct sk_row row;
    struct sk_cell at[SK_HALMA_PATH_MAX];
};

struct halma_command {
    struct sk_command head;
    struct sk_id unit;
    struct halma_path path; /* without the square that the piece comes from */
};

/* ---- verdicts and reasons ---------------------------------------------------------------- */

#define HALMA_VERDICTS(X)                       \
    X(HALMA_BAD_PATH, "bad_path")               \
    X(HALMA_NOTHING_TO_JUMP, "nothing_to_jump") \
    X(HALMA_DAMAGED, "damaged")

#define HALMA_REASONS(X)        \
    X(HALMA_HALMATE, "halmate") \
    X(HALMA_STALLED, "stalled") \
    X(HALMA_DRAW_BOTH_HALMATE, "draw_both_halmate")

/* Why a turn was not enacted when the seat gave no command; else it is the command's verdict. */
#define HALMA_MISSING "missing"

#define HALMA_WORD_NUMBER(number, word) number,
enum halma_verdict {
    HALMA_VERDICT_BEFORE = SK_VERDICT_OWN - 1,
    HALMA_VERDICTS(HALMA_WORD_NUMBER)
};
enum halma_reason {
    HALMA_REASON_BEFORE = SK_REASON_OWN - 1,
    HALMA_REASONS(HALMA_WORD_NUMBER)
};
#undef HALMA_WORD_NUMBER

/* ---- events ------------------------------------------------------------------------------ */

enum halma_event_kind {
    HALMA_EVENT_NOT_ENACTED,
    HALMA_EVENT_MOVED,
    HALMA_EVENT_COLLIDED,
    HALMA_EVENT_HEALED,
    HALMA_EVENT_HALMATE,
};

/* One struct for all kinds; each kind's schema names the members it has. */
struct halma_event {
    struct sk_event head;
    struct sk_text unit;    /* moved, healed */
    struct sk_cell at;      /* collided */
    struct sk_list units;   /* struct sk_text; collided: both, seat 0's first */
    struct sk_list path;    /* struct sk_cell; moved: where it came from, then where it landed */
    struct sk_list seats;   /* int32_t; not_enacted: the guilty; halmate: whose */
    struct sk_list reasons; /* struct sk_text; not_enacted: one for each of the seats */
};

#endif /* SK_HALMA_H */
