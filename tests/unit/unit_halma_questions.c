/* Single questions of halma that other programs ask: see halma.h. */
#include <stdio.h>

#include "common/core/rules.h"
#include "common/rules/halma/internal.h"
#include "tests/support/halma_draw.h"
#include "tests/unit/turn_bench.h"

/* ---- legs -------------------------------------------------------------------------------- */

struct leg_case {
    const char *label;
    struct sk_cell from;
    struct sk_cell to;
    enum halma_leg leg;
    bool can_jump; /* on the board below */
};

#define LEG_BOARD "....../.A.a../..B.../......"

static const struct leg_case leg_cases[] = {
    { "holding", { 1, 1 }, { 1, 1 }, HALMA_HOLD, false },
    { "a step straight", { 1, 1 }, { 1, 0 }, HALMA_STEP, false },
    { "a step diagonally", { 1, 1 }, { 2, 2 }, HALMA_STEP, false },
    { "a jump over an own piece", { 1, 1 }, { 3, 3 }, HALMA_JUMP, true },
    { "a jump over the other's piece", { 4, 1 }, { 2, 1 }, HALMA_JUMP, true },
    { "a jump over nobody", { 1, 1 }, { 1, 3 }, HALMA_JUMP, false },
    { "two across and one down", { 1, 1 }, { 3, 2 }, HALMA_NO_LEG, false },
    { "three squares", { 1, 1 }, { 4, 1 }, HALMA_NO_LEG, false },
    { "from end to end of the numbers", { INT32_MIN, 0 }, { INT32_MAX, 0 }, HALMA_NO_LEG, false },
    { "a jump out of the board", { 5, 5 }, { 7, 5 }, HALMA_JUMP, false },
};

CASES(halma_questions, a_leg_is_a_step_or_a_jump, leg_cases)
{
    const struct leg_case *c = &leg_cases[*index];
    struct halma_drawing drawing = { .board = LEG_BOARD };
    struct table table;

    halma_drawing_open(&drawing, &table);
    cr_expect_eq(halma_leg_of(c->from, c->to), c->leg, "%s", c->label);
    cr_expect_eq(halma_ask_jump(table.config, table.match.state, c->from, c->to), c->can_jump, "%s",
                 c->label);
    table_close(&table);
}

/* ---- paths ------------------------------------------------------------------------------- */

struct path_case {
    const char *label;
    struct halma_drawing position;
    const char *unit;
    const char *command; /* its path */
    const char *verdict;
    const char *reasons; /* shape, bounds, steps, jump, damage, landing; ok but where they differ */
};

static const struct path_case path_cases[] = {
    { "a step", { .board = "A.a" }, "a1", "A>1,0", "ok", "" },
    { "a step of the other seat's piece", { .board = "A.a" }, "b1", "a>1,0", "ok", "" },
    { "no square", { .board = "A.a" }, "a1", "A>", "bad_path", "shape=bad_path" },
    { "off the board",
      { .board = "A.a" },
      "a1",
      "A>-1,0",
      "out_of_bounds",
      "bounds=out_of_bounds" },
    { "no leg", { .board = "A.a" }, "a1", "A>4,4", "bad_path", "steps=bad_path" },
    { "a step in a chain", { .board = "AB.a" }, "a1", "A>2,0>2,1", "bad_path", "steps=bad_path" },
    { "a jump over nobody",
      { .board = "A..a" },
      "a1",
      "A>2,0",
      "nothing_to_jump",
      "jump=nothing_to_jump" },
    { "damaged",
      { .board = "AB.a", .damages = "A=2" },
      "a1",
      "A>2,0",
      "damaged",
      "damage=damaged" },
    { "somebody is there", { .board = "AB.a" }, "a1", "A>1,0", "occupied", "landing=occupied" },
    { "each rule speaks for itself",
      { .board = "A.a", .damages = "A=2" },
      "a1",
      "A>2,0>9,9",
      "out_of_bounds",
      "bounds=out_of_bounds steps=bad_path jump=nothing_to_jump damage=damaged landing=occupied" },
    { "an unknown piece",
      { .board = "A.a" },
      "zz",
      "A>1,0",
      "unknown_unit",
      "shape=unknown_unit bounds=unknown_unit steps=unknown_unit jump=unknown_unit "
      "damage=unknown_unit landing=unknown_unit" },
    { "a name that is too long for one",
      { .board = "A.a" },
      "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
      "A>1,0",
      "unknown_unit",
      "shape=unknown_unit bounds=unknown_unit steps=unknown_unit jump=unknown_unit "
      "damage=unknown_unit landing=unknown_unit" },
};

