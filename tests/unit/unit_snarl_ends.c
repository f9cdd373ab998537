/* How levels and matches of snarl end: exits, expulsions, rounds, leaving, ranking. */
#include "tests/unit/play_case.h"

static const struct play_case level_cases[] = {
    { .label = "the first who leaves waits for the others",
      .dungeon = { TWO, IDLE, .stands = "A@4,2 B@4,1", .is_unlocked = true },
      .lists = { "A>5,2" },
      .gets = { "ok" },
      .events = "moved A 4,2 5,2; exited A 5,2",
      .after = "1.1 B: A=exited B@4,1 zombie-1@5,1 unlocked",
      .turns = 1 },
    { .label = "when the last has left the next level begins, each at its own start",
      .dungeon = { TWO, IDLE, .stands = "A=exited B@4,2", .active = "B", .round = 9,
                   .is_unlocked = true },
      .lists = { NULL, "B>5,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "a hero who was expelled is back",
      .dungeon = { TWO, IDLE, .stands = "A=expelled B@4,2", .active = "B", .is_unlocked = true },
      .lists = { NULL, "B>5,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "a hero who has resigned is not, and the others keep their starts",
      .dungeon = { TWO, IDLE, .stands = "A=resigned B@4,2", .active = "B", .is_unlocked = true },
      .lists = { NULL, "B>5,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 B: A=resigned B@1,1 unlocked",
      .turns = 1 },
    { .label = "the last is expelled but another has left: on to the next level",
      .dungeon = { TWO, IDLE, .stands = "A=exited B@4,1", .active = "B" },
      .lists = { NULL, "B>5,1" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,1 5,1; expelled B by zombie-1 5,1; level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "everybody is expelled: lost",
      .dungeon = { TWO, IDLE, .stands = "A=expelled B@4,1", .active = "B" },
      .lists = { NULL, "B>5,1 B>-" },
      .gets = { NULL, "ok match_over" },
      .events = "moved B 4,1 5,1; expelled B by zombie-1 5,1; level_ended 1 lost; "
                "game_ended lost -1",
      .after = "1.1 B: A=expelled B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 1 },
    { .label = "any: the first who leaves takes all along",
      .dungeon = { TWO, .options = "'level_end':'any','adversaries':'idle'", .stands = "A@4,2",
                   .is_unlocked = true },
      .lists = { "A>5,2" },
      .gets = { "ok" },
      .events = "moved A 4,2 5,2; exited A 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "any: an expulsion alone ends nothing",
      .dungeon = { TWO, .options = "'level_end':'any','adversaries':'idle'", .stands = "A@4,1" },
      .lists = { "A>5,1" },
      .gets = { "ok" },
      .events = "moved A 4,1 5,1; expelled A by zombie-1 5,1",
      .after = "1.1 B: A=expelled B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "the last level is left: won, and the level stays as it was",
      .dungeon = { TWO, IDLE, .level = 2, .stands = "A=expelled B@2,1", .active = "B" },
      .lists = { NULL, "B>2,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 2,1 2,2; exited B 2,2; level_ended 2 left; game_ended won 1",
      .after = "2.1 B: A=expelled B=exited unlocked",
      .outcome = "1 won",
      .turns = 1 },
    { .label = "a hero who has resigned is no rival",
      .dungeon = { TWO, IDLE, .level = 2, .stands = "A@2,1 B=resigned" },
      .lists = { "A>2,2" },
      .gets = { "ok" },
      .events = "moved A 2,1 2,2; exited A 2,2; level_ended 2 left; game_ended won 0",
      .after = "2.1 A: A=exited B=resigned unlocked",
      .outcome = "0 won",
      .turns = 1 },
    { .label = "versus: the heroes win",
      .dungeon = { TWO, VERSUS, .level = 2, .stands = "A=expelled B@2,1", .active = "B" },
      .lists = { "B>2,2" },
      .gets = { "ok" },
      .events = "moved B 2,1 2,2; exited B 2,2; level_ended 2 left; game_ended won 0",
      .after = "2.1 B: A=expelled B=exited unlocked",
      .outcome = "0 won",
      .turns = 1 },
    { .label = "versus: the adversaries win",
      .dungeon = { TWO, VERSUS, .stands = "A@4,1 B=expelled", .active = "zombie-1" },
      .lists = { NULL, "zombie-1>4,1" },
      .gets = { NULL, "ok" },
      .events = "moved zombie-1 5,1 4,1; expelled A by zombie-1 4,1; level_ended 1 lost; "
                "game_ended lost 1",
      .after = "1.1 zombie-1: A=expelled B=expelled zombie-1@4,1 locked",
      .outcome = "1 lost",
      .turns = 1 },
};

#define THREE_ROUNDS .options = "'adversaries':'idle','round_limit':3"

static const struct play_case round_cases[] = {
    { .label = "the last round but one",
      .dungeon = { ROOM, THREE_ROUNDS, .active = "B", .round = 2 },
      .lists = { NULL, "B>-" },
      .gets = { NULL, "ok" },
      .events = "",
      .after = "1.3 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "in the middle of the last round nothing happens yet",
      .dungeon = { ROOM, THREE_ROUNDS, .round = 3 },
      .lists = { "A>-" },
      .gets = { "ok" },
      .events = "",
      .after = "1.3 B: A@1,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "at its end all are expelled",
      .dungeon = { ROOM, THREE_ROUNDS, .active = "B", .round = 3 },
      .lists = { NULL, "B>2,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 3,2 2,2; expelled A by round_limit 1,1; expelled B by round_limit 2,2; "
                "level_ended 1 round_limit; game_ended lost -1",
      .after = "1.3 B: A=expelled B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 1 },
    { .label = "if somebody had left, the next level begins",
      .dungeon = { TWO, THREE_ROUNDS, .stands = "A=exited", .active = "B", .round = 3 },
      .lists = { NULL, "B>-" },
      .gets = { NULL, "ok" },
      .events = "expelled B by round_limit 3,2; level_ended 1 round_limit; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "if somebody had left the last level, it is won",
      .dungeon = { ROOM, THREE_ROUNDS, .stands = "A=exited", .active = "B", .round = 3 },
      .lists = { NULL, "B>-" },
      .gets = { NULL, "ok" },
      .events = "expelled B by round_limit 3,2; level_ended 1 round_limit; game_ended won 0",
      .after = "1.3 B: A=exited B=expelled zombie-1@5,1 locked",
      .outcome = "0 won",
      .turns = 1 },
    { .label = "leaving in the last move of the last round is in time",
      .dungeon = { ROOM, THREE_ROUNDS, .stands = "A=expelled B@4,2", .active = "B", .round = 3,
                   .is_unlocked = true },
      .lists = { NULL, "B>5,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; game_ended won 1",
      .after = "1.3 B: A=expelled B=exited zombie-1@5,1 unlocked",
      .outcome = "1 won",
      .turns = 1 },
    { .label = "a round past the limit, as a state from outside may have it",
      .dungeon = { ROOM, THREE_ROUNDS, .stands = "A=expelled", .active = "B", .round = 5 },
      .lists = { NULL, "B>-" },
      .gets = { NULL, "ok" },
      .events = "expelled B by round_limit 3,2; level_ended 1 round_limit; game_ended lost -1",
      .after = "1.5 B: A=expelled B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 1 },
    { .label = "versus: the round ends with its last adversary",
      .dungeon = { ROOM, .options = "'mode':'versus','round_limit':3", .active = "zombie-1",
                   .round = 3 },
      .lists = { NULL, "zombie-1>4,1" },
      .gets = { NULL, "ok" },
      .events = "moved zombie-1 5,1 4,1; expelled A by round_limit 1,1; "
                "expelled B by round_limit 3,2; level_ended 1 round_limit; game_ended lost 1",
      .after = "1.3 zombie-1: A=expelled B=expelled zombie-1@4,1 locked",
      .outcome = "1 lost",
      .turns = 1 },
};

static const struct play_case leaving_cases[] = {
    { .label = "the hero to move resigns: the next is to move",
      .dungeon = { ROOM, IDLE },
      .lists = { "resign" },
      .gets = { "ok" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "another resigns: the same hero is to move",
      .dungeon = { ROOM, IDLE },
      .lists = { NULL, "resign" },
      .gets = { NULL, "ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B=resigned zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "abandoning is the same",
      .dungeon = { ROOM, IDLE },
      .lists = { "abandon" },
      .gets = { "ok" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "the last of the round resigns: a new round",
      .dungeon = { ROOM, IDLE, .active = "B" },
      .lists = { NULL, "resign" },
      .gets = { NULL, "ok" },
      .events = "",
      .after = "1.2 A: A@1,1 B=resigned zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "others' commands are applied",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>2,1", "resign" },
      .gets = { "ok", "ok" },
      .events = "moved A 1,1 2,1",
      .after = "1.2 A: A@2,1 B=resigned zombie-1@5,1 locked",
      .turns = 2 },
    { .label = "its own commands are not: who has left is not to move",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>2,1 resign" },
      .gets = { "not_your_turn:own_turn ok" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "commands of a seat that did not owe before are refused",
      .dungeon = { ROOM, IDLE },
      .lists = { "resign", "B>2,2" },
      .gets = { "ok", "not_your_turn:own_turn" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "resigning twice",
      .dungeon = { ROOM, IDLE },
      .lists = { "resign resign" },
      .gets = { "ok not_your_turn:own_turn" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "resigning once more later changes nothing",
      .dungeon = { ROOM, IDLE, .stands = "B=resigned" },
      .lists = { NULL, "resign" },
      .gets = { NULL, "not_your_turn:own_turn" },
      .events = "",
      .after = "1.1 A: A@1,1 B=resigned zombie-1@5,1 locked",
      .turns = 0 },
    { .label = "the last hero resigns: lost",
      .dungeon = { ROOM, IDLE, .stands = "B=expelled" },
      .lists = { "resign", NULL },
      .gets = { "ok" },
      .events = "level_ended 1 lost; game_ended lost -1",
      .after = "1.1 A: A=resigned B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 1 },
    { .label = "everybody resigns at once: lost, two turns",
      .dungeon = { ROOM, IDLE },
      .lists = { "resign", "resign" },
      .gets = { "ok", "ok" },
      .events = "level_ended 1 lost; game_ended lost -1",
      .after = "1.1 B: A=resigned B=resigned zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 2 },
    { .label = "the last on the board resigns after another has left: on to the next level",
      .dungeon = { TWO, IDLE, .stands = "A=exited", .active = "B" },
      .lists = { NULL, "resign" },
      .gets = { NULL, "ok" },
      .events = "level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B=resigned unlocked",
      .turns = 1 },
    { .label = "a hero who resigns after leaving no longer counts as having left",
      .dungeon = { TWO, IDLE, .stands = "A=exited B@4,1", .active = "B" },
      .lists = { "resign", "B>5,1" },
      .gets = { "ok", "ok" },
      .events = "moved B 4,1 5,1; expelled B by zombie-1 5,1; level_ended 1 lost; "
                "game_ended lost -1",
      .after = "1.1 B: A=resigned B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 2 },
    { .label = "a hero who is expelled may resign, and is not back",
      .dungeon = { TWO, IDLE, .stands = "A=expelled B@4,2", .active = "B", .is_unlocked = true },
      .lists = { "resign", "B>5,2" },
      .gets = { "ok", "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 B: A=resigned B@1,1 unlocked",
      .turns = 2 },
    { .label = "a draw is agreed on",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>2,1", "agree_draw" },
      .gets = { "match_over", "ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .outcome = "draw_agreed",
      .turns = 1 },
    { .label = "versus: resigning gives the other side the win, nobody is taken off",
      .dungeon = { ROOM, VERSUS },
      .lists = { "A>2,1 resign", NULL },
      .gets = { "match_over ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .outcome = "1 resignation",
      .turns = 1 },
    { .label = "versus: the adversaries' side stays away",
      .dungeon = { ROOM, VERSUS },
      .lists = { NULL, "abandon" },
      .gets = { NULL, "ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .outcome = "0 abandoned",
      .turns = 1 },
    { .label = "versus: both resign",
      .dungeon = { ROOM, VERSUS },
      .lists = { "resign", "resign" },
      .gets = { "ok", "ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .outcome = "draw_resigned",
      .turns = 1 },
};

CASES(snarl_ends, levels_end_and_begin, level_cases)
{
    expect_play(&level_cases[*index]);
}

CASES(snarl_ends, the_round_limit_expels_those_who_are_left, round_cases)
{
    expect_play(&round_cases[*index]);
}

CASES(snarl_ends, a_hero_who_leaves_the_match_is_out_of_it, leaving_cases)
{
    expect_play(&leaving_cases[*index]);
}

/* ---- ranking ------------------------------------------------------------------------------ */

/* Keys, exits, expulsions of each hero, and who wins the last level that is over. */
struct ranking_case {
    const char *label;
    struct {
        uint8_t status;
        int32_t exits;
        int32_t keys;
        int32_t expulsions;
    } hero[3];
    const char *outcome;
};

#define EXITED   SNARL_EXITED
#define EXPELLED SNARL_EXPELLED
#define RESIGNED SNARL_RESIGNED

static const struct ranking_case ranking_cases[] = {
    { "exits first", { { EXITED, 1, 9, 0 }, { EXITED, 2, 0, 9 }, { EXITED, 0, 9, 0 } }, "1 won" },
    { "then keys", { { EXITED, 2, 1, 0 }, { EXITED, 2, 0, 0 }, { EXITED, 2, 2, 9 } }, "2 won" },
    { "then fewer expulsions",
      { { EXITED, 2, 1, 3 }, { EXITED, 2, 1, 1 }, { EXITED, 2, 1, 2 } },
      "1 won" },
    { "two equal at the top",
      { { EXITED, 2, 1, 1 }, { EXPELLED, 1, 1, 0 }, { EXITED, 2, 1, 1 } },
      "draw_equal" },
    { "all equal",
      { { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 } },
      "draw_equal" },
    { "two equal below the top",
      { { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 }, { EXITED, 2, 0, 0 } },
      "2 won" },
    { "two equal, then one better, then none",
      { { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 }, { EXITED, 1, 1, 0 } },
      "2 won" },
    { "one better, then two equal",
      { { EXITED, 1, 1, 0 }, { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 } },
      "0 won" },
    { "a hero who has resigned is below all others",
      { { RESIGNED, 9, 9, 0 }, { EXITED, 1, 0, 0 }, { EXPELLED, 0, 0, 1 } },
      "1 won" },
    { "a hero who has resigned is equal to nobody",
      { { RESIGNED, 1, 0, 0 }, { EXITED, 1, 0, 0 }, { RESIGNED, 1, 0, 0 } },
      "1 won" },
    { "an expelled hero can be first",
      { { EXPELLED, 3, 0, 1 }, { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 } },
      "0 won" },
    { "nobody has left",
      { { EXPELLED, 3, 1, 1 }, { EXPELLED, 1, 0, 0 }, { RESIGNED, 0, 0, 0 } },
      "lost" },
};

CASES(snarl_ends, the_ranking_decides_who_won, ranking_cases)
{
    static const struct dungeon dungeon = { .levels = "#####/#ABC#/#..x#/#####" };
    const struct ranking_case *c = &ranking_cases[*index];
    struct snarl_position *position;
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&dungeon, &table);
    position = snarl_position(table.match.state);
    for (size_t i = 0; i < SK_COUNT_OF(c->hero); i++) {
        position->hero[i] = (struct snarl_hero){
            .status = c->hero[i].status,
            .exits = c->hero[i].exits,
            .keys = c->hero[i].keys,
            .expulsions = c->hero[i].expulsions,
        };
    }
    sk_turn_settle(table.ruleset, table.config, table.match.state);
    say_outcome(&table, table.match.state, &words);
    expect_words(&words, c->outcome, c->label, "outcome");
    table_close(&table);
    words_fini(&words);
}

/* ---- what is counted ---------------------------------------------------------------------- */

Test(snarl_ends, keys_exits_and_expulsions_are_counted_over_all_levels)
{
    static const struct dungeon dungeon = {
        .levels = "#######/#A.kx.#/#Bz...#/#######|#######/#A.kx.#/#Bz...#/#######",
        IDLE,
    };
    static const char *const rounds[][SK_SEATS_MAX] = {
        { "A>3,1" },       { NULL, "B>2,2" }, { "A>4,1" },       { "A>2,2" },
        { NULL, "B>2,1" }, { NULL, "B>3,1" }, { NULL, "B>4,1" },
    };
    const struct snarl_position *position;
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&dungeon, &table);
    for (size_t i = 0; i < SK_COUNT_OF(rounds); i++) {
        dungeon_play(&table, rounds[i], &words);
    }
    position = snarl_position(table.match.state);
    cr_expect(table.match.state->outcome.is_over, "%s", words.at);
    cr_expect_eq(position->hero[0].keys, 1);
    cr_expect_eq(position->hero[0].exits, 1);
    cr_expect_eq(position->hero[0].expulsions, 1);
    cr_expect_eq(position->hero[1].keys, 1);
    cr_expect_eq(position->hero[1].exits, 1);
    cr_expect_eq(position->hero[1].expulsions, 1);
    cr_expect_eq(table.match.state->outcome.reason, SNARL_DRAW_EQUAL, "%s", words.at);
    table_close(&table);
    words_fini(&words);
}
