/*
 * The racers ruleset: sizes, setup, outcome, views, and the ruleset's table.
 * The rules are in checks.c, actions.c, openings.c and disc.c; params and
 * states are checked in config.c and ground.c.
 */
#include "common/rules/racers/racers.h"

#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/racers/internal.h"

#define TURN_WORK_LEAST  10000 /* the checks, and whatever does not depend on params */
#define TURN_WORK_SQUARE 16
#define TURN_WORK_LISTED 64

/* ---- sizes ------------------------------------------------------------------------------- */

/*
 * Per action: a move with its effects on two squares, or a flight; and the end.
 * Per opened turn: the failures, and its passing.
 */
#define ACTION_EVENTS 8

static size_t
events_size(const struct racers_config *config)
{
    size_t squares = racers_squares(config);
    size_t an_event = (sizeof(struct racers_event) + 7) & ~(size_t)7;
    size_t a_failure = config->failure_permille > 0 ? sizeof(struct sk_cell) : 0;

    return ACTION_EVENTS * an_event + SK_RACERS_PATH_MAX(squares) * sizeof(struct sk_cell) +
           RACERS_OPENINGS_MAX * (2 * an_event + squares * a_failure);
}

static void
sizes(const void *config, struct sk_sizes *ret_sizes)
{
    const struct racers_config *racers = config;

    *ret_sizes = (struct sk_sizes){
        .state = RACERS_STATE_HEAD + racers->position_size,
        .view = racers->position_size,
        .work = sizeof(struct racers_work) + racers_squares(racers) * sizeof(uint16_t),
        .events = events_size(racers),
        .snapshot = racers_snapshot_size(racers),
    };
}

/* What the lists of a view have together; of failures, as many as are to be expected. */
static uint32_t
listed(const struct racers_config *config)
{
    const struct racers_position *board =
        (const void *)((const uint8_t *)config + config->board_at);
    uint32_t squares = racers_squares(config);
    uint32_t failures = SK_RACERS_FAILURE_TURNS * squares * config->failure_permille / 1000;

    return failures +
           (config->board_at != 0
                ? (uint32_t)board->wall_count + board->teleporter_count + board->item_count
                : racers_share(squares, RACERS_WALL_PERCENT + RACERS_GRENADE_PERCENT +
                                            RACERS_DISC_PERCENT + RACERS_TELEPORTER_PERCENT));
}

/*
 * A turn copies the position and may roll for every square; a disc may fly
 * through all teleporters; events and views are written.  A player may have many
 * turns in a row: one disc hit per turn is enough for the other to miss theirs.
 */
static uint32_t
turn_work(const void *config)
{
    return TURN_WORK_LEAST + TURN_WORK_SQUARE * racers_squares(config) +
           TURN_WORK_LISTED * listed(config);
}

/* ---- setup, owing, outcome --------------------------------------------------------------- */

/* The first turn is opened like every other.  Nobody owes anything yet, so it has actions. */
static void
setup(const void *config, const struct sk_seed *seed, struct sk_state *ret_state)
{
    const struct racers_config *racers = config;
    struct racers_position *position = racers_position(ret_state);
    struct sk_rng rng;
    uint8_t why;

    if (racers->board_at != 0) {
        memcpy(position, (const uint8_t *)config + racers->board_at, racers->position_size);
    } else {
        racers_setup_board(racers, seed, position);
    }
    racers_setup_racers(position);
    sk_rng_start(&rng, seed, 0, RACERS_CHANCE_FIRST_FAILURES);
    racers_open_power(racers, position, &rng);
    racers_take_actions(racers, position, &why);
}

static uint32_t
owing(const void *config, const struct sk_state *state)
{
    (void)config;
    return 1u << racers_position_of(state)->active;
}

/*
 * A turn continues if its player has taken one more action and has one less
 * left.  If the turn had passed and come back, the other player would have been
 * skipped, and would skip or owe less than before.
 */
