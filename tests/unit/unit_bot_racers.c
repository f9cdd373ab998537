/*
 * The fast play of the racers bot against the rules library: its players choose
 * legal commands, and the results are the same in both.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/rng.h"
#include "server/bot/racers_dash.h"
#include "tests/support/cases.h"
#include "tests/support/table.h"

#define MATCHES 60

/* A match in play, and the ground of its dashes. */
struct lane {
    struct table table;
    struct racers_map map;
    struct dash_ground ground;
    struct sk_rng rng;
    uint8_t *space;
    uint64_t seed;
};

static const struct racers_position *
position_of(const struct lane *lane)
{
    return racers_position_of(lane->table.match.state);
}

static void
open_lane(struct lane *lane, const char *params, uint64_t number)
{
    struct sk_seed seed = table_seed(number);

    lane->seed = number;
    table_open_json(&lane->table, &sk_ruleset_racers, params, &seed);
    sk_rng_start(&lane->rng, &seed, 0, UINT32_MAX);
    racers_map_init(&lane->map, lane->table.config, position_of(lane));
    dash_ground_init(&lane->ground, lane->table.config, position_of(lane), &lane->map, &lane->rng);
    dash_chance(&lane->ground, number);
    lane->space = heap_memory(dash_size(&lane->ground));
}

static void
close_lane(struct lane *lane)
{
    free(lane->space);
    dash_ground_fini(&lane->ground);
    racers_map_fini(&lane->map);
    table_close(&lane->table);
}

static void
play(struct lane *lane, const struct racers_command *command)
{
    const struct command_list *lists[SK_SEATS_MAX] = { NULL };
    struct command_list list;

    commands_init(&list, &sk_ruleset_racers);
    commands_add(&list, command);
    lists[position_of(lane)->active] = &list;
    table_play(&lane->table, lists);
    commands_fini(&list);
}

static void
expect_same_ways(const struct lane *lane, const struct dash *dash)
{
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        uint8_t ways = dash_ways(&lane->ground, dash, seat);

        for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
            cr_assert_eq(ways >> dir & 1,
                         racers_can_move(lane->table.config, position_of(lane), seat, dir),
                         "seed %lu, turn %u: seat %u, direction %u", (unsigned long)lane->seed,
                         lane->table.match.state->turn, seat, dir);
        }
    }
}

/* Everything except skips and debt, which chance may have changed in turns that passed. */
static void
expect_same_racer(const struct lane *lane, const struct dash_racer *found,
                  const struct dash_racer *asked)
{
    bool is_same = found->at == asked->at && found->performed == asked->performed &&
                   found->trail_count == asked->trail_count &&
                   found->carried_count == asked->carried_count &&
                   memcmp(found->carried, asked->carried, sizeof(found->carried)) == 0;

    for (uint32_t i = 0; is_same && i < found->trail_count; i++) {
        is_same = found->trail[i].at == asked->trail[i].at &&
                  found->trail[i].action == asked->trail[i].action &&
                  found->trail[i].hop == asked->trail[i].hop;
    }
    cr_assert(is_same, "seed %lu, turn %u: another racer", (unsigned long)lane->seed,
              lane->table.match.state->turn);
}

/* Any hint that a dash can play: discs are thrown only to hit, and that is for its players. */
static bool
draw_hint(struct lane *lane, struct racers_command *ret_command)
{
    struct command_list hints;

    commands_init(&hints, &sk_ruleset_racers);
    table_hints(&lane->table, position_of(lane)->active, &hints);
    *ret_command = *(const struct racers_command *)commands_item(
        &hints, sk_rng_below(&lane->rng, hints.count));
    commands_fini(&hints);
    return ret_command->head.kind != RACERS_USE || ret_command->item == RACERS_GRENADE;
}

/* Plays one command in both.  `is_calm`: without power failures nothing depends on chance. */
static void
play_both(struct lane *lane, bool guards, bool is_calm)
{
    uint8_t *space = heap_memory(dash_size(&lane->ground));
    struct racers_command command;
    struct dash dash;
    struct dash after;
    uint8_t mover = position_of(lane)->active;
    bool is_over;

    dash_load(&lane->ground, position_of(lane), lane->space, &dash);
    expect_same_ways(lane, &dash);
    if (sk_rng_below(&lane->rng, 2) == 0 || !draw_hint(lane, &command)) {
        dash_choose(&lane->ground, &dash, guards, &command);
    }
    dash_play(&lane->ground, &dash, &command);
    play(lane, &command);
    is_over = lane->table.match.state->outcome.is_over;
    dash_load(&lane->ground, position_of(lane), space, &after);
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        expect_same_racer(lane, &dash.racer[seat], &after.racer[seat]);
        cr_assert(
            is_over ||
                (!is_calm && (seat != mover || dash.active == mover || after.active == mover)) ||
                (dash.racer[seat].debt == after.racer[seat].debt &&
                 dash.racer[seat].skip == after.racer[seat].skip),
            "seed %lu, turn %u: debt or skips of seat %u", (unsigned long)lane->seed,
            lane->table.match.state->turn, seat);
    }
    cr_assert_eq(memcmp(dash.items, after.items, lane->ground.squares), 0, "seed %lu, turn %u",
                 (unsigned long)lane->seed, lane->table.match.state->turn);
    cr_assert_eq(dash.winner, lane->table.match.state->outcome.winner, "seed %lu, turn %u",
                 (unsigned long)lane->seed, lane->table.match.state->turn);
    if (is_calm && !is_over) {
        cr_assert_eq(dash.active, after.active);
        cr_assert_eq(dash.actions_left, after.actions_left);
        cr_assert_eq(dash.moved, after.moved);
    }
    free(space);
}

struct ground_case {
    const char *label;
    const char *params;
    bool is_calm;
};

static const struct ground_case grounds[] = {
    { "the board as it comes, in the dark", "{\"turn_limit\":200}", false },
    { "with power everywhere", "{\"turn_limit\":200,\"failure_permille\":0}", true },
    { "a narrow board", "{\"turn_limit\":200,\"failure_permille\":0,\"rows\":64,\"cols\":10}",
      true },
    { "a wide board", "{\"turn_limit\":200,\"failure_permille\":20,\"rows\":10,\"cols\":64}",
      false },
};

Test(bot_racers, quick_play_keeps_the_rules)
{
    for (size_t i = 0; i < SK_COUNT_OF(grounds); i++) {
        for (uint64_t seed = 0; seed < MATCHES; seed++) {
            struct lane lane;

            open_lane(&lane, grounds[i].params, seed);
            while (!lane.table.match.state->outcome.is_over) {
                play_both(&lane, seed % 2 == position_of(&lane)->active, grounds[i].is_calm);
            }
            close_lane(&lane);
        }
    }
}
