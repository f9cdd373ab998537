/*
 * A turn in three steps: the unit moves, its tile takes effect, and the turn
 * passes.
 */
#include "common/rules/snarl/internal.h"

/* The destination of the unit to move: from its command, or its own tile. */
static struct sk_cell
destination(const struct sk_turn *turn)
{
    const struct snarl_position *position = snarl_position(turn->after);
    struct sk_commands commands = turn->commands[turn->acting_seat];
    const struct snarl_command *command =
        turn->acting_index < commands.count
            ? (const struct snarl_command *)commands.at + turn->acting_index
            : NULL;

    if (command == NULL || command->head.kind != SNARL_MOVE || !command->has_to) {
        return snarl_cell_of(position, position->active);
    }
    return command->to;
}

static void
stage_movement(struct sk_turn *turn)
{
    const struct snarl_position *position = snarl_position(turn->after);
    struct snarl_dice dice;

    snarl_dice_start(turn, &dice);
    if (snarl_is_here(turn->config, position, position->active)) {
        snarl_move_unit(turn, position->active, destination(turn), &dice);
    }
}

static void
stage_arrival(struct sk_turn *turn)
{
    const struct snarl_position *position = snarl_position(turn->after);

    if (snarl_is_here(turn->config, position, position->active)) {
        snarl_arrive(turn, position->active);
    }
}

/* In a turn in which the server plays ghosts none has moved by command, so the dice are fresh. */
static void
stage_succession(struct sk_turn *turn)
{
    struct snarl_dice dice;

    snarl_dice_start(turn, &dice);
    snarl_pass_on(turn, &dice);
}

const struct sk_stage snarl_stages[SNARL_STAGE_COUNT] = {
    { "movement", stage_movement },
    { "arrival", stage_arrival },
    { "succession", stage_succession },
};
