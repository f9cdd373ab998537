/* Single questions of tactics that other programs ask: see tactics.h. */
#include "common/rules/tactics/tactics.h"
#include "tests/support/tactics_draw.h"
#include "tests/unit/turn_bench.h"

/* ---- checks composed by name ------------------------------------------------------------- */

#define NAMES_MAX 8

struct some_case {
    const char *label;
    const char *board;
    const char *commands;         /* of seat 0 */
    const char *const *group;     /* a group of the header, or ... */
    const char *names[NAMES_MAX]; /* ... these */
    const char *expected;
    bool is_unknown;
};

static const struct some_case some_cases[] = {
    { .label = "all checks of moves",
      .board = "..b/.../AC.",
      .commands = "A>1,1 C>2,1 b>0,0",
      .group = tactics_move_checks,
      .expected = "ok ok not_your_unit:own_unit" },
    { .label = "moves: each check of the group refuses one",
      .board = "..b../...../ACDE.",
      .commands = "Q>0,0 A>9,9 C>4,0 D>3,1 E>3,1",
      .group = tactics_move_checks,
      .expected = "unknown_unit:own_unit out_of_bounds:move_in_bounds "
                  "out_of_pattern:move_in_pattern same_target:same_target "
                  "same_target:same_target" },
    { .label = "moves: for an attack, only whose unit and how often is checked",
      .board = "..b/.../AC.",
      .commands = "A*9,9 C>0,2",
      .group = tactics_move_checks,
      .expected = "ok occupied:occupied" },
    { .label = "attacks: for a move, only whose unit and how often is checked",
      .board = "..b/.../AC.",
      .commands = "A*9,9 C>0,2",
      .group = tactics_attack_checks,
      .expected = "out_of_bounds:attack_in_bounds ok" },
    { .label = "attacks: out of pattern, and two commands of one unit",
      .board = "..b/.../ACD",
      .commands = "A*2,0 C*1,1 D*1,1 D>2,1",
      .group = tactics_attack_checks,
      .expected = "out_of_pattern:attack_in_pattern ok multiple_commands:single_command "
                  "multiple_commands:single_command" },
    { .label = "placements in a turn of play",
      .board = "..b/.../AC.",
      .commands = "A@2,2",
      .group = tactics_place_checks,
      .expected = "wrong_phase:phase" },
    { .label = "the next check ignores what one check refused",
      .board = "..b/.../AC.",
      .commands = "A>1,1 b>1,1",
      .names = { "own_unit", "same_target" },
      .expected = "ok not_your_unit:own_unit" },
    { .label = "in another order the same checks give other verdicts",
      .board = "..b/.../AC.",
      .commands = "A>1,1 b>1,1",
      .names = { "same_target", "own_unit" },
      .expected = "same_target:same_target same_target:same_target" },
    { .label = "no checks refuse nothing",
      .board = "..b/.../AC.",
      .commands = "A>9,9",
      .names = { NULL },
      .expected = "ok" },
    { .label = "a check twice is as good as once",
      .board = "..b/.../AC.",
      .commands = "A>9,9 C>1,1",
      .names = { "move_in_bounds", "move_in_bounds" },
      .expected = "out_of_bounds:move_in_bounds ok" },
    { .label = "a name that is no check",
      .board = "..b/.../AC.",
      .commands = "A>9,9",
      .names = { "move_in_bounds", "move_in_bound" },
      .expected = "wrong_turn", /* what stood there before */
      .is_unknown = true },
    { .label = "a stage is no check",
      .board = "..b/.../AC.",
      .commands = "A>9,9",
      .names = { "bounce" },
      .expected = "wrong_turn",
      .is_unknown = true },
};

