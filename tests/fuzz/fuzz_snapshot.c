/*
 * Snapshots: reading any bytes either fails or gives a state that is written as the same bytes and
 * can be played on.
 *
 * The first byte chooses the ruleset, the second how many turns are played before a snapshot is
 * taken. The rest overwrites parts of it (0 turns: the rest is the snapshot).
 */
#include <string.h>

#include "common/core/snapshot.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/tables.h"

#define SNAPSHOT_MAX 65536u
#define TURNS_MAX    8u

static void
play(struct table *table, uint32_t turns)
{
    struct sk_seed seed = table_seed(turns);
    struct command_list lists[SK_SEATS_MAX];
    const struct command_list *all[SK_SEATS_MAX] = { 0 };
    struct sk_rng rng;

    sk_rng_start(&rng, &seed, 0, 0);
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        commands_init(&lists[seat], table->ruleset);
        all[seat] = &lists[seat];
    }
    for (uint32_t turn = 0; turn < turns && !table->match.state->outcome.is_over; turn++) {
        for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
            table_draw_commands(table, &rng, &habits_orderly, seat, &lists[seat]);
        }
        table_play(table, all);
    }
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        commands_fini(&lists[seat]);
    }
}

/* Each piece of the rest begins with its position, in two bytes. */
static void
write_over(struct input *input, uint8_t *bytes, size_t size)
{
    while (input->size > 0) {
        size_t at = input_take_number(input) % size;

        bytes[at] = input_take(input);
    }
}

/* A state that was read can be looked at, written and played on. */
static void
use(struct table *table, const struct sk_state *state)
{
    const struct command_list *nothing[SK_SEATS_MAX] = { 0 };

    memcpy(table->match.state, state, table->turn.sizes.state);
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        struct command_list hints;

        commands_init(&hints, table->ruleset);
        (void)table_look(table, seat);
        table_hints(table, seat, &hints);
        commands_fini(&hints);
    }
    (void)table_look(table, SK_SPECTATOR);
    table_resolve(table, nothing);
    must(table_guard_holds(table));
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t stored[SNAPSHOT_MAX];
    static uint8_t again[SNAPSHOT_MAX];
    struct input input = { bytes, size };
    struct table *table = fuzz_table(input_take(&input));
    uint32_t turns = input_take(&input) % TURNS_MAX;
    struct sk_state *state = calloc(1, table->turn.sizes.state);
    size_t length = input.size < sizeof(stored) ? input.size : sizeof(stored);

    must(state != NULL);
    if (turns > 0) {
        play(table, turns - 1);
        length = sk_snapshot_write(table->ruleset, table->config, table->match.state, stored,
                                   sizeof(stored));
        write_over(&input, stored, length);
    } else if (length > 0) {
        memcpy(stored, input.at, length);
    }
    if (sk_snapshot_read(table->ruleset, table->config, stored, length, state) == SK_OK) {
        must(sk_snapshot_write(table->ruleset, table->config, state, again, sizeof(again)) ==
             length);
        must(memcmp(stored, again, length) == 0);
        use(table, state);
    }
    free(state);
    return 0;
}
