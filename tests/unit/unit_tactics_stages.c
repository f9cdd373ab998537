/* The stages of a tactics turn: each alone, and the turn as a whole with all its events. */
#include "common/rules/tactics/tactics.h"
#include "tests/support/tactics_draw.h"
#include "tests/unit/turn_bench.h"

struct stage_case {
    const char *label;
    struct drawing position;
    const char *host;
    const char *guest;
    const char *stage; /* alone, as if every command had been accepted: */
    const char *alone; /* what happens */
    const char *alone_board;
    const char *events; /* of the whole turn */
    const char *board;
    const char *healths;
    const char *outcome;
};

/*
 * King: 10 health, power 3.  Pawn: 4, 2.  Bomber: 8, 4, a plus around a
 * target two cells away.  Mage: 12, 5, the nine cells around itself.
 * Thrower: 9, 2.  Gunner, grenadier: 7, 2.  Heaper: 7, 3.  Feint: 5, 0.
 */
static const struct stage_case bounce_cases[] = {
    { .label = "opposing moves to one cell",
      .position = { .board = "..b/.../A.." },
      .host = "A>1,1",
      .guest = "b>1,1",
      .stage = "bounce",
      .alone = "bounced A b 1,1",
      .alone_board = "..b/.../A..",
      .events = "bounced A b 1,1",
      .board = "..b/.../A..",
      .healths = "A=10 b=10" },
    { .label = "two bounces, in the order of the host's units, whatever came first",
      .position = { .board = "b.c.d/...../A.E.F" },
      .host = "F>4,1 E>3,1 A>1,1",
      .guest = "d>3,0 c>3,1 b>1,1",
      .stage = "bounce",
      .alone = "bounced A b 1,1; bounced E c 3,1",
      .alone_board = "b.c.d/...../A.E.F",
      .events = "bounced A b 1,1; bounced E c 3,1; moved F 4,2 4,1; moved d 4,0 3,0",
      .board = "b.cd./....F/A.E..",
      .healths = "A=10 E=10 F=10 b=10 c=10 d=10" },
    { .label = "moves of one seat never bounce",
      .position = { .board = "..b/.../A.C" },
      .host = "A>1,1 C>1,1",
      .stage = "bounce",
      .alone = "",
      .alone_board = "..b/.../A.C",
      .events = "",
      .board = "..b/.../A.C",
      .healths = "A=10 C=10 b=10" },
    { .label = "moves to different cells do not bounce",
      .position = { .board = "..b/.../A.." },
      .host = "A>0,1",
      .guest = "b>1,1",
      .stage = "bounce",
      .alone = "",
      .alone_board = "..b/.../A..",
      .events = "moved A 0,2 0,1; moved b 2,0 1,1",
      .board = ".../Ab./...",
      .healths = "A=10 b=10" },
    { .label = "an attack on the cell is no move to it",
      .position = { .board = "..b/.../A.." },
      .host = "A*1,1",
      .guest = "b>1,1",
      .stage = "bounce",
      .alone = "",
      .alone_board = "..b/.../A..",
      .events = "moved b 2,0 1,1; attacked A 1,1 on 1,1; hit b by A for 3 left 7",
      .board = ".../.b./A..",
      .healths = "A=10 b=7" },
};

static const struct stage_case intended_cases[] = {
    { .label = "alone, all moves to a cell that both seats want turn back, two of one seat too",
      .position = { .board = "..b/.../A.C" },
      .host = "A>1,1 C>1,1",
      .guest = "b>1,1",
      .stage = "bounce",
      .alone = "bounced A C b 1,1",
      .alone_board = "..b/.../A.C",
      .events = "moved b 2,0 1,1",
      .board = ".../.b./A.C",
      .healths = "A=10 C=10 b=10" },
    { .label = "alone, nobody turns a unit of the other seat back",
      .position = { .board = "..b/.../A.C" },
      .host = "A>1,1 b>1,1",
      .stage = "bounce",
      .alone = "",
      .alone_board = "..b/.../A.C",
      .events = "moved A 0,2 1,1",
      .board = "..b/.A./..C",
      .healths = "A=10 C=10 b=10" },
};

