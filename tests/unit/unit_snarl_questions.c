/* The rule checker's questions of snarl that other programs ask: see snarl.h. */
#include <stdlib.h>
#include <string.h>

#include "common/rules/snarl/internal.h"
#include "tests/support/cases.h"
#include "tests/support/snarl_draw.h"

/* ---- moves ------------------------------------------------------------------------------- */

struct move_case {
    const char *label;
    struct dungeon dungeon;
    const char *unit;
    struct sk_cell to;
    const char *expected; /* the verdict, then each rule that refuses */
};

/* The hero sees neither the zombie nor the ghost. */
#define DARK .levels = "##########/#A......z#/#......g.+/#.k....x.#/##########"

static const struct move_case move_cases[] = {
    { "a hero's two steps", { DARK }, "A", { 3, 1 }, "ok" },
    { "three", { DARK }, "A", { 4, 1 }, "too_far distance=too_far" },
    { "into a wall: the distance is right, the tile is not",
      { DARK },
      "A",
      { 0, 1 },
      "not_traversable tile=not_traversable" },
    { "far away into a wall: both are wrong",
      { DARK },
      "A",
      { 9, 0 },
      "too_far distance=too_far tile=not_traversable" },
    { "onto another hero",
      { .levels = "#####/#AB.#/#..x#/#####" },
      "A",
      { 2, 1 },
      "occupied interaction=occupied" },
    { "a zombie that no seat sees, a legal step", { DARK }, "zombie-1", { 7, 1 }, "ok" },
    { "its two steps", { DARK }, "zombie-1", { 6, 1 }, "too_far distance=too_far" },
    { "onto another adversary",
      { DARK, .stands = "zombie-1@7,1" },
      "zombie-1",
      { 7, 2 },
      "occupied interaction=occupied" },
    { "a zombie at a door",
      { DARK, .stands = "zombie-1@8,2" },
      "zombie-1",
      { 9, 2 },
      "door door=door" },
    { "a ghost at a door", { DARK, .stands = "ghost-1@8,2" }, "ghost-1", { 9, 2 }, "ok" },
    { "a ghost into a wall", { DARK, .stands = "ghost-1@8,3" }, "ghost-1", { 9, 3 }, "ok" },
    { "a zombie into a wall",
      { DARK },
      "zombie-1",
      { 9, 1 },
      "not_traversable tile=not_traversable" },
    { "a zombie that stays", { DARK }, "zombie-1", { 8, 1 }, "must_move must_move=must_move" },
    { "by the steps that params give",
      { DARK, .options = "'steps':{'zombie':4}" },
      "zombie-1",
      { 4, 1 },
      "ok" },
    { "nobody's name",
      { DARK },
      "C",
      { 1, 1 },
      "unknown_unit distance=unknown_unit tile=unknown_unit door=unknown_unit "
      "interaction=unknown_unit must_move=unknown_unit" },
    { "a hero who has left",
      { DARK, .stands = "A=exited" },
      "A",
      { 1, 1 },
      "unknown_unit distance=unknown_unit tile=unknown_unit door=unknown_unit "
      "interaction=unknown_unit must_move=unknown_unit" },
};

static void
say_reason(const char *rule, sk_verdict verdict, struct words *words)
{
    if (verdict != SK_VERDICT_OK) {
        words_say(words, " %s=%s", rule, sk_verdict_name(&sk_ruleset_snarl, verdict));
    }
}

CASES(snarl_questions, a_move_is_judged_with_the_whole_state_and_each_rule_apart, move_cases)
{
    const struct move_case *c = &move_cases[*index];
    struct snarl_move_reasons reasons;
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&c->dungeon, &table);
    words_say(
        &words, "%s",
        sk_verdict_name(&sk_ruleset_snarl, snarl_ask_move(table.config, table.match.state,
                                                          sk_text_of(c->unit), c->to, &reasons)));
    say_reason("distance", reasons.distance, &words);
    say_reason("tile", reasons.tile, &words);
    say_reason("door", reasons.door, &words);
    say_reason("interaction", reasons.interaction, &words);
    say_reason("must_move", reasons.must_move, &words);
    cr_expect_str_eq(words.at, c->expected, "%s: %s", c->label, words.at);
    table_close(&table);
    words_fini(&words);
}

