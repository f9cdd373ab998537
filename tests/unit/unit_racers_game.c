/* racers: first states, clocks, hints, bounds of memory, snapshots. */
#include <stdlib.h>
#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/racers/internal.h"
#include "tests/support/racers_random.h"
#include "tests/unit/racers_case.h"

/* ---- the first state --------------------------------------------------------------------- */

struct first_case {
    const char *label;
    const char *params;
    const char *has; /* words of the position */
    const char *outcome;
    uint32_t failures;
};

#define WALLED_IN "'walls':[[1,9],[1,8],[0,8]],'starts':[[0,9],[9,0]],'items':[],'teleporters':[]"
#define FREE      "'walls':[],'starts':[[3,4],[6,5]],'items':[],'teleporters':[]"

static const struct first_case first_cases[] = {
    { "seat 0 begins at the bottom left, seat 1 at the top right",
      "{'rows':10,'cols':14,'failure_permille':0}",
      ">A *3 A0,9 B13,0 A:0 B:0 A-0 B-0 A/0 B/0 A+ B+ a= b= -^", NULL, 0 },
    { "the first turn is opened like every other: failures come",
      "{'rows':10,'cols':11,'failure_permille':1000}", ">A *2 A-0 !0,0/3 !10,9/3", NULL, 110 },
    { "999 of 1000 is not all", "{'rows':64,'cols':64,'failure_permille':999}", ">A *2", NULL,
      4092 },
    { "a board's too", "{'rows':10,'cols':10,'failure_permille':1000,'board':{" FREE "}}",
      ">A *2 A3,4 B6,5 !0,0/3", NULL, 100 },
    { "without failures it has three actions",
      "{'rows':10,'cols':10,'failure_permille':0,'board':{" FREE "}}", ">A *3 A3,4 B6,5", NULL, 0 },
    { "a racer that is walled in has lost before it began",
      "{'rows':10,'cols':10,'failure_permille':0,'board':{" WALLED_IN "}}", ">A *3 A0,9",
      "1 trapped", 0 },
};

CASES(racers_first_states, follow_from_params_and_seed, first_cases)
{
    const struct first_case *c = &first_cases[*index];
    struct sk_seed seed = table_seed(9);
    struct racers_bench bench;
    struct words params;

    words_init(&params);
    words_init(&bench.words);
    words_say_json(&params, c->params);
    table_open_json(&bench.table, &sk_ruleset_racers, params.at, &seed);
    bench.table.turn.after = bench.table.match.state;
    expect_racers_position(&bench, c->has, c->label);
    expect_racers_outcome(&bench, bench.table.match.state, c->outcome, c->label);
    cr_expect_eq(racers_position(bench.table.match.state)->failure_count, c->failures, "%s",
                 c->label);
    words_fini(&params);
    words_fini(&bench.words);
    table_close(&bench.table);
}

/* ---- clocks ------------------------------------------------------------------------------ */

struct clock_case {
    const char *label;
    const char *before;
    const char *command;
    bool goes_on;
};

/* T leads a disc thrown east from 4,4 back to 4,4. */
#define SELF "A4,4 A+d T5,4>4,4 T4,4>5,4 "

static const struct clock_case clock_cases[] = {
    { "a move in the middle of a turn", "A4,4", "n", true },
    { "an item", "A4,4 d4,4", "+d", true },
    { "a disc that hits the other", "A4,4 A+d B6,4", "-de", true },
    { "a disc that hits a racer that skips already", "A4,4 A+d B6,4 B/100", "-de", true },
    { "the last action", "A4,4 *1", "n", false },
    { "ending the turn", "A4,4 ^", "end", false },
    { "a timeout", "A4,4", "timeout", false },
    { "the last action, and the other skips", "A4,4 *1 B/1", "n", false },
    { "a disc with the last action makes the other skip", "A4,4 A+d B6,4 *1 ^", "-de", false },
    { "the dark with two left, and the other skips: three again", "A4,4 B/1 !4,2/1", "n", false },
    { "the same with two again, as if it had gone on", "A4,4 B/1 !4,2/3", "n", false },
    { "the same because the other owes", "A4,4 B-3 !4,2/3", "n", false },
    { "the same from two to one", "A4,4 *2 B/1 !4,2/3 A-1", "n", false },
    { "a grenade, and the other owes", "A4,4 x4,3 B-6", "n", false },
    { "its own disc, and both skip", SELF "B/2", "-de", false },
    { "its own disc, and both skip: two again", SELF "B/2 A-1", "-de", false },
};

