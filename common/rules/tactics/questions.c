/*
 * Single rules for other programs: groups of checks, conflicts, deaths, the
 * winner, and a resolved turn in lists.  Turns do not use them.
 */
#include "common/rules/tactics/internal.h"

/* ---- groups of checks -------------------------------------------------------------------- */

#define ABOUT_THE_UNIT "own_unit", "phase", "single_command"

const char *const tactics_move_checks[] = {
    ABOUT_THE_UNIT, "move_in_bounds", "move_in_pattern", "same_target", "occupied", NULL,
};
const char *const tactics_attack_checks[] = {
    ABOUT_THE_UNIT,
    "attack_in_bounds",
    "attack_in_pattern",
    NULL,
};
const char *const tactics_place_checks[] = {
    ABOUT_THE_UNIT, "place_in_bounds", "start_rows", "same_target", "occupied", NULL,
};

/* ---- conflicts --------------------------------------------------------------------------- */

/* Whether the move counts.  NULL = all moves. */
typedef bool counts(const struct sk_turn *turn, uint8_t seat, uint32_t index);

static uint32_t
find_conflicts(const struct sk_commands *commands, counts *is_counted, const struct sk_turn *turn,
               struct tactics_conflict *ret_pairs, uint32_t max)
{
    const struct tactics_command *host = commands[0].at;
    const struct tactics_command *guest = commands[1].at;
    uint32_t count = 0;

    for (uint32_t i = 0; i < commands[0].count; i++) {
        for (uint32_t j = 0; j < commands[1].count; j++) {
            if (host[i].head.kind != TACTICS_MOVE || guest[j].head.kind != TACTICS_MOVE ||
                !sk_cell_same(host[i].target, guest[j].target) ||
                (is_counted != NULL && !(is_counted(turn, 0, i) && is_counted(turn, 1, j)))) {
                continue;
            }
            if (count < max) {
                ret_pairs[count] = (struct tactics_conflict){ host[i].target, { i, j } };
            }
            count++;
        }
    }
    return count;
}

uint32_t
tactics_conflicts(const struct sk_commands *commands, struct tactics_conflict *ret_pairs,
                  uint32_t max)
{
    return find_conflicts(commands, NULL, NULL, ret_pairs, max);
}

/* ---- deaths and the winner --------------------------------------------------------------- */

uint32_t
tactics_deaths(const struct tactics_position_form *position, uint32_t *ret_places, uint32_t max)
{
    const struct tactics_unit_form *units = position->units.at;
    uint32_t count = 0;

    for (uint32_t i = 0; i < position->units.count; i++) {
        if (units[i].health > 0) {
            continue;
        }
        if (count < max) {
            ret_places[count] = i;
        }
        count++;
    }
    return count;
}

bool
tactics_is_decided(const struct tactics_position_form *position, struct sk_outcome *ret_outcome)
{
    const struct tactics_unit_form *units = position->units.at;
    bool is_left[TACTICS_SEATS] = { false, false };

    for (uint32_t i = 0; i < position->units.count; i++) {
        is_left[units[i].seat == 0 ? 0 : 1] |= units[i].health > 0;
    }
    return tactics_decide(is_left, ret_outcome);
}

/* ---- a resolved turn --------------------------------------------------------------------- */

static bool
is_bounced(const struct sk_turn *turn, uint8_t seat, uint32_t index)
{
    return turn->judgements[seat][index].verdict == TACTICS_BOUNCED;
}

static void
add_valid(const struct sk_turn *turn, uint8_t seat, struct tactics_result *result)
{
    const struct tactics_command *command = turn->commands[seat].at;

    for (uint32_t i = 0; i < turn->commands[seat].count; i++, command++) {
        if (!sk_turn_accepted(turn, seat, i)) {
            continue;
        }
        if (command->head.kind == TACTICS_MOVE) {
            result->moves[result->move_count++] = command;
        } else if (command->head.kind == TACTICS_ATTACK) {
            result->attacks[result->attack_count++] = command;
        } else {
            result->places[result->place_count++] = command;
        }
    }
}

/* Where a unit that died in this turn stood, after its move if it made one. */
static struct sk_cell
last_cell(const struct sk_turn *turn, const struct tactics_result *result, uint32_t unit)
{
    for (uint32_t i = 0; i < result->move_count; i++) {
        if (tactics_unit_find(turn->config, &result->moves[i]->unit) == unit) {
            return result->moves[i]->target;
        }
    }
    return tactics_cell_of(tactics_position_of(turn->before), unit);
}

static void
add_updated(const struct sk_turn *turn, struct tactics_result *result)
{
    const struct tactics_config *config = turn->config;
    const struct tactics_position *before = tactics_position_of(turn->before);
    const struct tactics_position *after = tactics_position_of(turn->after);

    for (uint32_t i = 0; i < config->unit_count; i++) {
        const struct tactics_unit *was = &before->unit[i];
        const struct tactics_unit *is = &after->unit[i];

        if (was->health != is->health || was->x != is->x || was->y != is->y) {
            result->updated[result->updated_count++] = (struct tactics_unit_form){
                .id = tactics_id_text(config, i),
                .model = sk_id_text(&tactics_model_of(config, i)->name),
                .seat = tactics_units(config)[i].seat,
                .at = is->health > 0 ? tactics_cell_of(after, i) : last_cell(turn, result, i),
                .health = is->health,
            };
        }
    }
}

void
tactics_result(const struct sk_turn *turn, struct tactics_result *ret_result)
{
    struct sk_outcome outcome = turn->after->outcome;
    uint32_t conflicts;

    *ret_result = (struct tactics_result){
        .is_over = outcome.is_over,
        .is_draw = outcome.is_over && outcome.winner == SK_NOBODY,
        .winner = outcome.is_over ? outcome.winner : SK_NOBODY,
    };
    add_valid(turn, 0, ret_result);
    add_valid(turn, 1, ret_result);
    add_updated(turn, ret_result);
    conflicts = find_conflicts(turn->commands, is_bounced, turn, ret_result->conflicts,
                               SK_TACTICS_UNITS_PER_SEAT_MAX);
    /* If the stage was run alone, without the checks, there may be more. */
    ret_result->conflict_count =
        conflicts < SK_TACTICS_UNITS_PER_SEAT_MAX ? conflicts : SK_TACTICS_UNITS_PER_SEAT_MAX;
}