CASES(tactics_questions, checks_are_composed_by_name, some_cases)
{
    const struct some_case *c = &some_cases[*index];
    const struct drawing drawing = { .board = c->board };
    struct turn_bench bench;
    struct sk_check_in in;
    enum sk_status status;

    drawing_open(&drawing, &bench.table);
    bench_begin(&bench);
    drawing_commands(c->commands, &bench.lists[0]);
    in = (struct sk_check_in){
        .ruleset = bench.table.ruleset,
        .config = bench.table.config,
        .view = table_look(&bench.table, 0),
        .commands = commands_of(&bench.lists[0]),
        .judgements = bench.table.turn.judgements[0],
        .work = bench.table.turn.work,
    };
    for (uint32_t i = 0; i < bench.lists[0].count; i++) {
        in.judgements[i] = (struct sk_judgement){ SK_WRONG_TURN, SK_CHECK_NONE };
    }
    status = sk_validate_some(&in, c->group != NULL ? c->group : c->names);
    cr_expect_eq(status, c->is_unknown ? SK_ERR_UNKNOWN : SK_OK, "%s", c->label);
    bench_expect_verdicts(&bench, 0, c->expected, c->label, "composed");
    bench_end(&bench);
}

/* ---- conflicts of intended moves --------------------------------------------------------- */

struct conflict_case {
    const char *label;
    const char *host;
    const char *guest;
    const char *expected; /* "cell host's place guest's place" */
};

static const struct conflict_case conflict_cases[] = {
    { "one pair", "A>1,1", "b>1,1", "1,1 0 0" },
    { "different cells", "A>1,1", "b>1,2", "" },
    { "nobody asks whether the moves are legal", "A>70,-5", "x>70,-5", "70,-5 0 0" },
    { "two of one seat are two pairs", "A>0,0 C>1,1 D>1,1", "b>1,1", "1,1 1 0; 1,1 2 0" },
    { "two cells", "A>1,1 C>2,2", "b>2,2 d>1,1", "1,1 0 1; 2,2 1 0" },
    { "attacks and placements are no moves", "A*1,1 C@1,1", "b>1,1", "" },
    { "one seat alone", "A>1,1 C>1,1", NULL, "" },
};

CASES(tactics_questions, opposing_moves_to_one_cell_are_found_as_intended, conflict_cases)
{
    const struct conflict_case *c = &conflict_cases[*index];
    struct command_list lists[2];
    struct tactics_conflict pairs[4];
    struct sk_commands commands[2];
    struct words words;
    uint32_t count;

    words_init(&words);
    commands_init(&lists[0], &sk_ruleset_tactics);
    commands_init(&lists[1], &sk_ruleset_tactics);
    drawing_commands(c->host, &lists[0]);
    drawing_commands(c->guest, &lists[1]);
    commands[0] = commands_of(&lists[0]);
    commands[1] = commands_of(&lists[1]);
    count = tactics_conflicts(commands, pairs, SK_COUNT_OF(pairs));
    for (uint32_t i = 0; i < count; i++) {
        words_say(&words, "%s%d,%d %u %u", i == 0 ? "" : "; ", pairs[i].at.x, pairs[i].at.y,
                  pairs[i].move[0], pairs[i].move[1]);
    }
    cr_expect_str_eq(words.at, c->expected, "%s: %s", c->label, words.at);
    cr_expect_eq(tactics_conflicts(commands, NULL, 0), count, "%s: counted only", c->label);
    words_fini(&words);
    commands_fini(&lists[0]);
    commands_fini(&lists[1]);
}

/* ---- deaths and the winner of any position ----------------------------------------------- */

struct death_case {
    const char *label;
    int32_t host[2]; /* healths */
    int32_t guest[2];
    uint32_t deaths; /* as bits */
    bool is_over;
    int8_t winner;
    uint8_t reason;
};

static const struct death_case death_cases[] = {
    { "nobody", { 1, 5 }, { 3, 10001 }, 0, false, SK_NOBODY, 0 },
    { "health 0", { 0, 5 }, { 3, 4 }, 1, false, SK_NOBODY, 0 },
    { "health below 0", { 2, INT32_MIN }, { 3, -1 }, 2 | 8, false, SK_NOBODY, 0 },
    { "the host's all", { 0, -3 }, { 3, 4 }, 3, true, 1, TACTICS_ELIMINATED },
    { "the guest's all", { 1, 1 }, { 0, 0 }, 12, true, 0, TACTICS_ELIMINATED },
    { "everybody", { 0, 0 }, { -1, 0 }, 15, true, SK_NOBODY, TACTICS_DRAW_ELIMINATED },
};

