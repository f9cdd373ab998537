/* racers: its random params and its own properties. */
#include "common/rules/racers/internal.h"
#include "tests/property/trial.h"
#include "tests/support/racers_random.h"

static const void *
draw_params(struct sk_rng *rng, struct sk_arena *arena)
{
    struct racers_params *params = sk_arena_take(arena, sizeof(*params));

    if (params == NULL) {
        table_fail("BREED_ARENA is too small");
    }
    racers_random_params(rng, arena, params);
    return params;
}

/* Picks up any item, even with six carried: random players rarely have so many. */
static void
draw_command(struct trial *trial, uint8_t seat, void *ret_command)
{
    const struct racers_position *position = racers_position_of(trial->table.match.state);
    struct sk_cell at = racers_cell(position->racer[seat].at);
    struct racers_command *command = ret_command;

    command->head.kind = RACERS_MOVE;
    command->dir = (uint8_t)sk_rng_below(&trial->rng, RACERS_DIRECTIONS);
    for (uint8_t kind = 0; kind < RACERS_ITEM_KINDS; kind++) {
        if (racers_item_to_pick_up(trial->table.config, position, at, kind) != RACERS_NOWHERE) {
            command->head.kind = RACERS_PICK_UP;
            command->item = kind;
        }
    }
}

/* ---- properties -------------------------------------------------------------------------- */

static bool
could_be_handed_in(struct trial *trial)
{
    struct sk_fault fault;

    return racers_position_check(trial->table.config, racers_position_of(trial->after),
                                 trial->after->outcome.is_over, &fault) == SK_OK;
}

/* Items of a kind, on the board and carried. */
static uint32_t
count_items(const struct racers_config *config, const struct racers_position *position,
            uint8_t kind)
{
    const struct racers_item *items = racers_items(config, position);
    uint32_t count = 0;

    for (uint32_t i = 0; i < position->item_count; i++) {
        count += items[i].kind == kind;
    }
    for (uint32_t seat = 0; seat < RACERS_SEATS; seat++) {
        for (uint32_t i = 0; i < position->racer[seat].carried_count; i++) {
            count += position->racer[seat].carried[i] == kind;
        }
    }
    return count;
}

static bool
items_are_kept(struct trial *trial)
{
    const struct racers_config *config = trial->table.config;
    const struct racers_position *before = racers_position_of(trial->table.match.state);
    const struct racers_position *after = racers_position_of(trial->after);

    for (uint8_t kind = 0; kind < RACERS_ITEM_KINDS; kind++) {
        if (count_items(config, before, kind) != count_items(config, after, kind)) {
            return false;
        }
    }
    return true;
}

/* No racer is on an active grenade, except on the finish; only positions from outside may have
 * that. */
static bool
nobody_stands_on_a_grenade(struct trial *trial)
{
    const struct racers_config *config = trial->table.config;
    const struct racers_position *after = racers_position_of(trial->after);
    const struct racers_item *items = racers_items(config, after);

    for (uint32_t i = 0; i < after->item_count; i++) {
        int seat = racers_racer_on(after, racers_cell(items[i].at));

        if (items[i].kind == RACERS_GRENADE && items[i].state == RACERS_ACTIVE &&
            seat != RACERS_NOBODY && !racers_has_finished(after, (uint8_t)seat)) {
            return false;
        }
    }
    return true;
}

static struct property properties[] = {
    { .sentence = "racers: every state reached is accepted as input", .holds = could_be_handed_in },
    { .sentence = "racers: no item is lost or created", .holds = items_are_kept },
    { .sentence = "racers: nobody stands on an active grenade",
      .holds = nobody_stands_on_a_grenade },
};

const struct breed breed_racers = {
    .ruleset = &sk_ruleset_racers,
    .properties = properties,
    .property_count = SK_COUNT_OF(properties),
    .draw_params = draw_params,
    .draw_command = draw_command,
};
