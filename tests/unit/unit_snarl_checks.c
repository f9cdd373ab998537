/* The checks of snarl: each alone, and all through the whole pipeline. */
#include <stdio.h>
#include <string.h>

#include "common/core/validate.h"
#include "common/rules/snarl/internal.h"
#include "tests/support/cases.h"
#include "tests/support/snarl_draw.h"

/* One command of the seat, and what it gets: "verdict:check", or "ok". */
struct check_case {
    const char *label;
    struct dungeon dungeon;
    uint8_t seat;
    const char *command;
    const char *gets;
};

/*  A hero in the middle of the room, a pillar beside it, the other hero below. */
#define HALL   .levels = "#######/#.....#/#.#A..+/#..B..#/#....x#/#######"
#define DARK   .levels = "#######/#....z#/#....g+/#.....#/#A...x#/#######"
#define VERSUS .options = "'mode':'versus'"

static const struct check_case hero_cases[] = {
    { "one step", { HALL }, 0, "A>3,1", "ok" },
    { "without naming the hero", { HALL }, 0, ">3,1", "ok" },
    { "staying by naming the own tile", { HALL }, 0, "A>3,2", "ok" },
    { "staying by null", { HALL }, 0, "A>-", "ok" },
    { "staying by null without a name", { HALL }, 0, ">-", "ok" },
    { "two steps straight on", { HALL }, 0, "A>5,2", "ok" },
    { "two steps around a corner", { HALL }, 0, "A>4,1", "ok" },
    { "around a corner of which one side is a wall", { HALL }, 0, "A>2,3", "ok" },
    { "over a tile on which another hero stands", { HALL }, 0, "A>3,4", "ok" },
    { "straight on over a wall", { HALL }, 0, "A>1,2", "too_far:distance" },
    { "three steps", { HALL }, 0, "A>6,2", "too_far:distance" },
    { "three steps around a corner", { HALL }, 0, "A>5,1", "too_far:distance" },
    { "two diagonal steps", { HALL }, 0, "A>5,4", "too_far:distance" },
    { "as far as numbers go", { HALL }, 0, "A>2147483647,-2147483648", "too_far:distance" },
    { "the other end of numbers", { HALL }, 0, "A>-2147483648,2147483647", "too_far:distance" },
    { "a wall one step away", { HALL }, 0, "A>2,2", "not_traversable:tile" },
    { "a wall two steps away", { HALL }, 0, "A>3,0", "not_traversable:tile" },
    { "both corners are walls",
      { .levels = "#####/#A#.#/##..#/#..x#/#####" },
      0,
      "A>2,2",
      "too_far:distance" },
    { "a door", { HALL, .stands = "A@5,2" }, 0, "A>6,2", "ok" },
    { "void beyond a door", { HALL, .stands = "A@6,2" }, 0, "A>7,2", "not_traversable:tile" },
    { "through a door into void", { HALL, .stands = "A@5,2" }, 0, "A>7,2", "not_traversable:tile" },
    { "void off the level",
      { .levels = "+####/.A..#/#..x#/#####" },
      0,
      "A>-1,1",
      "not_traversable:tile" },
    { "over void", { HALL, .stands = "A@6,2" }, 0, "A>8,2", "too_far:distance" },
    { "a hallway", { .levels = "###  ###/#A+,,+x#/###  ###" }, 0, "A>3,1", "ok" },
    { "along a hallway",
      { .levels = "###  ###/#A+,,+x#/###  ###", .stands = "A@3,1" },
      0,
      "A>5,1",
      "ok" },
    { "the other hero's tile", { HALL }, 0, "A>3,3", "occupied:interaction" },
    { "the tile of a hero who has left", { HALL, .stands = "B=exited" }, 0, "A>3,3", "ok" },
    { "an adversary's tile", { .levels = "#####/#Az.#/#..x#/#####" }, 0, "A>2,1", "ok" },
    { "the other hero's name", { HALL }, 0, "B>3,4", "not_your_turn:own_turn" },
    { "nobody's name", { HALL }, 0, "C>3,1", "not_your_turn:own_turn" },
    { "a name that begins like the own", { HALL }, 0, "AA>3,1", "not_your_turn:own_turn" },
    { "an adversary's name",
      { .levels = "#####/#Az.#/#..x#/#####" },
      0,
      "zombie-1>3,1",
      "not_your_turn:own_turn" },
    { "the seat that is not to move", { HALL }, 1, "B>3,4", "not_your_turn:own_turn" },
    { "the seat that is not to move, unnamed", { HALL }, 1, ">3,4", "not_your_turn:own_turn" },
    { "the seat that is not to move, for the one who is",
      { HALL },
      1,
      "A>3,1",
      "not_your_turn:own_turn" },
    { "the second seat in its turn", { HALL, .active = "B" }, 1, "B>3,4", "ok" },
    { "the first seat in the second's turn",
      { HALL, .active = "B" },
      0,
      "A>3,1",
      "not_your_turn:own_turn" },
    { "a timeout of the seat to move", { HALL }, 0, "timeout", "ok" },
    { "a timeout of another seat", { HALL }, 1, "timeout", "not_your_turn:own_turn" },
    { "resigning in the own turn", { HALL }, 0, "resign", "ok" },
    { "resigning in another's turn", { HALL }, 1, "resign", "ok" },
    { "resigning after the exit", { HALL, .stands = "B=exited" }, 1, "resign", "ok" },
    { "resigning when expelled", { HALL, .stands = "B=expelled" }, 1, "abandon", "ok" },
    { "resigning twice", { HALL, .stands = "B=resigned" }, 1, "resign", "not_your_turn:own_turn" },
    { "staying away after resigning",
      { HALL, .stands = "B=resigned" },
      1,
      "abandon",
      "not_your_turn:own_turn" },
    { "agreeing to a draw in another's turn", { HALL }, 1, "agree_draw", "ok" },
    { "versus: seat 0 has every hero", { HALL, VERSUS, .active = "B" }, 0, "B>4,3", "ok" },
    { "versus: but only the one that is to move",
      { HALL, VERSUS },
      0,
      "B>4,3",
      "not_your_turn:own_turn" },
    { "versus: seat 1 has no hero", { HALL, VERSUS }, 1, "A>3,1", "not_your_turn:own_turn" },
    { "versus: resigning in another's turn", { HALL, VERSUS }, 1, "resign", "ok" },
};