/* ---- tiles ------------------------------------------------------------------------------- */

struct meeting_case {
    const char *label;
    struct dungeon dungeon;
    struct sk_cell cell;
    enum snarl_meeting hero;      /* A */
    enum snarl_meeting adversary; /* zombie-1 */
};

#define HALL .levels = "#######/#ABzgk#/#....x#/#######"

static const struct meeting_case meeting_cases[] = {
    { "floor", { HALL }, { 2, 2 }, SNARL_MEETS_NOTHING, SNARL_MEETS_NOTHING },
    { "a wall", { HALL }, { 0, 0 }, SNARL_MEETS_WALL, SNARL_MEETS_WALL },
    { "void", { HALL }, { -5, 2147483647 }, SNARL_MEETS_WALL, SNARL_MEETS_WALL },
    { "the own tile of one", { HALL }, { 1, 1 }, SNARL_MEETS_NOTHING, SNARL_MEETS_HERO },
    { "the own tile of the other", { HALL }, { 3, 1 }, SNARL_MEETS_ADVERSARY, SNARL_MEETS_NOTHING },
    { "another hero", { HALL }, { 2, 1 }, SNARL_MEETS_HERO, SNARL_MEETS_HERO },
    { "another adversary", { HALL }, { 4, 1 }, SNARL_MEETS_ADVERSARY, SNARL_MEETS_ADVERSARY },
    { "the key", { HALL }, { 5, 1 }, SNARL_MEETS_KEY, SNARL_MEETS_KEY },
    { "where the key was",
      { HALL, .is_unlocked = true },
      { 5, 1 },
      SNARL_MEETS_NOTHING,
      SNARL_MEETS_NOTHING },
    { "the locked exit", { HALL }, { 5, 2 }, SNARL_MEETS_LOCKED_EXIT, SNARL_MEETS_LOCKED_EXIT },
    { "the unlocked exit",
      { HALL, .is_unlocked = true },
      { 5, 2 },
      SNARL_MEETS_UNLOCKED_EXIT,
      SNARL_MEETS_UNLOCKED_EXIT },
    { "an adversary on the exit",
      { HALL, .stands = "ghost-1@5,2" },
      { 5, 2 },
      SNARL_MEETS_ADVERSARY,
      SNARL_MEETS_ADVERSARY },
    { "a hero on the key",
      { HALL, .stands = "B@5,1" },
      { 5, 1 },
      SNARL_MEETS_HERO,
      SNARL_MEETS_HERO },
    { "a hero and an adversary: the hero is stopped by one, the adversary by the other",
      { HALL, .stands = "B@2,2 ghost-1@2,2" },
      { 2, 2 },
      SNARL_MEETS_HERO,
      SNARL_MEETS_ADVERSARY },
    { "where a hero was who has left",
      { HALL, .stands = "B=exited" },
      { 2, 1 },
      SNARL_MEETS_NOTHING,
      SNARL_MEETS_NOTHING },
};

CASES(snarl_questions, what_a_unit_meets_on_a_tile_depends_on_its_kind, meeting_cases)
{
    const struct meeting_case *c = &meeting_cases[*index];
    struct table table;

    dungeon_open(&c->dungeon, &table);
    cr_expect_eq(snarl_ask_hero_meets(table.config, table.match.state, SK_TEXT("A"), c->cell),
                 c->hero, "%s", c->label);
    cr_expect_eq(
        snarl_ask_adversary_meets(table.config, table.match.state, SK_TEXT("zombie-1"), c->cell),
        c->adversary, "%s", c->label);
    table_close(&table);
}

/* ---- levels and the game ----------------------------------------------------------------- */

