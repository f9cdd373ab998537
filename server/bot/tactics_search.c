/*
 * The search of the tactics player.
 *
 * Both sides move at once, so no plan is good by itself: it is good against
 * what the enemy may do.  The search keeps a few plans of the enemy, and
 * improves its own plan one unit at a time by resolving the turn against each
 * of them.  Then it looks for the enemy's best answer to that plan, adds it to
 * the enemy's plans, and improves its own again.
 */
#include <stdlib.h>
#include <string.h>

#include "server/bot/tactics.h"

_Static_assert(TACTICS_SEATS == 2, "the enemy of a seat is 1 - seat");

#define ENEMY_PLANS_MAX 8
#define ENEMY_GUESSES   4 /* greedy plans to begin with, with different whims */
#define ROUNDS          4 /* of own plan and enemy's answer */
#define PASSES          3 /* over all units, for one plan */
#define WHIM            40

/* What a state is worth. */
#define HEALTH_WORTH 16
#define THREAT_WORTH 6
#define NEAR_WORTH   2
#define WIN_WORTH    10000000

#define SEATS 2

struct plan {
    struct tactics_command at[SK_TACTICS_UNITS_PER_SEAT_MAX];
    uint32_t count;
};

struct hunt {
    struct bot_mind *mind;
    struct tactics_scene scene;
    struct bot_trial trial;
    struct sk_commands hints[SEATS];
    struct plan own;
    struct plan enemy[ENEMY_PLANS_MAX];
    uint32_t enemy_count;
};

/* ---- results ----------------------------------------------------------------------------- */

static int32_t
unit_worth(const struct hunt *hunt, const struct tactics_position *position, uint32_t unit)
{
    struct sk_cell cell = tactics_cell_of(position, unit);
    uint8_t seat = tactics_units(hunt->scene.config)[unit].seat;

    return HEALTH_WORTH * (position->unit[unit].health + TACTICS_DEATH_WORTH) +
           THREAT_WORTH * tactics_threat(&hunt->scene, position, unit, cell) -
           NEAR_WORTH * tactics_distance(&hunt->scene, position, seat, cell);
}

static int64_t
state_worth(const struct hunt *hunt, const struct sk_state *state, uint8_t seat)
{
    const struct tactics_position *position = tactics_position_of(state);
    int64_t worth = 0;

    if (state->outcome.is_over) {
        return state->outcome.winner == SK_NOBODY ? 0
               : state->outcome.winner == seat    ? WIN_WORTH
                                                  : -WIN_WORTH;
    }
    for (uint32_t i = 0; i < hunt->scene.config->unit_count; i++) {
        if (tactics_is_alive(position, i)) {
            int32_t unit = unit_worth(hunt, position, i);

            worth += tactics_units(hunt->scene.config)[i].seat == seat ? unit : -unit;
        }
    }
    return worth;
}

/* The value of a plan against some plans of the other seat. */
static int64_t
plan_worth(struct hunt *hunt, uint8_t seat, const struct plan *plan, const struct plan *against,
           uint32_t count)
{
    int64_t worth = 0;

    for (uint32_t i = 0; i < count; i++) {
        hunt->trial.turn.commands[1 - seat] =
            (struct sk_commands){ against[i].at, against[i].count };
        worth += state_worth(hunt,
                             bot_try(&hunt->trial, hunt->mind->state, seat,
                                     (struct sk_commands){ plan->at, plan->count }),
                             seat);
    }
    return worth;
}

/* ---- improving a plan -------------------------------------------------------------------- */

/* The place of the unit's command in the plan, or its end. */
static uint32_t
place_in(const struct plan *plan, const struct sk_id *unit)
{
    uint32_t place = 0;

    while (place < plan->count && !sk_id_same(&plan->at[place].unit, unit)) {
        place++;
    }
    return place;
}

static void
plan_drop(struct plan *plan, uint32_t place)
{
    if (place < plan->count) {
        plan->at[place] = plan->at[--plan->count];
    }
}

static void
plan_set(struct plan *plan, const struct tactics_command *command)
{
    uint32_t place = place_in(plan, &command->unit);

    plan->at[place] = *command;
    plan->count += place == plan->count;
}

