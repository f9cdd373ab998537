/* The stages of a halma turn: each alone, and the turn as a whole with all its events. */
#include <stdio.h>

#include "common/rules/halma/internal.h"
#include "tests/support/halma_draw.h"
#include "tests/unit/turn_bench.h"

struct stage_case {
    const char *label;
    struct halma_drawing position;
    const char *host;
    const char *guest;
    const char *stage;  /* alone, as if every command had been accepted: */
    const char *alone;  /* what happens */
    const char *events; /* of the whole turn; the rest is after it */
    const char *board;
    const char *damages;
    const char *faults;  /* NULL = "0 0" */
    const char *outcome; /* NULL = it goes on */
};

static const struct stage_case enactment_cases[] = {
    { .label = "both are accepted",
      .position = { .board = "A..a" },
      .host = "A>0,1",
      .guest = "a>3,1",
      .stage = "enactment",
      .events = "moved A 0,0 0,1; moved a 3,0 3,1",
      .board = "..../A..a" },
    { .label = "the guest says nothing",
      .position = { .board = "A..a" },
      .host = "A>0,1",
      .stage = "enactment",
      .alone = "not_enacted 1 missing",
      .events = "not_enacted 1 missing",
      .board = "A..a",
      .faults = "0 1" },
    { .label = "the host says nothing",
      .position = { .board = "A..a" },
      .guest = "a>3,1",
      .stage = "enactment",
      .alone = "not_enacted 0 missing",
      .events = "not_enacted 0 missing",
      .board = "A..a",
      .faults = "1 0" },
    { .label = "a timeout says nothing",
      .position = { .board = "A..a" },
      .host = "timeout",
      .guest = "timeout a>3,1",
      .stage = "enactment",
      .alone = "not_enacted 0 missing",
      .events = "not_enacted 0 missing",
      .board = "A..a",
      .faults = "1 0" },
    { .label = "neither says anything: nobody's count rises",
      .position = { .board = "A..a", .faults = { 2, 3 } },
      .stage = "enactment",
      .alone = "not_enacted 0 missing 1 missing",
      .events = "not_enacted 0 missing 1 missing",
      .board = "A..a",
      .faults = "2 3" },
    { .label = "the reason is the verdict",
      .position = { .board = "A..a" },
      .host = "A>2,0",
      .guest = "a>3,1",
      .stage = "enactment",
      .alone = "",
      .events = "not_enacted 0 nothing_to_jump",
      .board = "A..a",
      .faults = "1 0" },
    { .label = "a reason for each",
      .position = { .board = "AB.a", .damages = "A=2" },
      .host = "A>2,0",
      .guest = "a>9,9",
      .stage = "enactment",
      .alone = "not_enacted 1 missing",
      .events = "not_enacted 0 damaged 1 out_of_bounds",
      .board = "AB.a",
      .damages = "A=2" },
    { .label = "several commands are one reason",
      .position = { .board = "AB.a" },
      .host = "A>0,1 timeout B>1,1",
      .guest = "a>3,1",
      .stage = "enactment",
      .alone = "",
      .events = "not_enacted 0 multiple_commands",
      .board = "AB.a",
      .faults = "1 0" },
    { .label = "an enacted turn forgives one fault of each",
      .position = { .board = "A..a", .faults = { 3, 1 } },
      .host = "A>0,1",
      .guest = "a>3,1",
      .stage = "enactment",
      .events = "moved A 0,0 0,1; moved a 3,0 3,1",
      .board = "..../A..a",
      .faults = "2 0" },
    { .label = "there is nothing below 0 to forgive",
      .position = { .board = "A..a", .faults = { 0, 1 } },
      .host = "A>0,0",
      .guest = "a>3,0",
      .stage = "enactment",
      .events = "moved A 0,0 0,0; moved a 3,0 3,0",
      .board = "A..a",
      .faults = "0 0" },
    { .label = "the other's guilt leaves a seat's count",
      .position = { .board = "A..a", .faults = { 3, 1 } },
      .host = "A>0,1",
      .stage = "enactment",
      .alone = "not_enacted 1 missing",
      .events = "not_enacted 1 missing",
      .board = "A..a",
      .faults = "3 2" },
    { .label = "the last fault loses",
      .position = { .board = "A..a", .faults = { 4, 4 } },
      .guest = "a>3,1",
      .stage = "enactment",
      .alone = "not_enacted 0 missing",
      .events = "not_enacted 0 missing",
      .board = "A..a",
      .faults = "5 4",
      .outcome = "1 stalled" },
    { .label = "the guest's last fault loses",
      .position = { .board = "A..a", .faults = { 4, 4 } },
      .host = "A>0,1",
      .stage = "enactment",
      .alone = "not_enacted 1 missing",
      .events = "not_enacted 1 missing",
      .board = "A..a",
      .faults = "4 5",
      .outcome = "0 stalled" },
    { .label = "both guilty at the brink, and on it goes",
      .position = { .board = "A..a", .faults = { 4, 4 } },
      .stage = "enactment",
      .alone = "not_enacted 0 missing 1 missing",
      .events = "not_enacted 0 missing 1 missing",
      .board = "A..a",
      .faults = "4 4" },
    { .label = "a limit of 1",
      .position = { .board = "A..a", .stall_limit = 1 },
      .host = "A>0,1",
      .stage = "enactment",
      .alone = "not_enacted 1 missing",
      .events = "not_enacted 1 missing",
      .board = "A..a",
      .faults = "0 1",
      .outcome = "0 stalled" },
    { .label = "no limit",
      .position = { .board = "A..a", .stall_limit = HALMA_NEVER, .faults = { 0, 99 } },
      .host = "A>0,1",
      .stage = "enactment",
      .alone = "not_enacted 1 missing",
      .events = "not_enacted 1 missing",
      .board = "A..a",
      .faults = "0 100" },
    { .label = "the count does not overflow",
      .position = { .board = "A..a", .stall_limit = HALMA_NEVER, .faults = { 0, INT32_MAX } },
      .host = "A>0,1",
      .stage = "enactment",
      .alone = "not_enacted 1 missing",
      .events = "not_enacted 1 missing",
      .board = "A..a",
      .faults = "0 2147483647" },
    { .label = "nobody heals in a turn that is not enacted",
      .position = { .board = "A..a", .damages = "A=1 a=5" },
      .host = "A>0,1",
      .stage = "healing",
      .alone = "",
      .events = "not_enacted 1 missing",
      .board = "A..a",
      .damages = "A=1 a=5",
      .faults = "0 1" },
};

