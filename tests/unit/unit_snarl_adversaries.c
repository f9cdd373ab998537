/* How the server plays adversaries, and what chance decides. */
#include <stdlib.h>
#include <string.h>

#include "common/rules/snarl/internal.h"
#include "tests/support/cases.h"
#include "tests/support/snarl_draw.h"

/* ---- what does not depend on chance ------------------------------------------------------- */

struct hunt_case {
    const char *label;
    struct dungeon dungeon;
    const char *lists[SK_SEATS_MAX];
    const char *events;
    const char *after;
};

static const struct hunt_case hunt_cases[] = {
    { .label = "a zombie comes nearer: up before left",
      .dungeon = { .levels = "######/#A..x#/#....#/#..z.#/######" },
      .lists = { "A>-" },
      .events = "moved zombie-1 3,3 3,2",
      .after = "1.2 A: A@1,1 zombie-1@3,2 unlocked" },
    { .label = "with two steps it comes nearer by two, of equally good ways the first",
      .dungeon = { .levels = "######/#A..x#/#....#/#..z.#/######",
                   .options = "'steps':{'zombie':2}" },
      .lists = { "A>-" },
      .events = "moved zombie-1 3,3 3,1",
      .after = "1.2 A: A@1,1 zombie-1@3,1 unlocked" },
    { .label = "with three steps it takes a hero three away",
      .dungeon = { .levels = "######/#A...#/#..zx#/######", .options = "'steps':{'zombie':3}" },
      .lists = { "A>-" },
      .events = "moved zombie-1 3,2 1,1; expelled A by zombie-1 1,1; level_ended 1 lost; "
                "game_ended lost -1",
      .after = "1.1 zombie-1: A=expelled zombie-1@1,1 unlocked" },
    { .label = "a hero nearer than its steps is not passed",
      .dungeon = { .levels = "#######/#.Az.x#/#######", .options = "'steps':{'zombie':8}" },
      .lists = { "A>-" },
      .events = "moved zombie-1 3,1 2,1; expelled A by zombie-1 2,1; level_ended 1 lost; "
                "game_ended lost -1",
      .after = "1.1 zombie-1: A=expelled zombie-1@2,1 unlocked" },
    { .label = "left before down",
      .dungeon = { .levels = "######/#..zx#/#....#/#A...#/######" },
      .lists = { "A>-" },
      .events = "moved zombie-1 3,1 2,1",
      .after = "1.2 A: A@1,3 zombie-1@2,1 unlocked" },
    { .label = "right before down",
      .dungeon = { .levels = "######/#z..x#/#....#/#..A.#/######" },
      .lists = { "A>-" },
      .events = "moved zombie-1 1,1 2,1",
      .after = "1.2 A: A@3,3 zombie-1@2,1 unlocked" },
    { .label = "down when only that leads nearer",
      .dungeon = { .levels = "######/#z..x#/#....#/#A...#/######" },
      .lists = { "A>-" },
      .events = "moved zombie-1 1,1 1,2",
      .after = "1.2 A: A@1,3 zombie-1@1,2 unlocked" },
    { .label = "around a wall, by the shorter way",
      .dungeon = { .levels = "#######/#.....#/#.#####/#z#A.x#/#.....#/#######" },
      .lists = { "A>-" },
      .events = "moved zombie-1 1,3 1,4",
      .after = "1.2 A: A@3,3 zombie-1@1,4 unlocked" },
    { .label = "the nearer hero",
      .dungeon = { .levels = "########/#A..z.B#/#.....x#/########", .active = "B" },
      .lists = { NULL, "B>-" },
      .events = "moved zombie-1 4,1 5,1",
      .after = "1.2 A: A@1,1 B@6,1 zombie-1@5,1 unlocked" },
    { .label = "of heroes equally near the lower seat's",
      .dungeon = { .levels = "#######/#B.z.A#/#....x#/#######", .active = "B" },
      .lists = { NULL, "B>-" },
      .events = "moved zombie-1 3,1 4,1",
      .after = "1.2 A: A@5,1 B@1,1 zombie-1@4,1 unlocked" },
    { .label = "a hero who is gone is not hunted",
      .dungeon = { .levels = "#######/#A.z.B#/#....x#/#######",
                   .active = "B",
                   .stands = "A=expelled" },
      .lists = { NULL, "B>-" },
      .events = "moved zombie-1 3,1 4,1",
      .after = "1.2 B: A=expelled B@5,1 zombie-1@4,1 unlocked" },
    { .label = "a zombie takes the hero next to it",
      .dungeon = { .levels = "######/#A..x#/#Bz..#/######", .active = "B" },
      .lists = { NULL, "B>-" },
      .events = "moved zombie-1 2,2 1,2; expelled B by zombie-1 1,2",
      .after = "1.2 A: A@1,1 B=expelled zombie-1@1,2 unlocked" },
    { .label = "the last hero of the level is taken: lost, and the others do not move any more",
      .dungeon = { .levels = "######/#A.zx#/#z..z#/######" },
      .lists = { "A>2,1" },
      .events = "moved A 1,1 2,1; moved zombie-1 3,1 2,1; expelled A by zombie-1 2,1; "
                "level_ended 1 lost; game_ended lost -1",
      .after = "1.1 zombie-1: A=expelled zombie-1@2,1 zombie-2@1,2 zombie-3@4,2 unlocked" },
    { .label = "the last is taken after another has left: the next level begins",
      .dungeon = { .levels = "######/#A.zx#/#zB..#/######|#####/#AB.#/#..x#/#####",
                   .stands = "B=exited" },
      .lists = { "A>2,1" },
      .events = "moved A 1,1 2,1; moved zombie-1 3,1 2,1; expelled A by zombie-1 2,1; "
                "level_ended 1 left; level_started 2",
      .after = "2.1 A: A@1,1 B@2,1 unlocked" },
    { .label = "one after the other, each by what the one before left",
      .dungeon = { .levels = "########/#A....x#/#.zz...#/########" },
      .lists = { "A>-" },
      .events = "moved zombie-1 2,2 2,1; moved zombie-2 3,2 3,1",
      .after = "1.2 A: A@1,1 zombie-1@2,1 zombie-2@3,1 unlocked" },
    { .label = "the way is blocked by another: it must move all the same",
      .dungeon = { .levels = "########/#.zzAB.#/###..x##/########", .active = "B" },
      .lists = { NULL, "B>-" },
      .events = "moved zombie-1 2,1 1,1; moved zombie-2 3,1 4,1; expelled A by zombie-2 4,1",
      .after = "1.2 B: A=expelled B@5,1 zombie-1@1,1 zombie-2@4,1 unlocked" },
    { .label = "of steps that lead equally far away the first",
      .dungeon = { .levels = "########/#.zzAB.#/#....x##/########", .active = "B" },
      .lists = { NULL, "B>-" },
      .events = "moved zombie-1 2,1 1,1; moved zombie-2 3,1 4,1; expelled A by zombie-2 4,1",
      .after = "1.2 B: A=expelled B@5,1 zombie-1@1,1 zombie-2@4,1 unlocked" },
    { .label = "a zombie that cannot move stays",
      .dungeon = { .levels = "####  ###/#A.+,,+z#/#x.#  ###/####" },
      .lists = { "A>-" },
      .events = "",
      .after = "1.2 A: A@1,1 zombie-1@7,1 unlocked" },
    { .label = "a hero in the door is in the room, but out of reach",
      .dungeon = { .levels = "#####  ###/#...+,,+A#/#..z#  #x#/#####  ###", .stands = "A@4,1" },
      .lists = { "A>-" },
      .events = "moved zombie-1 3,2 3,1",
      .after = "1.2 A: A@4,1 zombie-1@3,1 unlocked" },
    { .label = "a ghost comes through the door",
      .dungeon = { .levels = "#####  ###/#...+,,+g#/#A..#  #x#/#####  ###" },
      .lists = { "A>-" },
      .events = "moved ghost-1 8,1 7,1",
      .after = "1.2 A: A@1,2 ghost-1@7,1 unlocked" },
    { .label = "a ghost ten steps away comes",
      .dungeon = { .levels = "#####      ###/#..A+,,,,,,+g#/#...#      #x#/#####      ###",
                   .stands = "A@2,1" },
      .lists = { "A>-" },
      .events = "moved ghost-1 12,1 11,1",
      .after = "1.2 A: A@2,1 ghost-1@11,1 unlocked" },
    { .label = "a ghost next to a hero in a hallway takes it",
      .dungeon = { .levels = "#####  ###/#...+,,+g#/#A..#  #x#/#####  ###",
                   .stands = "A@6,1 ghost-1@7,1" },
      .lists = { "A>-" },
      .events = "moved ghost-1 7,1 6,1; expelled A by ghost-1 6,1; level_ended 1 lost; "
                "game_ended lost -1",
      .after = "1.1 ghost-1: A=expelled ghost-1@6,1 unlocked" },
    { .label = "after the last hero's resignation of a round the adversaries move",
      .dungeon = { .levels = "######/#AB.x#/#....#/#...z#/######", .active = "B" },
      .lists = { NULL, "resign" },
      .events = "moved zombie-1 4,3 4,2",
      .after = "1.2 A: A@1,1 B=resigned zombie-1@4,2 unlocked" },
    { .label = "an earlier one's resignation moves none",
      .dungeon = { .levels = "######/#AB.x#/#....#/#...z#/######" },
      .lists = { "resign" },
      .events = "",
      .after = "1.1 B: A=resigned B@2,1 zombie-1@4,3 unlocked" },
    { .label = "idle ones do not move",
      .dungeon = { .levels = "######/#A..x#/#..g.#/#..z.#/######",
                   .options = "'adversaries':'idle'" },
      .lists = { "A>-" },
      .events = "",
      .after = "1.2 A: A@1,1 ghost-1@3,2 zombie-1@3,3 unlocked" },
};

