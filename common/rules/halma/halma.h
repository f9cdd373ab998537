/*
 * halma - simultaneous, two seats: the public face of the ruleset.
 *
 * The forms below are the structs behind the JSON of params, states,
 * commands and events; README.md beside this file explains the rules.
 * Programs that want single rules find them by name, and more questions at
 * the end of this file:
 *
 *     sk_validate_alone(&in, sk_check_find(&sk_ruleset_halma, "jump_over_piece"));
 *     halma_ask_move(config, state, SK_TEXT("a1"), &path, &reasons);
 *
 * Owner:   all memory is the caller's; nothing is kept from one call to the next.
 * Threads: none of its own.
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

/* A seat's destinations: those with a piece of its own, those with the other's only, the rest. */
struct halma_filling {
    int32_t own;
    int32_t others;
    int32_t free;
};

/* Of states and of views: nothing is hidden but commands that are not resolved yet. */
struct halma_position_form {
    struct sk_form_head head;
    struct sk_list units;  /* struct halma_unit_form: all pieces, in the order of params */
    struct sk_list faults; /* int32_t for each seat; none = 0 */
    struct sk_list filled; /* of a view: struct halma_filling for each seat */
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

/* ---- single questions -------------------------------------------------------------------- */

/*
 * `config` is a config of sk_ruleset_halma, `state` any state of it.  A turn
 * asks the same functions.
 */

/* What one leg of a path is by its squares alone; a jump also needs somebody in the middle. */
enum halma_leg {
    HALMA_HOLD,
    HALMA_STEP,
    HALMA_JUMP,
    HALMA_NO_LEG,
};

/* Any 32-bit numbers may stand in the cells. */
enum halma_leg halma_leg_of(struct sk_cell from, struct sk_cell to);

/* Is that a jump, with somebody to jump over? */
bool halma_ask_jump(const void *config, const struct sk_state *state, struct sk_cell from,
                    struct sk_cell to);

/* May the piece land there?  Its own square counts as free; off the board nothing does. */
bool halma_ask_landing(const void *config, const struct sk_state *state, struct sk_text unit,
                       struct sk_cell cell);

/* For how many enacted turns the piece cannot jump, or -1 when there is no such piece. */
int32_t halma_ask_damage(const void *config, const struct sk_state *state, struct sk_text unit);

/* What each check says of a path by itself; SK_VERDICT_OK = it has nothing against it. */
struct halma_move_reasons {
    sk_verdict path_shape;
    sk_verdict path_in_bounds;
    sk_verdict path_steps;
    sk_verdict jump_over_piece;
    sk_verdict damaged_jump;
    sk_verdict landing_free;
};

/*
 * May its owner move the piece along the path?  The first refusal in the
 * order of the checks, or SK_VERDICT_OK; SK_UNKNOWN_UNIT when there is no such
 * piece, and then *ret_reasons has that word throughout.
 */
sk_verdict halma_ask_move(const void *config, const struct sk_state *state, struct sk_text unit,
                          const struct halma_path *path, struct halma_move_reasons *ret_reasons);

/* Do two moves, one of each seat, end in a collision?  Two that both stay where they are do not. */
static inline bool
halma_collide(const struct sk_cell from[SK_HALMA_SEATS], const struct sk_cell to[SK_HALMA_SEATS])
{
    return sk_cell_same(to[0], to[1]) &&
           !(sk_cell_same(from[0], to[0]) && sk_cell_same(from[1], to[1]));
}

/* The damage of a piece after an enacted turn that did not hit it. */
static inline int32_t
halma_heal(int32_t damage)
{
    return damage > 0 ? damage - 1 : 0;
}

/* A seat's faults after a turn.  `guilty` = the seats without an accepted command, as bits. */
static inline int32_t
halma_faults_after(int32_t faults, uint8_t seat, uint32_t guilty)
{
    if (guilty == 0) {
        return faults > 0 ? faults - 1 : 0;
    }
    return guilty == 1u << seat && faults < INT32_MAX ? faults + 1 : faults;
}

struct halma_stall_answer {
    bool is_lost; /* by this seat */
    int32_t faults;
    int32_t limit; /* 0 = nobody loses by stalling */
};

/* Has the seat kept too many turns from being enacted? */
struct halma_stall_answer halma_ask_stall(const void *config, const struct sk_state *state,
                                          uint8_t seat);

struct halma_halmate_answer {
    bool is_halmate; /* none is free, and at least one has an own piece */
    struct halma_filling filled;
};

/* Are the seat's destinations full, and by whose pieces? */
struct halma_halmate_answer halma_ask_halmate(const void *config, const struct sk_state *state,
                                              uint8_t seat);

#endif /* SK_HALMA_H */