static const struct stage_case placement_cases[] = {
    { .label = "both seats, events in the order of params",
      .position = { .board = "b.c/.../A.D", .start_rows = 1 },
      .host = "D@1,2 A@2,2",
      .guest = "b@1,0",
      .stage = "placement",
      .alone = "placed A 2,2; placed D 1,2; placed b 1,0",
      .alone_board = ".bc/.../.DA",
      .events = "placed A 2,2; placed D 1,2; placed b 1,0",
      .board = ".bc/.../.DA",
      .healths = "A=10 D=10 b=10 c=10" },
    { .label = "placing a unit where it stands is an event too",
      .position = { .board = "b.c/.../A.D", .start_rows = 1 },
      .host = "A@0,2",
      .stage = "placement",
      .alone = "placed A 0,2",
      .alone_board = "b.c/.../A.D",
      .events = "placed A 0,2",
      .board = "b.c/.../A.D",
      .healths = "A=10 D=10 b=10 c=10" },
    { .label = "during play nothing is placed",
      .position = { .board = "b.c/.../A.D" },
      .host = "A@1,2",
      .stage = "placement",
      .alone = "",
      .alone_board = "b.c/.../A.D",
      .events = "",
      .board = "b.c/.../A.D",
      .healths = "A=10 D=10 b=10 c=10" },
};

static const struct stage_case movement_cases[] = {
    { .label = "events of moves are in the order of params, not of commands or seats",
      .position = { .board = "b.c/.../A.D" },
      .host = "D>2,1 A>0,1",
      .guest = "c>1,0",
      .stage = "movement",
      .alone = "moved A 0,2 0,1; moved D 2,2 2,1; moved c 2,0 1,0",
      .alone_board = "bc./A.D/...",
      .events = "moved A 0,2 0,1; moved D 2,2 2,1; moved c 2,0 1,0",
      .board = "bc./A.D/...",
      .healths = "A=10 D=10 b=10 c=10" },
    { .label = "a move to the top-left corner past others",
      .position = { .board = "..../.b../..A.", .models = "A=rover" },
      .host = "A>0,0",
      .stage = "movement",
      .alone = "moved A 2,2 0,0",
      .alone_board = "A.../.b../....",
      .events = "moved A 2,2 0,0",
      .board = "A.../.b../....",
      .healths = "A=6 b=10" },
};