static const struct stage_case movement_cases[] = {
    { .label = "the host's move is told first",
      .position = { .board = "a..A" },
      .host = "A>3,1",
      .guest = "a>0,1",
      .stage = "movement",
      .alone = "moved A 3,0 3,1; moved a 0,0 0,1",
      .events = "moved A 3,0 3,1; moved a 0,0 0,1",
      .board = "..../a..A" },
    { .label = "a chain is told square by square; who is jumped over stays",
      .position = { .board = "AB.b.../a" },
      .host = "A>2,0>4,0>2,0",
      .guest = "a>1,1",
      .stage = "movement",
      .alone = "moved A 0,0 2,0 4,0 2,0; moved a 0,1 1,1",
      .events = "moved A 0,0 2,0 4,0 2,0; moved a 0,1 1,1",
      .board = ".BAb/.a.." },
    { .label = "a chain down, then to the side and down",
      .position = { .board = "A/B./..a/.b./.../c" },
      .host = "A>0,2>2,4",
      .guest = "a>3,2",
      .stage = "movement",
      .alone = "moved A 0,0 0,2 2,4; moved a 2,2 3,2",
      .events = "moved A 0,0 0,2 2,4; moved a 2,2 3,2",
      .board = "..../B.../...a/.b../..A./c..." },
    { .label = "holding is a move",
      .position = { .board = "A..a" },
      .host = "A>0,0",
      .guest = "a>3,0",
      .stage = "movement",
      .alone = "moved A 0,0 0,0; moved a 3,0 3,0",
      .events = "moved A 0,0 0,0; moved a 3,0 3,0",
      .board = "A..a" },
    { .label = "a jump over one who leaves",
      .position = { .board = "Aa" },
      .host = "A>2,0",
      .guest = "a>1,1",
      .stage = "movement",
      .alone = "moved A 0,0 2,0; moved a 1,0 1,1",
      .events = "moved A 0,0 2,0; moved a 1,0 1,1",
      .board = "..A/.a." },
    { .label = "both jump over each other",
      .position = { .board = ".Aa." },
      .host = "A>3,0",
      .guest = "a>0,0",
      .stage = "movement",
      .alone = "moved A 1,0 3,0; moved a 2,0 0,0",
      .events = "moved A 1,0 3,0; moved a 2,0 0,0",
      .board = "a..A" },
    { .label = "alone the stage moves only when both have an order",
      .position = { .board = "A..a" },
      .host = "A>0,1",
      .stage = "movement",
      .alone = "",
      .events = "not_enacted 1 missing",
      .board = "A..a",
      .faults = "0 1" },
};

