/*
 * The search of the racers player: each action that it could take is tried
 * out many times, each time with another chance for the power failures, and
 * played on for some turns by two quick players.  What comes of it on average
 * decides.  Half of the actions, the worse ones, are given up after each round of
 * trials.
 *
 * The same chances are used for every action, so luck does not decide between
 * them.  Grenades that are hidden are taken to be somewhere, another place for each chance.
 */
#include <stdlib.h>
#include <string.h>

#include "server/bot/racers.h"

#define TRIALS     2400 /* in all; each round has an equal share */
#define ACTIONS    40   /* played on after the first one */
#define WIN_WORTH  1000
#define MOVE_WORTH 24 /* of a move that one is nearer to the finish than the other */
#define SKIP_WORTH 30 /* of a turn that a racer will miss */
#define DEBT_WORTH 10 /* of an action that he owes */
#define DARK_WORTH 1  /* in half moves: from the dark the next turn has an action less ... */
#define STOP_WORTH 2  /* ... and who has actions left loses them */
#define WANDER     12 /* one action in so many of the quick players is any move */

struct option {
    uint32_t hint;
    int64_t worth; /* sum over its trials */
    uint32_t trials;
};

struct hunt {
    struct bot_mind *mind;
    const struct racers_config *config;
    struct racers_map map;
    struct bot_trial trial;
    struct sk_state *state;
    uint8_t *entered; /* for flights of discs */
    struct sk_cell *path;
    struct option *options;
    uint32_t count;
};

/* ---- quick players ----------------------------------------------------------------------- */

/* Would a disc in that direction hit the other racer and not the own? */
static bool
hits(struct hunt *hunt, const struct racers_position *position, uint8_t dir, bool is_charged)
{
    struct racers_flight flight = { .path = hunt->path };
    uint8_t seat = position->active;

    memset(hunt->entered, 0, racers_squares(hunt->config));
    racers_fly(hunt->config, position, racers_cell(position->racer[seat].at), dir, is_charged,
               hunt->entered, &flight);
    return flight.hit == racers_other(seat);
}

static bool
find_throw(struct hunt *hunt, const struct racers_position *position,
           struct racers_command *ret_command)
{
    const struct racers_racer *racer = &position->racer[position->active];

    for (uint8_t kind = RACERS_DISC; kind < RACERS_ITEM_KINDS; kind++) {
        for (uint8_t dir = RACERS_N; racers_carries(racer, kind) && dir < RACERS_DIRECTIONS;
             dir = (uint8_t)(dir + 2)) {
            if (hits(hunt, position, dir, kind == RACERS_CHARGED_DISC)) {
                *ret_command = (struct racers_command){
                    .head = { RACERS_USE }, .item = kind, .dir = dir, .has_dir = true
                };
                return true;
            }
        }
    }
    return false;
}

static int32_t
way_after(const struct hunt *hunt, const struct racers_position *position, uint8_t dir)
{
    uint8_t seat = position->active;
    struct sk_cell to = racers_target(position, seat, dir);
    int32_t moves = racers_moves_after(&hunt->map, position, seat, dir);

    if (moves == 0 || !racers_is_dark(hunt->config, position, to)) {
        return 2 * moves;
    }
    return 2 * moves + DARK_WORTH + (position->actions_left > 1 ? STOP_WORTH : 0);
}

/* Something to pick up or a grenade to place, for an action that would be lost otherwise. */
static bool
find_chore(const struct hunt *hunt, const struct racers_position *position,
           struct racers_command *ret_command)
{
    const struct racers_racer *racer = &position->racer[position->active];
    const struct racers_item *items = racers_items(hunt->config, position);
    struct sk_cell at = racers_cell(racer->at);

    for (uint8_t kind = 0; kind < RACERS_ITEM_KINDS; kind++) {
        uint32_t place = racers_item_to_pick_up(hunt->config, position, at, kind);

        if (place != RACERS_NOWHERE && items[place].state == RACERS_INACTIVE &&
            racer->carried_count < SK_RACERS_CARRIED_MAX) {
            *ret_command = (struct racers_command){ .head = { RACERS_PICK_UP }, .item = kind };
            return true;
        }
    }
    *ret_command = (struct racers_command){ .head = { RACERS_USE }, .item = RACERS_GRENADE };
    return racers_carries(racer, RACERS_GRENADE) &&
           racers_grenade_on(hunt->config, position, at) == RACERS_NOWHERE;
}

/* Is the racer to lose actions by that move that he could use before it? */
static bool
has_spare_action(const struct hunt *hunt, const struct racers_position *position, uint8_t dir)
{
    return position->actions_left > 1 &&
           racers_is_dark(hunt->config, position, racers_target(position, position->active, dir));
}

static bool
choose_move(const struct hunt *hunt, const struct racers_position *position, struct sk_rng *rng,
            uint8_t *ret_dir)
{
    bool wanders = sk_rng_below(rng, WANDER) == 0;
    int32_t least = INT32_MAX;
    uint32_t ties = 0;

    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        int32_t way;

        if (!racers_can_move(hunt->config, position, position->active, dir)) {
            continue;
        }
        way = wanders ? 0 : way_after(hunt, position, dir);
        ties = way < least ? 1 : ties + (way == least);
        if (way < least || (way == least && sk_rng_below(rng, ties) == 0)) {
            least = way;
            *ret_dir = dir;
        }
    }
    return ties > 0;
}

