/*
 * The search of the racers player: each possible action is resolved with the
 * rules library many times, each time with other power failures, and then
 * played to the end by two quick players.  The own one guards when the race is
 * lost.  The average result decides.  After each round of trials the worse half
 * of the actions is dropped.
 *
 * Every action is tried with the same random numbers, so luck does not decide
 * between them.  Hidden grenades are in another place for each of them.
 */
#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "server/bot/racers_dash.h"

#define TRIALS    256 /* in all; each round has an equal share */
#define RUNS      8   /* to the end, of each trial */
#define ACTIONS   60  /* of a run; what is open then is a draw */
#define WIN_WORTH 1000

struct option {
    uint32_t hint;
    int64_t worth; /* sum over its trials */
    uint32_t trials;
};

struct hunt {
    struct bot_mind *mind;
    const struct racers_config *config;
    struct racers_map map;
    struct dash_ground ground;
    struct bot_trial trial;
    struct sk_seed seed; /* of the chance that is tried */
    struct sk_state *state;
    uint8_t *space; /* of the dash that is played on, and the items of its copies */
    struct option *options;
    uint32_t count;
};

/* ---- trials ------------------------------------------------------------------------------ */

static int32_t
worth_of(const struct hunt *hunt, int winner)
{
    return winner < 0 ? 0 : winner == (int)hunt->mind->seat ? WIN_WORTH : -WIN_WORTH;
}

static int32_t
run(struct hunt *hunt, const struct dash *from, uint64_t chance)
{
    struct racers_command command;
    struct dash dash;

    dash_chance(&hunt->ground, chance);
    dash_copy(&hunt->ground, from, hunt->space + dash_size(&hunt->ground), &dash);
    for (uint32_t i = 0; i < ACTIONS && dash.winner == RACERS_NOBODY; i++) {
        dash_choose(&hunt->ground, &dash, dash.active == hunt->mind->seat, &command);
        dash_play(&hunt->ground, &dash, &command);
    }
    return worth_of(hunt, dash.winner);
}

/* Plays the action with the rules library.  False = it cannot be played. */
static bool
begin(struct hunt *hunt, const struct option *option)
{
    struct bot_mind *mind = hunt->mind;
    const struct sk_state *after;

    memcpy(hunt->seed.bytes + 16, &option->trials, sizeof(option->trials));
    memset(hunt->state, 0, mind->sizes.state);
    hunt->state->turn = mind->state->turn;
    hunt->state->outcome.winner = SK_NOBODY;
    sk_rules_guess(mind->ruleset, &mind->sizes, mind->config, racers_position_of(mind->state),
                   &hunt->seed, hunt->state);
    after = bot_try(&hunt->trial, hunt->state, mind->seat,
                    (struct sk_commands){ bot_hint(mind, option->hint), 1 });
    return after != hunt->state;
}

static void
try_option(struct hunt *hunt, struct option *option)
{
    const struct sk_state *after = hunt->trial.turn.after;
    struct dash dash;

    if (!begin(hunt, option)) {
        option->worth -= RUNS * WIN_WORTH;
    } else if (after->outcome.is_over) {
        option->worth += RUNS * worth_of(hunt, after->outcome.winner);
    } else {
        dash_load(&hunt->ground, racers_position_of(after), hunt->space, &dash);
        for (uint32_t i = 0; i < RUNS; i++) {
            option->worth += run(hunt, &dash, (uint64_t)option->trials * RUNS + i);
        }
    }
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
    struct hunt *hunt = heap_memory(sizeof(*hunt));

    hunt->mind = mind;
    hunt->config = mind->config;
    racers_map_init(&hunt->map, hunt->config, racers_position_of(mind->state));
    dash_ground_init(&hunt->ground, hunt->config, racers_position_of(mind->state), &hunt->map,
                     &mind->rng);
    bot_trial_init(&hunt->trial, mind);
    hunt->seed = mind->seed;
    hunt->trial.turn.seed = &hunt->seed;
    hunt->state = heap_memory(mind->sizes.state);
    hunt->space = heap_memory(dash_size(&hunt->ground) + hunt->ground.squares);
    hunt->count = mind->hints.count;
    hunt->options = heap_memory(hunt->count * sizeof(hunt->options[0]));
    for (uint32_t i = 0; i < hunt->count; i++) {
        hunt->options[i].hint = i;
    }
    search(hunt);
    bot_choose(mind, bot_hint(mind, hunt->options[0].hint));
    free(hunt->options);
    free(hunt->space);
    free(hunt->state);
    bot_trial_fini(&hunt->trial);
    dash_ground_fini(&hunt->ground);
    racers_map_fini(&hunt->map);
    free(hunt);
}