CASES(snarl_adversaries, hunt_by_path_length, hunt_cases)
{
    const struct hunt_case *c = &hunt_cases[*index];
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&c->dungeon, &table);
    dungeon_play(&table, c->lists, &words);
    cr_expect_str_eq(words.at, c->events, "%s: %s", c->label, words.at);
    words_clear(&words);
    dungeon_say_position(&table, table.match.state, &words);
    cr_expect_str_eq(words.at, c->after, "%s: %s", c->label, words.at);
    cr_expect(table_guard_holds(&table));
    table_close(&table);
    words_fini(&words);
}

/* ---- what chance decides ------------------------------------------------------------------ */

#define TRIES 200

/* Plays the same first turn by many seeds; notes where the first adversary came to. */
struct tries {
    uint32_t at[16][16]; /* how often, by y and x */
    uint32_t places;
    struct words last;
};

static void
try_turns(const struct dungeon *dungeon, const char *command, struct tries *tries)
{
    const char *lists[SK_SEATS_MAX] = { command };

    memset(tries, 0, sizeof(*tries));
    words_init(&tries->last);
    for (uint32_t i = 0; i < TRIES; i++) {
        struct table table;
        struct sk_cell at;

        dungeon_open(dungeon, &table);
        table.match.seed = table_seed(i);
        words_clear(&tries->last);
        dungeon_play(&table, lists, &tries->last);
        at = snarl_position(table.match.state)->adversary[0].at;
        tries->places += tries->at[at.y][at.x]++ == 0;
        table_close(&table);
    }
}