static const struct stage_case hit_cases[] = {
    { .label = "an enemy",
      .position = { .board = ".../.b./A.." },
      .host = "A*1,1",
      .stage = "attacks",
      .alone = "attacked A 1,1 on 1,1; hit b by A for 3 left 7",
      .alone_board = ".../.b./A..",
      .events = "attacked A 1,1 on 1,1; hit b by A for 3 left 7",
      .board = ".../.b./A..",
      .healths = "A=10 b=7" },
    { .label = "a friend",
      .position = { .board = "..b/C../A.." },
      .host = "A*0,1",
      .stage = "attacks",
      .alone = "attacked A 0,1 on 0,1; hit C by A for 3 left 7",
      .alone_board = "..b/C../A..",
      .events = "attacked A 0,1 on 0,1; hit C by A for 3 left 7",
      .board = "..b/C../A..",
      .healths = "A=10 C=7 b=10" },
    { .label = "itself, a friend and an enemy in one area, cells in reading order",
      .position = { .board = "...../...../.bA../..C../.....", .models = "A=mage" },
      .host = "A*2,2",
      .stage = "attacks",
      .alone = "attacked A 2,2 on 1,1 2,1 3,1 1,2 2,2 3,2 1,3 2,3 3,3; hit A by A for 5 left 7; "
               "hit C by A for 5 left 5; hit b by A for 5 left 5",
      .alone_board = "...../...../.bA../..C../.....",
      .events = "attacked A 2,2 on 1,1 2,1 3,1 1,2 2,2 3,2 1,3 2,3 3,3; hit A by A for 5 left 7; "
                "hit C by A for 5 left 5; hit b by A for 5 left 5",
      .board = "...../...../.bA../..C../.....",
      .healths = "A=7 C=5 b=5" },
    { .label = "nobody: the attack is still an event",
      .position = { .board = "..b/.../A.." },
      .host = "A*0,1",
      .stage = "attacks",
      .alone = "attacked A 0,1 on 0,1",
      .alone_board = "..b/.../A..",
      .events = "attacked A 0,1 on 0,1",
      .board = "..b/.../A..",
      .healths = "A=10 b=10" },
    { .label = "cells off the board are ignored",
      .position = { .board = "b../.../A..", .models = "A=bomber" },
      .host = "A*0,0",
      .stage = "attacks",
      .alone = "attacked A 0,0 on 0,0 1,0 0,1; hit b by A for 4 left 6",
      .alone_board = "b../.../A..",
      .events = "attacked A 0,0 on 0,0 1,0 0,1; hit b by A for 4 left 6",
      .board = "b../.../A..",
      .healths = "A=8 b=6" },
    { .label = "each cell once per attack, however often the area names it",
      .position = { .board = "...../..b../...../..A..", .models = "A=heaper" },
      .host = "A*2,2",
      .stage = "attacks",
      .alone = "attacked A 2,2 on 1,0 2,0 0,1 1,1 2,1 3,1 0,2 1,2 2,2 3,2 1,3 2,3; "
               "hit A by A for 3 left 4; hit b by A for 3 left 7",
      .alone_board = "...../..b../...../..A..",
      .events = "attacked A 2,2 on 1,0 2,0 0,1 1,1 2,1 3,1 0,2 1,2 2,2 3,2 1,3 2,3; "
                "hit A by A for 3 left 4; hit b by A for 3 left 7",
      .board = "...../..b../...../..A..",
      .healths = "A=4 b=7" },
    { .label = "damage of several attacks adds up, attackers in the order of params",
      .position = { .board = "C.A/.b./E.d", .models = "C=pawn" },
      .host = "E*1,1 A*1,1",
      .guest = "d*1,1",
      .stage = "attacks",
      .alone = "attacked A 1,1 on 1,1; attacked E 1,1 on 1,1; attacked d 1,1 on 1,1; "
               "hit b by A E d for 9 left 1",
      .alone_board = "C.A/.b./E.d",
      .events = "attacked A 1,1 on 1,1; attacked E 1,1 on 1,1; attacked d 1,1 on 1,1; "
                "hit b by A E d for 9 left 1",
      .board = "C.A/.b./E.d",
      .healths = "A=10 C=4 E=10 b=1 d=10" },
    { .label = "an attack without power still hits",
      .position = { .board = ".../.b./A..", .models = "A=feint" },
      .host = "A*1,1",
      .stage = "attacks",
      .alone = "attacked A 1,1 on 1,1; hit b by A for 0 left 10",
      .alone_board = ".../.b./A..",
      .events = "attacked A 1,1 on 1,1; hit b by A for 0 left 10",
      .board = ".../.b./A..",
      .healths = "A=5 b=10" },
    { .label = "the host's area lies as it is drawn",
      .position = { .board = "b..../...../...../..A..", .models = "A=thrower" },
      .host = "A*2,1",
      .stage = "attacks",
      .alone = "attacked A 2,1 on 1,0 2,0 1,2",
      .alone_board = "b..../...../...../..A..",
      .events = "attacked A 2,1 on 1,0 2,0 1,2",
      .board = "b..../...../...../..A..",
      .healths = "A=9 b=10" },
    { .label = "the guest's is turned by 180 degrees, its cells still in reading order",
      .position = { .board = "..a../...../...../B....", .models = "a=thrower" },
      .guest = "a*2,2",
      .stage = "attacks",
      .alone = "attacked a 2,2 on 3,1 2,3 3,3",
      .alone_board = "..a../...../...../B....",
      .events = "attacked a 2,2 on 3,1 2,3 3,3",
      .board = "..a../...../...../B....",
      .healths = "B=10 a=9" },
    { .label = "the first pattern with the target decides: one cell",
      .position = { .board = "b..../..c../..A..", .models = "A=gunner" },
      .host = "A*2,1",
      .stage = "attacks",
      .alone = "attacked A 2,1 on 2,1; hit c by A for 2 left 8",
      .alone_board = "b..../..c../..A..",
      .events = "attacked A 2,1 on 2,1; hit c by A for 2 left 8",
      .board = "b..../..c../..A..",
      .healths = "A=7 b=10 c=8" },
    { .label = "the first pattern with the target decides: the plus",
      .position = { .board = "b..../..c../..A..", .models = "A=grenadier" },
      .host = "A*2,1",
      .stage = "attacks",
      .alone = "attacked A 2,1 on 2,0 1,1 2,1 3,1 2,2; hit A by A for 2 left 5; "
               "hit c by A for 2 left 8",
      .alone_board = "b..../..c../..A..",
      .events = "attacked A 2,1 on 2,0 1,1 2,1 3,1 2,2; hit A by A for 2 left 5; "
                "hit c by A for 2 left 8",
      .board = "b..../..c../..A..",
      .healths = "A=5 b=10 c=8" },
    { .label = "a later pattern decides where the first does not reach",
      .position = { .board = "..b../...../..A..", .models = "A=gunner" },
      .host = "A*2,0",
      .stage = "attacks",
      .alone = "attacked A 2,0 on 1,0 2,0 3,0 2,1; hit b by A for 2 left 8",
      .alone_board = "..b../...../..A..",
      .events = "attacked A 2,0 on 1,0 2,0 3,0 2,1; hit b by A for 2 left 8",
      .board = "..b../...../..A..",
      .healths = "A=7 b=8" },
};