struct end_case {
    const char *label;
    struct dungeon dungeon;
    bool is_level_over;
    enum snarl_level_why level_why;
    uint8_t inside; /* heroes as bits */
    bool is_game_over;
    enum snarl_game_why game_why;
    bool is_all_expelled;
};

#define TWO .levels = "######/#ABk.#/#...x#/######|######/#ABk.#/#...x#/######"

static const struct end_case end_cases[] = {
    { "nobody has the key",
      { TWO },
      false,
      SNARL_LEVEL_EXIT_LOCKED,
      3,
      false,
      SNARL_GAME_LEVEL_GOES_ON,
      false },
    { "the exit is open",
      { TWO, .is_unlocked = true },
      false,
      SNARL_LEVEL_INSIDE,
      3,
      false,
      SNARL_GAME_LEVEL_GOES_ON,
      false },
    { "one is still inside",
      { TWO, .is_unlocked = true, .stands = "A=exited" },
      false,
      SNARL_LEVEL_INSIDE,
      2,
      false,
      SNARL_GAME_LEVEL_GOES_ON,
      false },
    { "one is out, the exit is locked",
      { TWO, .stands = "B=expelled" },
      false,
      SNARL_LEVEL_EXIT_LOCKED,
      1,
      false,
      SNARL_GAME_LEVEL_GOES_ON,
      false },
    { "any: the first has left",
      { TWO, .options = "'level_end':'any'", .is_unlocked = true, .stands = "A=exited" },
      true,
      SNARL_LEVEL_ANY_LEFT,
      2,
      false,
      SNARL_GAME_MORE_LEVELS,
      false },
    { "all have left, another level comes",
      { TWO, .is_unlocked = true, .stands = "A=exited B=exited" },
      true,
      SNARL_LEVEL_ALL_LEFT,
      0,
      false,
      SNARL_GAME_MORE_LEVELS,
      false },
    { "some have left",
      { TWO, .is_unlocked = true, .stands = "A=exited B=expelled" },
      true,
      SNARL_LEVEL_SOME_LEFT,
      0,
      false,
      SNARL_GAME_MORE_LEVELS,
      false },
    { "all have left the last",
      { TWO, .level = 2, .is_unlocked = true, .stands = "A=exited B=exited" },
      true,
      SNARL_LEVEL_ALL_LEFT,
      0,
      true,
      SNARL_GAME_WON,
      false },
    { "everybody is expelled",
      { TWO, .stands = "A=expelled B=expelled" },
      true,
      SNARL_LEVEL_EXPELLED,
      0,
      true,
      SNARL_GAME_LOST,
      true },
    { "one is expelled, one has resigned",
      { TWO, .stands = "A=expelled B=resigned" },
      true,
      SNARL_LEVEL_EXPELLED,
      0,
      true,
      SNARL_GAME_LOST,
      true },
    { "everybody has resigned: nobody was expelled",
      { TWO, .stands = "A=resigned B=resigned" },
      true,
      SNARL_LEVEL_EXPELLED,
      0,
      true,
      SNARL_GAME_LOST,
      false },
};

CASES(snarl_questions, why_a_level_and_the_game_are_over_or_go_on, end_cases)
{
    const struct end_case *c = &end_cases[*index];
    struct snarl_level_answer level;
    struct snarl_game_answer game;
    struct table table;

    dungeon_open(&c->dungeon, &table);
    level = snarl_ask_level(table.config, table.match.state);
    game = snarl_ask_game(table.config, table.match.state);
    cr_expect_eq(level.is_over, c->is_level_over, "%s", c->label);
    cr_expect_eq(level.why, c->level_why, "%s: %u", c->label, level.why);
    cr_expect_eq(level.inside, c->inside, "%s", c->label);
    cr_expect_eq(level.inside | level.left | level.expelled | level.resigned, 3, "%s", c->label);
    cr_expect_eq(level.exit_unlocked, c->dungeon.is_unlocked, "%s", c->label);
    cr_expect_eq(game.is_over, c->is_game_over, "%s", c->label);
    cr_expect_eq(game.why, c->game_why, "%s: %u", c->label, game.why);
    cr_expect_eq(game.level, c->dungeon.level > 0 ? c->dungeon.level : 1, "%s", c->label);
    cr_expect_eq(game.level_count, 2, "%s", c->label);
    cr_expect_eq(game.outcome.is_over, c->is_game_over, "%s", c->label);
    cr_expect_eq(snarl_ask_all_expelled(table.config, table.match.state), c->is_all_expelled, "%s",
                 c->label);
    table_close(&table);
}

