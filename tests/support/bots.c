#include "tests/support/bots.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "proto/json_buffer.h"
#include "proto/json_parse.h"
#include "proto/params.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "tests/support/json.h"
#include "tests/support/words.h"

static struct sk_value *
parse(const char *text)
{
    struct sk_value *json = NULL;
    struct sk_fault fault;

    if (json_parse(text, &json, &fault) != SK_OK) {
        table_fail("%s: %s in %s", fault.code, fault.message, text);
    }
    return json;
}

/* ---- games ------------------------------------------------------------------------------- */

/* As in the daemon: missing members are filled from the default params. */
static const void *
read_params(const struct sk_ruleset *ruleset, const char *params, struct sk_arena *arena)
{
    const void *form = ruleset->default_params;
    struct words words;
    struct sk_fault fault;
    struct sk_value *json;

    if (params == NULL) {
        return form;
    }
    words_init(&words);
    words_say_json(&words, params);
    json = parse(words.at);
    words_fini(&words);
    if (sk_params_read(ruleset, json, arena, &form, &fault) != SK_OK) {
        table_fail("%s: %s at %s", fault.code, fault.message, fault.at);
    }
    sk_json_free(json);
    return form;
}

void
bots_open(struct bots_game *game, const struct sk_ruleset *ruleset, const char *params,
          uint64_t seed)
{
    struct sk_arena arena;

    json_arena_alloc(&arena, JSON_ARENA_LARGE);
    bots_open_form(game, ruleset, read_params(ruleset, params, &arena), seed);
    free(arena.base);
}

void
bots_open_form(struct bots_game *game, const struct sk_ruleset *ruleset, const void *form,
               uint64_t seed)
{
    struct sk_seed match_seed = table_seed(seed);
    struct words words;

    *game = (struct bots_game){ .seed = seed };
    json_arena_alloc(&game->arena, JSON_ARENA_LARGE);
    game->desk = bot_desk_alloc();
    table_open(&game->table, ruleset, form, &match_seed);
    words_init(&words);
    json_say_form(&words, ruleset->params, form);
    game->params = words.at;
    for (uint32_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        commands_init(&game->commands[seat], ruleset);
    }
}

void
bots_close(struct bots_game *game)
{
    for (uint32_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        commands_fini(&game->commands[seat]);
    }
    table_close(&game->table);
    free(game->params);
    free(game->arena.base);
    bot_desk_free(game->desk);
}

/* ---- questions --------------------------------------------------------------------------- */

struct showing {
    struct bots_game *game;
    uint8_t seat;
};

static void
write_view(struct sk_json_out *out, const void *what)
{
    const struct showing *showing = what;
    struct table *table = &showing->game->table;

    if (sk_view_write(out, table->ruleset, table->config, table->match.state, showing->seat,
                      table->view, &showing->game->arena) != SK_OK) {
        table_fail("no space for a view");
    }
}

struct hint_writer {
    struct sk_hint_sink sink;
    const struct sk_ruleset *ruleset;
    struct sk_json_out *out;
    uint32_t left;
};

static bool
take_hint(struct sk_hint_sink *sink, const void *command)
{
    struct hint_writer *writer = (struct hint_writer *)(void *)sink;

    sk_variant_write(writer->out, writer->ruleset->command, command);
    return --writer->left > 0;
}

static void
write_hints(struct sk_json_out *out, const void *what)
{
    const struct showing *showing = what;
    struct table *table = &showing->game->table;
    struct hint_writer writer = { { .take = take_hint }, table->ruleset, out, BOT_HINTS_MAX };

    sk_json_begin_list(out);
    sk_rules_hints(table->ruleset, table->config, table_look(table, showing->seat), showing->seat,
                   &writer.sink);
    sk_json_end_list(out);
}

static struct sk_text
write(void (*writer)(struct sk_json_out *out, const void *what), const struct showing *showing)
{
    struct sk_json_buffer buffer = { NULL, 0 };

    return sk_json_buffer_write(&buffer, writer, showing);
}

struct bot_question
bots_question(struct bots_game *game, uint8_t seat)
{
    struct showing showing = { game, seat };

    return (struct bot_question){
        .ruleset = sk_text_of(game->table.ruleset->name),
        .version = game->table.ruleset->version,
        .params = sk_text_of(game->params),
        .view = write(write_view, &showing),
        .hints = write(write_hints, &showing),
        .seat = seat,
        .turn = game->table.match.state->turn,
        .level = game->levels[seat],
        .seed = game->seed,
        .budget_ms = game->budget_ms,
        .wait_ms = game->wait_ms,
    };
}

void
bots_question_fini(struct bot_question *question)
{
    free((void *)(uintptr_t)question->view.at);
    free((void *)(uintptr_t)question->hints.at);
}

/* ---- playing ----------------------------------------------------------------------------- */

/* Reads an answer as a submission. */
static void
read_commands(struct bots_game *game, const char *text, struct command_list *ret_commands)
{
    const struct sk_ruleset *ruleset = game->table.ruleset;
    struct sk_value *json = parse(text);
    size_t mark = game->arena.used;
    struct sk_list list;
    struct sk_fault fault;

    if (sk_commands_read(ruleset->command, json, SK_COMMANDS_MAX, &game->arena, &list, &fault) !=
        SK_OK) {
        table_fail("a bot's answer: %s at %s: %s", fault.message, fault.at, text);
    }
    commands_clear(ret_commands);
    for (uint32_t i = 0; i < list.count; i++) {
        commands_add(ret_commands, sk_list_item(&list, i, ruleset->command->size));
    }
    game->arena.used = mark;
    sk_json_free(json);
}

static void
ask(struct bots_game *game, uint8_t seat)
{
    struct bot_question question = bots_question(game, seat);
    struct sk_fault fault;
    char *text;

    question.desk = game->desk;
    if (bot_answer(&question, &text, &fault) != SK_OK) {
        table_fail("a bot did not understand: %s at %s", fault.message, fault.at);
    }
    read_commands(game, text, &game->commands[seat]);
    game->asked++;
    game->given += game->commands[seat].count;
    free(text);
    bots_question_fini(&question);
}

/* Bounces do not count as refusals: only verdicts of submitting do. */
static void
count_refused(struct bots_game *game, uint8_t seat)
{
    struct table *table = &game->table;

    table->turn.before = table->match.state;
    table->turn.seed = &table->match.seed;
    table->turn.commands[seat] = commands_of(&game->commands[seat]);
    sk_turn_check(&table->turn, seat);
    for (uint32_t i = 0; i < game->commands[seat].count; i++) {
        game->refused += table->turn.judgements[seat][i].verdict != SK_VERDICT_OK;
    }
}

void
bots_play_turn(struct bots_game *game)
{
    const struct command_list *lists[SK_SEATS_MAX] = { NULL };
    uint32_t owing = sk_match_waiting(&game->table.match);

    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        if ((owing >> seat & 1) != 0) {
            ask(game, seat);
            count_refused(game, seat);
            lists[seat] = &game->commands[seat];
        }
    }
    table_play(&game->table, lists);
}

struct sk_outcome
bots_play(struct bots_game *game)
{
    while (!game->table.match.state->outcome.is_over) {
        bots_play_turn(game);
    }
    return game->table.match.state->outcome;
}