static const struct stage_case collision_cases[] = {
    { .label = "two steps to one square",
      .position = { .board = "A.a" },
      .host = "A>1,0",
      .guest = "a>1,0",
      .stage = "collisions",
      .alone = "collided A a 1,0",
      .events = "moved A 0,0 1,0; moved a 2,0 1,0; collided A a 1,0",
      .board = ".#",
      .damages = "A=5 a=5" },
    { .label = "a chain and a step",
      .position = { .board = "AB.b./....a" },
      .host = "A>2,0>4,0",
      .guest = "a>4,0",
      .stage = "collisions",
      .alone = "collided A a 4,0",
      .events = "moved A 0,0 2,0 4,0; moved a 4,1 4,0; collided A a 4,0",
      .board = ".B.b#",
      .damages = "A=5 a=5" },
    { .label = "squares on the way never collide",
      .position = { .board = "AB.ba" },
      .host = "A>2,0>0,0",
      .guest = "a>2,0>4,0",
      .stage = "collisions",
      .alone = "",
      .events = "moved A 0,0 2,0 0,0; moved a 4,0 2,0 4,0",
      .board = "AB.ba" },
    { .label = "the end of one on the way of the other",
      .position = { .board = "AB.ba" },
      .host = "A>2,0>0,0",
      .guest = "a>2,0",
      .stage = "collisions",
      .alone = "",
      .events = "moved A 0,0 2,0 0,0; moved a 4,0 2,0",
      .board = "ABab" },
    { .label = "swapping places past each other is none",
      .position = { .board = ".Aa." },
      .host = "A>3,0",
      .guest = "a>0,0",
      .stage = "collisions",
      .alone = "",
      .events = "moved A 1,0 3,0; moved a 2,0 0,0",
      .board = "a..A" },
    { .label = "a second collision sets the whole damage again",
      .position = { .board = "A.a", .damages = "A=1 a=3" },
      .host = "A>1,0",
      .guest = "a>1,0",
      .stage = "collisions",
      .alone = "collided A a 1,0",
      .events = "moved A 0,0 1,0; moved a 2,0 1,0; collided A a 1,0",
      .board = ".#",
      .damages = "A=5 a=5" },
    { .label = "two that share a square and hold do not collide again",
      .position = { .board = "A.a", .stands = "A@1,0 a@1,0", .damages = "A=5 a=5" },
      .host = "A>1,0",
      .guest = "a>1,0",
      .stage = "collisions",
      .alone = "",
      .events = "moved A 1,0 1,0; moved a 1,0 1,0",
      .board = ".#",
      .damages = "A=4 a=4" },
    { .label = "nor if one comes back to it by a chain",
      .position = { .board = "AB.a", .stands = "a@0,0" },
      .host = "A>2,0>0,0",
      .guest = "a>0,0",
      .stage = "collisions",
      .alone = "",
      .events = "moved A 0,0 2,0 0,0; moved a 0,0 0,0",
      .board = "#B" },
    { .label = "two that share a square and part meet again",
      .position = { .board = "A.a", .stands = "a@0,0", .damages = "A=2 a=2" },
      .host = "A>1,1",
      .guest = "a>1,1",
      .stage = "collisions",
      .alone = "collided A a 1,1",
      .events = "moved A 0,0 1,1; moved a 0,0 1,1; collided A a 1,1",
      .board = "../.#",
      .damages = "A=5 a=5" },
    { .label = "one leaves the shared square, the other holds it",
      .position = { .board = "A.a", .stands = "a@0,0", .damages = "A=2 a=2" },
      .host = "A>1,1",
      .guest = "a>0,0",
      .stage = "collisions",
      .alone = "",
      .events = "moved A 0,0 1,1; moved a 0,0 0,0",
      .board = "a./.A",
      .damages = "A=1 a=1" },
};