#define ZOMBIE   VERSUS, .active = "zombie-1"
#define GHOST    VERSUS, .active = "ghost-1"
#define ZOMBIE_3 .options = "'mode':'versus','steps':{'zombie':3}", .active = "zombie-1"
#define GHOST_8  .options = "'mode':'versus','steps':{'ghost':8}", .active = "ghost-1"

static const struct check_case adversary_cases[] = {
    { "a zombie's step", { DARK, ZOMBIE }, 1, "zombie-1>4,1", "ok" },
    { "without naming it", { DARK, ZOMBIE }, 1, ">4,1", "ok" },
    { "seat 0 has no adversary", { DARK, ZOMBIE }, 0, "zombie-1>4,1", "not_your_turn:own_turn" },
    { "seat 0 in seat 1's turn", { DARK, ZOMBIE }, 0, "A>1,3", "not_your_turn:own_turn" },
    { "another adversary", { DARK, ZOMBIE }, 1, "ghost-1>4,2", "not_your_turn:own_turn" },
    { "an adversary that the level has not",
      { DARK, ZOMBIE },
      1,
      "ghost-2>4,2",
      "not_your_turn:own_turn" },
    { "a hero's turn", { DARK, VERSUS }, 1, "zombie-1>4,1", "not_your_turn:own_turn" },
    { "two steps", { DARK, ZOMBIE }, 1, "zombie-1>3,1", "too_far:distance" },
    { "a diagonal step", { DARK, ZOMBIE }, 1, "zombie-1>4,2", "too_far:distance" },
    { "a zombie at a wall", { DARK, ZOMBIE }, 1, "zombie-1>5,0", "not_traversable:tile" },
    { "a zombie at a door",
      { DARK, ZOMBIE, .stands = "zombie-1@5,2 ghost-1@1,1" },
      1,
      "zombie-1>6,2",
      "door:door" },
    { "a zombie onto a hero", { DARK, ZOMBIE, .stands = "A@4,1" }, 1, "zombie-1>4,1", "ok" },
    { "onto another adversary", { DARK, ZOMBIE }, 1, "zombie-1>5,2", "occupied:interaction" },
    { "staying", { DARK, ZOMBIE }, 1, "zombie-1>-", "must_move:must_move" },
    { "staying on the own tile", { DARK, ZOMBIE }, 1, "zombie-1>5,1", "must_move:must_move" },
    { "staying by a timeout", { DARK, ZOMBIE }, 1, "timeout", "ok" },
    { "a zombie that can only go through a door may stay",
      { .levels = "#####/#z+.#/##.A#/##.x#/#####", ZOMBIE },
      1,
      "zombie-1>-",
      "ok" },
    { "a zombie shut in by zombies may stay",
      { .levels = "######/#zz.x#/#gA..#/######", ZOMBIE },
      1,
      "zombie-1>-",
      "ok" },
    { "a zombie on a door may go from there",
      { DARK, ZOMBIE, .stands = "zombie-1@6,2 ghost-1@1,1" },
      1,
      "zombie-1>5,2",
      "ok" },
    { "a ghost's step", { DARK, GHOST }, 1, "ghost-1>4,2", "ok" },
    { "a ghost at a door", { DARK, GHOST }, 1, "ghost-1>6,2", "ok" },
    { "a ghost at a wall", { DARK, GHOST, .stands = "ghost-1@5,3" }, 1, "ghost-1>6,3", "ok" },
    { "a ghost at a pillar",
      { .levels = "#####/#.g.#/#.#x#/#A..#/#####", GHOST },
      1,
      "ghost-1>2,2",
      "ok" },
    { "a ghost at the void",
      { DARK, GHOST, .stands = "ghost-1@6,2" },
      1,
      "ghost-1>7,2",
      "not_traversable:tile" },
    { "a ghost's two steps", { DARK, GHOST }, 1, "ghost-1>3,2", "too_far:distance" },
    { "a ghost onto a zombie", { DARK, GHOST }, 1, "ghost-1>5,1", "occupied:interaction" },
    { "a ghost that stays", { DARK, GHOST }, 1, "ghost-1>-", "must_move:must_move" },
    { "a ghost that could only enter a wall may not stay",
      { .levels = "#####/#gz.#/#zAx#/#####", GHOST },
      1,
      "ghost-1>-",
      "must_move:must_move" },
    { "three steps of a zombie that has three", { DARK, ZOMBIE_3 }, 1, "zombie-1>3,2", "ok" },
    { "four are too many", { DARK, ZOMBIE_3 }, 1, "zombie-1>3,3", "too_far:distance" },
    { "as far as numbers go",
      { DARK, ZOMBIE_3 },
      1,
      "zombie-1>-2147483648,2147483647",
      "too_far:distance" },
    { "over others of its kind", { DARK, ZOMBIE_3 }, 1, "zombie-1>5,3", "ok" },
    { "a cell two steps away that only four lead to",
      { .levels = "#####/#z#.#/#.#.#/#.#A#/#..x#/#####", ZOMBIE_3 },
      1,
      "zombie-1>3,1",
      "too_far:distance" },
    { "three steps around a pillar",
      { .levels = "######/#..z.#/#.##.#/#...A#/#...x#/######", ZOMBIE_3 },
      1,
      "zombie-1>4,3",
      "ok" },
    { "not through a wall",
      { .levels = "######/#..z.#/#.##.#/#...A#/#...x#/######", ZOMBIE_3 },
      1,
      "zombie-1>3,3",
      "too_far:distance" },
    { "a zombie walks through no door",
      { .levels = "#####  ###/#A.z+,,+x#/#####  ###", ZOMBIE_3 },
      1,
      "zombie-1>5,1",
      "too_far:distance" },
    { "and onto none",
      { .levels = "#####  ###/#A.z+,,+x#/#####  ###", ZOMBIE_3 },
      1,
      "zombie-1>4,1",
      "door:door" },
    { "a ghost walks through doors",
      { .levels = "#####  ###/#A.g+,,+x#/#####  ###", GHOST_8 },
      1,
      "ghost-1>8,1",
      "ok" },
    { "a ghost walks through no wall",
      { .levels = "#####/#A#g#/#.#.#/#x#.#/#####", GHOST_8 },
      1,
      "ghost-1>1,2",
      "too_far:distance" },
    { "but into one",
      { .levels = "#####/#A#g#/#.#.#/#x#.#/#####", GHOST_8 },
      1,
      "ghost-1>2,3",
      "ok" },
    { "shut in by others it can step over them, so it may not stay",
      { .levels = "######/#zz.x#/#gA..#/######", ZOMBIE_3 },
      1,
      "zombie-1>-",
      "must_move:must_move" },
    { "a ghost in a hallway",
      { .levels = "###  ###/#A+,,+g#/###  #x#/     ###", GHOST, .stands = "ghost-1@3,1" },
      1,
      "ghost-1>3,0",
      "not_traversable:tile" },
};