Test(snarl_adversaries, a_zombie_that_sees_nobody_goes_anywhere_but_stays_nowhere)
{
    static const struct dungeon dungeon = {
        .levels = "###   #####/#A+,,,+...#/#x#   #.z.#/###   +...#/      #####",
    };
    struct tries tries;

    try_turns(&dungeon, "A>-", &tries);
    cr_expect_eq(tries.places, 4u);
    cr_expect_gt(tries.at[1][8], TRIES / 8u);
    cr_expect_gt(tries.at[2][7], TRIES / 8u);
    cr_expect_gt(tries.at[2][9], TRIES / 8u);
    cr_expect_gt(tries.at[3][8], TRIES / 8u);
    words_fini(&tries.last);
}

/* Eleven steps are too far: the ghost heads for the nearest wall, here the one above it. */
Test(snarl_adversaries, a_ghost_that_reaches_nobody_heads_for_a_wall)
{
    static const struct dungeon dungeon = {
        .levels = "#####      ###/#..A+,,,,,,+g#/#...#      #x#/#####      ###",
        .stands = "A@1,1",
    };
    struct tries tries;

    try_turns(&dungeon, "A>-", &tries);
    cr_expect_str_eq(strtok(tries.last.at, ";"), "moved ghost-1 12,1 12,0");
    cr_expect_eq(tries.at[1][12], 0u, "it is its own tile that is not free");
    cr_expect_gt(tries.places, 3u);
    words_fini(&tries.last);
}

Test(snarl_adversaries, a_ghost_in_a_hallway_goes_to_the_nearest_wall)
{
    static const struct dungeon dungeon = {
        .levels =
            "###              ###/#A+,,,,,,,,,,,,,,+g#/#.#              #x#/###              ###",
        .stands = "ghost-1@14,1",
    };
    struct tries tries;

    try_turns(&dungeon, "A>-", &tries);
    cr_expect_eq(tries.places, 1u);
    cr_expect_eq(tries.at[1][15], (uint32_t)TRIES, "%s", tries.last.at);
    words_fini(&tries.last);
}