CASES(racers_clocks, cover_a_players_whole_turn, clock_cases)
{
    const struct clock_case *c = &clock_cases[*index];
    const struct racers_case as_case = { .label = c->label,
                                         .before = { .position = c->before },
                                         .commands = c->command };
    struct racers_bench bench;
    const struct command_list *pointers[SK_SEATS_MAX] = { NULL };

    racers_bench_open(&bench, &as_case);
    pointers[0] = &bench.lists[0];
    table_resolve(&bench.table, pointers);
    expect_racers_verdicts(&bench, 0, "ok", c->label);
    cr_expect_eq(sk_ruleset_racers.clock_goes_on(bench.table.config, bench.table.match.state,
                                                 bench.table.turn.after),
                 c->goes_on, "%s", c->label);
    racers_bench_close(&bench);
}

/* ---- hints ------------------------------------------------------------------------------- */

struct counting_sink {
    struct sk_hint_sink sink;
    uint32_t count;
};

static bool
count_hint(struct sk_hint_sink *sink, const void *command)
{
    (void)command;
    ((struct counting_sink *)(void *)sink)->count++;
    return true;
}

static bool
is_ok(struct table *table, uint8_t seat, struct racers_command command)
{
    table->turn.before = table->match.state;
    table->turn.commands[seat] = (struct sk_commands){ &command, 1 };
    sk_turn_check(&table->turn, seat);
    return table->turn.judgements[seat][0].verdict == SK_VERDICT_OK;
}

/* Each command once: a grenade without a direction, nothing else with one it does not need. */
static uint32_t
count_ok(struct table *table, uint8_t seat)
{
    uint32_t count = is_ok(table, seat, (struct racers_command){ .head = { RACERS_END_TURN } });

    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        count += is_ok(table, seat, (struct racers_command){ .head = { RACERS_MOVE }, .dir = dir });
        for (uint8_t kind = RACERS_DISC; kind < RACERS_ITEM_KINDS; kind++) {
            count += is_ok(table, seat,
                           (struct racers_command){
                               .head = { RACERS_USE }, .item = kind, .dir = dir, .has_dir = true });
        }
    }
    for (uint8_t kind = 0; kind < RACERS_ITEM_KINDS; kind++) {
        count +=
            is_ok(table, seat, (struct racers_command){ .head = { RACERS_PICK_UP }, .item = kind });
    }
    return count + is_ok(table, seat,
                         (struct racers_command){ .head = { RACERS_USE }, .item = RACERS_GRENADE });
}

/* Opens a crowded match of that seed; the arena's block is the caller's to free. */
static void
open_crowded(struct table *table, struct sk_rng *rng, uint64_t number, void *memory)
{
    struct sk_seed seed = table_seed(number);
    struct racers_params params;
    struct sk_arena arena;

    sk_rng_start(rng, &seed, 0, 0);
    sk_arena_init(&arena, memory, RACERS_RANDOM_ARENA);
    racers_random_params(rng, &arena, &params);
    table_open(table, &sk_ruleset_racers, &params, &seed);
}

static void
play_on(struct table *table, struct sk_rng *rng)
{
    const struct command_list *pointers[SK_SEATS_MAX] = { NULL };
    struct command_list list;
    uint8_t seat = racers_position(table->match.state)->active;

    commands_init(&list, table->ruleset);
    table_draw_commands(table, rng, &habits_orderly, seat, &list);
    pointers[seat] = &list;
    table_play(table, pointers);
    commands_fini(&list);
}

