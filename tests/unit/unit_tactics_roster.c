/*
 * The roster of a published game of this kind (data/published-roster.json),
 * played for three turns whose results were computed by hand.
 */
#include "common/rules/tactics/internal.h"
#include "tests/support/cases.h"
#include "tests/support/say.h"
#include "tests/support/tactics_draw.h"

/* ---- its numbers ------------------------------------------------------------------------- */

struct model_case {
    const char *name;
    int32_t health;
    int32_t power;
    int32_t x; /* where it starts: seat 0 on row 8, seat 1 on row 0 */
};

static const struct model_case model_cases[] = {
    { "blossom", 35, 5, 1 },  { "bombo", 28, 8, 2 },     { "prometheus", 20, 20, 3 },
    { "stablin", 21, 25, 4 }, { "fitzooth", 20, 17, 5 }, { "flash", 17, 6, 6 },
};

static void
open_roster(struct table *table)
{
    struct sk_seed seed = table_seed(1);
    struct words json;

    words_init(&json);
    words_read_file(&json, SK_TEST_DATA "/published-roster.json");
    table_open_json(table, &sk_ruleset_tactics, json.at, &seed);
    words_fini(&json);
}

CASES(tactics_roster, has_the_published_numbers, model_cases)
{
    const struct model_case *c = &model_cases[*index];
    struct table table;
    const struct tactics_position *position;

    open_roster(&table);
    position = tactics_position_of(table.match.state);
    for (uint32_t seat = 0; seat < 2; seat++) {
        uint32_t unit = (uint32_t)*index + seat * (uint32_t)SK_COUNT_OF(model_cases);
        const struct tactics_model *model = tactics_model_of(table.config, unit);

        cr_expect_str_eq(model->name.at, c->name);
        cr_expect_eq(model->health, c->health);
        cr_expect_eq(model->power, c->power);
        cr_expect_eq(position->unit[unit].health, c->health);
        cr_expect(sk_cell_same(tactics_cell_of(position, unit), sk_cell(c->x, seat == 0 ? 8 : 0)));
    }
    table_close(&table);
}

/* ---- three turns ------------------------------------------------------------------------- */

struct turn_case {
    const char *host;
    const char *guest;
    const char *host_gets;
    const char *guest_gets;
    const char *events;
    const char *healths;
};

/*
 * Of the second turn: stablin jumps over its counterpart, whose blow backwards
 * was ordered twice and so falls; prometheus burns everybody around it, itself
 * first of all.
 *
 * Of the third: stablin moves into a bomb and a shot at once (8 + 17 against
 * 21); blossom hits the bomber beside it; flash hits the one that stood
 * beside it and the one that moved in.
 */
static const struct turn_case turn_cases[] = {
    { .host = "a-stablin>4,5 a-flash>6,5 a-prometheus>5,6 a-fitzooth>3,8 a-bombo*2,8",
      .guest = "b-stablin>4,3 b-fitzooth>7,0 b-blossom>2,1 b-flash>6,4",
      .host_gets = "ok ok ok occupied:occupied out_of_pattern:attack_in_pattern",
      .guest_gets = "ok ok ok out_of_pattern:move_in_pattern",
      .events = "moved a-prometheus 3,8 5,6; moved a-stablin 4,8 4,5; moved a-flash 6,8 6,5; "
                "moved b-blossom 1,0 2,1; moved b-stablin 4,0 4,3; moved b-fitzooth 5,0 7,0",
      .healths = "a-blossom=35 a-bombo=28 a-prometheus=20 a-stablin=21 a-fitzooth=20 a-flash=17 "
                 "b-blossom=35 b-bombo=28 b-prometheus=20 b-stablin=21 b-fitzooth=20 b-flash=17" },
    { .host = "a-stablin>4,2 a-prometheus*5,6",
      .guest = "b-stablin*4,2 b-stablin*9,9 b-bombo>2,1",
      .host_gets = "ok ok",
      .guest_gets = "multiple_commands:single_command multiple_commands:single_command "
                    "occupied:occupied",
      .events = "moved a-stablin 4,5 4,2; attacked a-prometheus 5,6 on 4,5 5,5 6,5 3,6 4,6 5,6 "
                "6,6 7,6 4,7 5,7 6,7; hit a-prometheus by a-prometheus for 20 left 0; "
                "hit a-flash by a-prometheus for 20 left -3; died a-prometheus; died a-flash",
      .healths = "a-blossom=35 a-bombo=28 a-stablin=21 a-fitzooth=20 "
                 "b-blossom=35 b-bombo=28 b-prometheus=20 b-stablin=21 b-fitzooth=20 b-flash=17" },
    { .host = "a-stablin>4,1 a-bombo*3,6 a-fitzooth*4,6 a-blossom*1,8",
      .guest = "b-stablin>4,6 b-flash*6,0 b-prometheus>5,2",
      .host_gets = "ok ok ok ok",
      .guest_gets = "ok ok ok",
      .events = "moved a-stablin 4,2 4,1; moved b-prometheus 3,0 5,2; moved b-stablin 4,3 4,6; "
                "attacked a-blossom 1,8 on 0,6 2,6 3,6 1,7 3,7 0,8 2,8; "
                "attacked a-bombo 3,6 on 3,5 2,6 3,6 4,6 3,7; attacked a-fitzooth 4,6 on 4,6; "
                "attacked b-flash 6,0 on 5,0 7,0 6,1 5,2; hit a-bombo by a-blossom for 5 left 23; "
                "hit b-prometheus by b-flash for 6 left 14; "
                "hit b-stablin by a-bombo a-fitzooth for 25 left -4; "
                "hit b-fitzooth by b-flash for 6 left 14; died b-stablin",
      .healths = "a-blossom=35 a-bombo=23 a-stablin=21 a-fitzooth=20 "
                 "b-blossom=35 b-bombo=28 b-prometheus=14 b-fitzooth=14 b-flash=17" },
};

static void
expect_turn(struct table *table, const struct turn_case *c, size_t number)
{
    const char *gets[2] = { c->host_gets, c->guest_gets };
    struct command_list lists[2];
    struct words words;

    words_init(&words);
    commands_init(&lists[0], table->ruleset);
    commands_init(&lists[1], table->ruleset);
    drawing_commands(c->host, &lists[0]);
    drawing_commands(c->guest, &lists[1]);
    table_play(table, (const struct command_list *const[]){ &lists[0], &lists[1] });
    for (uint8_t seat = 0; seat < 2; seat++) {
        words_clear(&words);
        say_verdicts(table, table->turn.judgements[seat], lists[seat].count, &words);
        cr_expect_str_eq(words.at, gets[seat], "turn %zu: seat %u gets %s", number, seat, words.at);
    }
    words_clear(&words);
    drawing_say_events(table, &words);
    cr_expect_str_eq(words.at, c->events, "turn %zu: %s", number, words.at);
    words_clear(&words);
    drawing_say_healths(table, table->match.state, &words);
    cr_expect_str_eq(words.at, c->healths, "turn %zu: %s", number, words.at);
    commands_fini(&lists[0]);
    commands_fini(&lists[1]);
    words_fini(&words);
}

Test(tactics_roster, plays_as_worked_out_by_hand)
{
    struct table table;

    open_roster(&table);
    for (size_t i = 0; i < SK_COUNT_OF(turn_cases); i++) {
        expect_turn(&table, &turn_cases[i], i + 1);
    }
    cr_expect_eq(table.match.state->turn, 3u);
    cr_expect_not(table.match.state->outcome.is_over);
    table_close(&table);
}