static void
say_reason(const char *name, sk_verdict verdict, struct words *words)
{
    if (verdict != SK_VERDICT_OK) {
        words_say(words, "%s%s=%s", words->used > 0 ? " " : "", name,
                  sk_verdict_name(&sk_ruleset_halma, verdict));
    }
}

CASES(halma_questions, a_path_is_judged_check_by_check, path_cases)
{
    const struct path_case *c = &path_cases[*index];
    struct halma_move_reasons reasons;
    struct command_list commands;
    struct table table;
    struct words words;
    sk_verdict verdict;

    words_init(&words);
    halma_drawing_open(&c->position, &table);
    commands_init(&commands, table.ruleset);
    halma_drawing_commands(c->command, &commands);
    verdict =
        halma_ask_move(table.config, table.match.state, sk_text_of(c->unit),
                       &((const struct halma_command *)commands_of(&commands).at)->path, &reasons);
    cr_expect_str_eq(sk_verdict_name(table.ruleset, verdict), c->verdict, "%s", c->label);
    say_reason("shape", reasons.path_shape, &words);
    say_reason("bounds", reasons.path_in_bounds, &words);
    say_reason("steps", reasons.path_steps, &words);
    say_reason("jump", reasons.jump_over_piece, &words);
    say_reason("damage", reasons.damaged_jump, &words);
    say_reason("landing", reasons.landing_free, &words);
    cr_expect_str_eq(words.at, c->reasons, "%s: %s", c->label, words.at);
    commands_fini(&commands);
    table_close(&table);
    words_fini(&words);
}

/* ---- squares and damage ------------------------------------------------------------------ */

Test(halma_questions, a_square_is_free_or_the_movers_own)
{
    struct halma_drawing drawing = { .board = "AB.a", .stands = "a@0,0", .damages = "B=4" };
    struct table table;

    halma_drawing_open(&drawing, &table);
    cr_expect(halma_ask_landing(table.config, table.match.state, SK_TEXT("a1"), sk_cell(2, 0)));
    cr_expect(halma_ask_landing(table.config, table.match.state, SK_TEXT("a1"), sk_cell(0, 0)));
    cr_expect_not(halma_ask_landing(table.config, table.match.state, SK_TEXT("a1"), sk_cell(1, 0)));
    cr_expect_not(halma_ask_landing(table.config, table.match.state, SK_TEXT("a2"), sk_cell(0, 0)));
    cr_expect_not(halma_ask_landing(table.config, table.match.state, SK_TEXT("a1"), sk_cell(6, 0)));
    cr_expect_not(halma_ask_landing(table.config, table.match.state, SK_TEXT("z"), sk_cell(2, 0)));
    cr_expect_eq(halma_ask_damage(table.config, table.match.state, SK_TEXT("a2")), 4);
    cr_expect_eq(halma_ask_damage(table.config, table.match.state, SK_TEXT("a1")), 0);
    cr_expect_eq(halma_ask_damage(table.config, table.match.state, SK_TEXT("z")), -1);
    table_close(&table);
}

struct collision_case {
    const char *label;
    struct sk_cell from[2];
    struct sk_cell to[2];
    bool collide;
};

static const struct collision_case collision_cases[] = {
    { "both come to one square", { { 0, 0 }, { 2, 0 } }, { { 1, 0 }, { 1, 0 } }, true },
    { "one comes to where the other holds", { { 0, 0 }, { 1, 0 } }, { { 1, 0 }, { 1, 0 } }, true },
    { "two that share a square both hold", { { 1, 0 }, { 1, 0 } }, { { 1, 0 }, { 1, 0 } }, false },
    { "they change places", { { 0, 0 }, { 1, 0 } }, { { 1, 0 }, { 0, 0 } }, false },
    { "different squares", { { 0, 0 }, { 3, 0 } }, { { 1, 0 }, { 2, 0 } }, false },
};

CASES(halma_questions, moves_collide_on_equal_final_squares, collision_cases)
{
    const struct collision_case *c = &collision_cases[*index];

    cr_expect_eq(halma_collide(c->from, c->to), c->collide, "%s", c->label);
}