Test(snarl_questions, a_game_that_was_given_up_is_over_by_that)
{
    const struct dungeon dungeon = { .levels = "#####/#A.x#/#####", .options = "'mode':'versus'" };
    struct snarl_game_answer game;
    struct table table;

    dungeon_open(&dungeon, &table);
    table.match.state->outcome =
        (struct sk_outcome){ .is_over = true, .winner = 1, .reason = SK_RESIGNATION };
    game = snarl_ask_game(table.config, table.match.state);
    cr_expect(game.is_over);
    cr_expect_eq(game.why, SNARL_GAME_SETTLED);
    cr_expect_eq(game.outcome.winner, 1);
    table_close(&table);
}

/* ---- states ------------------------------------------------------------------------------ */

struct state_case {
    const char *label;
    struct dungeon dungeon;
    void (*spoil)(struct snarl_position_form *form); /* NULL = nothing */
    bool is_match_state;                             /* state_read takes it, too */
    const char *at;                                  /* NULL = it is a state */
    const char *message;
};

static void
name_level_0(struct snarl_position_form *form)
{
    form->level = 0;
}

static void
name_level_3(struct snarl_position_form *form)
{
    form->level = 3;
}

static void
name_round_0(struct snarl_position_form *form)
{
    form->round = 0;
}

static void
put_on_wall(struct snarl_position_form *form)
{
    ((struct snarl_hero_form *)form->heroes.at)[0].at = sk_cell(0, 0);
}

static void
count_below_0(struct snarl_position_form *form)
{
    ((struct snarl_hero_form *)form->heroes.at)[1].keys = -1;
}

static void
take_status_9(struct snarl_position_form *form)
{
    ((struct snarl_hero_form *)form->heroes.at)[0].status = 9;
}

static void
unlock(struct snarl_position_form *form)
{
    form->exit_unlocked = true;
}

static void
end_badly(struct snarl_position_form *form)
{
    form->head.has_outcome = true;
    form->head.reason = SK_TEXT("sunshine");
}

static void
end_by_draw(struct snarl_position_form *form)
{
    form->head.has_outcome = true;
    form->head.reason = SK_TEXT("draw_agreed");
}

static const struct state_case state_cases[] = {
    { "one of a match", { TWO }, NULL, true, NULL, NULL },
    { "a level that is over, before the next begins",
      { TWO, .is_unlocked = true, .stands = "A=exited B=expelled" },
      NULL,
      false,
      NULL,
      NULL },
    { "any: a level that is over",
      { TWO, .options = "'level_end':'any'", .is_unlocked = true, .stands = "A=exited" },
      NULL,
      false,
      NULL,
      NULL },
    { "a match that is over", { TWO, .stands = "A=expelled B=expelled" }, NULL, true, NULL, NULL },
    { "one that ended by a word", { TWO }, end_by_draw, true, NULL, NULL },
    { "a reason that does not exist",
      { TWO },
      end_badly,
      true,
      "/outcome",
      "matches do not end for that reason" },
    { "no level", { TWO }, name_level_0, false, "/level", "levels begin with 1" },
    { "a level too many", { TWO }, name_level_3, false, "/level", "the match has fewer levels" },
    { "no round", { TWO }, name_round_0, false, "/round", "rounds are 1 to 1000000" },
    { "somebody in a wall",
      { TWO },
      put_on_wall,
      false,
      "/heroes/0/at",
      "no unit can be on this tile" },
    { "a count below 0",
      { TWO },
      count_below_0,
      false,
      "/heroes/1/status",
      "this status or count is impossible" },
    { "a status that does not exist",
      { TWO },
      take_status_9,
      false,
      "/heroes/0/status",
      "this status or count is impossible" },
    { "unlocked with the key on the board",
      { TWO },
      unlock,
      false,
      "/exit_unlocked",
      "the exit is unlocked although the key is not taken" },
};