static const struct stage_case healing_cases[] = {
    { .label = "everybody damaged loses one; who comes to 0 is told, in the order of params",
      .position = { .board = "ABC.abc", .damages = "A=1 B=2 C=5 a=1 b=1 c=3" },
      .host = "A>0,1",
      .guest = "a>4,1",
      .stage = "healing",
      .alone = "healed A; healed a; healed b",
      .events = "moved A 0,0 0,1; moved a 4,0 4,1; healed A; healed a; healed b",
      .board = ".BC..bc/A...a..",
      .damages = "B=1 C=4 c=2" },
    { .label = "who is not damaged stays so",
      .position = { .board = "A..a" },
      .host = "A>0,1",
      .guest = "a>3,1",
      .stage = "healing",
      .alone = "",
      .events = "moved A 0,0 0,1; moved a 3,0 3,1",
      .board = "..../A..a" },
    { .label = "who is hit does not heal, others do",
      .position = { .board = "A.aBb", .damages = "A=1 B=1 b=1" },
      .host = "A>1,0",
      .guest = "a>1,0",
      .stage = "healing",
      .alone = "healed B; healed b",
      .events = "moved A 0,0 1,0; moved a 2,0 1,0; collided A a 1,0; healed B; healed b",
      .board = ".#.Bb",
      .damages = "A=5 a=5" },
};

/* Goals: 0 and 1 are the seats' destinations. */
static const struct stage_case halmate_cases[] = {
    { .label = "the last destination of the host",
      .position = { .board = "A.B/...../a", .goals = "0.../...0/....../1" },
      .host = "B>3,1",
      .guest = "a>1,2",
      .stage = "halmate",
      .alone = "",
      .events = "moved B 2,0 3,1; moved a 0,2 1,2; halmate 0",
      .board = "A.../...B/.a..",
      .outcome = "0 halmate" },
    { .label = "the last destination of the guest",
      .position = { .board = "a.b/...../A", .goals = "1.../...1/....../0" },
      .host = "A>1,2",
      .guest = "b>3,1",
      .stage = "halmate",
      .alone = "",
      .events = "moved A 0,2 1,2; moved b 2,0 3,1; halmate 1",
      .board = "a.../...b/.A..",
      .outcome = "1 halmate" },
    { .label = "both in one turn",
      .position = { .board = "A....a", .goals = "./0....1" },
      .host = "A>0,1",
      .guest = "a>5,1",
      .stage = "halmate",
      .alone = "",
      .events = "moved A 0,0 0,1; moved a 5,0 5,1; halmate 0 1",
      .board = "....../A....a",
      .outcome = "draw_both_halmate" },
    { .label = "both on one square, by a collision",
      .position = { .board = "A.a", .goals = ".*" },
      .host = "A>1,0",
      .guest = "a>1,0",
      .stage = "halmate",
      .alone = "",
      .events = "moved A 0,0 1,0; moved a 2,0 1,0; collided A a 1,0; halmate 0 1",
      .board = ".#",
      .damages = "A=5 a=5",
      .outcome = "draw_both_halmate" },
    { .label = "an enemy's piece fills a destination too",
      .position = { .board = "a.A/b", .goals = "0..0/......../1" },
      .host = "A>3,0",
      .guest = "b>1,1",
      .stage = "halmate",
      .alone = "",
      .events = "moved A 2,0 3,0; moved b 0,1 1,1; halmate 0",
      .board = "a..A/.b..",
      .outcome = "0 halmate" },
    { .label = "enemies alone fill them for nobody",
      .position = { .board = "a.b/A", .goals = "0..0/......../1" },
      .host = "A>1,1",
      .guest = "b>3,0",
      .stage = "halmate",
      .alone = "",
      .events = "moved A 0,1 1,1; moved b 2,0 3,0",
      .board = "a..b/.A.." },
    { .label = "the enemy fills the last one and loses by it",
      .position = { .board = "A.b/B.../...a", .goals = "0..0/......../1" },
      .host = "B>1,1",
      .guest = "b>3,0",
      .stage = "halmate",
      .alone = "",
      .events = "moved B 0,1 1,1; moved b 2,0 3,0; halmate 0",
      .board = "A..b/.B../...a",
      .outcome = "0 halmate" },
    { .label = "who goes from one destination to another leaves one open",
      .position = { .board = "A/a", .goals = "00./......../....1" },
      .host = "A>1,0",
      .guest = "a>0,2",
      .stage = "halmate",
      .events = "moved A 0,0 1,0; moved a 0,1 0,2",
      .board = ".A/../a." },
    { .label = "on the last turn it is a halmate, not the turn limit",
      .position = { .board = "A/a", .goals = ".0/......../....1", .turn_limit = 3, .turn = 2 },
      .host = "A>1,0",
      .guest = "a>0,2",
      .stage = "halmate",
      .alone = "",
      .events = "moved A 0,0 1,0; moved a 0,1 0,2; halmate 0",
      .board = ".A/../a.",
      .outcome = "0 halmate" },
};

