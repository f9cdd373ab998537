/*
 * The bots that ship: every level plays every ruleset to its end with
 * commands that nobody refuses, answers the same question the same way, and
 * says what is wrong with a question that no server would ask.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/core/registry.h"
#include "server/bot/mind.h"
#include "server/clock.h"
#include "tests/support/bots.h"
#include "tests/support/cases.h"
#include "tests/support/words.h"

/* A short match of each ruleset, so that the whole stays quick under the sanitizers. */
struct match_case {
    const char *label;
    const char *ruleset;
    const char *params;
};

static const struct match_case matches[] = {
    { "tactics with a placement turn", "tactics", "{'turn_limit':12}" },
    { "tactics without", "tactics", "{'turn_limit':12,'placement':false}" },
    { "halma on the default board", "halma", "{'turn_limit':8}" },
    { "racers on a random board", "racers", "{'turn_limit':40,'failure_permille':5}" },
    { "racers in the dark", "racers", "{'turn_limit':40}" },
    { "snarl together", "snarl", "{'heroes':['ada','bob'],'round_limit':10}" },
    { "snarl, one side each", "snarl", "{'mode':'versus','heroes':['ada'],'round_limit':10}" },
};

static const struct sk_ruleset *
ruleset_of(const struct match_case *it)
{
    return sk_registry_find(sk_text_of(it->ruleset), 0);
}

static void
open_case(struct bots_game *game, const struct match_case *it, enum bot_level level)
{
    bots_open(game, ruleset_of(it), it->params, 7);
    for (uint32_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        game->levels[seat] = level;
    }
    game->budget_ms = 5;
}

Test(bot, every_level_plays_every_ruleset_and_is_never_refused)
{
    for (size_t i = 0; i < SK_COUNT_OF(matches); i++) {
        for (enum bot_level level = 0; level < BOT_LEVELS; level++) {
            struct bots_game game;

            open_case(&game, &matches[i], level);
            bots_play(&game);
            cr_expect_gt(game.given, 0, "%s, %s: no commands", matches[i].label,
                         bot_level_names[level]);
            cr_expect_eq(game.refused, 0, "%s, %s: %u of %u refused", matches[i].label,
                         bot_level_names[level], game.refused, game.given);
            bots_close(&game);
        }
    }
}

/* A ruleset without a player of its own is played at random. */
Test(bot, every_registered_ruleset_has_a_case)
{
    for (size_t i = 0; i < sk_registry_count(); i++) {
        bool is_known = false;

        for (size_t j = 0; j < SK_COUNT_OF(matches); j++) {
            is_known |= strcmp(matches[j].ruleset, sk_registry_at(i)->name) == 0;
        }
        cr_expect(is_known, "%s is not played by this test", sk_registry_at(i)->name);
    }
}

/* ---- time -------------------------------------------------------------------------------- */

#define HOUR_US ((int64_t)3600 * 1000000)

struct late_case {
    const char *label;
    int64_t budget_us; /* from now on */
    int64_t budget_cpu_us;
    int64_t limit_us;
    bool is_wanted;
    bool is_late;
};

static const struct late_case late_cases[] = {
    { "time is left", HOUR_US, HOUR_US, HOUR_US, false, false },
    { "time is left, another question waits", HOUR_US, HOUR_US, HOUR_US, true, false },
    { "others used the processor", -HOUR_US, HOUR_US, HOUR_US, false, false },
    { "others used it, another question waits", -HOUR_US, HOUR_US, HOUR_US, true, true },
    { "the processor time is used up", -HOUR_US, -HOUR_US, HOUR_US, false, true },
    { "others used it for too long", -HOUR_US, HOUR_US, -HOUR_US, false, true },
};

Test(bot, a_search_may_use_its_budget_of_processor_time_until_a_limit)
{
    for (size_t i = 0; i < SK_COUNT_OF(late_cases); i++) {
        const struct late_case *it = &late_cases[i];
        int64_t now_us = clock_us(CLOCK_MONOTONIC);
        atomic_bool is_wanted = it->is_wanted;
        struct bot_mind mind = {
            .budget_us = now_us + it->budget_us,
            .budget_cpu_us = clock_us(CLOCK_THREAD_CPUTIME_ID) + it->budget_cpu_us,
            .limit_us = now_us + it->limit_us,
            .is_wanted = &is_wanted,
        };

        cr_expect_eq(bot_is_late(&mind), it->is_late, "%s", it->label);
    }
}

/* ---- one question ------------------------------------------------------------------------ */

static char *
answer_to(const struct bot_question *question)
{
    struct sk_fault fault;
    char *text = NULL;

    cr_assert_eq(bot_answer(question, &text, &fault), SK_OK);
    return text;
}