/* Two rooms with free tiles: one of two, one of four.  Each room is as likely as the other. */
Test(snarl_adversaries, a_wall_leads_to_a_random_room_and_then_to_a_random_tile_of_it)
{
    static const struct dungeon dungeon = {
        .levels = "#####  ####/#A..#  #..#/#x.g+,,+..#/#####  ####",
        .options = "'mode':'versus'",
        .active = "ghost-1",
        .stands = "A@1,1",
    };
    const char *lists[SK_SEATS_MAX] = { NULL, "ghost-1>3,3" };
    uint32_t counts[2] = { 0, 0 };

    for (uint32_t i = 0; i < TRIES; i++) {
        const struct snarl_event *relocated;
        struct table table;
        struct words words;
        struct sk_cell at;

        words_init(&words);
        dungeon_open(&dungeon, &table);
        table.match.seed = table_seed(i);
        dungeon_play(&table, lists, &words);
        at = snarl_position(table.match.state)->adversary[0].at;
        cr_expect_eq(strncmp(words.at, "moved ghost-1 3,2 3,3; relocated ghost-1 3,3 ", 45), 0,
                     "%s", words.at);
        relocated = (const struct snarl_event *)(const void *)table.turn.events.last;
        cr_expect(sk_cell_same(relocated->at, at));
        cr_expect_not(sk_cell_same(at, sk_cell(1, 1)), "the hero stands there");
        cr_expect_not(sk_cell_same(at, sk_cell(1, 2)), "the exit is there");
        cr_expect_not(sk_cell_same(at, sk_cell(3, 2)), "it came from there");
        counts[at.x > 5]++;
        table_close(&table);
        words_fini(&words);
    }
    cr_expect_eq(counts[0] + counts[1], (uint32_t)TRIES);
    cr_expect(counts[0] > TRIES / 3 && counts[1] > TRIES / 3, "%u and %u", counts[0], counts[1]);
}

/* The taken key's tile is free, the key's is not. */
Test(snarl_adversaries, where_no_tile_is_free_a_ghost_comes_out_where_it_went_in)
{
    static const struct dungeon full = {
        .levels = "#####/#gkA#/##x##/#####",
        .options = "'mode':'versus'",
        .active = "ghost-1",
    };
    static const struct dungeon taken = {
        .levels = "#####/#gkA#/##x##/#####",
        .options = "'mode':'versus'",
        .active = "ghost-1",
        .is_unlocked = true,
    };
    const char *lists[SK_SEATS_MAX] = { NULL, "ghost-1>1,0" };
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&full, &table);
    dungeon_play(&table, lists, &words);
    cr_expect_str_eq(words.at, "", "%s", words.at);
    dungeon_say_position(&table, table.match.state, &words);
    cr_expect_str_eq(words.at, "1.2 A: A@3,1 ghost-1@1,1 locked", "%s", words.at);
    table_close(&table);
    words_clear(&words);
    dungeon_open(&taken, &table);
    dungeon_play(&table, lists, &words);
    cr_expect_str_eq(words.at, "moved ghost-1 1,1 1,0; relocated ghost-1 1,0 2,1", "%s", words.at);
    table_close(&table);
    words_fini(&words);
}

/* ---- starts that are left to chance ------------------------------------------------------- */

struct start_case {
    int32_t level;
    uint16_t zombies;
    uint16_t ghosts;
};

static const struct start_case number_cases[] = {
    { 1, 1, 0 }, { 2, 2, 0 }, { 3, 2, 1 }, { 4, 3, 1 }, { 5, 3, 2 }, { 6, 4, 2 }, { 7, 4, 3 },
};

static void
open_small_levels(struct table *table, uint64_t seed)
{
    static const char level[] =
        "{'rooms':[{'origin':[0,0],'bounds':{'rows':4,'columns':5},'layout':"
        "[[0,0,0,0,0],[0,1,1,1,0],[0,1,1,1,0],[0,0,0,0,0]]},"
        "{'origin':[0,7],'bounds':{'rows':4,'columns':5},'layout':"
        "[[0,0,0,0,0],[0,1,1,1,0],[2,1,1,1,0],[0,0,0,0,0]]}],"
        "'hallways':[],'objects':[{'type':'exit','position':[1,2]},"
        "{'type':'key','position':[1,9]}]}";
    struct sk_seed chance = table_seed(seed);
    struct words params;

    words_init(&params);
    words_say(&params, "{\"heroes\":[\"A\",\"B\"],\"levels\":[");
    for (int i = 0; i < 7; i++) {
        words_say(&params, "%s", i == 0 ? "" : ",");
        words_say_json(&params, level);
    }
    words_say(&params, "]}");
    table_open_json(table, &sk_ruleset_snarl, params.at, &chance);
    words_fini(&params);
}