static void
bench_open(struct turn_bench *bench, const struct stage_case *c)
{
    halma_drawing_open(&c->position, &bench->table);
    bench_begin(bench);
    halma_drawing_commands(c->host, &bench->lists[0]);
    halma_drawing_commands(c->guest, &bench->lists[1]);
}

static void
expect_through_the_whole(const struct stage_case *c)
{
    struct turn_bench bench;
    const struct table *table = &bench.table;

    bench_open(&bench, c);
    table_resolve(&bench.table,
                  (const struct command_list *const[]){ &bench.lists[0], &bench.lists[1] });
    halma_say_events(table, &bench.words);
    bench_expect(&bench, c->events, c->label, "events");
    halma_say_board(table, table->turn.after, &bench.words);
    bench_expect(&bench, c->board, c->label, "board");
    halma_say_damages(table, table->turn.after, &bench.words);
    bench_expect(&bench, c->damages, c->label, "damages");
    halma_say_faults(table->turn.after, &bench.words);
    bench_expect(&bench, c->faults == NULL ? "0 0" : c->faults, c->label, "faults");
    say_outcome(table, table->turn.after, &bench.words);
    bench_expect(&bench, c->outcome == NULL ? "goes on" : c->outcome, c->label, "outcome");
    cr_expect_eq(table->turn.after->turn, c->position.turn + 1, "%s: one turn later", c->label);
    bench_end(&bench);
}

static void
expect_from_the_stage_alone(const struct stage_case *c)
{
    struct turn_bench bench;

    bench_open(&bench, c);
    bench_run_stage(&bench, c->stage);
    halma_say_events(&bench.table, &bench.words);
    bench_expect(&bench, c->alone, c->label, "events of the stage alone");
    bench_end(&bench);
}

#define STAGE_CASES(name, table)                       \
    CASES(halma_stages, name, table)                   \
    {                                                  \
        expect_through_the_whole(&(table)[*index]);    \
        expect_from_the_stage_alone(&(table)[*index]); \
    }

STAGE_CASES(both_moves_are_enacted_or_neither_is, enactment_cases)
STAGE_CASES(both_pieces_move, movement_cases)
STAGE_CASES(two_that_end_on_one_square_collide, collision_cases)
STAGE_CASES(damage_heals_turn_by_turn, healing_cases)
STAGE_CASES(full_destinations_are_a_halmate, halmate_cases)

static const char *const stage_names[] = { "enactment", "movement", "collisions", "healing",
                                           "halmate" };

Test(halma_stages, are_in_the_order_of_the_rules)
{
    cr_assert_eq(sk_ruleset_halma.stage_count, SK_COUNT_OF(stage_names));
    for (size_t i = 0; i < SK_COUNT_OF(stage_names); i++) {
        cr_assert_str_eq(sk_ruleset_halma.stages[i].name, stage_names[i]);
    }
}