Test(bot, the_same_question_gets_the_same_answer_and_another_seed_another)
{
    for (size_t i = 0; i < SK_COUNT_OF(matches); i++) {
        struct bots_game game;
        struct bot_question question;
        bool differs = false;
        char *first;

        open_case(&game, &matches[i], BOT_RANDOM);
        question = bots_question(&game, 0);
        first = answer_to(&question);
        for (uint32_t j = 0; j < 40; j++) {
            char *again = answer_to(&question);

            if (question.seed == game.seed) {
                cr_expect_str_eq(again, first, "%s", matches[i].label);
            }
            differs |= strcmp(again, first) != 0;
            free(again);
            question.seed = game.seed + (j + 1) / 2;
        }
        cr_expect(differs, "%s: chance has no part in it", matches[i].label);
        free(first);
        bots_question_fini(&question);
        bots_close(&game);
    }
}

/* What is hidden stays hidden: its hints equal those of the server, in the same order. */
Test(bot, a_bot_that_computes_its_hints_answers_as_with_those_of_the_server)
{
    for (size_t i = 0; i < SK_COUNT_OF(matches); i++) {
        struct bots_game game;
        uint32_t asked = 0;

        open_case(&game, &matches[i], BOT_RANDOM);
        while (!game.table.match.state->outcome.is_over) {
            for (uint8_t seat = 0; seat < game.table.turn.seat_count; seat++) {
                bool owes = (sk_match_waiting(&game.table.match) >> seat & 1) != 0;
                struct bot_question question = bots_question(&game, seat);
                struct bot_question alone;

                question.desk = game.desk;
                alone = question;
                alone.hints = SK_TEXT("");
                for (uint32_t j = 0; owes && j < 5; j++, asked++) {
                    char *told;
                    char *found;

                    question.seed = alone.seed = game.seed + j;
                    told = answer_to(&question);
                    found = answer_to(&alone);
                    cr_expect_str_eq(found, told, "%s, turn %u, seat %u", matches[i].label,
                                     (unsigned)question.turn, seat);
                    free(told);
                    free(found);
                }
                bots_question_fini(&question);
            }
            bots_play_turn(&game);
        }
        cr_expect_gt(asked, 0);
        bots_close(&game);
    }
}

/* ---- the desk ---------------------------------------------------------------------------- */

/* More params than a desk caches, in turns, so that each is dropped and read again. */
Test(bot, a_desk_changes_no_answer)
{
    enum {
        ROUNDS = 2,
        MORE = BOT_CONFIGS_MAX + 3
    };
    struct bot_desk *desk = bot_desk_alloc();

    for (uint32_t i = 0; i < ROUNDS * MORE; i++) {
        const struct match_case *it = &matches[i % SK_COUNT_OF(matches)];
        struct bots_game game;
        struct bot_question question;
        char params[64];
        char *alone;
        char *shared;

        snprintf(params, sizeof(params), "{'%s':%u,%s",
                 strcmp(it->ruleset, "snarl") == 0 ? "round_limit" : "turn_limit", 50 + i % MORE,
                 strcmp(it->ruleset, "snarl") == 0 ? "'heroes':['ada']}" : "");
        if (params[strlen(params) - 1] == ',') {
            params[strlen(params) - 1] = '}';
        }
        bots_open(&game, ruleset_of(it), params, 7);
        question = bots_question(&game, 0);
        alone = answer_to(&question);
        question.desk = desk;
        shared = answer_to(&question);
        cr_expect_str_eq(shared, alone, "%s, question %u", it->label, i);
        free(alone);
        free(shared);
        bots_question_fini(&question);
        bots_close(&game);
    }
    bot_desk_free(desk);
}

static int64_t
cpu_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Squares of squares: hundreds of thousands of steps to compile. */
static void
say_costly(struct words *words)
{
    words_say(words, "{'turn_limit':5,'patterns':{");
    for (uint32_t i = 0; i < 3; i++) {
        words_say(words, "'p%u':{'rows':['", i);
        for (uint32_t cell = 0; cell < 23 * 23; cell++) {
            words_say(words, cell % 23 == 0 && cell > 0 ? "','o" : "o");
        }
        words_say(words, i == 2 ? "']}}," : "'],'map':{'o':'p%u'}},", i + 1);
    }
    words_say(words, "'models':{'m':{'health':1,'power':1,'move':[],'attack':['p2']}},'units':["
                     "{'id':'a','model':'m','seat':0,'at':[0,8]},"
                     "{'id':'b','model':'m','seat':1,'at':[0,0]}]}");
}