/* Throws what hits, else takes the move that leaves the least to go. */
static bool
choose_quickly(struct hunt *hunt, const struct racers_position *position, struct sk_rng *rng,
               struct racers_command *ret_command)
{
    uint8_t dir = 0;

    if (!racers_must_move(position) && find_throw(hunt, position, ret_command)) {
        return true;
    }
    if (!choose_move(hunt, position, rng, &dir)) {
        return false;
    }
    if (!has_spare_action(hunt, position, dir) || !find_chore(hunt, position, ret_command)) {
        *ret_command = (struct racers_command){ .head = { RACERS_MOVE }, .dir = dir };
    }
    return true;
}

/* ---- trials ------------------------------------------------------------------------------ */

static int32_t
racer_worth(const struct hunt *hunt, const struct racers_position *position, uint8_t seat)
{
    const struct racers_racer *racer = &position->racer[seat];

    return -MOVE_WORTH * racers_moves_from(&hunt->map, racers_cell(racer->at), seat) -
           SKIP_WORTH * racer->skip - DEBT_WORTH * racer->debt;
}

static int32_t
judge(const struct hunt *hunt, const struct sk_state *state)
{
    const struct racers_position *position = racers_position_of(state);
    uint8_t seat = hunt->mind->seat;
    int32_t worth;

    if (state->outcome.is_over) {
        return state->outcome.winner == SK_NOBODY ? 0
               : state->outcome.winner == seat    ? WIN_WORTH
                                                  : -WIN_WORTH;
    }
    worth = racer_worth(hunt, position, seat) - racer_worth(hunt, position, racers_other(seat));
    worth = worth > WIN_WORTH ? WIN_WORTH : worth;
    return worth < -WIN_WORTH ? -WIN_WORTH : worth;
}

static bool
play(struct hunt *hunt, const struct racers_command *command)
{
    uint8_t seat = racers_position_of(hunt->state)->active;
    const struct sk_state *after;

    hunt->trial.turn.commands[racers_other(seat)] = (struct sk_commands){ NULL, 0 };
    after = bot_try(&hunt->trial, hunt->state, seat, (struct sk_commands){ command, 1 });
    if (after == hunt->state) {
        return false;
    }
    memcpy(hunt->state, after, hunt->mind->sizes.state);
    return true;
}

static void
try_option(struct hunt *hunt, struct option *option)
{
    struct bot_mind *mind = hunt->mind;
    struct sk_seed seed = mind->seed;
    struct racers_command command;
    struct sk_rng rng;
    bool is_played;

    memcpy(seed.bytes + 16, &option->trials, sizeof(option->trials));
    sk_rng_start(&rng, &seed, mind->state->turn, UINT32_MAX - 1);
    hunt->trial.turn.seed = &seed;
    memset(hunt->state, 0, mind->sizes.state);
    hunt->state->turn = mind->state->turn;
    mind->ruleset->guess(mind->config, racers_position_of(mind->state), &seed, hunt->state);
    is_played = play(hunt, bot_hint(mind, option->hint));
    for (uint32_t i = 0; i < ACTIONS && is_played && !hunt->state->outcome.is_over; i++) {
        is_played = choose_quickly(hunt, racers_position_of(hunt->state), &rng, &command) &&
                    play(hunt, &command);
    }
    option->worth += judge(hunt, hunt->state);
    option->trials++;
}

static int
compare(const void *a, const void *b)
{
    const struct option *left = a;
    const struct option *right = b;

    return (left->worth < right->worth) - (left->worth > right->worth);
}

static uint32_t
rounds_for(uint32_t count)
{
    uint32_t rounds = 1;

    for (; count > 2; count = (count + 1) / 2) {
        rounds++;
    }
    return rounds;
}

/* All that are left have had the same number of trials, unless the time is up. */
static void
search(struct hunt *hunt)
{
    uint32_t share = TRIALS / rounds_for(hunt->count);

    while (hunt->count > 1 && !bot_is_late(hunt->mind)) {
        for (uint32_t i = 0; i < share / hunt->count && !bot_is_late(hunt->mind); i++) {
            for (uint32_t j = 0; j < hunt->count; j++) {
                try_option(hunt, &hunt->options[j]);
            }
        }
        qsort(hunt->options, hunt->count, sizeof(hunt->options[0]), compare);
        hunt->count = (hunt->count + 1) / 2;
    }
}

void
racers_search(struct bot_mind *mind)
{
    struct hunt *hunt = bot_memory(sizeof(*hunt));
    uint32_t squares;

    hunt->mind = mind;
    hunt->config = mind->config;
    squares = racers_squares(hunt->config);
    racers_map_init(&hunt->map, hunt->config, racers_position_of(mind->state));
    bot_trial_init(&hunt->trial, mind);
    hunt->state = bot_memory(mind->sizes.state);
    hunt->entered = bot_memory(squares);
    hunt->path = bot_memory(RACERS_PATH_MAX(squares) * sizeof(hunt->path[0]));
    hunt->count = mind->hints.count;
    hunt->options = bot_memory(hunt->count * sizeof(hunt->options[0]));
    for (uint32_t i = 0; i < hunt->count; i++) {
        hunt->options[i].hint = i;
    }
    search(hunt);
    bot_choose(mind, bot_hint(mind, hunt->options[0].hint));
    free(hunt->options);
    free(hunt->path);
    free(hunt->entered);
    free(hunt->state);
    bot_trial_fini(&hunt->trial);
    racers_map_fini(&hunt->map);
    free(hunt);
}
