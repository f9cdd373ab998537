#include "server/cli/checker.h"

#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "proto/json_parse.h"
#include "server/bot/bot.h"
#include "server/cli/cli.h"
#include "server/clock.h"

#define SILENCE_MS    3000
#define SILENCE_BYTES 4096 /* that a bot may send while it has nothing to do: pongs, a ping */
#define CUT_MS        300
#define JOIN_MS       60000 /* a program may take long to start */
#define HURRY_MS      30

static const struct check_scenario *
scenario_of(const struct checker *checker)
{
    return &check_scenarios[checker->scenario];
}

static void __attribute__((format(printf, 2, 3)))
blame(struct checker *checker, const char *format, ...)
{
    va_list arguments;

    if (checker->fault_count == CHECK_FAULTS_MAX) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(checker->faults[checker->fault_count++], CHECK_FAULT_BYTES, format, arguments);
    va_end(arguments);
}

/* "; what to do", or nothing. */
static const char *
advice_of(const struct checker *checker, char *text, size_t size)
{
    const struct check_scenario *scenario = scenario_of(checker);
    const char *advice = checker->game.turn < 0     ? NULL
                         : checker->bot.url != NULL ? scenario->service_advice
                                                    : scenario->advice;

    (void)snprintf(text, size, "%s%s", advice == NULL ? "" : "; ", advice == NULL ? "" : advice);
    return text;
}

/* ---- the bot's process ------------------------------------------------------------------- */

