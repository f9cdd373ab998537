/*
 * halma - simultaneous, two seats: the public interface of the ruleset.
 *
 * The forms below are the structs behind the JSON of params, states, commands
 * and events; README.md beside this file explains the rules.  Single rules are
 * found by name, and further questions at the end of this file:
 *
 *     sk_validate_alone(&in, sk_check_find(&sk_ruleset_halma, "jump_over_piece"));
 *     halma_ask_move(config, state, SK_TEXT("a1"), &path, &reasons);
 *
 * Owner:   all memory is the caller's; nothing is kept from one call to the
 *          next.
 * Threads: any.
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
#define SK_HALMA_DESTINATIONS_MAX    64  /* per seat */
#define SK_HALMA_PATH_MAX            256 /* squares per command */
#define SK_HALMA_DAMAGE              5   /* by a collision: turns without jumping */
#define SK_HALMA_SHARING_MAX         2   /* pieces on one square */
#define SK_HALMA_TURN_LIMIT_DEFAULT  200
#define SK_HALMA_STALL_LIMIT_DEFAULT 5
#define SK_HALMA_CYCLE_MS_MIN        10 /* if there is a cycle; 0 = none */
#define SK_HALMA_CYCLE_MS_MAX        3600000

/* Hints: squares of the longest chain, and chains per piece in addition to the shortest ones. */
#define SK_HALMA_HINT_PATH_MAX    32
#define SK_HALMA_HINT_DETOURS_MAX 1024

/* ---- params ------------------------------------------------------------------------------ */

struct halma_params {
    int32_t size;
    int32_t turn_limit;
    int32_t stall_limit; /* 0 = never */
    int32_t cycle_ms;    /* 0 = no cycle; used by the host */
    bool has_pieces;     /* not given = those of the default board */
    bool has_destinations;
    struct sk_list pieces;       /* one struct sk_list per seat, of struct sk_cell */
    struct sk_list destinations; /* the same */
};

/* ---- states and views -------------------------------------------------------------------- */

struct halma_unit_form {
    struct sk_text id;
    int32_t seat;
    struct sk_cell at;
    int32_t damage;
};

/* A seat's destinations: with an own piece, with the other seat's pieces only, and free. */
struct halma_filling {
    int32_t own;
    int32_t others;
    int32_t free;
};

/* For states and views: nothing is hidden except commands that are not resolved yet. */
struct halma_position_form {
    struct sk_form_head head;
    struct sk_list units;  /* struct halma_unit_form: all pieces, in the order of params */
    struct sk_list faults; /* int32_t per seat; none = 0 */
    struct sk_list filled; /* in a view: struct halma_filling per seat */
};

/* ---- commands ---------------------------------------------------------------------------- */

enum halma_command_kind {
    HALMA_MOVE = SK_COMMAND_OWN,
};

/* `row.count` squares were given; at most SK_HALMA_PATH_MAX of them are stored. */
struct halma_path {
    struct sk_row row;
    struct sk_cell at[SK_HALMA_PATH_MAX];
};

struct halma_command {
    struct sk_command head;
    struct sk_id unit;
    struct halma_path path; /* without the piece's start square */
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

/* Why a turn was not enacted if the seat gave no command; otherwise it is the command's verdict. */
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

/* One struct for all kinds; each kind's schema lists its members. */
struct halma_event {
    struct sk_event head;
    struct sk_text unit;    /* moved, healed */
    struct sk_cell at;      /* collided */
    struct sk_list units;   /* struct sk_text; collided: both, seat 0's first */
    struct sk_list path;    /* struct sk_cell; moved: the start square, then each landing */
    struct sk_list seats;   /* int32_t; not_enacted: the seats at fault; halmate: whose */
    struct sk_list reasons; /* struct sk_text; not_enacted: one per seat */
};

/* ---- single questions -------------------------------------------------------------------- */

/*
 * `config` is a config of sk_ruleset_halma, `state` any of its states.  Turns
 * use the same functions.
 */

/* The kind of a leg by its squares alone; a jump also needs a piece in the middle. */
enum halma_leg {
    HALMA_HOLD,
    HALMA_STEP,
    HALMA_JUMP,
    HALMA_NO_LEG,
};

/* The cells may hold any 32-bit numbers. */
enum halma_leg halma_leg_of(struct sk_cell from, struct sk_cell to);

/* Whether this is a jump over a piece. */
bool halma_ask_jump(const void *config, const struct sk_state *state, struct sk_cell from,
                    struct sk_cell to);

/* Whether the piece may land there.  Its own square counts as free; cells off the board do not. */
bool halma_ask_landing(const void *config, const struct sk_state *state, struct sk_text unit,
                       struct sk_cell cell);

/* For how many enacted turns the piece cannot jump; -1 if there is no such piece. */
int32_t halma_ask_damage(const void *config, const struct sk_state *state, struct sk_text unit);

/* The verdict of each check on a path by itself; SK_VERDICT_OK = no objection. */
struct halma_move_reasons {
    sk_verdict path_shape;
    sk_verdict path_in_bounds;
    sk_verdict path_steps;
    sk_verdict jump_over_piece;
    sk_verdict damaged_jump;
    sk_verdict landing_free;
};

/*
 * Whether its owner may move the piece along the path: the first refusal in the
 * order of the checks, or SK_VERDICT_OK.  SK_UNKNOWN_UNIT if there is no such
 * piece; then all of *ret_reasons have that verdict.
 */
sk_verdict halma_ask_move(const void *config, const struct sk_state *state, struct sk_text unit,
                          const struct halma_path *path, struct halma_move_reasons *ret_reasons);

/* Whether two moves, one per seat, end in a collision.  If both pieces stay, they do not. */
static inline bool
halma_collide(const struct sk_cell from[SK_HALMA_SEATS], const struct sk_cell to[SK_HALMA_SEATS])
{
    return sk_cell_same(to[0], to[1]) &&
           !(sk_cell_same(from[0], to[0]) && sk_cell_same(from[1], to[1]));
}

/* The damage of a piece after an enacted turn in which it was not hit. */
static inline int32_t
halma_heal(int32_t damage)
{
    return damage > 0 ? damage - 1 : 0;
}

/* A seat's faults after a turn.  `guilty`: the seats without an accepted command, as bits. */
static inline int32_t
halma_faults_after(int32_t faults, uint8_t seat, uint32_t guilty)
{
    if (guilty == 0) {
        return faults > 0 ? faults - 1 : 0;
    }
    return guilty == 1u << seat && faults < INT32_MAX ? faults + 1 : faults;
}

struct halma_stall_answer {
    bool is_lost; /* for this seat */
    int32_t faults;
    int32_t limit; /* 0 = stalling never loses */
};

/* Whether the seat loses because it kept too many turns from being enacted. */
struct halma_stall_answer halma_ask_stall(const void *config, const struct sk_state *state,
                                          uint8_t seat);

struct halma_halmate_answer {
    bool is_halmate; /* none is free, and at least one has an own piece */
    struct halma_filling filled;
};

/* Whether the seat's destinations are full, and by whose pieces. */
struct halma_halmate_answer halma_ask_halmate(const void *config, const struct sk_state *state,
                                              uint8_t seat);

#endif /* SK_HALMA_H */