/* The whole table of the seat's checks on what it sees, or one of them. */
static void
ask(struct table *table, const struct check_case *c, const struct sk_check *check,
    struct words *words)
{
    struct command_list list;
    struct sk_judgement judgement;
    struct sk_check_in in = {
        .ruleset = table->ruleset,
        .config = table->config,
        .view = table_look(table, c->seat),
        .judgements = &judgement,
        .work = table->turn.work,
        .seat = c->seat,
    };

    commands_init(&list, table->ruleset);
    dungeon_commands(c->command, &list);
    in.commands = commands_of(&list);
    if (check == NULL) {
        sk_validate(&in);
    } else {
        sk_validate_alone(&in, check);
    }
    words_clear(words);
    words_say(words, "%s", sk_verdict_name(table->ruleset, judgement.verdict));
    if (judgement.verdict != SK_VERDICT_OK) {
        words_say(words, ":%s", sk_check_name(table->ruleset, judgement));
    }
    commands_fini(&list);
}

/* The check that refuses also refuses alone, and those before it accept. */
static void
expect_verdict(const struct check_case *c)
{
    const char *speaker = strchr(c->gets, ':');
    bool is_spoken = false;
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&c->dungeon, &table);
    ask(&table, c, NULL, &words);
    cr_expect_str_eq(words.at, c->gets, "%s: %s", c->label, words.at);
    for (uint8_t i = 0; i < table.ruleset->check_count && !is_spoken; i++) {
        const struct sk_check *check = &table.ruleset->checks[i];

        is_spoken = speaker != NULL && strcmp(check->name, speaker + 1) == 0;
        ask(&table, c, check, &words);
        cr_expect_str_eq(words.at, is_spoken ? c->gets : "ok", "%s: %s alone says %s", c->label,
                         check->name, words.at);
    }
    cr_expect(table_guard_holds(&table));
    table_close(&table);
    words_fini(&words);
}