/* True = it has ended, and what was wrong with that is noted. */
static bool
has_ended(struct checker *checker)
{
    char advice[CHECK_FAULT_BYTES];
    int status;

    if (!checked_bot_has_ended(&checker->bot, &status)) {
        return false;
    }
    if (!checker->game.is_over) {
        blame(checker, "It ended before the match was over%s.",
              advice_of(checker, advice, sizeof(advice)));
    } else if (WIFSIGNALED(status)) {
        blame(checker, "It was killed by signal %d.", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
        blame(checker, "It ended with the status %d; after a match it should be 0.",
              WEXITSTATUS(status));
    }
    return true;
}

/* ---- results ----------------------------------------------------------------------------- */

static void
blame_for_report(struct checker *checker)
{
    struct relay_report report;
    char advice[CHECK_FAULT_BYTES];

    if (checker->relay == NULL) {
        return;
    }
    relay_take(checker->relay, &report);
    if (report.sent_held > SILENCE_BYTES) {
        blame(checker, "It sent %llu bytes while the server did not answer.",
              (unsigned long long)report.sent_held);
    }
    for (uint32_t i = 0; i < RELAY_NOTES_MAX; i++) {
        const struct relay_note *error = &report.errors[i];
        const struct relay_note *refusal = &report.refusals[i];

        if (error->count > 0 &&
            !check_scenario_forgives(scenario_of(checker), error->word, checker->game.is_over)) {
            blame(checker, "The server answered %u of its frames with the error %s: %s%s",
                  error->count, error->word, error->text,
                  advice_of(checker, advice, sizeof(advice)));
        }
        if (refusal->count > 0) {
            blame(checker, "%u of its commands were refused as %s, by the check %s.",
                  refusal->count, refusal->word, refusal->text);
        }
    }
}

static void
print_result(struct checker *checker)
{
    checker->checks++;
    checker->failed += checker->fault_count > 0;
    printf("%-6s %s: %s\n", checker->fault_count == 0 ? "ok" : "WRONG",
           checker->bot.rulesets[checker->ruleset], scenario_of(checker)->name);
    for (uint32_t i = 0; i < checker->fault_count; i++) {
        printf("         %s\n", checker->faults[i]);
    }
    (void)fflush(stdout);
    checker->fault_count = 0;
}

/* ---- playing ----------------------------------------------------------------------------- */

static void
clear_game(struct checker *checker)
{
    free(checker->game.params);
    free(checker->game.view);
    checker->game = (struct check_game){ .turn = -1, .moved_ms = clock_ms(CLOCK_MONOTONIC) };
}

/* Without a trick there is nothing between the server and the service. */
static const char *
address_of_service(const struct checker *checker)
{
    const struct check_scenario *scenario = scenario_of(checker);

    return scenario->trick == RELAY_NO_TRICK && scenario->kind != CUTTING
               ? checker->bot.url
               : service_relay_url(checker->service);
}

static void
create(struct checker *checker)
{
    const char *ruleset = checker->bot.rulesets[checker->ruleset];
    struct json_object *frame =
        online_create("create", ruleset, check_scenario_params(scenario_of(checker), ruleset));
    struct json_object *clock = NULL;

    clear_game(checker);
    if (checker->relay != NULL) {
        relay_set_trick(checker->relay, scenario_of(checker)->trick);
        relay_hold(checker->relay, 0);
    }
    if (scenario_of(checker)->kind == HURRYING) {
        clock = json_object_new_object();
        json_object_object_add(clock, "turn_ms", json_object_new_int(HURRY_MS));
    }
    json_object_object_add(frame, "clock", clock);
    if (checker->bot.url != NULL) {
        struct json_object *seats = json_object_new_array();

        json_object_array_add(seats, NULL);
        json_object_array_add(seats, online_bot("http", address_of_service(checker)));
        service_relay_set_trick(checker->service, scenario_of(checker)->trick);
        json_object_object_add(frame, "seats", seats);
    }
    online_send_json(&checker->online, frame);
}

static void
send_about(struct checker *checker, const char *type, bool has_command_id)
{
    struct json_object *frame = json_object_new_object();
    char id[CHECK_WORD_MAX];

    json_object_object_add(frame, "type", json_object_new_string(type));
    json_object_object_add(frame, "id", json_object_new_string(type));
    json_object_object_add(frame, "match", json_object_new_int64(checker->game.match));
    if (has_command_id) {
        (void)snprintf(id, sizeof(id), "check-%u", checker->submissions++);
        json_object_object_add(frame, "command_id", json_object_new_string(id));
    }
    online_send_json(&checker->online, frame);
}

static void
submit(struct checker *checker)
{
    struct check_game *game = &checker->game;
    struct bot_question question = {
        .ruleset = sk_text_of(game->ruleset),
        .version = game->version,
        .params = sk_text_of(game->params),
        .view = sk_text_of(game->view),
        .seat = 0,
        .turn = (uint32_t)game->turn,
        .level = BOT_RANDOM,
        .seed = (uint64_t)game->turn + 1,
    };
    union client_frame frame = { .submit = { .head = { .type = FRAME_SUBMIT },
                                             .match = game->match,
                                             .turn = game->turn,
                                             .has_ready = true,
                                             .ready = true } };
    struct sk_fault fault;
    char *commands;
    char id[CHECK_WORD_MAX];

    if (bot_answer(&question, &commands, &fault) != SK_OK) {
        online_fail(&checker->online, "cannot play this match", fault.message);
        return;
    }
    (void)snprintf(id, sizeof(id), "check-%u", checker->submissions++);
    frame.submit.command_id = sk_text_of(id);
    frame.submit.commands.text = sk_text_of(commands);
    client_send(checker->online.client, &frame);
    free(commands);
    game->owes = false;
}

/* Does what the scenario wants in this turn. */
static void
disturb(struct checker *checker)
{
    struct check_game *game = &checker->game;

    game->is_disturbed = true;
    game->disturbed_turn = game->turn;
    switch (scenario_of(checker)->kind) {
    case SLOW:
        relay_hold(checker->relay, scenario_of(checker)->slow_ms);
        break;
    case SILENT:
        game->held_until_ms = clock_ms(CLOCK_MONOTONIC) + SILENCE_MS;
        if (checker->relay != NULL) {
            relay_look(checker->relay, &game->before);
        }
        break;
    case OFFERING:
        game->offered_ms = clock_ms(CLOCK_MONOTONIC);
        send_about(checker, "offer_draw", false);
        break;
    case CUTTING:
        game->waits_to_cut = checker->bot.url == NULL;
        if (checker->bot.url != NULL) {
            service_relay_set_trick(checker->service, RELAY_CUTS);
        }
        break;
    case RESTARTING:
        if (!own_daemon_restart(&checker->daemon)) {
            online_fail(&checker->online, "cannot restart the server", "it did not start again");
        }
        game->held_until_ms = clock_ms(CLOCK_MONOTONIC) + CUT_MS;
        break;
    case RESIGNING:
        send_about(checker, "resign", true);
        break;
    case HURRYING:
    case UNDISTURBED:
        break;
    }
}

/* A turn is open. */
static void
take_open(struct checker *checker, const struct sk_value *open)
{
    struct check_game *game = &checker->game;
    const struct check_scenario *scenario = scenario_of(checker);

    game->turn = look_int(open, "turn", 0);
    game->owes = look_lists(open, "owing", 0);
    game->bot_owes = look_lists(open, "owing", 1);
    game->moved_ms = clock_ms(CLOCK_MONOTONIC) + scenario->slow_ms;
    if (!game->is_disturbed && game->turn >= 2 && game->owes) {
        disturb(checker);
    } else if (game->is_disturbed && scenario->turns > 0 && game->offered_ms == 0 &&
               game->turn >= game->disturbed_turn + scenario->turns) {
        send_about(checker, "resign", true);
        return;
    }
    if (game->owes && game->held_until_ms == 0 && game->offered_ms == 0 && !game->waits_to_cut &&
        scenario->kind != HURRYING) {
        submit(checker);
    }
}

/* ---- scenario after scenario ------------------------------------------------------------- */

static bool
is_wanted(const struct checker *checker)
{
    const struct check_scenario *scenario = scenario_of(checker);

    /* halma's questions to web services are those of another game server, and have no more. */
    bool is_fixed = strcmp(checker->bot.rulesets[checker->ruleset], "halma") == 0 &&
                    scenario->trick == RELAY_ADDS;

    return (checker->bot.url == NULL || (!scenario->is_for_commands && !is_fixed)) &&
           (checker->only == NULL || strstr(scenario->name, checker->only) != NULL);
}

static void
next_scenario(struct checker *checker)
{
    do {
        checker->scenario++;
        if (checker->scenario == CHECK_SCENARIO_COUNT) {
            checker->scenario = 0;
            checker->ruleset++;
        }
    } while (checker->ruleset < checker->bot.ruleset_count && !is_wanted(checker));
    if (checker->ruleset == checker->bot.ruleset_count) {
        client_stop(checker->online.client);
    } else {
        create(checker);
    }
}

/* The match is over, or makes no sense any more. */
static void
finish(struct checker *checker)
{
    int64_t match = checker->game.match;

    if (!checker->game.is_over) {
        send_about(checker, "resign", true);
    }
    checked_bot_kill(&checker->bot);
    blame_for_report(checker);
    print_result(checker);
    client_forget(checker->online.client, match);
    next_scenario(checker);
}

/* ---- frames ------------------------------------------------------------------------------ */

static void
take_joined(struct checker *checker, const struct sk_value *frame)
{
    checker->game.match = look_int(frame, "match", 0);
    if (checker->bot.url == NULL &&
        !checked_bot_start(&checker->bot, relay_url(checker->relay), checker->game.match)) {
        blame(checker, "It could not be started.");
    }
}

static void
take_view(struct checker *checker, const struct sk_value *frame)
{
    struct check_game *game = &checker->game;
    const struct sk_value *params = look_object(frame, "params");
    const struct sk_value *view = look_object(frame, "view");
    const struct sk_value *open = look_object(frame, "turn_open");

    if (look_int(frame, "match", 0) != game->match) {
        return;
    }
    if (params != NULL) {
        look_text(frame, "ruleset", game->ruleset, sizeof(game->ruleset));
        game->version = (uint32_t)look_int(frame, "version", 0);
        free(game->params);
        game->params = sk_json_text_of(params);
    }
    if (view != NULL) {
        free(game->view);
        game->view = sk_json_text_of(view);
    }
    if (open == NULL || game->view == NULL || game->params == NULL) {
        return;
    }
    if (look_int(open, "turn", 0) != game->turn) {
        take_open(checker, open);
    } else if (scenario_of(checker)->kind == RESTARTING && game->is_disturbed && !game->owes &&
               look_lists(open, "owing", 0)) {
        submit(checker); /* the last one may have gone to the server that was killed */
    }
}

static void
take_draw(struct checker *checker, const struct sk_value *frame)
{
    struct check_game *game = &checker->game;

    if (look_int(frame, "match", 0) == game->match && look_says(frame, "offer", "declined")) {
        game->offered_ms = 0;
        game->moved_ms = clock_ms(CLOCK_MONOTONIC);
        if (game->owes) {
            submit(checker);
        }
    }
}

static void
take_over(struct checker *checker, const struct sk_value *frame)
{
    if (look_int(frame, "match", 0) == checker->game.match) {
        checker->game.is_over = true;
        checker->game.moved_ms = clock_ms(CLOCK_MONOTONIC) + scenario_of(checker)->slow_ms;
    }
}

/* Of a web service; the server's sentence says what was wrong. */
static void
take_failure(struct checker *checker, const struct sk_value *frame)
{
    const struct check_scenario *scenario = scenario_of(checker);
    struct check_game *game = &checker->game;
    char message[CHECK_FAULT_BYTES / 2] = "";
    bool is_late = look_says(frame, "error", "http_timeout");

    if (look_int(frame, "match", 0) != game->match || (is_late && scenario->kind == HURRYING)) {
        return;
    }
    if (!game->has_failed && scenario->failure != NULL &&
        look_says(frame, "error", scenario->failure)) {
        game->has_failed = true;
    } else {
        look_text(frame, "message", message, sizeof(message));
        blame(checker, "Turn %d: %s", look_int(frame, "turn", 0), message);
    }
}

/* A turn may close while its commands are on their way. */
static void
take_error(struct checker *checker, const struct sk_value *frame)
{
    char message[ONLINE_ERROR_MAX + 1];

    online_error_text(frame, message, sizeof(message));
    if (look_says(frame, "id", "create")) {
        online_fail(&checker->online, "cannot create a match", message);
    } else if (look_says(frame, "code", "turn_closed") && look_says(frame, "id", "offer_draw")) {
        checker->game.is_disturbed = false; /* in another turn */
        checker->game.offered_ms = 0;
    } else if (look_says(frame, "id", "offer_draw")) {
        online_fail(&checker->online, "cannot offer a draw", message);
    }
}

static const struct {
    const char *type;
    void (*take)(struct checker *checker, const struct sk_value *frame);
} frames[] = {
    { "joined", take_joined },      { "state", take_view },  { "seated", take_view },
    { "turn", take_view },          { "draw", take_draw },   { "over", take_over },
    { "bot_failed", take_failure }, { "error", take_error },
};

static void
on_frame(void *user, const struct sk_value *frame)
{
    ONLINE_TAKE(frames, user, frame)
}

static void
on_welcome(void *user, bool is_again)
{
    struct checker *checker = user;

    if (!is_again && is_wanted(checker)) {
        create(checker);
    } else if (!is_again) {
        next_scenario(checker);
    }
}

/* ---- time -------------------------------------------------------------------------------- */

static void
end_silence(struct checker *checker)
{
    struct check_game *game = &checker->game;
    struct relay_report now = { 0 };

    if (checker->relay != NULL && scenario_of(checker)->kind != RESTARTING) {
        relay_look(checker->relay, &now);
    }
    if (now.sent > game->before.sent + SILENCE_BYTES) {
        blame(checker, "It sent %llu bytes in %d s in which it had nothing to do.",
              (unsigned long long)(now.sent - game->before.sent), SILENCE_MS / 1000);
    }
    game->held_until_ms = 0;
    game->moved_ms = clock_ms(CLOCK_MONOTONIC);
    submit(checker);
}

/* The turn is resolved while the bot is away, so that playing on needs what it has missed. */
static void
cut_and_submit(struct checker *checker)
{
    checker->game.waits_to_cut = false;
    checker->game.moved_ms = clock_ms(CLOCK_MONOTONIC);
    relay_cut(checker->relay, CUT_MS);
    submit(checker);
}

static bool
can_be_cut(const struct checker *checker)
{
    struct relay_report now;

    relay_look(checker->relay, &now);
    return !checker->game.bot_owes || now.turn == checker->game.turn;
}

/* The match is over: the bot's program ends by itself. */
static void
wait_for_end(struct checker *checker)
{
    if (has_ended(checker)) {
        finish(checker);
    } else if (clock_ms(CLOCK_MONOTONIC) - checker->game.moved_ms > checker->answer_ms) {
        blame(checker, "It did not end within %lld s after the match was over.",
              (long long)checker->answer_ms / 1000);
        finish(checker);
    }
}

static void
on_tick(void *user)
{
    struct checker *checker = user;
    struct check_game *game = &checker->game;
    char advice[CHECK_FAULT_BYTES];

    if (game->match == 0 || checker->ruleset == checker->bot.ruleset_count) {
        return;
    }
    if (game->is_over) {
        wait_for_end(checker);
    } else if (checker->bot.url == NULL && has_ended(checker)) {
        finish(checker);
    } else if (game->held_until_ms != 0) {
        if (clock_ms(CLOCK_MONOTONIC) >= game->held_until_ms &&
            client_is_connected(checker->online.client)) {
            end_silence(checker);
        }
    } else if (game->waits_to_cut && can_be_cut(checker)) {
        cut_and_submit(checker);
    } else if (game->offered_ms != 0) {
        if (clock_ms(CLOCK_MONOTONIC) - game->offered_ms > checker->answer_ms) {
            blame(checker, "It did not answer a draw offer within %lld s: send answer_draw.",
                  (long long)checker->answer_ms / 1000);
            finish(checker);
        }
    } else if (clock_ms(CLOCK_MONOTONIC) - game->moved_ms >
               (game->turn < 0 ? JOIN_MS : checker->answer_ms)) {
        if (game->turn < 0) {
            blame(checker, "It did not join the match within %d s.", JOIN_MS / 1000);
        } else {
            blame(checker, "It sent no commands that count for turn %d within %lld s%s.",
                  game->turn, (long long)checker->answer_ms / 1000,
                  advice_of(checker, advice, sizeof(advice)));
        }
        finish(checker);
    }
}

/* ---- the whole --------------------------------------------------------------------------- */

int
checker_play(struct checker *checker)
{
    static const struct client_events events = { on_welcome, on_frame, on_tick };
    struct client_options options = { .url = checker->daemon.url, .is_bot = true };
    bool is_fine;

    if (checker->bot.url == NULL) {
        checker->relay = relay_open(checker->daemon.url);
        if (checker->relay == NULL) {
            return CLI_FAILED;
        }
    }
    is_fine = online_run(&checker->online, &options, &events, checker);
    checked_bot_kill(&checker->bot);
    relay_close(checker->relay);
    clear_game(checker);
    if (checker->checks > 0) {
        printf("%u checked, %u wrong\n", checker->checks, checker->failed);
    }
    return is_fine && checker->ruleset == checker->bot.ruleset_count && checker->checks > 0 &&
                   checker->failed == 0
               ? CLI_OK
               : CLI_FAILED;
}