/* Moves come first: attacks use the positions after them. */
static const struct stage_case moving_target_cases[] = {
    { .label = "the target moved away: no effect, but the attack is an event",
      .position = { .board = ".../.b./A.." },
      .host = "A*1,1",
      .guest = "b>1,0",
      .stage = "attacks",
      .alone = "attacked A 1,1 on 1,1; hit b by A for 3 left 7",
      .alone_board = ".../.b./A..",
      .events = "moved b 1,1 1,0; attacked A 1,1 on 1,1",
      .board = ".b./.../A..",
      .healths = "A=10 b=10" },
    { .label = "somebody moved in",
      .position = { .board = ".b./.../A.." },
      .host = "A*1,1",
      .guest = "b>1,1",
      .stage = "movement",
      .alone = "moved b 1,0 1,1",
      .alone_board = ".../.b./A..",
      .events = "moved b 1,0 1,1; attacked A 1,1 on 1,1; hit b by A for 3 left 7",
      .board = ".../.b./A..",
      .healths = "A=10 b=7" },
    { .label = "a friend moved in",
      .position = { .board = "..b/.../A.C" },
      .host = "A*1,1 C>1,1",
      .stage = "movement",
      .alone = "moved C 2,2 1,1",
      .alone_board = "..b/.C./A..",
      .events = "moved C 2,2 1,1; attacked A 1,1 on 1,1; hit C by A for 3 left 7",
      .board = "..b/.C./A..",
      .healths = "A=10 C=7 b=10" },
    { .label = "a bounced unit is hit where it stayed",
      .position = { .board = "b.../..../AC..", .models = "C=mage" },
      .host = "A>1,1 C*1,2",
      .guest = "b>1,1",
      .stage = "bounce",
      .alone = "bounced A b 1,1",
      .alone_board = "b.../..../AC..",
      .events = "bounced A b 1,1; attacked C 1,2 on 0,1 1,1 2,1 0,2 1,2 2,2; "
                "hit A by C for 5 left 5; hit C by C for 5 left 7",
      .board = "b.../..../AC..",
      .healths = "A=5 C=7 b=10" },
    { .label = "a bounced unit is not hit where it wanted to go",
      .position = { .board = "b.../..../A.C." },
      .host = "A>1,1 C*1,1",
      .guest = "b>1,1",
      .stage = "bounce",
      .alone = "bounced A b 1,1",
      .alone_board = "b.../..../A.C.",
      .events = "bounced A b 1,1; attacked C 1,1 on 1,1",
      .board = "b.../..../A.C.",
      .healths = "A=10 C=10 b=10" },
    { .label = "a refused attack hits nobody",
      .position = { .board = "..b/.../A.." },
      .host = "A*2,0",
      .stage = "movement",
      .alone = "",
      .alone_board = "..b/.../A..",
      .events = "",
      .board = "..b/.../A..",
      .healths = "A=10 b=10" },
};