static bool
clock_goes_on(const void *config, const struct sk_state *before, const struct sk_state *after)
{
    const struct racers_position *from = racers_position_of(before);
    const struct racers_position *to = racers_position_of(after);
    uint8_t other = racers_other(from->active);

    (void)config;
    return to->active == from->active && to->actions_left + 1 == from->actions_left &&
           to->racer[to->active].performed == from->racer[from->active].performed + 1 &&
           to->racer[other].skip >= from->racer[other].skip &&
           to->racer[other].debt >= from->racer[other].debt;
}

static void
outcome(const void *config, const struct sk_state *state, struct sk_outcome *ret_outcome)
{
    const struct racers_config *racers = config;
    const struct racers_position *position = racers_position_of(state);

    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        if (racers_has_finished(position, seat)) {
            sk_outcome_end(ret_outcome, seat, RACERS_FINISHED);
            return;
        }
    }
    if (racers_is_trapped(racers, position)) {
        sk_outcome_end(ret_outcome, racers_other(position->active), RACERS_TRAPPED);
    }
}

/* ---- view, default, guess ---------------------------------------------------------------- */

/* Copies only the used part of the lists; what is behind it must not be seen. */
static void
copy_open(const struct racers_config *config, const struct racers_position *from,
          struct racers_position *view)
{
    memcpy(view, from, sizeof(*view) + config->rows * sizeof(view->wall_row[0]));
    view->item_count = 0;
    memcpy((uint8_t *)view + config->walls_at, racers_walls(config, from),
           from->wall_count * sizeof(struct racers_spot));
    memcpy(racers_teleporter_space(config, view), racers_teleporters(config, from),
           from->teleporter_count * sizeof(struct racers_teleporter));
    memcpy(racers_failure_space(config, view), racers_failures(config, from),
           from->failure_count * sizeof(struct racers_failure));
}

/*
 * Active grenades are in nobody's view, not even their owner's.  A racer stands
 * on one only if a position from outside says so; that one is shown, because no
 * other can be put there.
 */
static void
view_make(const void *config, const struct sk_state *state, uint8_t seat, void *ret_view)
{
    const struct racers_position *from = racers_position_of(state);
    const struct racers_item *items = racers_items(config, from);
    struct racers_position *view = ret_view;

    copy_open(config, from, view);
    view->underfoot = 0;
    for (uint32_t i = 0; i < from->item_count; i++) {
        if (items[i].kind != RACERS_GRENADE || items[i].state != RACERS_ACTIVE) {
            racers_item_add(config, view, items[i]);
        } else if (seat < RACERS_SEATS && racers_spot_same(items[i].at, from->racer[seat].at)) {
            view->underfoot = (uint8_t)(1 << seat);
        }
    }
}

/* A seat that sends nothing lets its time pass. */
static bool
default_command(const void *config, const void *view, uint8_t seat, void *ret_command)
{
    const struct racers_position *position = view;

    (void)config;
    if (position->active != seat) {
        return false;
    }
    *(struct racers_command *)ret_command =
        (struct racers_command){ .head = { SK_COMMAND_TIMEOUT } };
    return true;
}

static uint32_t
grenades_in_sight(const struct racers_config *config, const struct racers_position *view)
{
    const struct racers_item *items = racers_items(config, view);
    uint32_t count = 0;

    for (uint32_t i = 0; i < view->item_count; i++) {
        count += items[i].kind == RACERS_GRENADE;
    }
    for (uint32_t seat = 0; seat < RACERS_SEATS; seat++) {
        for (uint32_t i = 0; i < view->racer[seat].carried_count; i++) {
            count += view->racer[seat].carried[i] == RACERS_GRENADE;
        }
    }
    return count;
}

static bool
can_hide_grenade(const struct racers_config *config, const struct racers_position *position,
                 struct sk_cell cell)
{
    return !racers_is_wall(config, position, cell) &&
           racers_racer_on(position, cell) == RACERS_NOBODY &&
           racers_grenade_on(config, position, cell) == RACERS_NOWHERE;
}

static void
hide_grenade(const struct racers_config *config, struct racers_position *position,
             struct racers_spot at)
{
    racers_item_add(config, position, (struct racers_item){ at, RACERS_GRENADE, RACERS_ACTIVE });
}