CASES(tactics_questions, deaths_and_the_winner_are_found_in_any_position, death_cases)
{
    const struct death_case *c = &death_cases[*index];
    struct tactics_unit_form units[] = {
        { .seat = 0, .health = c->host[0] },
        { .seat = 0, .health = c->host[1] },
        { .seat = 1, .health = c->guest[0] },
        { .seat = 1, .health = c->guest[1] },
    };
    struct tactics_position_form position = { .phase = TACTICS_PLAY, .units = { units, 4 } };
    struct sk_outcome outcome = { .winner = SK_NOBODY };
    uint32_t places[4];
    uint32_t count = tactics_deaths(&position, places, 4);
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++) {
        found |= 1u << places[i];
    }
    cr_expect_eq(found, c->deaths, "%s", c->label);
    cr_expect_eq(tactics_deaths(&position, NULL, 0), count, "%s: counted only", c->label);
    cr_expect_eq(tactics_is_decided(&position, &outcome), c->is_over, "%s", c->label);
    cr_expect_eq(outcome.is_over, c->is_over, "%s", c->label);
    cr_expect_eq(outcome.winner, c->winner, "%s", c->label);
    cr_expect_eq(outcome.reason, c->reason, "%s", c->label);
}

/* ---- a resolved turn --------------------------------------------------------------------- */

struct result_case {
    const char *label;
    struct drawing position;
    const char *host;
    const char *guest;
    const char *expected;
};

static const struct result_case result_cases[] = {
    { .label = "a move, a bounce, a refused command",
      .position = { .board = "b.c/.../A.D" },
      .host = "A>1,1 D>2,1",
      .guest = "b>1,1 c>7,7",
      .expected = "moves D; attacks; places; conflicts 1,1 0 0; updated D@2,1=10" },
    { .label = "somebody moves into an attack and dies there; the other seat wins",
      .position = { .board = "b../.../A..", .healths = "b=3" },
      .host = "A*1,1",
      .guest = "b>1,1",
      .expected = "moves b; attacks A; places; conflicts; updated b@1,1=0; winner 0" },
    { .label = "both die: a draw",
      .position = { .board = ".../bA./...", .healths = "A=3 b=3" },
      .host = "A*0,1",
      .guest = "b*1,1",
      .expected = "moves; attacks A b; places; conflicts; updated A@1,1=0 b@0,1=0; draw" },
    { .label = "placement",
      .position = { .board = "b../.../A..", .start_rows = 1 },
      .host = "A@2,2",
      .expected = "moves; attacks; places A; conflicts; updated A@2,2=10" },
    { .label = "a resignation: nothing is played",
      .position = { .board = "b../.../A.." },
      .host = "A>1,1 resign",
      .guest = "b>0,1",
      .expected = "moves; attacks; places; conflicts; updated; winner 1" },
    { .label = "no commands",
      .position = { .board = "b../.../A.." },
      .expected = "moves; attacks; places; conflicts; updated" },
};

static void
say_commands(const char *what, const struct tactics_command *const *commands, uint32_t count,
             struct words *words)
{
    words_say(words, "%s", what);
    for (uint32_t i = 0; i < count; i++) {
        words_say(words, " %s", commands[i]->unit.at);
    }
}

static void
say_result(const struct tactics_result *result, struct words *words)
{
    say_commands("moves", result->moves, result->move_count, words);
    say_commands("; attacks", result->attacks, result->attack_count, words);
    say_commands("; places", result->places, result->place_count, words);
    words_say(words, "; conflicts");
    for (uint32_t i = 0; i < result->conflict_count; i++) {
        words_say(words, " %d,%d %u %u", result->conflicts[i].at.x, result->conflicts[i].at.y,
                  result->conflicts[i].move[0], result->conflicts[i].move[1]);
    }
    words_say(words, "; updated");
    for (uint32_t i = 0; i < result->updated_count; i++) {
        const struct tactics_unit_form *unit = &result->updated[i];

        words_say(words, " %.*s@%d,%d=%d", (int)unit->id.length, unit->id.at, unit->at.x,
                  unit->at.y, unit->health);
    }
    if (result->is_over && !result->is_draw) {
        words_say(words, "; winner %d", result->winner);
    } else if (result->is_over) {
        words_say(words, "; draw");
    }
}

