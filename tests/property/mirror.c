/*
 * The mirrored match: the board from the other side, with the seats swapped. It must have the
 * mirrored result.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/property/trial.h"

void
mirror_open(struct trial *trial, struct sk_arena *arena, const void *params)
{
    struct mirror *mirror = &trial->mirror;

    mirror->params = trial->breed->mirror_params(&trial->rng, arena, params);
    table_open(&mirror->table, trial->table.ruleset, mirror->params, &trial->table.seed);
    commands_init(&mirror->lists[0], trial->table.ruleset);
    commands_init(&mirror->lists[1], trial->table.ruleset);
}

void
mirror_close(struct mirror *mirror)
{
    commands_fini(&mirror->lists[0]);
    commands_fini(&mirror->lists[1]);
    table_close(&mirror->table);
}

static void
mirror_commands(const struct trial *trial, const struct command_list *from, struct command_list *to)
{
    void *command = malloc(from->item_size);

    if (command == NULL) {
        table_fail("no memory for a mirrored command");
    }
    commands_clear(to);
    for (uint32_t i = 0; i < from->count; i++) {
        memcpy(command, commands_item(from, i), from->item_size);
        trial->breed->mirror_command(&trial->mirror, command);
        commands_add(to, command);
    }
    free(command);
}

static bool
is_same_outcome(struct sk_outcome here, struct sk_outcome there)
{
    int winner = here.winner == SK_NOBODY ? SK_NOBODY : 1 - here.winner;

    return here.is_over == there.is_over && here.reason == there.reason &&
           (!here.is_over || there.winner == winner);
}

bool
mirror_comes_to_the_same(struct trial *trial)
{
    struct mirror *mirror = &trial->mirror;
    const struct sk_turn *turn = &mirror->table.turn;

    mirror_commands(trial, &trial->lists[0], &mirror->lists[1]);
    mirror_commands(trial, &trial->lists[1], &mirror->lists[0]);
    table_resolve(&mirror->table,
                  (const struct command_list *const[]){ &mirror->lists[0], &mirror->lists[1] });
    for (uint8_t seat = 0; seat < 2; seat++) {
        if (memcmp(turn->judgements[1 - seat], trial->expected.judgements[seat],
                   trial->lists[seat].count * sizeof(struct sk_judgement)) != 0) {
            return false;
        }
    }
    return is_same_outcome(trial->after->outcome, turn->after->outcome) &&
           trial->after->turn == turn->after->turn &&
           trial->breed->mirror_is_same(trial, trial->after, turn->after);
}

void
mirror_play(struct mirror *mirror)
{
    table_play(&mirror->table,
               (const struct command_list *const[]){ &mirror->lists[0], &mirror->lists[1] });
}
