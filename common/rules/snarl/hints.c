/*
 * Hints: every move that would be ok, using the same functions as the checks,
 * so that a hint is never refused.  Staying is a move to the own tile.
 */
#include "common/rules/snarl/internal.h"

void
snarl_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink)
{
    const struct snarl_config *snarl = config;
    const struct snarl_view *seen = view;
    struct snarl_command command = { .head = { SNARL_MOVE }, .has_to = true };
    struct sk_cell from;
    int32_t steps;

    if (!snarl_is_own_turn(snarl, seen, seat, seen->active) ||
        !snarl_seen_at(snarl, seen, seen->active, &from)) {
        return;
    }
    command.unit = sk_id_from(snarl_unit_id(snarl, seen->level, seen->active));
    steps = snarl_steps_of(snarl, seen->level, seen->active);
    for (int32_t dy = -steps; dy <= steps; dy++) {
        for (int32_t dx = -steps; dx <= steps; dx++) {
            command.to = sk_cell(from.x + dx, from.y + dy);
            if (snarl_judge_move(snarl, seen, seen->active, command.to) == SK_VERDICT_OK &&
                !sink->take(sink, &command)) {
                return;
            }
        }
    }
}