CASES(snarl_checks, a_heros_command_gets_its_verdict, hero_cases)
{
    expect_verdict(&hero_cases[*index]);
}

CASES(snarl_checks, an_adversarys_command_gets_its_verdict, adversary_cases)
{
    expect_verdict(&adversary_cases[*index]);
}

/* ---- hints are what the checks let pass --------------------------------------------------- */

struct hint_count {
    struct sk_hint_sink sink;
    uint32_t count;
};

static bool
count_hint(struct sk_hint_sink *sink, const void *command)
{
    (void)command;
    ((struct hint_count *)(void *)sink)->count++;
    return true;
}

static uint32_t
count_hints(struct table *table, uint8_t seat)
{
    struct hint_count hints = { { .take = count_hint }, 0 };

    table->ruleset->hints(table->config, table_look(table, seat), seat, &hints.sink);
    return hints.count;
}

/* Every cell around is tried as a command: as many are ok as there are hints. */
static uint32_t
count_ok_cells(struct table *table, const struct dungeon *dungeon, uint8_t seat)
{
    struct check_case c = { .dungeon = *dungeon, .seat = seat };
    char command[32];
    struct words words;
    uint32_t count = 0;

    words_init(&words);
    for (int32_t y = -4; y < 12; y++) {
        for (int32_t x = -4; x < 12; x++) {
            snprintf(command, sizeof(command), ">%d,%d", x, y);
            c.command = command;
            ask(table, &c, NULL, &words);
            count += strcmp(words.at, "ok") == 0;
        }
    }
    words_fini(&words);
    return count;
}

static const struct check_case *const all_cases[] = { hero_cases, adversary_cases };
static const size_t case_counts[] = { SK_COUNT_OF(hero_cases), SK_COUNT_OF(adversary_cases) };

Test(snarl_checks, hints_are_all_moves_that_are_ok)
{
    uint32_t seen = 0;

    for (size_t list = 0; list < SK_COUNT_OF(all_cases); list++) {
        for (size_t i = 0; i < case_counts[list]; i++) {
            const struct check_case *c = &all_cases[list][i];
            struct table table;
            uint32_t hints;

            dungeon_open(&c->dungeon, &table);
            hints = count_hints(&table, c->seat);
            cr_expect_eq(hints, count_ok_cells(&table, &c->dungeon, c->seat), "%s", c->label);
            seen += hints;
            table_close(&table);
        }
    }
    cr_expect_gt(seen, 100u);
}
