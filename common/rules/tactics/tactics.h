/*
 * tactics - simultaneous, two seats: the public interface of the ruleset.
 *
 * The forms below are the structs behind the JSON of params, states, commands
 * and events; README.md beside this file explains the rules.  Single rules are
 * found by name, and further questions at the end of this file:
 *
 *     sk_validate_alone(&in, sk_check_find(&sk_ruleset_tactics, "move_in_pattern"));
 *     sk_validate_some(&in, tactics_move_checks);
 *
 * Owner:   all memory is the caller's; nothing is kept from one call to the
 *          next.
 * Threads: any.
 */
#ifndef SK_TACTICS_H
#define SK_TACTICS_H

#include "common/base/limits.h"
#include "common/core/turn.h"

extern const struct sk_ruleset sk_ruleset_tactics;

/* ---- params ------------------------------------------------------------------------------ */

struct tactics_map_form {
    struct sk_text from; /* one character of the pattern */
    struct sk_text to;   /* the pattern that it stands for */
};

struct tactics_pattern_form {
    struct sk_text name;
    struct sk_list rows; /* struct sk_text */
    struct sk_list map;  /* struct tactics_map_form */
};

struct tactics_model_form {
    struct sk_text name;
    struct sk_text description;
    int32_t health;
    int32_t power;
    struct sk_list move;   /* struct sk_text: names of patterns */
    struct sk_list attack; /* the same */
};

struct tactics_unit_form {
    struct sk_text id;
    struct sk_text model;
    int32_t seat;
    struct sk_cell at;
    int32_t health; /* in a state; params have none */
};

struct tactics_params {
    int32_t rows;
    int32_t cols;
    int32_t start_rows;
    int32_t turn_limit;
    bool placement;
    bool has_patterns; /* none of the three given = the default roster */
    bool has_models;
    bool has_units;
    struct sk_list patterns; /* struct tactics_pattern_form */
    struct sk_list models;   /* struct tactics_model_form */
    struct sk_list units;    /* struct tactics_unit_form */
};

/* ---- states and views -------------------------------------------------------------------- */

enum tactics_phase {
    TACTICS_PLACEMENT,
    TACTICS_PLAY,
};

/* For states and views: nothing is hidden except commands that are not resolved yet. */
struct tactics_position_form {
    struct sk_form_head head;
    uint8_t phase;
    struct sk_list units; /* struct tactics_unit_form: the living, in the order of params */
};

/* ---- commands ---------------------------------------------------------------------------- */

enum tactics_command_kind {
    TACTICS_MOVE = SK_COMMAND_OWN,
    TACTICS_ATTACK,
    TACTICS_PLACE,
};

struct tactics_command {
    struct sk_command head;
    struct sk_id unit;
    struct sk_cell target;
};

/* ---- verdicts and reasons ---------------------------------------------------------------- */

#define TACTICS_VERDICTS(X)                     \
    X(TACTICS_WRONG_PHASE, "wrong_phase")       \
    X(TACTICS_OUT_OF_PATTERN, "out_of_pattern") \
    X(TACTICS_NOT_START_ROW, "not_start_row")   \
    X(TACTICS_SAME_TARGET, "same_target")       \
    X(TACTICS_BOUNCED, "bounced")

#define TACTICS_REASONS(X)              \
    X(TACTICS_ELIMINATED, "eliminated") \
    X(TACTICS_DRAW_ELIMINATED, "draw_eliminated")

#define TACTICS_WORD_NUMBER(number, word) number,
enum tactics_verdict {
    TACTICS_VERDICT_BEFORE = SK_VERDICT_OWN - 1,
    TACTICS_VERDICTS(TACTICS_WORD_NUMBER)
};
enum tactics_reason {
    TACTICS_REASON_BEFORE = SK_REASON_OWN - 1,
    TACTICS_REASONS(TACTICS_WORD_NUMBER)
};
#undef TACTICS_WORD_NUMBER

/* ---- events ------------------------------------------------------------------------------ */

enum tactics_event_kind {
    TACTICS_EVENT_PLACED,
    TACTICS_EVENT_BOUNCED,
    TACTICS_EVENT_MOVED,
    TACTICS_EVENT_ATTACKED,
    TACTICS_EVENT_HIT,
    TACTICS_EVENT_DIED,
};

/* One struct for all kinds; each kind's schema lists its members. */
struct tactics_event {
    struct sk_event head;
    struct sk_text unit;
    struct sk_cell at;     /* placed, bounced, attacked: target; moved: to */
    struct sk_cell from;   /* moved */
    struct sk_list others; /* struct sk_text; bounced: both units; hit: by */
    struct sk_list cells;  /* struct sk_cell; attacked: affected cells, in reading order */
    int32_t damage;
    int32_t health;
};

/* ---- single questions -------------------------------------------------------------------- */

/*
 * Groups of checks for sk_validate_some, in the order of the pipeline.  The
 * first three of a group judge commands of every kind, because a unit's moves
 * and attacks are counted together; the others judge only those of the group.
 */
extern const char *const tactics_move_checks[];
extern const char *const tactics_attack_checks[];
extern const char *const tactics_place_checks[];

/* Moves of both seats to one cell, by their indices in the seats' lists. */
struct tactics_conflict {
    struct sk_cell at;
    uint32_t move[2];
};

/*
 * Finds every pair of opposing moves to one cell, as submitted, without running
 * the checks.  `commands` has one list per seat.  Returns the number of pairs
 * and writes the first `max`.
 */
uint32_t tactics_conflicts(const struct sk_commands *commands, struct tactics_conflict *ret_pairs,
                           uint32_t max);

/*
 * Finds units with no health left (0 or less), as indices of position->units.
 * Any position is allowed, even one that no match can have.  Returns their
 * number and writes the first `max`.
 */
uint32_t tactics_deaths(const struct tactics_position_form *position, uint32_t *ret_places,
                        uint32_t max);

/* Which seats have units left?  One wins, none is a draw; false = both, and the match goes on. */
bool tactics_is_decided(const struct tactics_position_form *position,
                        struct sk_outcome *ret_outcome);

/* A resolved turn as lists.  Commands belong to the caller, ids and models to the config. */
struct tactics_result {
    const struct tactics_command *moves[2 * SK_COMMANDS_MAX]; /* accepted ones, seat 0's first */
    uint32_t move_count;
    const struct tactics_command *attacks[2 * SK_COMMANDS_MAX];
    uint32_t attack_count;
    const struct tactics_command *places[2 * SK_COMMANDS_MAX];
    uint32_t place_count;
    struct tactics_conflict conflicts[SK_TACTICS_UNITS_PER_SEAT_MAX]; /* moves that bounced */
    uint32_t conflict_count;
    struct tactics_unit_form updated[SK_TACTICS_UNITS_MAX]; /* moved, hurt or dead */
    uint32_t updated_count; /* in the order of params; health 0 = dead, `at` is where it died */
    bool is_over;
    bool is_draw;
    int8_t winner; /* a seat or SK_NOBODY */
};

/* Call it after sk_turn_resolve returned true, while turn->before is still the state before. */
void tactics_result(const struct sk_turn *turn, struct tactics_result *ret_result);

#endif /* SK_TACTICS_H */