/* Each stage alone changes its own part of the state and nothing else. */
Test(halma_stages, alone_each_changes_its_own_part)
{
    const struct stage_case c = {
        .position = { .board = "A.aB", .damages = "A=2 B=1", .faults = { 2, 0 } },
        .host = "A>1,0",
        .guest = "a>1,0",
    };
    static const char *const expected[][3] = { { "A.aB", "A=2 B=1", "1 0" },
                                               { ".#.B", "A=2 B=1", "2 0" },
                                               { "A.aB", "A=5 B=1 a=5", "2 0" },
                                               { "A.aB", "A=2", "2 0" },
                                               { "A.aB", "A=2 B=1", "2 0" } };

    for (size_t i = 0; i < SK_COUNT_OF(expected); i++) {
        struct turn_bench bench;
        const struct sk_state *after;

        bench_open(&bench, &c);
        bench_run_stage(&bench, stage_names[i]);
        after = bench.table.turn.after;
        halma_say_board(&bench.table, after, &bench.words);
        bench_expect(&bench, expected[i][0], stage_names[i], "board");
        halma_say_damages(&bench.table, after, &bench.words);
        bench_expect(&bench, expected[i][1], stage_names[i], "damages");
        halma_say_faults(after, &bench.words);
        bench_expect(&bench, expected[i][2], stage_names[i], "faults");
        bench_end(&bench);
    }
}

/* What the stage tells is in the position that the stages before it made. */
Test(halma_stages, halmate_looks_at_the_position_after_movement)
{
    const struct stage_case c = { .position = { .board = "A....a", .goals = "./0....1" },
                                  .host = "A>0,1",
                                  .guest = "a>5,1" };
    struct turn_bench bench;

    bench_open(&bench, &c);
    bench_run_stage(&bench, "movement");
    sk_stage_find(&sk_ruleset_halma, "halmate")->run(&bench.table.turn);
    halma_say_events(&bench.table, &bench.words);
    bench_expect(&bench, "moved A 0,0 0,1; moved a 5,0 5,1; halmate 0 1", "halmate", "events");
    bench_end(&bench);
}

/* Nothing has checked the commands of a stage that is run alone. */
static const char *const impossible[] = {
    "A>", "A>-1,0", "A>0,1>2147483647,0", "A>-2147483648,-2147483648", "A>6,0", "zz>0,1", "a>0,1",
};

CASES(halma_stages, alone_they_pass_over_paths_that_cannot_be_walked, impossible)
{
    const struct stage_case c = { .position = { .board = "A..a", .damages = "A=1" },
                                  .host = impossible[*index],
                                  .guest = "a>3,1" };

    for (size_t i = 1; i < SK_COUNT_OF(stage_names); i++) {
        struct turn_bench bench;

        bench_open(&bench, &c);
        bench_run_stage(&bench, stage_names[i]);
        halma_say_events(&bench.table, &bench.words);
        bench_expect(&bench, "", c.host, stage_names[i]);
        bench_end(&bench);
    }
}

/* As the rules say: a piece misses exactly five enacted turns of jumping. */
Test(halma_stages, a_hit_piece_misses_five_enacted_turns_of_jumping)
{
    const struct halma_drawing drawing = { .board = "A.a/.B/...b" };
    struct command_list lists[2];
    struct command_list jump;
    struct table table;
    uint32_t missed = 0;

    halma_drawing_open(&drawing, &table);
    commands_init(&lists[0], table.ruleset);
    commands_init(&lists[1], table.ruleset);
    commands_init(&jump, table.ruleset);
    halma_drawing_commands("A>1,0", &lists[0]);
    halma_drawing_commands("a>1,0", &lists[1]);
    halma_drawing_commands("A>1,2", &jump);
    for (uint32_t turn = 0; turn < 10; turn++) {
        table_play(&table, (const struct command_list *const[]){ &lists[0], &lists[1] });
        table_play(&table, (const struct command_list *const[]){ &lists[0], NULL });
        halma_drawing_commands("B>1,1", &lists[0]);
        halma_drawing_commands("b>3,2", &lists[1]);
        sk_match_submit(&table.match, &table.turn, 0, commands_of(&jump));
        missed += table.turn.judgements[0][0].verdict == HALMA_DAMAGED;
    }
    cr_expect_eq(missed, 5u, "it missed %u", missed);
    commands_fini(&lists[0]);
    commands_fini(&lists[1]);
    commands_fini(&jump);
    table_close(&table);
}
