/*
 * racers - two racers on a grid, each racing to the other's start.
 *
 * The public interface of the ruleset: the forms of its params, states, views,
 * commands and events, and the words for its verdicts and reasons.  Programs
 * that use single rules fill in these structs themselves; the JSON names are in
 * forms.c, the rules in README.md beside this file.  Single rules are found by
 * name, and further questions at the end of this file:
 *
 *     sk_validate_alone(&in, sk_check_find(&sk_ruleset_racers, "diagonal"));
 *     racers_ask_move(config, state, seat, RACERS_NE, &reasons);
 *
 * Owner:   readers fill forms; lists are in the reader's arena.
 * Threads: any.
 */
#ifndef SK_RACERS_H
#define SK_RACERS_H

#include "common/core/ruleset.h"

extern const struct sk_ruleset sk_ruleset_racers;

/* ---- limits ------------------------------------------------------------------------------ */

#define SK_RACERS_GRID_MIN                 10
#define SK_RACERS_GRID_DEFAULT             12
#define SK_RACERS_ACTIONS                  3 /* per turn of a player */
#define SK_RACERS_CARRIED_MAX              6
#define SK_RACERS_TRAIL_MAX                3 /* squares of one racer's light trail */
#define SK_RACERS_FAILURE_TURNS            3 /* how long a power failure lasts */
#define SK_RACERS_FAILURE_PERMILLE_DEFAULT 50
#define SK_RACERS_DEBT_MAX                 1000
#define SK_RACERS_SKIP_MAX                 100
#define SK_RACERS_PERFORMED_MAX \
    2000000000 /* in a state from outside: leaves space to
                                                       * continue */
#define SK_RACERS_TURN_LIMIT_DEFAULT 1000