static void
count_kinds(const struct snarl_config *config, const struct snarl_level *level, uint16_t *ret_kinds)
{
    for (uint32_t i = 0; i < level->adversary_count; i++) {
        ret_kinds[snarl_adversaries_of(config, level)[i].kind]++;
    }
}

CASES(snarl_adversaries, numbers_follow_from_the_level, number_cases)
{
    const struct start_case *c = &number_cases[*index];
    uint16_t kinds[SNARL_KIND_COUNT] = { 0 };
    struct table table;

    open_small_levels(&table, 1);
    count_kinds(table.config, snarl_level_at(table.config, c->level - 1), kinds);
    cr_expect_eq(kinds[SNARL_ZOMBIE], c->zombies, "level %d", c->level);
    cr_expect_eq(kinds[SNARL_GHOST], c->ghosts, "level %d", c->level);
    table_close(&table);
}

/* Heroes on the first free floor tiles of the first room; adversaries in the last one. */
Test(snarl_adversaries, without_starts_everybody_begins_at_the_rules_places)
{
    bool seen[4][12] = { { false } };
    uint32_t places = 0;

    for (uint64_t seed = 0; seed < TRIES; seed++) {
        const struct snarl_position *position;
        struct table table;
        struct sk_cell at;

        open_small_levels(&table, seed);
        position = snarl_position_of(table.match.state);
        cr_expect(sk_cell_same(position->hero[0].at, sk_cell(1, 1)));
        cr_expect(sk_cell_same(position->hero[1].at, sk_cell(3, 1)), "the exit is at 2,1");
        at = position->adversary[0].at;
        cr_expect(at.x >= 8 && at.x <= 10 && at.y >= 1 && at.y <= 2, "%d,%d", at.x, at.y);
        cr_expect_not(sk_cell_same(at, sk_cell(9, 1)), "the key is there");
        places += !seen[at.y][at.x];
        seen[at.y][at.x] = true;
        table_close(&table);
    }
    cr_expect_eq(places, 5u);
}

/* Seven in the seventh level: five fit into the last room, the others into the one before. */
Test(snarl_adversaries, when_the_last_room_is_full_the_one_before_is_next)
{
    struct snarl_position *position;
    struct sk_seed seed = table_seed(3);
    struct table table;

    open_small_levels(&table, 3);
    position = snarl_position(table.match.state);
    cr_assert_eq(snarl_level_at(table.config, 5)->adversary_count, 6);
    position->level = 5;
    snarl_begin_level(table.config, &seed, 9, position);
    for (uint32_t i = 0; i < 6; i++) {
        struct sk_cell at = position->adversary[i].at;

        cr_expect(position->adversary[i].is_here);
        cr_expect_eq(at.x >= 7, i < 5, "adversary %u is at %d,%d", i, at.x, at.y);
        for (uint32_t j = 0; j < i; j++) {
            cr_expect_not(sk_cell_same(at, position->adversary[j].at));
        }
        for (uint32_t j = 0; j < 2; j++) {
            cr_expect_not(sk_cell_same(at, position->hero[j].at));
        }
    }
    table_close(&table);
}

/* Every stream of chance depends on seed, turn and level, on nothing else. */
Test(snarl_adversaries, chance_depends_on_seed_turn_and_level)
{
    struct sk_seed seed = table_seed(3);
    struct sk_seed other = table_seed(4);
    struct snarl_position *position;
    uint8_t *kept;
    size_t size;
    struct table table;

    open_small_levels(&table, 3);
    position = snarl_position(table.match.state);
    size = snarl_position_size(table.config);
    kept = malloc(size);
    cr_assert_not_null(kept);
    position->level = 5;
    snarl_begin_level(table.config, &seed, 9, position);
    memcpy(kept, position, size);
    snarl_begin_level(table.config, &seed, 10, position);
    cr_expect_neq(memcmp(kept, position, size), 0, "another turn, the same places");
    snarl_begin_level(table.config, &other, 9, position);
    cr_expect_neq(memcmp(kept, position, size), 0, "another seed, the same places");
    snarl_begin_level(table.config, &seed, 9, position);
    cr_expect_arr_eq(kept, position, size);
    free(kept);
    table_close(&table);
}
