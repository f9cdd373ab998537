#include "tests/conformance/walk.h"

static void
walk_open(struct walk *walk, const struct sk_ruleset *ruleset, uint64_t seed)
{
    struct sk_seed chance = table_seed(seed);

    walk->seed = seed;
    sk_rng_start(&walk->rng, &chance, 0, 0);
    table_open(&walk->table, ruleset, NULL, &chance);
    table_guard(&walk->table);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        commands_init(&walk->lists[seat], ruleset);
        walk->pointers[seat] = &walk->lists[seat];
    }
}

static void
walk_close(struct walk *walk)
{
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        commands_fini(&walk->lists[seat]);
    }
    cr_expect(table_guard_holds(&walk->table), "%s wrote past the end of its memory",
              walk->table.ruleset->name);
    table_close(&walk->table);
}

static void
draw(struct walk *walk, const struct habits *habits)
{
    for (uint8_t seat = 0; seat < walk->table.turn.seat_count; seat++) {
        table_draw_commands(&walk->table, &walk->rng, habits, seat, &walk->lists[seat]);
    }
}

void
walk_all(size_t ruleset, void (*visit)(struct walk *walk))
{
    for (uint64_t seed = 0; seed < WALK_MATCHES; seed++) {
        const struct habits *habits = seed % 2 == 0 ? &habits_orderly : &habits_unruly;
        struct walk walk;
        bool is_over = false;

        walk_open(&walk, version_at(ruleset), seed);
        for (uint32_t turn = 0; turn < WALK_TURNS && !is_over; turn++) {
            is_over = walk.table.match.state->outcome.is_over;
            draw(&walk, habits);
            visit(&walk);
            table_play(&walk.table, walk.pointers);
        }
        walk_close(&walk);
    }
}
