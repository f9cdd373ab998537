/*
 * The checks of tactics, in the order in which they are asked.
 *
 * Each looks at what the seat sees and at the seat's own commands; rules
 * about several commands together first count (prepare), then judge, so that
 * all the commands concerned fall at once whatever their order.
 */
#include <string.h>

#include "common/core/validate.h"
#include "common/rules/tactics/internal.h"

static const struct tactics_command *
command_at(const struct sk_check_in *in, uint32_t index)
{
    return (const struct tactics_command *)in->commands.at + index;
}

static uint8_t
unit_at(const struct sk_check_in *in, uint32_t index)
{
    const struct tactics_work *work = in->work;

    return work->unit[in->seat][index];
}

/* Finds the unit of each command once for all checks and stages. */
void
tactics_prepare(const struct sk_check_in *in)
{
    struct tactics_work *work = in->work;

    for (uint32_t i = 0; i < in->commands.count; i++) {
        const struct tactics_command *command = command_at(in, i);

        work->unit[in->seat][i] = command->head.kind < SK_COMMAND_OWN
                                      ? TACTICS_NO_UNIT
                                      : tactics_unit_find(in->config, &command->unit);
    }
}

/* ---- 0: the unit exists, lives and belongs to the seat ----------------------------------- */

static sk_verdict
judge_own_unit(const struct sk_check_in *in, uint32_t index)
{
    uint8_t unit = unit_at(in, index);

    if (unit == TACTICS_NO_UNIT || !tactics_is_alive(in->view, unit)) {
        return SK_UNKNOWN_UNIT;
    }
    return tactics_units(in->config)[unit].seat == in->seat ? SK_VERDICT_OK : SK_NOT_YOUR_UNIT;
}

/* ---- 0b: the command's kind fits the phase ----------------------------------------------- */

static sk_verdict
judge_phase(const struct sk_check_in *in, uint32_t index)
{
    const struct tactics_position *view = in->view;
    bool is_placement = command_at(in, index)->head.kind == TACTICS_PLACE;

    return is_placement == (view->phase == TACTICS_PLACEMENT) ? SK_VERDICT_OK : TACTICS_WRONG_PHASE;
}

/* ---- 1: one command per character -------------------------------------------------------- */

static void
prepare_single_command(const struct sk_check_in *in)
{
    const struct tactics_config *config = in->config;
    struct tactics_work *work = in->work;

    memset(work->count, 0, config->unit_count);
    for (uint32_t i = 0; i < in->commands.count; i++) {
        uint8_t unit = unit_at(in, i);

        if (unit != TACTICS_NO_UNIT && sk_command_stands(in, i)) {
            work->count[unit]++;
        }
    }
}

static sk_verdict
judge_single_command(const struct sk_check_in *in, uint32_t index)
{
    const struct tactics_work *work = in->work;
    uint8_t unit = unit_at(in, index);

    return unit != TACTICS_NO_UNIT && work->count[unit] > 1 ? SK_MULTIPLE_COMMANDS : SK_VERDICT_OK;
}

/* ---- 2: the target is inside the grid ---------------------------------------------------- */

static bool
target_on_grid(const struct sk_check_in *in, uint32_t index)
{
    const struct tactics_config *config = in->config;

    return sk_cell_on_grid(command_at(in, index)->target, config->cols, config->rows);
}

static sk_verdict
judge_in_bounds(const struct sk_check_in *in, uint32_t index)
{
    return target_on_grid(in, index) ? SK_VERDICT_OK : SK_OUT_OF_BOUNDS;
}

/* ---- 3: the target is in one of the unit's patterns -------------------------------------- */

static sk_verdict
judge_in_pattern(const struct sk_check_in *in, uint32_t index)
{
    const struct tactics_command *command = command_at(in, index);
    uint8_t unit = unit_at(in, index);

    if (unit == TACTICS_NO_UNIT ||
        !tactics_can_reach(in->config, unit, command->head.kind, tactics_cell_of(in->view, unit),
                           command->target)) {
        return TACTICS_OUT_OF_PATTERN;
    }
    return SK_VERDICT_OK;
}

/* ---- placement: the target lies in the seat's own start rows ----------------------------- */

static sk_verdict
judge_start_rows(const struct sk_check_in *in, uint32_t index)
{
    return tactics_is_start_row(in->config, in->seat, command_at(in, index)->target.y)
               ? SK_VERDICT_OK
               : TACTICS_NOT_START_ROW;
}

/* ---- 4: moves of one seat to one cell ---------------------------------------------------- */

static bool
goes_somewhere(const struct sk_check_in *in, uint32_t index)
{
    uint8_t kind = command_at(in, index)->head.kind;

    return (kind == TACTICS_MOVE || kind == TACTICS_PLACE) && sk_command_stands(in, index) &&
           target_on_grid(in, index);
}

static void
prepare_same_target(const struct sk_check_in *in)
{
    const struct tactics_config *config = in->config;
    struct tactics_work *work = in->work;

    memset(work->cells, 0, (size_t)config->rows * config->cols);
    for (uint32_t i = 0; i < in->commands.count; i++) {
        if (goes_somewhere(in, i)) {
            work->cells[sk_cell_index(command_at(in, i)->target, config->cols)]++;
        }
    }
}