enum racers_direction {
    RACERS_N, /* toward y = 0; the others follow clockwise */
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

/* For states and views: a view's items do not include active grenades. */
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

/* One struct for all kinds; each kind's schema lists its members. */
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

/* ---- single questions -------------------------------------------------------------------- */

/*
 * `config` is a config of sk_ruleset_racers, `state` any of its states.
 * Answers use the whole state, including active grenades, and do not depend on
 * whose turn it is.  Turns use the same functions.
 */

/* The verdict of each check on a step by itself; SK_VERDICT_OK = no objection. */
struct racers_move_reasons {
    sk_verdict in_bounds;
    sk_verdict wall;
    sk_verdict player;
    sk_verdict trail;
    sk_verdict diagonal;
    sk_verdict teleport;
};

/* Whether the seat's racer may move that way: the first refusal in the order of the checks, or
 * ok. */
sk_verdict racers_ask_move(const void *config, const struct sk_state *state, uint8_t seat,
                           uint8_t dir, struct racers_move_reasons *ret_reasons);

/* The same for every direction.  Returns the number of legal ones. */
uint32_t racers_ask_directions(const void *config, const struct sk_state *state, uint8_t seat,
                               sk_verdict ret_verdicts[RACERS_DIRECTIONS]);

/* Whether the seat's racer has nowhere to go.  A racer who must act then loses. */
bool racers_ask_trapped(const void *config, const struct sk_state *state, uint8_t seat);

/* The seats that trail on that square blocks at their next action, as bits. */
uint8_t racers_ask_trail(const void *config, const struct sk_state *state, struct sk_cell cell);

/* Whether the step would cross a link of a chain, of either racer, that blocks this one. */
bool racers_ask_crossing(const void *config, const struct sk_state *state, uint8_t seat,
                         uint8_t dir);

struct racers_teleport_answer {
    bool is_there;   /* a teleporter exists; otherwise the rest is undefined */
    bool is_blocked; /* a racer, or trail that blocks this one, is on its destination */
    struct sk_cell to;
};

/* Whether a teleporter is on the square, where it leads, and whether the seat's racer can use
 * it. */
struct racers_teleport_answer racers_ask_teleport(const void *config, const struct sk_state *state,
                                                  uint8_t seat, struct sk_cell cell);

/* Whether the racer is on the finish. */
bool racers_ask_finished(const void *config, const struct sk_state *state, uint8_t seat);

/* What a racer meets when entering a square, before a teleporter's hop. */
enum racers_meeting {
    RACERS_MEETS_NOTHING,
    RACERS_MEETS_FINISH,  /* a win, whatever else is there */
    RACERS_MEETS_GRENADE, /* an active one: it explodes */
    RACERS_MEETS_DARK,    /* the turn ends */
};

struct racers_entering_answer {
    uint8_t meets;        /* enum racers_meeting */
    int32_t actions_lost; /* by the grenade; racers_penalize says which are lost now */
};

struct racers_entering_answer racers_ask_entering(const void *config, const struct sk_state *state,
                                                  uint8_t seat, struct sk_cell cell);

/* Actions and debt after a penalty: what this turn cannot pay becomes debt. */
struct racers_balance {
    int32_t actions_left;
    int32_t debt;
};

static inline struct racers_balance
racers_penalize(struct racers_balance balance, int32_t penalty)
{
    int32_t now = balance.actions_left < penalty ? balance.actions_left : penalty;
    int32_t debt = balance.debt + penalty - now;

    return (struct racers_balance){
        .actions_left = balance.actions_left - now,
        .debt = debt < SK_RACERS_DEBT_MAX ? debt : SK_RACERS_DEBT_MAX,
    };
}

/* Skips, debt and actions at the start of a turn. */
struct racers_opening {
    bool is_skipped;
    int32_t actions; /* 0 = the turn passes */
    int32_t debt;
    int32_t skip;
};

static inline struct racers_opening
racers_open_turn(int32_t debt, int32_t skip, bool is_dark)
{
    int32_t owed = debt + (is_dark ? 1 : 0);

    if (skip > 0) {
        return (struct racers_opening){ .is_skipped = true, .debt = debt, .skip = skip - 1 };
    }
    return (struct racers_opening){
        .actions = owed < SK_RACERS_ACTIONS ? SK_RACERS_ACTIONS - owed : 0,
        .debt = owed < SK_RACERS_ACTIONS ? 0 : owed - SK_RACERS_ACTIONS,
    };
}

/* Whether the square is without power. */
bool racers_ask_dark(const void *config, const struct sk_state *state, struct sk_cell cell);

/* Updates the failures of a copied state at the start of a turn: those with one turn left end, the
 * others have one turn less.  Returns how many ended. */
uint32_t racers_expire_failures(const void *config, struct sk_state *state);

/* Then each square fails with its probability.  Returns how many did; they are the last of the
 * list.  A match uses sk_rng_start(&rng, seed, turn, 0) with the command's turn.  A state has space
 * for the failures of three turns: without expiry between them, a fourth roll does nothing. */
uint32_t racers_roll_failures(const void *config, struct sk_state *state, struct sk_rng *rng);

/* The maximum number of squares that a disc enters on a board of this size: none twice before the
 * line on which it is caught in a loop, and as many again by hops. */
#define SK_RACERS_PATH_MAX(squares) (2 * (squares) + SK_GRID_MAX + 2)

struct racers_flight {
    struct sk_cell *path; /* SK_RACERS_PATH_MAX cells; from the launch square to where it lands */
    uint32_t count;
    int hit; /* the seat of the racer there, or SK_NOBODY */
};

/* Computes the flight of a disc from a square, n, e, s or w.  False = not a direction for it, or
 * not a square.  The caller provides the path's memory. */
bool racers_ask_flight(const void *config, const struct sk_state *state, struct sk_cell from,
                       uint8_t dir, bool is_charged, struct racers_flight *flight);

/* What a random setup guarantees about its board. */
#define RACERS_SETUP_RULES(X)                    \
    X(RACERS_SETUP_STARTS, "starts")             \
    X(RACERS_SETUP_WALL_COUNT, "wall_count")     \
    X(RACERS_SETUP_WALL_SHAPE, "wall_shape")     \
    X(RACERS_SETUP_WALL_PLACE, "wall_place")     \
    X(RACERS_SETUP_WAY, "way")                   \
    X(RACERS_SETUP_GRENADES, "grenades")         \
    X(RACERS_SETUP_DISCS, "discs")               \
    X(RACERS_SETUP_TELEPORTERS, "teleporters")   \
    X(RACERS_SETUP_PLACES, "places")             \
    X(RACERS_SETUP_NEAR_GRENADE, "near_grenade") \
    X(RACERS_SETUP_NEAR_DISC, "near_disc")       \
    X(RACERS_SETUP_CHARGED_DISC, "charged_disc") \
    X(RACERS_SETUP_DESTINATIONS, "destinations")

#define RACERS_RULE_NUMBER(number, word) number,
enum racers_setup_rule {
    RACERS_SETUP_RULES(RACERS_RULE_NUMBER) RACERS_SETUP_RULE_COUNT,
};
#undef RACERS_RULE_NUMBER

extern const char *const racers_setup_words[];

/* Whether the rule holds for the state's board.  Boards given by params need not follow it. */
bool racers_ask_setup(const void *config, const struct sk_state *state,
                      enum racers_setup_rule rule);

#endif /* SK_RACERS_H */