CASES(snarl_questions, what_is_wrong_with_a_state_is_said_with_its_place, state_cases)
{
    const struct state_case *c = &state_cases[*index];
    uint8_t memory[8192];
    struct snarl_position_form form = { 0 };
    struct sk_fault fault = { .at = "" };
    struct sk_arena arena;
    struct sk_state *state;
    struct table table;
    enum sk_status status;

    dungeon_open(&c->dungeon, &table);
    state = malloc(table.turn.sizes.state);
    cr_assert_not_null(state);
    sk_arena_init(&arena, memory, sizeof(memory));
    cr_assert_eq(snarl_state_form(table.config, table.match.state, &arena, &form), SK_OK);
    if (c->spoil != NULL) {
        c->spoil(&form);
    }
    status = snarl_ask_state(table.config, &form, state, &fault);
    cr_expect_eq(status, c->at == NULL ? SK_OK : SK_ERR_REFUSED, "%s", c->label);
    if (c->at != NULL) {
        cr_expect_str_eq(fault.at, c->at, "%s: %s", c->label, fault.at);
        cr_expect_str_eq(fault.message, c->message, "%s: %s", c->label, fault.message);
    } else {
        bool is_level_over = snarl_ask_level(table.config, state).is_over;

        memset(state, 0, table.turn.sizes.state);
        status = snarl_state_read(table.config, &form, state, &fault);
        cr_expect_eq(status == SK_OK, c->is_match_state, "%s", c->label);
        cr_expect(status == SK_OK || is_level_over, "%s", c->label);
    }
    free(state);
    table_close(&table);
}

/* ---- random matches ---------------------------------------------------------------------- */

/* With the whole state a hint is as ok as with the view that it was made from. */
static void
expect_questions_to_agree(struct table *table, struct command_list *hints)
{
    const struct sk_state *state = table->match.state;
    struct snarl_level_answer level = snarl_ask_level(table->config, state);

    cr_expect_eq(snarl_ask_game(table->config, state).is_over, state->outcome.is_over);
    cr_expect(state->outcome.is_over || !level.is_over);
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        table_hints(table, seat, hints);
        for (uint32_t i = 0; i < hints->count; i++) {
            const struct snarl_command *command = commands_item(hints, i);
            struct snarl_move_reasons reasons;

            cr_expect_eq(snarl_ask_move(table->config, state, sk_id_text(&command->unit),
                                        command->to, &reasons),
                         SK_VERDICT_OK);
        }
    }
}

Test(snarl_questions, agree_with_hints_and_outcomes_of_random_matches)
{
    for (uint64_t number = 0; number < 3; number++) {
        const struct sk_seed seed = table_seed(number);
        struct command_list lists[2];
        struct command_list hints;
        struct table table;
        struct sk_rng rng;

        table_open(&table, &sk_ruleset_snarl, NULL, &seed);
        commands_init(&lists[0], table.ruleset);
        commands_init(&lists[1], table.ruleset);
        commands_init(&hints, table.ruleset);
        sk_rng_start(&rng, &seed, 0, 0);
        for (uint32_t i = 0; i < 150 && !table.match.state->outcome.is_over; i++) {
            const struct command_list *pointers[SK_SEATS_MAX] = { &lists[0], &lists[1] };

            for (uint8_t seat = 0; seat < 2; seat++) {
                table_draw_commands(&table, &rng, &habits_orderly, seat, &lists[seat]);
            }
            table_play(&table, pointers);
            expect_questions_to_agree(&table, &hints);
        }
        commands_fini(&hints);
        commands_fini(&lists[0]);
        commands_fini(&lists[1]);
        table_close(&table);
    }
}