/* Chooses among the squares that can hold one, with equal chances; none if the board is full. */
static void
hide_somewhere(const struct racers_config *config, struct racers_position *position,
               struct sk_rng *rng)
{
    struct racers_spot spots[RACERS_SQUARES_MAX];
    uint32_t count = 0;

    for (uint8_t y = 0; y < config->rows; y++) {
        for (uint8_t x = 0; x < config->cols; x++) {
            if (can_hide_grenade(config, position, sk_cell(x, y))) {
                spots[count++] = (struct racers_spot){ x, y };
            }
        }
    }
    if (count > 0 && racers_items_in_all(position) < RACERS_ITEMS_MAX(racers_squares(config))) {
        hide_grenade(config, position, spots[sk_rng_below(rng, count)]);
    }
}

/* The number of grenades in a match is known; those not visible are active somewhere. */
static void
guess(const void *config, const void *view, const struct sk_seed *seed, struct sk_state *ret_state)
{
    const struct racers_config *racers = config;
    const struct racers_position *from = view;
    struct racers_position *position = racers_position(ret_state);
    uint32_t seen = grenades_in_sight(racers, from);
    struct sk_rng rng;

    memcpy(position, view, racers->position_size);
    position->underfoot = 0;
    if (position->actions_left == 0) {
        position->actions_left = 1; /* the match is over; the guess is one that goes on */
    }
    sk_rng_start(&rng, seed, 0, RACERS_CHANCE_GUESS);
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        if ((from->underfoot >> seat & 1) != 0) {
            hide_grenade(racers, position, from->racer[seat].at);
            seen++;
        }
    }
    for (; seen < racers->grenade_count; seen++) {
        hide_somewhere(racers, position, &rng);
    }
}

/* ---- the ruleset ------------------------------------------------------------------------- */

static const struct sk_word verdicts[] = { RACERS_VERDICTS(SK_WORD_OF) };
static const struct sk_word reasons[] = { RACERS_REASONS(SK_WORD_OF) };

static const struct sk_fact facts[] = {
    { "actions", SK_RACERS_ACTIONS, "Actions of a player's turn." },
    { "trail", SK_RACERS_TRAIL_MAX, "Squares of a racer's light trail." },
    { "carried", SK_RACERS_CARRIED_MAX, "Items that a racer can carry." },
    { "disc_range", RACERS_DISC_RANGE, "Squares that a disc flies." },
    { "grenade_costs", RACERS_GRENADE_COSTS, "Actions that a grenade costs." },
    { "dark_grenade_costs", RACERS_DARK_GRENADE_COSTS, "The same in the dark." },
    { "failure_turns", SK_RACERS_FAILURE_TURNS, "Turns that a power failure lasts." },
};

const struct sk_ruleset sk_ruleset_racers = {
    .name = "racers",
    .summary = "Two racers, each to the other's start; light trails, grenades, discs, power cuts.",
    .version = 1,
    .seats_min = RACERS_SEATS,
    .seats_max = RACERS_SEATS,
    .params = &racers_params_schema,
    .state = &racers_state_schema,
    .view = &racers_view_schema,
    .command = &racers_command_variants,
    .event = &racers_event_variants,
    SK_VERDICTS(verdicts),
    SK_REASONS(reasons),
    SK_CHECKS(racers_checks),
    SK_STAGES(racers_stages),
    SK_FACTS(facts),
    .default_params = &racers_default_params,
    .turn_limit_at = offsetof(struct racers_config, turn_limit),
    .config_size_max = RACERS_CONFIG_SIZE_MAX,
    .config_build = racers_config_build,
    .sizes = sizes,
    .setup = setup,
    .turn_work = turn_work,
    .owing = owing,
    .clock_goes_on = clock_goes_on,
    .outcome = outcome,
    .view_make = view_make,
    .collect = racers_collect,
    .hints = racers_hints,
    .default_command = default_command,
    .guess = guess,
    .state_read = racers_state_read,
    .state_form = racers_state_form,
    .view_form = racers_view_form,
    .snapshot_write = racers_snapshot_write,
    .snapshot_read = racers_snapshot_read,
    .bot_levels = 3,
    .picture = SK_PICTURE(racers_picture),
};