CASES_COUNTED(racers_hints, leave_nothing_out, 40)
{
    void *memory = malloc(RACERS_RANDOM_ARENA);
    struct table table;
    struct sk_rng rng;

    open_crowded(&table, &rng, *index, memory);
    for (uint32_t i = 0; i < 60 && !table.match.state->outcome.is_over; i++) {
        for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
            struct counting_sink counting = { { .take = count_hint }, 0 };

            table.ruleset->hints(table.config, table_look(&table, seat), seat, &counting.sink);
            cr_expect_eq(counting.count, count_ok(&table, seat), "seed %zu, turn %u, seat %u",
                         *index, table.match.state->turn, seat);
        }
        play_on(&table, &rng);
    }
    table_close(&table);
    free(memory);
}

/* ---- the largest turns ------------------------------------------------------------------- */

struct large_case {
    int32_t side;
    int32_t permille;
};

static const struct large_case large_cases[] = {
    { 10, 0 }, { 10, 1000 }, { 12, 50 }, { 64, 1000 }
};

/* Both racers skip and owe as much as can be; in the dark even longer. */
CASES(racers_bounds, of_events_hold_in_the_longest_turn, large_cases)
{
    const struct large_case *large = &large_cases[*index];
    const struct racers_case c = {
        .label = "the longest turn",
        .before = { .position = "A4,4 ^ A-1000 A/100 B-1000 B/100",
                    .rows = large->side,
                    .cols = large->side,
                    .failure_permille = large->permille },
        .commands = "end",
    };
    const struct command_list *pointers[SK_SEATS_MAX] = { NULL };
    struct racers_bench bench;
    uint32_t passed = 0;

    racers_bench_open(&bench, &c);
    pointers[0] = &bench.lists[0];
    table_resolve(&bench.table, pointers);
    for (const struct sk_event *event = bench.table.turn.events.first; event != NULL;
         event = event->next) {
        passed += event->kind == RACERS_EVENT_TURN_PASSED;
    }
    if (large->permille == 1000) {
        cr_expect_eq(passed, (uint32_t)RACERS_OPENINGS_MAX, "%u turns passed", passed);
    } else {
        cr_expect_gt(passed, 800u);
        cr_expect_leq(passed, (uint32_t)RACERS_OPENINGS_MAX);
    }
    cr_expect_leq(bench.table.turn.events.arena.used, bench.table.turn.sizes.events);
    expect_racers_outcome(&bench, bench.table.turn.after, NULL, c.label);
    racers_bench_close(&bench);
}

/* A board of nothing but teleporters: flights as long as they get. */
CASES_COUNTED(racers_bounds, of_paths_hold_among_teleporters_only, 20)
{
    struct racers_drawing drawing = { .position = "A4,4", .rows = 10, .cols = 10 };
    struct sk_seed seed = table_seed(*index);
    const struct racers_config *config;
    struct racers_position *position;
    struct racers_teleporter *teleporters;
    struct sk_cell path[SK_RACERS_PATH_MAX(100)];
    uint16_t hops[100];
    uint32_t longest = 0;
    struct table table;
    struct sk_rng rng;

    racers_draw_open(&drawing, &table);
    config = table.config;
    position = racers_position(table.match.state);
    teleporters = racers_teleporter_space(config, position);
    sk_rng_start(&rng, &seed, 0, 0);
    position->teleporter_count = 100;
    for (uint32_t i = 0; i < 1000; i++) {
        for (uint32_t t = 0; t < 100; t++) {
            uint32_t to = sk_rng_below(&rng, 100);

            teleporters[t] =
                (struct racers_teleporter){ { (uint8_t)(t % 10), (uint8_t)(t / 10) },
                                            { (uint8_t)(to % 10), (uint8_t)(to / 10) } };
        }
        for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir += 2) {
            struct racers_flight flight = { .path = path };

            racers_fly(config, position, sk_cell(4, 4), dir, true, hops, &flight);
            cr_assert_leq(flight.count, SK_COUNT_OF(path));
            longest = flight.count > longest ? flight.count : longest;
        }
    }
    cr_expect_gt(longest, 20u);
    table_close(&table);
}