Test(halma_questions, damage_heals_by_one_and_faults_follow_guilt)
{
    cr_expect_eq(halma_heal(SK_HALMA_DAMAGE), SK_HALMA_DAMAGE - 1);
    cr_expect_eq(halma_heal(1), 0);
    cr_expect_eq(halma_heal(0), 0);
    cr_expect_eq(halma_faults_after(3, 0, 0), 2, "an enacted turn");
    cr_expect_eq(halma_faults_after(0, 0, 0), 0);
    cr_expect_eq(halma_faults_after(3, 0, 1), 4, "guilty alone");
    cr_expect_eq(halma_faults_after(3, 0, 2), 3, "the other is");
    cr_expect_eq(halma_faults_after(3, 0, 3), 3, "both are");
    cr_expect_eq(halma_faults_after(INT32_MAX, 1, 2), INT32_MAX);
}

/* ---- ends -------------------------------------------------------------------------------- */

struct end_case {
    const char *label;
    struct halma_drawing position;
    const char *halmate; /* of each seat: is one, own, others, free */
    const char *stall;   /* of each seat: has lost, faults, limit */
};

static const struct end_case end_cases[] = {
    { "nobody has arrived",
      { .board = "A..a", .goals = "./01" },
      "0 0 0 1|0 0 0 1",
      "0 0 5|0 0 5" },
    { "all by own pieces",
      { .board = "AB.a", .goals = "00..../1" },
      "1 2 0 0|0 0 0 1",
      "0 0 5|0 0 5" },
    { "one through the other's piece",
      { .board = "Aa", .goals = "00..../1" },
      "1 1 1 0|0 0 0 1",
      "0 0 5|0 0 5" },
    { "only the other's pieces are no halmate",
      { .board = "ab.A", .goals = "00..../1" },
      "0 0 2 0|0 0 0 1",
      "0 0 5|0 0 5" },
    { "a shared square is an own one",
      { .board = "Ab.a", .goals = "00..../1", .stands = "a@0,0" },
      "1 1 1 0|0 0 0 1",
      "0 0 5|0 0 5" },
    { "destinations of both", { .board = "Aa", .goals = "**" }, "1 1 1 0|1 1 1 0", "0 0 5|0 0 5" },
    { "stalled",
      { .board = "A..a", .goals = "./01", .faults = { 5, 4 } },
      "0 0 0 1|0 0 0 1",
      "1 5 5|0 4 5" },
    { "no limit to stalling",
      { .board = "A..a", .goals = "./01", .faults = { 9, 0 }, .stall_limit = HALMA_NEVER },
      "0 0 0 1|0 0 0 1",
      "0 9 0|0 0 0" },
};

/* The same numbers are in the views of the seats. */
static void
expect_filled_in_view(const struct table *table, uint8_t seat, struct halma_filling expected)
{
    static _Alignas(16) uint8_t memory[65536];
    struct sk_arena arena = { memory, sizeof(memory), 0 };
    struct halma_position_form form = { .units = { NULL, 0 } };
    const struct halma_filling *filled;

    cr_assert_eq(sk_rules_view_form(table->ruleset, table->config,
                                    halma_position_of(table->match.state), &arena, &form),
                 SK_OK);
    cr_assert_eq(form.filled.count, SK_HALMA_SEATS);
    filled = (const struct halma_filling *)form.filled.at + seat;
    cr_expect(filled->own == expected.own && filled->others == expected.others &&
              filled->free == expected.free);
}

CASES(halma_questions, ends_are_told_with_their_numbers, end_cases)
{
    const struct end_case *c = &end_cases[*index];
    struct words halmate;
    struct words stall;
    struct table table;

    words_init(&halmate);
    words_init(&stall);
    halma_drawing_open(&c->position, &table);
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        struct halma_halmate_answer full = halma_ask_halmate(table.config, table.match.state, seat);
        struct halma_stall_answer guilt = halma_ask_stall(table.config, table.match.state, seat);

        words_say(&halmate, "%s%d %d %d %d", seat > 0 ? "|" : "", full.is_halmate, full.filled.own,
                  full.filled.others, full.filled.free);
        words_say(&stall, "%s%d %d %d", seat > 0 ? "|" : "", guilt.is_lost, guilt.faults,
                  guilt.limit);
        cr_expect_eq(full.is_halmate, full.filled.free == 0 && full.filled.own > 0);
        expect_filled_in_view(&table, seat, full.filled);
    }
    cr_expect_str_eq(halmate.at, c->halmate, "%s: %s", c->label, halmate.at);
    cr_expect_str_eq(stall.at, c->stall, "%s: %s", c->label, stall.at);
    table_close(&table);
    words_fini(&halmate);
    words_fini(&stall);
}
