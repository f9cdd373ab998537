/*
 * The rule checker's questions for other programs.  Each is answered from the
 * whole state, by the functions that a turn uses; turns do not use this file.
 */
#include <string.h>

#include "common/rules/snarl/internal.h"

/* ---- is that a state? -------------------------------------------------------------------- */

static bool
is_count(int32_t count)
{
    return count >= 0 && count <= SK_SNARL_COUNT_MAX;
}

/* Faults that the schema would have found, had the form passed through it. */
static enum sk_status
check_bounds(const struct snarl_position_form *form, struct sk_fault *fault)
{
    const struct snarl_hero_form *heroes = form->heroes.at;

    if (form->level < 1) {
        return sk_fault_state(fault, "levels begin with 1", "level");
    }
    if (form->round < 1 || form->round > SK_TURN_LIMIT_MAX) {
        return sk_fault_state(fault, "rounds are 1 to " SK_LIMIT_TEXT(SK_TURN_LIMIT_MAX), "round");
    }
    for (uint32_t i = 0; i < form->heroes.count; i++) {
        if (heroes[i].status > SNARL_RESIGNED || !is_count(heroes[i].keys) ||
            !is_count(heroes[i].exits) || !is_count(heroes[i].expulsions)) {
            sk_fault_state(fault, "this status or count is impossible", "status");
            return sk_fault_inside_item(fault, "heroes", i);
        }
    }
    return SK_OK;
}

static enum sk_status
read_outcome(const struct sk_form_head *head, struct sk_outcome *ret_outcome,
             struct sk_fault *fault)
{
    uint8_t reason;

    if (!sk_reason_find(&sk_ruleset_snarl, head->reason, &reason)) {
        return sk_fault_state(fault, "matches do not end for that reason", "outcome");
    }
    *ret_outcome = (struct sk_outcome){
        .is_over = true,
        .reason = reason,
        .winner = (int8_t)(head->has_winner ? head->winner : SK_NOBODY),
    };
    return SK_OK;
}

enum sk_status
snarl_ask_state(const void *config, const struct snarl_position_form *form,
                struct sk_state *ret_state, struct sk_fault *ret_fault)
{
    enum sk_status status = check_bounds(form, ret_fault);

    memset(ret_state, 0, SNARL_STATE_HEAD + snarl_position_size(config));
    ret_state->outcome.winner = SK_NOBODY;
    if (status == SK_OK && form->head.has_outcome) {
        status = read_outcome(&form->head, &ret_state->outcome, ret_fault);
    }
    return status == SK_OK
               ? snarl_position_read(config, form, true, snarl_position(ret_state), ret_fault)
               : status;
}

/* ---- is a move valid? -------------------------------------------------------------------- */

/* A view with space for all units. */
union whole {
    struct snarl_view view;
    uint8_t bytes[sizeof(struct snarl_view) +
                  SK_SNARL_ADVERSARIES_MAX * sizeof(struct snarl_adversary)];
};

sk_verdict
snarl_ask_move(const void *config, const struct sk_state *state, struct sk_text unit,
               struct sk_cell to, struct snarl_move_reasons *ret_reasons)
{
    const struct snarl_position *position = snarl_position_of(state);
    uint8_t number = snarl_unit_find(config, position->level, unit);
    union whole whole;

    if (number == SNARL_NO_UNIT || !snarl_is_here(config, position, number)) {
        *ret_reasons =
            (struct snarl_move_reasons){ SK_UNKNOWN_UNIT, SK_UNKNOWN_UNIT, SK_UNKNOWN_UNIT,
                                         SK_UNKNOWN_UNIT, SK_UNKNOWN_UNIT };
        return SK_UNKNOWN_UNIT;
    }
    memset(&whole, 0, sizeof(whole));
    snarl_view_whole(config, position, &whole.view);
    *ret_reasons = (struct snarl_move_reasons){
        .distance = snarl_judge_distance(config, &whole.view, number, to),
        .tile = snarl_judge_tile(config, &whole.view, number, to),
        .door = snarl_judge_door(config, &whole.view, number, to),
        .interaction = snarl_judge_interaction(config, &whole.view, number, to),
        .must_move = snarl_judge_must_move(config, &whole.view, number, to),
    };
    return snarl_judge_move(config, &whole.view, number, to);
}