CASES(tactics_questions, a_resolved_turn_is_told_in_lists, result_cases)
{
    const struct result_case *c = &result_cases[*index];
    struct tactics_result result;
    struct turn_bench bench;

    drawing_open(&c->position, &bench.table);
    bench_begin(&bench);
    drawing_commands(c->host, &bench.lists[0]);
    drawing_commands(c->guest, &bench.lists[1]);
    table_resolve(&bench.table,
                  (const struct command_list *[]){ &bench.lists[0], &bench.lists[1] });
    tactics_result(&bench.table.turn, &result);
    say_result(&result, &bench.words);
    bench_expect(&bench, c->expected, c->label, "result");
    bench_end(&bench);
}

/* How many events of that kind the turn has. */
static uint32_t
count_events(const struct sk_turn *turn, uint8_t kind)
{
    uint32_t count = 0;

    for (const struct sk_event *event = turn->events.first; event != NULL; event = event->next) {
        count += event->kind == kind;
    }
    return count;
}

static uint32_t
count_dead(const struct tactics_result *result)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < result->updated_count; i++) {
        count += result->updated[i].health == 0;
    }
    return count;
}

static void
expect_lists_to_agree(const struct sk_turn *turn, uint32_t number)
{
    struct tactics_result result;

    tactics_result(turn, &result);
    cr_expect_eq(result.move_count, count_events(turn, TACTICS_EVENT_MOVED), "turn %u", number);
    cr_expect_eq(result.attack_count, count_events(turn, TACTICS_EVENT_ATTACKED), "turn %u",
                 number);
    cr_expect_eq(result.place_count, count_events(turn, TACTICS_EVENT_PLACED), "turn %u", number);
    cr_expect_eq(result.conflict_count, count_events(turn, TACTICS_EVENT_BOUNCED), "turn %u",
                 number);
    cr_expect_eq(count_dead(&result), count_events(turn, TACTICS_EVENT_DIED), "turn %u", number);
    cr_expect_eq(result.is_over, turn->after->outcome.is_over);
    cr_expect_eq(result.winner, turn->after->outcome.winner);
}

Test(tactics_questions, a_result_agrees_with_the_events_of_random_turns)
{
    const struct sk_seed seed = table_seed(15);
    struct turn_bench bench;
    struct sk_rng rng;
    uint32_t number = 0;

    table_open(&bench.table, &sk_ruleset_tactics, NULL, &seed);
    bench_begin(&bench);
    sk_rng_start(&rng, &seed, 0, 0);
    for (; number < 200 && !bench.table.match.state->outcome.is_over; number++) {
        const struct command_list *lists[] = { &bench.lists[0], &bench.lists[1] };

        for (uint8_t seat = 0; seat < 2; seat++) {
            table_draw_commands(&bench.table, &rng, &habits_orderly, seat, &bench.lists[seat]);
        }
        table_resolve(&bench.table, lists);
        expect_lists_to_agree(&bench.table.turn, number);
        table_play(&bench.table, lists);
    }
    cr_expect_gt(number, 10u, "the match ended too early to tell");
    bench_end(&bench);
}

/* A stage that is run alone has no checks before it; the lists must hold whatever it lets pass. */
Test(tactics_questions, a_stage_run_alone_fits_into_the_lists_too)
{
    const struct drawing drawing = { .board = "b../.../A.." };
    struct tactics_result result;
    struct turn_bench bench;

    drawing_open(&drawing, &bench.table);
    bench_begin(&bench);
    for (uint32_t i = 0; i < SK_COMMANDS_MAX; i++) {
        commands_add(&bench.lists[0],
                     &(struct tactics_command){ { TACTICS_MOVE }, { "A" }, { 1, 1 } });
        commands_add(&bench.lists[1],
                     &(struct tactics_command){ { TACTICS_MOVE }, { "b" }, { 1, 1 } });
    }
    bench_run_stage(&bench, "movement");
    tactics_result(&bench.table.turn, &result);
    cr_expect_eq(result.move_count, 2u * SK_COMMANDS_MAX);
    bench_end(&bench);
}
