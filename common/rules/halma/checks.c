/*
 * The checks of halma, in the order in which they run.
 *
 * Each examines the whole path of a command before the next runs: a path that
 * leaves the board at its end is out of bounds even if its first leg is
 * invalid.  Squares are occupied or free as of the start of the turn.
 */
#include "common/core/validate.h"
#include "common/rules/halma/internal.h"

#define MOVE SK_KIND_BIT(HALMA_MOVE)

static const struct halma_command *
command_at(const struct sk_check_in *in, uint32_t index)
{
    return (const struct halma_command *)in->commands.at + index;
}

static uint8_t
unit_at(const struct sk_check_in *in, uint32_t index)
{
    const struct halma_work *work = in->work;

    return work->unit[in->seat][index];
}

/* Computes once what all checks and stages need: the board, and the piece of each command. */
void
halma_prepare(const struct sk_check_in *in)
{
    struct halma_work *work = in->work;

    halma_board_fill(in->config, in->view, &work->board);
    for (uint32_t i = 0; i < in->commands.count; i++) {
        const struct halma_command *command = command_at(in, i);

        work->unit[in->seat][i] = command->head.kind == HALMA_MOVE
                                      ? halma_unit_find(in->config, &command->unit)
                                      : HALMA_NO_UNIT;
    }
}

/* ---- exactly one command a seat ---------------------------------------------------------- */

static sk_verdict
judge_multiple(const struct sk_check_in *in, uint32_t index)
{
    (void)in;
    (void)index;
    return SK_MULTIPLE_COMMANDS;
}

/* Counts commands for any pieces, known or not.  A timeout is a shared command and does not
 * count. */
static void
check_single_command(const struct sk_check_in *in)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < in->commands.count; i++) {
        count += sk_command_stands(in, i);
    }
    if (count > 1) {
        sk_judge_each(in, judge_multiple);
    }
}

/* ---- the piece exists and belongs to the seat -------------------------------------------- */

static sk_verdict
judge_own_unit(const struct sk_check_in *in, uint32_t index)
{
    uint8_t unit = unit_at(in, index);

    if (unit == HALMA_NO_UNIT) {
        return SK_UNKNOWN_UNIT;
    }
    return halma_units(in->config)[unit].seat == in->seat ? SK_VERDICT_OK : SK_NOT_YOUR_UNIT;
}

SK_CHECK_EACH(check_own_unit, judge_own_unit)

/* ---- one square at least, and not too many ----------------------------------------------- */

static sk_verdict
judge_path_shape(const struct sk_check_in *in, uint32_t index)
{
    uint32_t count = command_at(in, index)->path.row.count;

    return count >= 1 && count <= SK_HALMA_PATH_MAX ? SK_VERDICT_OK : HALMA_BAD_PATH;
}

SK_CHECK_EACH(check_path_shape, judge_path_shape)

/* ---- every square is on the board -------------------------------------------------------- */

static sk_verdict
judge_path_in_bounds(const struct sk_check_in *in, uint32_t index)
{
    const struct halma_path *path = &command_at(in, index)->path;

    for (uint32_t i = 0; i < halma_path_length(path); i++) {
        if (!halma_on_board(in->config, path->at[i])) {
            return SK_OUT_OF_BOUNDS;
        }
    }
    return SK_VERDICT_OK;
}

SK_CHECK_EACH(check_path_in_bounds, judge_path_in_bounds)

/* ---- leg by leg -------------------------------------------------------------------------- */

/*
 * Calls `judge_leg` for each leg of the path, until one is refused.  An unknown
 * piece has no start square, so its legs are not judged: an earlier check has
 * refused it.
 */
static sk_verdict
judge_legs(const struct sk_check_in *in, uint32_t index,
           sk_verdict (*judge_leg)(const struct sk_check_in *in, uint32_t index,
                                   struct sk_cell from, struct sk_cell to))
{
    const struct halma_path *path = &command_at(in, index)->path;
    sk_verdict verdict = SK_VERDICT_OK;
    struct sk_cell from;

    if (unit_at(in, index) == HALMA_NO_UNIT) {
        return SK_VERDICT_OK;
    }
    from = halma_cell_of(in->view, unit_at(in, index));
    for (uint32_t i = 0; i < halma_path_length(path) && verdict == SK_VERDICT_OK; i++) {
        verdict = judge_leg(in, index, from, path->at[i]);
        from = path->at[i];
    }
    return verdict;
}

/* A single leg may be a step or a jump; of several, each must be a jump. */
static sk_verdict
judge_step(const struct sk_check_in *in, uint32_t index, struct sk_cell from, struct sk_cell to)
{
    enum halma_leg leg = halma_leg_of(from, to);
    bool is_alone = command_at(in, index)->path.row.count == 1;

    return leg == HALMA_JUMP || (is_alone && leg != HALMA_NO_LEG) ? SK_VERDICT_OK : HALMA_BAD_PATH;
}

static sk_verdict
judge_path_steps(const struct sk_check_in *in, uint32_t index)
{
    return judge_legs(in, index, judge_step);
}

SK_CHECK_EACH(check_path_steps, judge_path_steps)

static sk_verdict
judge_jump(const struct sk_check_in *in, uint32_t index, struct sk_cell from, struct sk_cell to)
{
    const struct halma_work *work = in->work;

    (void)index;
    return halma_leg_of(from, to) != HALMA_JUMP ||
                   halma_can_jump(in->config, &work->board, from, to)
               ? SK_VERDICT_OK
               : HALMA_NOTHING_TO_JUMP;
}

static sk_verdict
judge_jump_over_piece(const struct sk_check_in *in, uint32_t index)
{
    return judge_legs(in, index, judge_jump);
}

SK_CHECK_EACH(check_jump_over_piece, judge_jump_over_piece)

static sk_verdict
judge_damage(const struct sk_check_in *in, uint32_t index, struct sk_cell from, struct sk_cell to)
{
    const struct halma_position *view = in->view;

    return halma_leg_of(from, to) == HALMA_JUMP && view->piece[unit_at(in, index)].damage > 0
               ? HALMA_DAMAGED
               : SK_VERDICT_OK;
}

static sk_verdict
judge_damaged_jump(const struct sk_check_in *in, uint32_t index)
{
    return judge_legs(in, index, judge_damage);
}

SK_CHECK_EACH(check_damaged_jump, judge_damaged_jump)

static sk_verdict
judge_landing(const struct sk_check_in *in, uint32_t index, struct sk_cell from, struct sk_cell to)
{
    const struct halma_work *work = in->work;
    struct sk_cell start = halma_cell_of(in->view, unit_at(in, index));

    (void)from;
    return halma_can_land(in->config, &work->board, start, to) ? SK_VERDICT_OK : SK_OCCUPIED;
}

static sk_verdict
judge_landing_free(const struct sk_check_in *in, uint32_t index)
{
    return judge_legs(in, index, judge_landing);
}

SK_CHECK_EACH(check_landing_free, judge_landing_free)

/* ---- the table --------------------------------------------------------------------------- */

/* Order matters: how many, whose, then the shape of the path, then who is in its way. */
const struct sk_check halma_checks[HALMA_CHECK_COUNT] = {
    { "single_command", MOVE, check_single_command },
    { "own_unit", MOVE, check_own_unit },
    { "path_shape", MOVE, check_path_shape },
    { "path_in_bounds", MOVE, check_path_in_bounds },
    { "path_steps", MOVE, check_path_steps },
    { "jump_over_piece", MOVE, check_jump_over_piece },
    { "damaged_jump", MOVE, check_damaged_jump },
    { "landing_free", MOVE, check_landing_free },
};