/* Tries every hint of one unit, and doing nothing; keeps the best.  True = something changed. */
static bool
improve_unit(struct hunt *hunt, uint8_t seat, uint32_t from, uint32_t end, struct plan *plan,
             const struct plan *against, uint32_t count, int64_t *worth)
{
    const struct tactics_command *hints = hunt->hints[seat].at;
    struct plan trial = *plan;
    bool is_better = false;

    plan_drop(&trial, place_in(&trial, &hints[from].unit));
    for (uint32_t i = from; i <= end && !bot_is_late(hunt->mind); i++) {
        int64_t found = plan_worth(hunt, seat, &trial, against, count);

        if (found > *worth) {
            *worth = found;
            *plan = trial;
            is_better = true;
        }
        if (i < end) {
            plan_set(&trial, &hints[i]);
        }
    }
    return is_better;
}

static void
improve(struct hunt *hunt, uint8_t seat, struct plan *plan, const struct plan *against,
        uint32_t count)
{
    int64_t worth = plan_worth(hunt, seat, plan, against, count);
    bool is_better = true;

    for (uint32_t pass = 0; pass < PASSES && is_better; pass++) {
        is_better = false;
        for (uint32_t from = 0, end; from < hunt->hints[seat].count; from = end) {
            end = tactics_hints_end(hunt->hints[seat], from);
            is_better |= improve_unit(hunt, seat, from, end, plan, against, count, &worth);
        }
    }
}

/* ---- the search -------------------------------------------------------------------------- */

static void
plan_greedily(struct hunt *hunt, uint8_t seat, uint32_t whim, struct plan *ret_plan)
{
    ret_plan->count = tactics_greedy(&hunt->scene, tactics_position_of(hunt->mind->state),
                                     hunt->hints[seat], &hunt->mind->rng, whim, ret_plan->at);
}

static void
search(struct hunt *hunt)
{
    uint8_t seat = hunt->mind->seat;
    uint8_t other = (uint8_t)(1 - seat);

    for (; hunt->enemy_count < ENEMY_GUESSES; hunt->enemy_count++) {
        plan_greedily(hunt, other, hunt->enemy_count * WHIM, &hunt->enemy[hunt->enemy_count]);
    }
    plan_greedily(hunt, seat, 0, &hunt->own);
    for (uint32_t round = 0; round < ROUNDS && !bot_is_late(hunt->mind); round++) {
        improve(hunt, seat, &hunt->own, hunt->enemy, hunt->enemy_count);
        if (hunt->enemy_count < ENEMY_PLANS_MAX && !bot_is_late(hunt->mind)) {
            struct plan *answer = &hunt->enemy[hunt->enemy_count];

            *answer = hunt->enemy[0];
            improve(hunt, other, answer, &hunt->own, 1);
            hunt->enemy_count++;
        }
    }
}

/* A plan is judged by its result.  So it may still have commands that do nothing, and two moves to
 * one cell, which would both be refused. */
static void
choose(struct hunt *hunt)
{
    struct bot_trial *trial = &hunt->trial;
    uint8_t seat = hunt->mind->seat;

    trial->turn.before = hunt->mind->state;
    trial->turn.commands[seat] = (struct sk_commands){ hunt->own.at, hunt->own.count };
    sk_turn_check(&trial->turn, seat);
    for (uint32_t i = 0; i < hunt->own.count; i++) {
        if (trial->turn.judgements[seat][i].verdict == SK_VERDICT_OK) {
            bot_choose(hunt->mind, &hunt->own.at[i]);
        }
    }
}

void
tactics_search(struct bot_mind *mind)
{
    struct hunt *hunt;

    if (tactics_position_of(mind->state)->phase == TACTICS_PLACEMENT) {
        return; /* the default places are as good as others */
    }
    hunt = heap_memory(sizeof(*hunt));
    hunt->mind = mind;
    hunt->hints[mind->seat] = mind->hints;
    bot_hints_of(mind, mind->state, (uint8_t)(1 - mind->seat), &hunt->hints[1 - mind->seat]);
    tactics_scene_init(&hunt->scene, mind->config);
    bot_trial_init(&hunt->trial, mind);
    search(hunt);
    choose(hunt);
    bot_trial_fini(&hunt->trial);
    tactics_scene_fini(&hunt->scene);
    free((void *)(uintptr_t)hunt->hints[1 - mind->seat].at);
    free(hunt);
}