static sk_verdict
judge_same_target(const struct sk_check_in *in, uint32_t index)
{
    const struct tactics_config *config = in->config;
    const struct tactics_work *work = in->work;

    if (goes_somewhere(in, index) &&
        work->cells[sk_cell_index(command_at(in, index)->target, config->cols)] > 1) {
        return TACTICS_SAME_TARGET;
    }
    return SK_VERDICT_OK;
}

/* ---- 5: the target cell is free at turn start -------------------------------------------- */

/* The standing placement that takes the unit away from its cell, if there is one. */
static void
note_placements(const struct sk_check_in *in, struct tactics_work *work)
{
    const struct tactics_config *config = in->config;

    memset(work->command, TACTICS_NO_COMMAND, config->unit_count);
    memset(work->keeps_place, 0, config->unit_count);
    for (uint32_t i = 0; i < in->commands.count; i++) {
        if (command_at(in, i)->head.kind == TACTICS_PLACE && unit_at(in, i) != TACTICS_NO_UNIT &&
            goes_somewhere(in, i)) {
            work->command[unit_at(in, i)] = (uint8_t)i;
        }
    }
}

static bool
leaves_its_cell(const struct sk_check_in *in, uint32_t unit)
{
    const struct tactics_work *work = in->work;
    uint8_t command = work->command[unit];

    return command != TACTICS_NO_COMMAND && !work->keeps_place[unit] &&
           !sk_cell_same(command_at(in, command)->target, tactics_cell_of(in->view, unit));
}

/* Free = nobody there, the unit itself, or an own unit that is validly placed elsewhere. */
static bool
place_is_free(const struct sk_check_in *in, uint32_t unit)
{
    const struct tactics_config *config = in->config;
    const struct tactics_work *work = in->work;
    struct sk_cell target = command_at(in, work->command[unit])->target;
    uint8_t mark = work->cells[sk_cell_index(target, config->cols)];

    return mark == 0 || mark == unit + 1 ||
           (tactics_units(config)[mark - 1].seat == in->seat && leaves_its_cell(in, mark - 1u));
}

/*
 * A refused placement keeps its old cell and may refuse others in turn, until
 * nothing changes.  Refusals only ever add refusals, so the end does not
 * depend on the order of looking.
 */
static void
settle_placements(const struct sk_check_in *in)
{
    const struct tactics_config *config = in->config;
    struct tactics_work *work = in->work;
    bool has_changed = true;

    while (has_changed) {
        has_changed = false;
        for (uint32_t unit = 0; unit < config->unit_count; unit++) {
            if (work->command[unit] != TACTICS_NO_COMMAND && !work->keeps_place[unit] &&
                !place_is_free(in, unit)) {
                work->keeps_place[unit] = true;
                has_changed = true;
            }
        }
    }
}

static void
prepare_occupied(const struct sk_check_in *in)
{
    const struct tactics_position *view = in->view;
    struct tactics_work *work = in->work;

    tactics_board_fill(in->config, view, work->cells);
    if (view->phase == TACTICS_PLACEMENT) {
        note_placements(in, work);
        settle_placements(in);
    }
}

static sk_verdict
judge_occupied(const struct sk_check_in *in, uint32_t index)
{
    const struct tactics_config *config = in->config;
    const struct tactics_position *view = in->view;
    const struct tactics_work *work = in->work;
    uint8_t unit = unit_at(in, index);
    bool is_taken;

    if (!target_on_grid(in, index)) {
        return SK_VERDICT_OK;
    }
    if (view->phase == TACTICS_PLACEMENT) {
        is_taken = unit != TACTICS_NO_UNIT && work->keeps_place[unit];
    } else {
        is_taken = work->cells[sk_cell_index(command_at(in, index)->target, config->cols)] != 0;
    }
    return is_taken ? SK_OCCUPIED : SK_VERDICT_OK;
}

/* ---- the table --------------------------------------------------------------------------- */

#define MOVE   SK_KIND_BIT(TACTICS_MOVE)
#define ATTACK SK_KIND_BIT(TACTICS_ATTACK)
#define PLACE  SK_KIND_BIT(TACTICS_PLACE)

/* Order is meaning: whose unit, then how often, then where.  Ownership comes before the count
 * so that nobody can cancel an enemy's command by naming his unit. */
const struct sk_check tactics_checks[TACTICS_CHECK_COUNT] = {
    { "own_unit", MOVE | ATTACK | PLACE, NULL, judge_own_unit },
    { "phase", MOVE | ATTACK | PLACE, NULL, judge_phase },
    { "single_command", MOVE | ATTACK | PLACE, prepare_single_command, judge_single_command },
    { "move_in_bounds", MOVE, NULL, judge_in_bounds },
    { "attack_in_bounds", ATTACK, NULL, judge_in_bounds },
    { "place_in_bounds", PLACE, NULL, judge_in_bounds },
    { "move_in_pattern", MOVE, NULL, judge_in_pattern },
    { "attack_in_pattern", ATTACK, NULL, judge_in_pattern },
    { "start_rows", PLACE, NULL, judge_start_rows },
    { "same_target", MOVE | PLACE, prepare_same_target, judge_same_target },
    { "occupied", MOVE | PLACE, prepare_occupied, judge_occupied },
};
