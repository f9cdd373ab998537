/*
 * Single rules for other programs, answered by the functions that the checks,
 * the stages and the outcome use.  Turns do not use this file.
 */
#include "common/core/validate.h"
#include "common/rules/halma/internal.h"

static uint8_t
find_unit(const struct halma_config *config, struct sk_text id)
{
    struct sk_id unit;

    if (id.length > SK_ID_MAX) {
        return HALMA_NO_UNIT;
    }
    unit = sk_id_from(id);
    return halma_unit_find(config, &unit);
}

/* ---- one square, one piece --------------------------------------------------------------- */

bool
halma_ask_jump(const void *config, const struct sk_state *state, struct sk_cell from,
               struct sk_cell to)
{
    struct halma_board board;

    halma_board_fill(config, halma_position_of(state), &board);
    return halma_leg_of(from, to) == HALMA_JUMP && halma_can_jump(config, &board, from, to);
}

bool
halma_ask_landing(const void *config, const struct sk_state *state, struct sk_text unit,
                  struct sk_cell cell)
{
    uint8_t number = find_unit(config, unit);
    struct halma_board board;

    if (number == HALMA_NO_UNIT || !halma_on_board(config, cell)) {
        return false;
    }
    halma_board_fill(config, halma_position_of(state), &board);
    return halma_can_land(config, &board, halma_cell_of(halma_position_of(state), number), cell);
}

int32_t
halma_ask_damage(const void *config, const struct sk_state *state, struct sk_text unit)
{
    uint8_t number = find_unit(config, unit);

    return number == HALMA_NO_UNIT ? -1 : halma_position_of(state)->piece[number].damage;
}

/* ---- a path, check by check -------------------------------------------------------------- */

static sk_verdict
ask_check(const struct sk_check_in *in, const char *name)
{
    sk_validate_alone(in, sk_check_find(in->ruleset, name));
    return in->judgements[0].verdict;
}

sk_verdict
halma_ask_move(const void *config, const struct sk_state *state, struct sk_text unit,
               const struct halma_path *path, struct halma_move_reasons *ret_reasons)
{
    struct halma_command command = { .head = { HALMA_MOVE }, .path = *path };
    uint8_t number = find_unit(config, unit);
    struct sk_judgement judgement;
    struct halma_work work;
    struct sk_check_in in = {
        .ruleset = &sk_ruleset_halma,
        .config = config,
        .view = halma_position_of(state),
        .commands = { &command, 1 },
        .judgements = &judgement,
        .work = &work,
    };

    if (number == HALMA_NO_UNIT) {
        *ret_reasons =
            (struct halma_move_reasons){ SK_UNKNOWN_UNIT, SK_UNKNOWN_UNIT, SK_UNKNOWN_UNIT,
                                         SK_UNKNOWN_UNIT, SK_UNKNOWN_UNIT, SK_UNKNOWN_UNIT };
        return SK_UNKNOWN_UNIT;
    }
    command.unit = sk_id_from(unit);
    in.seat = halma_units(config)[number].seat;
    *ret_reasons = (struct halma_move_reasons){
        .path_shape = ask_check(&in, "path_shape"),
        .path_in_bounds = ask_check(&in, "path_in_bounds"),
        .path_steps = ask_check(&in, "path_steps"),
        .jump_over_piece = ask_check(&in, "jump_over_piece"),
        .damaged_jump = ask_check(&in, "damaged_jump"),
        .landing_free = ask_check(&in, "landing_free"),
    };
    sk_validate(&in);
    return judgement.verdict;
}

/* ---- who stalls, whose destinations are full --------------------------------------------- */

struct halma_stall_answer
halma_ask_stall(const void *config, const struct sk_state *state, uint8_t seat)
{
    const struct halma_config *halma = config;
    const struct halma_position *position = halma_position_of(state);

    return (struct halma_stall_answer){
        .is_lost = halma_has_stalled(halma, position, seat),
        .faults = (int32_t)position->faults[seat],
        .limit = (int32_t)halma->stall_limit,
    };
}

struct halma_halmate_answer
halma_ask_halmate(const void *config, const struct sk_state *state, uint8_t seat)
{
    const struct halma_position *position = halma_position_of(state);

    return (struct halma_halmate_answer){
        .is_halmate = halma_is_halmate(config, position, seat),
        .filled = halma_count_filled(config, position, seat),
    };
}
