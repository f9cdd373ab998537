/*
 * The checks of tactics, in the order in which they run.
 *
 * Each sees what the seat sees, and the seat's own commands.  Rules about
 * several commands together count first and judge then, so that all commands
 * concerned are refused at once, whatever their order.
 */
#include <string.h>

#include "common/core/validate.h"
#include "common/rules/tactics/internal.h"

#define MOVE   SK_KIND_BIT(TACTICS_MOVE)
#define ATTACK SK_KIND_BIT(TACTICS_ATTACK)
#define PLACE  SK_KIND_BIT(TACTICS_PLACE)

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

/* Finds the unit of each command once, for all checks and stages.  Most lists have the order of
 * params, so the unit behind the last one is tried first. */
void
tactics_prepare(const struct sk_check_in *in)
{
    const struct tactics_config *config = in->config;
    const struct tactics_unit_config *units = tactics_units(config);
    struct tactics_work *work = in->work;
    const struct tactics_command *command = in->commands.at;
    uint32_t next = 0;

    for (uint32_t i = 0; i < in->commands.count; i++, command++) {
        uint8_t unit = TACTICS_NO_UNIT;

        if (next < config->unit_count && sk_id_same(&units[next].id, &command->unit)) {
            unit = (uint8_t)next;
        } else if (command->head.kind >= SK_COMMAND_OWN) {
            unit = tactics_unit_find(config, &command->unit);
        }
        work->unit[in->seat][i] = unit;
        next = unit + 1u;
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

SK_CHECK_EACH(check_own_unit, judge_own_unit)

/* ---- 0b: the command's kind fits the phase ----------------------------------------------- */

static sk_verdict
judge_phase(const struct sk_check_in *in, uint32_t index)
{
    const struct tactics_position *view = in->view;
    bool is_placement = command_at(in, index)->head.kind == TACTICS_PLACE;

    return is_placement == (view->phase == TACTICS_PLACEMENT) ? SK_VERDICT_OK : TACTICS_WRONG_PHASE;
}

static void
check_phase(const struct sk_check_in *in)
{
    const struct tactics_position *view = in->view;
    uint32_t wrong = view->phase == TACTICS_PLACEMENT ? MOVE | ATTACK : PLACE;

    if ((in->given & wrong) != 0) {
        sk_judge_each(in, judge_phase);
    }
}

/* ---- 1: one command per character -------------------------------------------------------- */

static bool
count_commands(const struct sk_check_in *in)
{
    const struct tactics_config *config = in->config;
    struct tactics_work *work = in->work;
    bool has_several = false;

    memset(work->count, 0, config->unit_count);
    for (uint32_t i = 0; i < in->commands.count; i++) {
        uint8_t unit = unit_at(in, i);

        if (unit != TACTICS_NO_UNIT && sk_command_stands(in, i)) {
            has_several |= ++work->count[unit] > 1;
        }
    }
    return has_several;
}

static sk_verdict
judge_single_command(const struct sk_check_in *in, uint32_t index)
{
    const struct tactics_work *work = in->work;
    uint8_t unit = unit_at(in, index);

    return unit != TACTICS_NO_UNIT && work->count[unit] > 1 ? SK_MULTIPLE_COMMANDS : SK_VERDICT_OK;
}

static void
check_single_command(const struct sk_check_in *in)
{
    if (count_commands(in)) {
        sk_judge_each(in, judge_single_command);
    }
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

SK_CHECK_EACH(check_in_bounds, judge_in_bounds)

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

SK_CHECK_EACH(check_in_pattern, judge_in_pattern)

/* ---- placement: the target lies in the seat's own start rows ----------------------------- */

static sk_verdict
judge_start_rows(const struct sk_check_in *in, uint32_t index)
{
    return tactics_is_start_row(in->config, in->seat, command_at(in, index)->target.y)
               ? SK_VERDICT_OK
               : TACTICS_NOT_START_ROW;
}

SK_CHECK_EACH(check_start_rows, judge_start_rows)

/* ---- 4: moves of one seat to one cell ---------------------------------------------------- */

static bool
goes_somewhere(const struct sk_check_in *in, uint32_t index)
{
    uint8_t kind = command_at(in, index)->head.kind;

    return (kind == TACTICS_MOVE || kind == TACTICS_PLACE) && sk_command_stands(in, index) &&
           target_on_grid(in, index);
}

static bool
count_targets(const struct sk_check_in *in)
{
    const struct tactics_config *config = in->config;
    struct tactics_work *work = in->work;
    bool has_several = false;

    memset(work->cells, 0, (size_t)config->rows * config->cols);
    for (uint32_t i = 0; i < in->commands.count; i++) {
        if (goes_somewhere(in, i)) {
            uint32_t cell = sk_cell_index(command_at(in, i)->target, config->cols);

            has_several |= ++work->cells[cell] > 1;
        }
    }
    return has_several;
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

static void
check_same_target(const struct sk_check_in *in)
{
    if (count_targets(in)) {
        sk_judge_each(in, judge_same_target);
    }
}

/* ---- 5: the target cell is free at turn start -------------------------------------------- */

static void
note_placements(const struct sk_check_in *in, struct tactics_work *work)
{
    const struct tactics_config *config = in->config;

    memset(work->placing, 0, config->unit_count * sizeof(work->placing[0]));
    for (uint32_t i = 0; i < in->commands.count; i++) {
        if (command_at(in, i)->head.kind == TACTICS_PLACE && unit_at(in, i) != TACTICS_NO_UNIT &&
            goes_somewhere(in, i)) {
            work->placing[unit_at(in, i)] = command_at(in, i);
        }
    }
}

static bool
leaves_its_cell(const struct sk_check_in *in, uint32_t unit)
{
    const struct tactics_work *work = in->work;
    const struct tactics_command *command = work->placing[unit];

    return command != NULL && !sk_cell_same(command->target, tactics_cell_of(in->view, unit));
}

/* Free = empty, the unit itself, or an own unit that is validly placed elsewhere. */
static bool
place_is_free(const struct sk_check_in *in, uint32_t unit, struct sk_cell target)
{
    const struct tactics_config *config = in->config;
    const struct tactics_work *work = in->work;
    uint8_t mark = work->cells[sk_cell_index(target, config->cols)];

    return mark == 0 || mark == unit + 1 ||
           (tactics_units(config)[mark - 1].seat == in->seat && leaves_its_cell(in, mark - 1u));
}

/*
 * A refused placement keeps its old cell and may cause further refusals, until
 * nothing changes.  Refusals only add refusals, so the result does not depend
 * on the order.
 */
static void
settle_placements(const struct sk_check_in *in, struct tactics_work *work)
{
    const struct tactics_config *config = in->config;
    bool has_changed = true;

    while (has_changed) {
        has_changed = false;
        for (uint32_t unit = 0; unit < config->unit_count; unit++) {
            if (work->placing[unit] != NULL &&
                !place_is_free(in, unit, work->placing[unit]->target)) {
                work->placing[unit] = NULL;
                has_changed = true;
            }
        }
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
        is_taken = unit != TACTICS_NO_UNIT && work->placing[unit] == NULL;
    } else {
        is_taken = work->cells[sk_cell_index(command_at(in, index)->target, config->cols)] != 0;
    }
    return is_taken ? SK_OCCUPIED : SK_VERDICT_OK;
}

static void
check_occupied(const struct sk_check_in *in)
{
    const struct tactics_position *view = in->view;
    struct tactics_work *work = in->work;

    tactics_board_fill(in->config, view, work->cells);
    if (view->phase == TACTICS_PLACEMENT) {
        note_placements(in, work);
        settle_placements(in, work);
    }
    sk_judge_each(in, judge_occupied);
}

/* ---- the table --------------------------------------------------------------------------- */

/* Order matters: whose unit, then how often, then where.  Ownership comes before the count, so that
 * nobody can cancel an enemy's command by naming its unit. */
const struct sk_check tactics_checks[TACTICS_CHECK_COUNT] = {
    { "own_unit", MOVE | ATTACK | PLACE, check_own_unit },
    { "phase", MOVE | ATTACK | PLACE, check_phase },
    { "single_command", MOVE | ATTACK | PLACE, check_single_command },
    { "move_in_bounds", MOVE, check_in_bounds },
    { "attack_in_bounds", ATTACK, check_in_bounds },
    { "place_in_bounds", PLACE, check_in_bounds },
    { "move_in_pattern", MOVE, check_in_pattern },
    { "attack_in_pattern", ATTACK, check_in_pattern },
    { "start_rows", PLACE, check_start_rows },
    { "same_target", MOVE | PLACE, check_same_target },
    { "occupied", MOVE | PLACE, check_occupied },
};