static const struct stage_case death_cases[] = {
    { .label = "health exactly 0 is dead, and the last one left wins",
      .position = { .board = ".../.b./A..", .healths = "b=3" },
      .host = "A*1,1",
      .stage = "deaths",
      .alone = "",
      .alone_board = ".../.b./A..",
      .events = "attacked A 1,1 on 1,1; hit b by A for 3 left 0; died b",
      .board = ".../.../A..",
      .healths = "A=10",
      .outcome = "0 eliminated" },
    { .label = "health 1 lives",
      .position = { .board = ".../.b./A..", .healths = "b=4" },
      .host = "A*1,1",
      .stage = "deaths",
      .alone = "",
      .alone_board = ".../.b./A..",
      .events = "attacked A 1,1 on 1,1; hit b by A for 3 left 1",
      .board = ".../.b./A..",
      .healths = "A=10 b=1" },
    { .label = "more damage than health: what is left is below 0",
      .position = { .board = "..c/.b./A..", .healths = "b=1" },
      .host = "A*1,1",
      .stage = "deaths",
      .alone = "",
      .alone_board = "..c/.b./A..",
      .events = "attacked A 1,1 on 1,1; hit b by A for 3 left -2; died b",
      .board = "..c/.../A..",
      .healths = "A=10 c=10" },
    { .label = "a unit that dies in this turn still deals its damage: the last two kill each other",
      .position = { .board = ".../.b./A..", .healths = "A=3 b=2" },
      .host = "A*1,1",
      .guest = "b*0,2",
      .stage = "attacks",
      .alone = "attacked A 1,1 on 1,1; attacked b 0,2 on 0,2; hit A by b for 3 left 0; "
               "hit b by A for 3 left -1",
      .alone_board = ".../.../...",
      .events = "attacked A 1,1 on 1,1; attacked b 0,2 on 0,2; hit A by b for 3 left 0; "
                "hit b by A for 3 left -1; died A; died b",
      .board = ".../.../...",
      .healths = "",
      .outcome = "draw_eliminated" },
    { .label = "three in a circle all die",
      .position = { .board = "..d/bA./.C.", .healths = "A=1 b=1 C=1" },
      .host = "A*1,2 C*0,1",
      .guest = "b*1,1",
      .stage = "attacks",
      .alone = "attacked A 1,2 on 1,2; attacked C 0,1 on 0,1; attacked b 1,1 on 1,1; "
               "hit A by b for 3 left -2; hit C by A for 3 left -2; hit b by C for 3 left -2",
      .alone_board = "..d/.../...",
      .events = "attacked A 1,2 on 1,2; attacked C 0,1 on 0,1; attacked b 1,1 on 1,1; "
                "hit A by b for 3 left -2; hit C by A for 3 left -2; hit b by C for 3 left -2; "
                "died A; died C; died b",
      .board = "..d/.../...",
      .healths = "d=10",
      .outcome = "1 eliminated" },
    { .label = "killing oneself as the last one loses",
      .position = { .board = "b..../...../..A..", .models = "A=mage", .healths = "A=5" },
      .host = "A*2,2",
      .stage = "deaths",
      .alone = "",
      .alone_board = "b..../...../..A..",
      .events = "attacked A 2,2 on 1,1 2,1 3,1 1,2 2,2 3,2; hit A by A for 5 left 0; died A",
      .board = "b..../...../.....",
      .healths = "b=10",
      .outcome = "1 eliminated" },
    { .label = "damage as high as it gets does not wrap round",
      .position = { .board = ".../.b./A..", .healths = "b=2147483647" },
      .host = "A*1,1",
      .stage = "attacks",
      .alone = "attacked A 1,1 on 1,1; hit b by A for 3 left 2147483644",
      .alone_board = ".../.b./A..",
      .events = "attacked A 1,1 on 1,1; hit b by A for 3 left 2147483644",
      .board = ".../.b./A..",
      .healths = "A=10 b=2147483644" },
};

static void
bench_open(struct turn_bench *bench, const struct stage_case *c)
{
    drawing_open(&c->position, &bench->table);
    bench_begin(bench);
    drawing_commands(c->host, &bench->lists[0]);
    drawing_commands(c->guest, &bench->lists[1]);
}

static void
expect_through_the_whole(const struct stage_case *c)
{
    struct turn_bench bench;
    struct table *table = &bench.table;

    bench_open(&bench, c);
    table_resolve(table, (const struct command_list *const[]){ &bench.lists[0], &bench.lists[1] });
    drawing_say_events(table, &bench.words);
    bench_expect(&bench, c->events, c->label, "events");
    drawing_say_board(table, table->turn.after, &bench.words);
    bench_expect(&bench, c->board, c->label, "board");
    drawing_say_healths(table, table->turn.after, &bench.words);
    bench_expect(&bench, c->healths, c->label, "healths");
    say_outcome(table, table->turn.after, &bench.words);
    bench_expect(&bench, c->outcome == NULL ? "goes on" : c->outcome, c->label, "outcome");
    cr_expect_eq(table->turn.after->turn, c->position.turn + 1, "%s: one turn later", c->label);
    drawing_say_board(table, table->match.state, &bench.words);
    bench_expect(&bench, c->position.board, c->label, "board before");
    bench_end(&bench);
}