Test(bot, a_desk_compiles_the_same_params_once)
{
    struct bot_desk *desk = bot_desk_alloc();
    struct bots_game game;
    struct bot_question question;
    struct words words;
    int64_t took[2];

    words_init(&words);
    say_costly(&words);
    bots_open(&game, sk_registry_find(SK_TEXT("tactics"), 0), words.at, 7);
    question = bots_question(&game, 0);
    question.desk = desk;
    for (uint32_t i = 0; i < 2; i++) {
        int64_t from = cpu_ns();

        free(answer_to(&question));
        took[i] = cpu_ns() - from;
    }
    cr_expect_lt(took[1] * 2, took[0], "the second question took %lld of %lld ns",
                 (long long)took[1], (long long)took[0]);
    bots_question_fini(&question);
    bots_close(&game);
    words_fini(&words);
    bot_desk_free(desk);
}

Test(bot, a_bot_without_hints_gives_no_commands)
{
    for (size_t i = 0; i < SK_COUNT_OF(matches); i++) {
        struct bots_game game;
        struct bot_question question;
        struct bot_question idle;
        char *text;

        open_case(&game, &matches[i], BOT_SEARCH);
        question = bots_question(&game, 0);
        idle = question;
        idle.hints = SK_TEXT("[]");
        text = answer_to(&idle);
        cr_expect_str_eq(text, "[]", "%s", matches[i].label);
        free(text);
        bots_question_fini(&question);
        bots_close(&game);
    }
}

struct fault_case {
    const char *label;
    const char *ruleset; /* NULL = as it should be, like the others */
    const char *params;
    const char *view;
    const char *hints;
    uint8_t seat;
    const char *code;
    const char *at;
};

static const struct fault_case faults[] = {
    { "an unknown ruleset", "chess", NULL, NULL, NULL, 0, "unknown_ruleset", "/ruleset" },
    { "params that are no JSON", NULL, "{", NULL, NULL, 0, "malformed", "/params" },
    { "params that are wrong", NULL, "{\"rows\":-1}", NULL, NULL, 0, "malformed", "/params/rows" },
    { "a view that is no JSON", NULL, NULL, "nothing", NULL, 0, "malformed", "/view" },
    { "a view of nothing", NULL, NULL, "{}", NULL, 0, "malformed", "/view" },
    { "hints that are no list", NULL, NULL, NULL, "{}", 0, "malformed", "/hints" },
    { "a hint of an unknown kind", NULL, NULL, NULL, "[{\"kind\":\"fly\"}]", 0, "malformed",
      "/hints/0" },
    { "a seat that is not there", NULL, NULL, NULL, NULL, 2, "malformed", "/seat" },
};

Test(bot, an_invalid_question_is_refused_with_its_position)
{
    struct bots_game game;
    struct bot_question good;

    open_case(&game, &matches[0], BOT_RANDOM);
    good = bots_question(&game, 0);
    for (size_t i = 0; i < SK_COUNT_OF(faults); i++) {
        const struct fault_case *it = &faults[i];
        struct bot_question question = good;
        struct sk_fault fault = { .code = "none" };
        char *text = NULL;

        question.ruleset = it->ruleset == NULL ? good.ruleset : sk_text_of(it->ruleset);
        question.params = it->params == NULL ? good.params : sk_text_of(it->params);
        question.view = it->view == NULL ? good.view : sk_text_of(it->view);
        question.hints = it->hints == NULL ? good.hints : sk_text_of(it->hints);
        question.seat = it->seat;
        cr_expect_eq(bot_answer(&question, &text, &fault), SK_ERR_REFUSED, "%s", it->label);
        cr_expect_null(text, "%s", it->label);
        cr_expect_str_eq(fault.code, it->code, "%s", it->label);
        cr_expect_eq(strncmp(fault.at, it->at, strlen(it->at)), 0, "%s: at %s", it->label,
                     fault.at);
    }
    bots_question_fini(&good);
    bots_close(&game);
}

/* The table of a ruleset says which levels there are, the players have them. */
Test(bot, every_ruleset_has_the_levels_that_its_table_promises)
{
    for (size_t i = 0; i < sk_registry_count(); i++) {
        cr_expect(bot_player_is_whole(sk_registry_at(i)), "%s", sk_registry_at(i)->name);
        cr_expect(bot_level_plays(sk_registry_at(i), BOT_SEARCH), "%s", sk_registry_at(i)->name);
    }
}

Test(bot, levels_have_names)
{
    for (enum bot_level level = 0; level < BOT_LEVELS; level++) {
        enum bot_level found = BOT_LEVELS;

        cr_expect(bot_level_find(sk_text_of(bot_level_names[level]), &found));
        cr_expect_eq(found, level);
    }
    cr_expect_not(bot_level_find(SK_TEXT("genius"), &(enum bot_level){ 0 }));
}