/* ---- what is met on a tile? -------------------------------------------------------------- */

enum snarl_meeting
snarl_ask_hero_meets(const void *config, const struct sk_state *state, struct sk_text hero,
                     struct sk_cell cell)
{
    const struct snarl_position *position = snarl_position_of(state);

    return snarl_meets(config, position, snarl_unit_find(config, position->level, hero), true,
                       cell);
}

enum snarl_meeting
snarl_ask_adversary_meets(const void *config, const struct sk_state *state,
                          struct sk_text adversary, struct sk_cell cell)
{
    const struct snarl_position *position = snarl_position_of(state);

    return snarl_meets(config, position, snarl_unit_find(config, position->level, adversary), false,
                       cell);
}

/* ---- is the level, is the game over? ----------------------------------------------------- */

static uint8_t
heroes_with(const struct snarl_config *config, const struct snarl_position *position,
            uint8_t status)
{
    uint32_t heroes = 0;

    for (uint32_t i = 0; i < config->hero_count; i++) {
        heroes |= (uint32_t)(position->hero[i].status == status) << i;
    }
    return (uint8_t)heroes;
}

static uint8_t
why_goes_on(const struct snarl_level_answer *answer)
{
    return answer->exit_unlocked ? SNARL_LEVEL_INSIDE : SNARL_LEVEL_EXIT_LOCKED;
}

static uint8_t
why_over(const struct snarl_level_answer *answer)
{
    if (answer->left == 0) {
        return SNARL_LEVEL_EXPELLED;
    }
    if (answer->inside != 0) {
        return SNARL_LEVEL_ANY_LEFT;
    }
    return (answer->expelled | answer->resigned) == 0 ? SNARL_LEVEL_ALL_LEFT
                                                      : SNARL_LEVEL_SOME_LEFT;
}

struct snarl_level_answer
snarl_ask_level(const void *config, const struct sk_state *state)
{
    const struct snarl_position *position = snarl_position_of(state);
    struct snarl_level_answer answer = {
        .is_over = snarl_level_is_over(config, position),
        .exit_unlocked = position->exit_unlocked,
        .inside = heroes_with(config, position, SNARL_ACTIVE),
        .left = heroes_with(config, position, SNARL_EXITED),
        .expelled = heroes_with(config, position, SNARL_EXPELLED),
        .resigned = heroes_with(config, position, SNARL_RESIGNED),
    };

    answer.why = answer.is_over ? why_over(&answer) : why_goes_on(&answer);
    return answer;
}

struct snarl_game_answer
snarl_ask_game(const void *config, const struct sk_state *state)
{
    const struct snarl_config *snarl = config;
    const struct snarl_position *position = snarl_position_of(state);
    struct snarl_game_answer answer = {
        .level = position->level + 1,
        .level_count = snarl->level_count,
        .outcome = state->outcome,
    };
    struct sk_outcome by_position = { .winner = SK_NOBODY };

    snarl_outcome(snarl, position, &by_position);
    if (!answer.outcome.is_over) {
        answer.outcome = by_position;
    }
    answer.is_over = answer.outcome.is_over;
    if (by_position.is_over) {
        answer.why = by_position.reason == SNARL_LOST ? SNARL_GAME_LOST : SNARL_GAME_WON;
    } else if (answer.is_over) {
        answer.why = SNARL_GAME_SETTLED;
    } else {
        answer.why = snarl_level_is_over(snarl, position) ? SNARL_GAME_MORE_LEVELS
                                                          : SNARL_GAME_LEVEL_GOES_ON;
    }
    return answer;
}

bool
snarl_ask_all_expelled(const void *config, const struct sk_state *state)
{
    struct snarl_level_answer answer = snarl_ask_level(config, state);

    return (answer.inside | answer.left) == 0 && answer.expelled != 0;
}