/* ---- how long a list may be -------------------------------------------------------------- */

#define CALM "\"failure_permille\":0"
#define BOARD(walls, items, teleporters)                                           \
    ",\"board\":{\"starts\":[[0,0],[9,9]],\"walls\":[" walls "],\"items\":[" items \
    "],\"teleporters\":[" teleporters "]}"

/* The first number of steps is that of any turn, the second of a square, the third of what is
 * listed in views: turn_work in racers.c. */
static const struct {
    const char *label;
    const char *params;
    uint32_t most; /* SK_LIST_WORK_MAX / steps */
} list_cases[] = {
    { "the default", "{}", 128 },
    { "10000 + 16 x 1326", "{\"rows\":26,\"cols\":51," CALM BOARD("", "", "") "}", 128 },
    { "10000 + 16 x 1330", "{\"rows\":35,\"cols\":38," CALM BOARD("", "", "") "}", 127 },
    { "10000 + 16 x 1326 + 64: a wall", "{\"rows\":26,\"cols\":51," CALM BOARD("[1,1]", "", "") "}",
      127 },
    { "an item",
      "{\"rows\":26,\"cols\":51," CALM BOARD("", "{\"kind\":\"disc\",\"at\":[1,1]}", "") "}", 127 },
    { "two teleporters",
      "{\"rows\":26,\"cols\":51," CALM BOARD(
          "", "", "{\"at\":[1,1],\"to\":[2,2]},{\"at\":[2,2],\"to\":[1,1]}") "}",
      127 },
    { "three failures", "{\"rows\":26,\"cols\":51,\"failure_permille\":1" BOARD("", "", "") "}",
      127 },
    { "10000 + 16 x 4096", "{\"rows\":64,\"cols\":64," CALM BOARD("", "", "") "}", 52 },
    { "10000 + 16 x 4096 + 64 x (1106 + 614): a random board", "{\"rows\":64,\"cols\":64}", 21 },
    { "10000 + 16 x 4096 + 64 x 12288",
      "{\"rows\":64,\"cols\":64,\"failure_permille\":1000" BOARD("", "", "") "}", 4 },
};

CASES(racers_lists, the_larger_the_board_the_fewer_commands_are_taken_at_once, list_cases)
{
    struct sk_seed seed = table_seed(1);
    struct table table;

    table_open_json(&table, &sk_ruleset_racers, list_cases[*index].params, &seed);
    cr_expect_eq(sk_list_max(&sk_ruleset_racers, table.config), list_cases[*index].most, "%s: %u",
                 list_cases[*index].label, sk_list_max(&sk_ruleset_racers, table.config));
    table_close(&table);
}

/* ---- snapshots --------------------------------------------------------------------------- */

/* Each byte of a snapshot changed: it is refused, or read as it is. */
CASES_COUNTED(racers_snapshots, that_are_spoilt_are_refused_or_say_something_else, 8)
{
    void *memory = malloc(RACERS_RANDOM_ARENA);
    struct table table;
    struct sk_rng rng;
    struct sk_state *read;
    uint8_t *bytes;
    size_t size;
    uint32_t refused = 0;

    open_crowded(&table, &rng, *index, memory);
    for (uint32_t i = 0; i < 12 && !table.match.state->outcome.is_over; i++) {
        play_on(&table, &rng);
    }
    bytes = malloc(table.turn.sizes.snapshot);
    read = malloc(table.turn.sizes.state);
    size = sk_snapshot_write(table.ruleset, table.config, table.match.state, bytes,
                             table.turn.sizes.snapshot);
    for (size_t i = 0; i < size; i++) {
        uint8_t kept = bytes[i];

        bytes[i] = (uint8_t)(kept + 1 + sk_rng_below(&rng, 255));
        memset(read, 0, table.turn.sizes.state);
        if (sk_snapshot_read(table.ruleset, table.config, bytes, size, read) != SK_OK) {
            refused++;
        } else {
            cr_expect_eq(sk_snapshot_write(table.ruleset, table.config, read, table.turn.snapshot,
                                           table.turn.sizes.snapshot),
                         size);
            cr_expect_arr_eq(table.turn.snapshot, bytes, size, "byte %zu", i);
        }
        bytes[i] = kept;
    }
    cr_expect_gt(refused, 0u);
    for (size_t i = 0; i < size; i++) {
        memset(read, 0, table.turn.sizes.state);
        cr_expect_eq(sk_snapshot_read(table.ruleset, table.config, bytes, i, read), SK_ERR_CORRUPT,
                     "cut after %zu bytes", i);
    }
    free(read);
    free(bytes);
    table_close(&table);
    free(memory);
}