static void
expect_from_the_stage_alone(const struct stage_case *c)
{
    struct turn_bench bench;

    bench_open(&bench, c);
    bench_run_stage(&bench, c->stage);
    drawing_say_events(&bench.table, &bench.words);
    bench_expect(&bench, c->alone, c->label, "events of the stage alone");
    drawing_say_board(&bench.table, bench.table.turn.after, &bench.words);
    bench_expect(&bench, c->alone_board, c->label, "board after the stage alone");
    bench_end(&bench);
}

#define STAGE_CASES(name, table)                       \
    CASES(tactics_stages, name, table)                 \
    {                                                  \
        expect_through_the_whole(&(table)[*index]);    \
        expect_from_the_stage_alone(&(table)[*index]); \
    }

STAGE_CASES(opposing_moves_to_one_cell_bounce, bounce_cases)
STAGE_CASES(alone_the_bounce_stage_takes_intended_moves, intended_cases)
STAGE_CASES(placements_are_revealed_together, placement_cases)
STAGE_CASES(moves_happen_at_once, movement_cases)
STAGE_CASES(an_attack_hits_everybody_in_its_area, hit_cases)
STAGE_CASES(attacks_meet_units_where_they_stand_after_movement, moving_target_cases)
STAGE_CASES(damage_is_applied_at_once_and_kills, death_cases)

static const char *const stage_names[] = { "bounce", "placement", "movement", "attacks", "deaths" };

Test(tactics_stages, are_in_the_order_of_the_rules)
{
    cr_assert_eq(sk_ruleset_tactics.stage_count, SK_COUNT_OF(stage_names));
    for (size_t i = 0; i < SK_COUNT_OF(stage_names); i++) {
        cr_assert_str_eq(sk_ruleset_tactics.stages[i].name, stage_names[i]);
    }
    cr_assert_null(sk_stage_find(&sk_ruleset_tactics, "winner"));
}

/* The stage finds dead units by what the stages before it did, so it runs after one of them. */
Test(tactics_stages, deaths_removes_units_without_health)
{
    const struct stage_case c = { .position = { .board = ".../.b./A..", .healths = "b=2" },
                                  .host = "A*1,1" };
    struct turn_bench bench;
    struct sk_turn *turn = &bench.table.turn;

    bench_open(&bench, &c);
    bench_run_stage(&bench, "attacks");
    drawing_say_healths(&bench.table, turn->after, &bench.words);
    bench_expect(&bench, "A=10 b=-1", "attacks", "healths");
    sk_stage_find(&sk_ruleset_tactics, "deaths")->run(turn);
    drawing_say_healths(&bench.table, turn->after, &bench.words);
    bench_expect(&bench, "A=10", "deaths", "healths");
    drawing_say_events(&bench.table, &bench.words);
    bench_expect(&bench, "attacked A 1,1 on 1,1; hit b by A for 3 left -1; died b", "deaths",
                 "events");
    bench_end(&bench);
}

/* Nothing has checked the commands of a stage that is run alone. */
Test(tactics_stages, alone_they_pass_over_targets_off_the_board)
{
    static const struct sk_cell far_off[] = {
        { 1000000, 9 }, { -1, 0 }, { 0, INT32_MIN }, { INT32_MAX, INT32_MAX }
    };
    struct sk_seed seed = table_seed(1);
    struct table table;

    table_open(&table, &sk_ruleset_tactics, NULL, &seed);
    table_guard(&table);
    for (uint8_t kind = TACTICS_MOVE; kind <= TACTICS_PLACE; kind++) {
        for (size_t i = 0; i < SK_COUNT_OF(far_off); i++) {
            struct tactics_command hosts = { { kind }, { "a1" }, far_off[i] };
            struct tactics_command guests = { { kind }, { "b1" }, far_off[i] };

            table.turn.before = table.match.state;
            table.turn.seed = &table.seed;
            table.turn.commands[0] = (struct sk_commands){ &hosts, 1 };
            table.turn.commands[1] = (struct sk_commands){ &guests, 1 };
            for (uint8_t stage = 0; stage < sk_ruleset_tactics.stage_count; stage++) {
                sk_turn_run_alone(&table.turn, &sk_ruleset_tactics.stages[stage]);
                cr_expect_eq(table.turn.events.count, 0, "%s",
                             sk_ruleset_tactics.stages[stage].name);
            }
        }
    }
    table_close(&table);
}
