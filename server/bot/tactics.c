/*
 * The tactics player: a command for every unit that has something to do.
 */
#include <string.h>

#include "common/rules/tactics/internal.h"
#include "server/bot/mind.h"

static const struct tactics_command *
hint_at(const struct bot_mind *mind, uint32_t index)
{
    return bot_hint(mind, index);
}

/* Hints come unit by unit: the place behind the last one of the unit that `from` is of. */
static uint32_t
hints_end(const struct bot_mind *mind, uint32_t from)
{
    uint32_t end = from;

    while (end < mind->hints.count &&
           sk_id_same(&hint_at(mind, end)->unit, &hint_at(mind, from)->unit)) {
        end++;
    }
    return end;
}

/* Two own units must not go to one cell; attacks may meet. */
static bool
is_target_taken(const struct bot_mind *mind, const struct tactics_command *command)
{
    const struct tactics_command *chosen = (const void *)mind->chosen;

    if (command->head.kind == TACTICS_ATTACK) {
        return false;
    }
    for (uint32_t i = 0; i < mind->chosen_count; i++) {
        if (chosen[i].head.kind != TACTICS_ATTACK &&
            sk_cell_same(chosen[i].target, command->target)) {
            return true;
        }
    }
    return false;
}

static void
play_random(struct bot_mind *mind)
{
    for (uint32_t from = 0; from < mind->hints.count;) {
        uint32_t end = hints_end(mind, from);
        const struct tactics_command *drawn =
            hint_at(mind, from + sk_rng_below(&mind->rng, end - from));

        if (!is_target_taken(mind, drawn)) {
            bot_choose(mind, drawn);
        }
        from = end;
    }
}

const struct bot_player bot_tactics = {
    .ruleset = "tactics",
    .play = { [BOT_RANDOM] = play_random },
};