/* Only in a match that is over may nobody have an action left. */
Test(racers_snapshots, without_an_action_left_are_of_finished_matches)
{
    struct racers_drawing drawing = { .position = "A4,4" };
    struct sk_state *read;
    struct table table;
    uint8_t *bytes;
    size_t size;

    racers_draw_open(&drawing, &table);
    bytes = malloc(table.turn.sizes.snapshot);
    read = calloc(1, table.turn.sizes.state);
    racers_position(table.match.state)->actions_left = 0;
    size = sk_snapshot_write(table.ruleset, table.config, table.match.state, bytes,
                             table.turn.sizes.snapshot);
    cr_expect_eq(sk_snapshot_read(table.ruleset, table.config, bytes, size, read), SK_ERR_CORRUPT);
    table.match.state->outcome =
        (struct sk_outcome){ .is_over = true, .reason = SK_DRAW_TURN_LIMIT, .winner = SK_NOBODY };
    size = sk_snapshot_write(table.ruleset, table.config, table.match.state, bytes,
                             table.turn.sizes.snapshot);
    memset(read, 0, table.turn.sizes.state);
    cr_expect_eq(sk_snapshot_read(table.ruleset, table.config, bytes, size, read), SK_OK);
    free(read);
    free(bytes);
    table_close(&table);
}

/* ---- stages alone ------------------------------------------------------------------------ */

static const struct racers_case impossible_cases[] = {
    { .label = "off the board", .before = { .position = "A0,4" }, .commands = "w" },
    { .label = "onto a wall", .before = { .position = "A4,4 #4,3" }, .commands = "n" },
    { .label = "nothing to pick up", .before = { .position = "A4,4" }, .commands = "+d" },
    { .label = "full hands", .before = { .position = "A4,4 d4,4 A+gggggg" }, .commands = "+d" },
    { .label = "nothing to use", .before = { .position = "A4,4" }, .commands = "-dn" },
    { .label = "a second grenade", .before = { .position = "A4,4 g4,4 A+g" }, .commands = "-g" },
    { .label = "a diagonal disc", .before = { .position = "A4,4 A+d" }, .commands = "-dne" },
};

CASES(racers_stages, alone_pass_over_what_cannot_be_done, impossible_cases)
{
    const struct racers_case *c = &impossible_cases[*index];
    struct racers_bench bench;

    racers_bench_open(&bench, c);
    bench.table.turn.before = bench.table.match.state;
    bench.table.turn.commands[0] = commands_of(&bench.lists[0]);
    for (uint8_t i = 0; i < sk_ruleset_racers.stage_count; i++) {
        sk_turn_run_alone(&bench.table.turn, &sk_ruleset_racers.stages[i]);
        cr_expect_eq(bench.table.turn.events.count, 0u, "%s: stage %s", c->label,
                     sk_ruleset_racers.stages[i].name);
        cr_expect_arr_eq(bench.table.turn.after, bench.table.match.state,
                         bench.table.turn.sizes.state);
    }
    racers_bench_close(&bench);
}
