/*
 * The mirrored match: the board turned by 180 degrees, the seats swapped and
 * the units in another order.  Nothing in tactics may tell the two apart.
 */
#include <string.h>

#include "common/rules/tactics/internal.h"
#include "tests/property/trial.h"
#include "tests/support/tactics_random.h"

void
mirror_open(struct mirror *mirror, struct sk_rng *rng, struct sk_arena *arena,
            const struct tactics_params *params, const struct table *table)
{
    const struct tactics_config *config = table->config;

    tactics_mirror_params(rng, arena, params, &mirror->params);
    table_open(&mirror->table, &sk_ruleset_tactics, &mirror->params, &table->seed);
    commands_init(&mirror->lists[0], table->ruleset);
    commands_init(&mirror->lists[1], table->ruleset);
    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        mirror->place_of[unit] =
            tactics_unit_find(mirror->table.config, &tactics_units(config)[unit].id);
    }
}

void
mirror_close(struct mirror *mirror)
{
    commands_fini(&mirror->lists[0]);
    commands_fini(&mirror->lists[1]);
    table_close(&mirror->table);
}

static void
mirror_commands(const struct mirror *mirror, const struct command_list *from,
                struct command_list *to)
{
    commands_clear(to);
    for (uint32_t i = 0; i < from->count; i++) {
        struct tactics_command command = *(const struct tactics_command *)commands_item(from, i);

        command.target = tactics_mirror_cell(&mirror->params, command.target);
        commands_add(to, &command);
    }
}

static bool
is_same_unit(const struct mirror *mirror, struct tactics_unit here, struct tactics_unit there)
{
    if (here.health <= 0) {
        return there.health == here.health;
    }
    return there.health == here.health &&
           sk_cell_same(tactics_mirror_cell(&mirror->params, sk_cell(here.x, here.y)),
                        sk_cell(there.x, there.y));
}

static bool
is_same_outcome(struct sk_outcome here, struct sk_outcome there)
{
    int winner = here.winner == SK_NOBODY ? SK_NOBODY : 1 - here.winner;

    return here.is_over == there.is_over && here.reason == there.reason &&
           (!here.is_over || there.winner == winner);
}

static bool
is_same_state(const struct trial *trial, const struct sk_state *there)
{
    const struct tactics_config *config = trial->table.config;
    const struct tactics_position *position = tactics_position_of(trial->after);
    const struct tactics_position *mirrored = tactics_position_of(there);

    if (!is_same_outcome(trial->after->outcome, there->outcome) ||
        trial->after->turn != there->turn || position->phase != mirrored->phase) {
        return false;
    }
    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        if (!is_same_unit(&trial->mirror, position->unit[unit],
                          mirrored->unit[trial->mirror.place_of[unit]])) {
            return false;
        }
    }
    return true;
}

bool
mirror_comes_to_the_same(struct trial *trial)
{
    struct mirror *mirror = &trial->mirror;
    const struct sk_turn *turn = &mirror->table.turn;

    mirror_commands(mirror, &trial->lists[0], &mirror->lists[1]);
    mirror_commands(mirror, &trial->lists[1], &mirror->lists[0]);
    table_resolve(&mirror->table,
                  (const struct command_list *const[]){ &mirror->lists[0], &mirror->lists[1] });
    for (uint8_t seat = 0; seat < 2; seat++) {
        if (memcmp(turn->judgements[1 - seat], trial->expected.judgements[seat],
                   trial->lists[seat].count * sizeof(struct sk_judgement)) != 0) {
            return false;
        }
    }
    return is_same_state(trial, turn->after);
}

void
mirror_play(struct mirror *mirror)
{
    table_play(&mirror->table,
               (const struct command_list *const[]){ &mirror->lists[0], &mirror->lists[1] });
}
