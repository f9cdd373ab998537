/*
 * skirmish play - a person plays on a running server, from a terminal.
 *
 * It speaks in lines: a unit's name shows what it can do, a number chooses
 * one of those, `send` hands the turn in.  So it works in every terminal, and
 * from a script too.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/core/registry.h"
#include "proto/json_buffer.h"
#include "server/bot/bot.h"
#include "server/cli/choices.h"
#include "server/cli/cli.h"
#include "server/cli/guest.h"
#include "server/cli/live.h"
#include "server/cli/online.h"
#include "server/cli/options.h"
#include "server/client/look.h"

#define LINE_BYTES_MAX 255
#define MESSAGE_MAX    256
#define MARKS_MAX      256
#define COMMAND_ID_MAX 64

struct options {
    const char *url;
    const char *name;
    const char *ruleset;
    const char *against;
    const char *params;
    int64_t join;
    int64_t match; /* to go on with */
    bool creates;
};

struct player {
    struct options options;
    struct online online;
    struct live live;
    struct choices choices;
    int32_t turn;
    bool owes;
    uint32_t prefix;
    uint32_t submissions;
    char line[LINE_BYTES_MAX + 1];
    size_t line_length;
};

/* ---- pages ------------------------------------------------------------------------------- */

static void
add_prompt(struct player *player)
{
    struct screen *screen = &player->live.screen;

    if (!player->owes) {
        screen_add(screen, "\n(the others are to move)\n");
        return;
    }
    screen_add(screen, "\n");
    choices_add(&player->choices, &player->live);
    screen_add(screen, "> ");
}

/* `frame` says what happened, or is NULL. */
static void
show(struct player *player, const struct sk_value *frame)
{
    struct sk_cell marks[MARKS_MAX];
    uint32_t count = choices_targets(&player->choices, MARKS_MAX, marks);

    live_draw(&player->live, marks, count);
    if (frame != NULL) {
        screen_add(&player->live.screen, "\n");
        live_add_events(&player->live, frame);
    }
    add_prompt(player);
    live_print(&player->live);
}

/* ---- sending ----------------------------------------------------------------------------- */

static void
submit(struct player *player)
{
    union client_frame frame = { .submit = { .head = { .type = FRAME_SUBMIT },
                                             .match = player->live.match,
                                             .turn = player->turn,
                                             .has_ready = true,
                                             .ready = true } };
    struct sk_json_buffer buffer = { NULL, 0 };
    char id[COMMAND_ID_MAX];

    (void)snprintf(id, sizeof(id), "play-%x-%u", (unsigned)player->prefix, player->submissions++);
    frame.submit.command_id = sk_text_of(id);
    frame.submit.commands.text = sk_json_buffer_write(&buffer, choices_write, &player->choices);
    client_send(player->online.client, &frame);
    free(buffer.at);
}

static void
resign(struct player *player)
{
    union client_frame frame = { .resign = { .head = { .type = FRAME_RESIGN },
                                             .match = player->live.match } };
    char id[COMMAND_ID_MAX];

    (void)snprintf(id, sizeof(id), "play-%x-%u", (unsigned)player->prefix, player->submissions++);
    frame.resign.command_id = sk_text_of(id);
    client_send(player->online.client, &frame);
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Where seats take turns one command is a turn: it is sent at once. */
static void
choose_number(struct player *player, int64_t number)
{
    choices_choose(&player->choices, (uint32_t)number);
    if (player->live.ruleset->is_simultaneous) {
        show(player, NULL);
    } else {
        submit(player);
    }
}

static void
help(struct player *player)
{
    screen_clear(&player->live.screen);
    screen_add(&player->live.screen,
               "a unit's name shows what it can do, a number chooses, send hands the turn in;\n"
               "all shows every choice, clear begins anew, resign gives up, quit leaves\n> ");
    live_print(&player->live);
}

static void
take_choice(struct player *player, const char *word)
{
    int64_t number;

    if (cli_number_read(word, 1, player->choices.shown_count, &number)) {
        choose_number(player, number);
    } else if (choices_number(&player->choices, strcmp(word, "all") == 0 ? NULL : word)) {
        show(player, NULL);
    } else {
        choices_clear(&player->choices);
        help(player);
    }
}

static void
take_line(struct player *player, const char *word)
{
    if (strcmp(word, "quit") == 0) {
        client_stop(player->online.client);
    } else if (strcmp(word, "resign") == 0) {
        resign(player);
    } else if (!player->owes || player->choices.hints == NULL) {
        printf("(not your turn)\n");
    } else if (strcmp(word, "send") == 0) {
        submit(player);
    } else if (strcmp(word, "clear") == 0) {
        choices_clear(&player->choices);
        show(player, NULL);
    } else if (strcmp(word, "help") == 0 || word[0] == '\0') {
        help(player);
    } else {
        take_choice(player, word);
    }
    (void)fflush(stdout);
}

/* Takes in what has been typed; the end of the input ends the program. */
static void
read_input(struct player *player)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    char letter;

    while (poll(&input, 1, 0) > 0) {
        if (read(STDIN_FILENO, &letter, 1) != 1) {
            client_stop(player->online.client);
            return;
        }
        if (letter == '\n') {
            player->line[player->line_length] = '\0';
            player->line_length = 0;
            take_line(player, player->line);
            return; /* the next one after what this one does */
        }
        if (player->line_length < LINE_BYTES_MAX && letter != ' ' && letter != '\r') {
            player->line[player->line_length++] = letter;
        }
    }
}

/* ---- frames ------------------------------------------------------------------------------ */

static void
ask_hints(struct player *player)
{
    union client_frame frame = { .match = { .head = { .type = FRAME_HINTS },
                                            .match = player->live.match } };

    client_send(player->online.client, &frame);
}

static void
take_hints(struct player *player, const struct sk_value *frame)
{
    const struct sk_value *commands = sk_value_member(frame, "commands");

    if (!sk_value_is(commands, SK_VALUE_LIST) || look_int(frame, "turn", -1) != player->turn) {
        return;
    }
    choices_take(&player->choices, commands);
    add_prompt(player);
    live_print(&player->live);
}

static void
take_open(struct player *player, const struct sk_value *open)
{
    player->turn = look_int(open, "turn", player->turn);
    player->owes = look_lists(open, "owing", player->live.seat) &&
                   !look_lists(open, "ready", player->live.seat);
    if (player->owes) {
        ask_hints(player);
    }
}

/* A frame of the match; the prompt comes with the hints. */
static void
take_match(struct player *player, const struct sk_value *frame)
{
    const struct sk_value *open = look_object(frame, "turn_open");
    const struct sk_value *outcome = look_object(frame, "outcome");
    bool is_over = look_says(frame, "type", "over");
    struct sk_fault fault;

    if (!live_take(&player->live, frame, &fault)) {
        online_fail(&player->online, "cannot show this match", fault.message);
        return;
    }
    player->choices.shown_count = 0;
    if (player->live.ruleset == NULL) {
        return;
    }
    if (player->live.seat < 0) {
        online_fail(&player->online, player->online.player.name, "has no seat in this match");
        return;
    }
    if (look_object(frame, "view") != NULL || is_over || outcome != NULL) {
        live_draw(&player->live, NULL, 0);
        screen_add(&player->live.screen, "\n");
        live_add_events(&player->live, frame);
    }
    if (is_over || outcome != NULL) {
        live_add_outcome(&player->live, is_over ? frame : outcome);
        live_print(&player->live);
        online_remember(&player->online, 0);
        client_stop(player->online.client);
    } else if (open != NULL) {
        take_open(player, open);
    }
}

/* Refused commands do not count: the player is told, and chooses again until the turn is over. */
static void
take_accepted(const struct sk_value *frame)
{
    const struct sk_value *verdicts = sk_value_member(frame, "verdicts");
    const struct sk_value *verdict = verdicts == NULL ? NULL : verdicts + 1;
    uint32_t count = sk_value_is(verdicts, SK_VALUE_LIST) ? verdicts->count : 0;

    for (uint32_t i = 0; i < count; i++, verdict = sk_value_next(verdict)) {
        char word[MESSAGE_MAX] = "";

        look_text(verdict, "verdict", word, sizeof(word));
        if (strcmp(word, "ok") != 0) {
            printf("command %u: %s\n", (unsigned)i + 1, word);
        }
    }
    printf("sent\n");
    (void)fflush(stdout);
}

static void
resume(struct player *player, int64_t match)
{
    union client_frame frame = { .resume = { .head = { .type = FRAME_RESUME }, .match = match } };

    client_send(player->online.client, &frame);
}

static void
take_error(struct player *player, const struct sk_value *frame)
{
    char message[ONLINE_ERROR_MAX + 1];

    online_error_text(frame, message, sizeof(message));
    if (player->live.match == 0) {
        if (player->options.join > 0 && look_says(frame, "code", "already_joined")) {
            resume(player, player->options.join);
        } else {
            online_fail(&player->online, "the server", message);
        }
    } else {
        printf("%s\n", message);
        (void)fflush(stdout);
    }
}

static void
take_joined(struct player *player, const struct sk_value *frame)
{
    printf("match %d, seat %d\n", (int)look_int(frame, "match", 0),
           (int)look_int(frame, "seat", 0));
    if (player->options.creates) {
        printf("waiting for another player, who joins with: skirmish play --join %d\n",
               (int)look_int(frame, "match", 0));
    }
    (void)fflush(stdout);
    online_remember(&player->online, look_int(frame, "match", 0));
}

static void
on_frame(void *user, const struct sk_value *frame)
{
    struct player *player = user;

    if (look_says(frame, "type", "hints")) {
        take_hints(player, frame);
    } else if (look_says(frame, "type", "accepted")) {
        take_accepted(frame);
    } else if (look_says(frame, "type", "error")) {
        take_error(player, frame);
    } else if (look_says(frame, "type", "joined")) {
        take_joined(player, frame);
    } else if (look_int(frame, "seq", 0) > 0) {
        take_match(player, frame);
    }
}

/* ---- the match --------------------------------------------------------------------------- */

static void
write_create(struct sk_json_out *out, const void *what)
{
    const struct options *options = what;

    sk_json_begin_object(out);
    sk_json_key(out, "type");
    sk_json_string(out, "create");
    sk_json_key(out, "ruleset");
    sk_json_string(out, options->ruleset);
    if (options->params != NULL) {
        sk_json_key(out, "params");
        sk_json_raw(out, sk_text_of(options->params));
    }
    if (options->against != NULL) {
        sk_json_key(out, "clock");
        sk_json_null(out);
        sk_json_key(out, "seats");
        sk_json_begin_list(out);
        sk_json_null(out);
        sk_json_begin_object(out);
        sk_json_key(out, "bot");
        sk_json_begin_object(out);
        sk_json_key(out, "level");
        sk_json_string(out, options->against);
        sk_json_end_object(out);
        sk_json_end_object(out);
        sk_json_end_list(out);
    }
    sk_json_end_object(out);
}

static void
on_welcome(void *user, bool is_again)
{
    struct player *player = user;
    const struct options *options = &player->options;
    union client_frame frame = {
        .join = { .head = { .type = FRAME_JOIN }, .has_match = true, .match = options->join }
    };
    struct sk_json_buffer buffer = { NULL, 0 };

    if (is_again && player->live.match != 0) {
        return;
    }
    if (player->online.needs_match || options->match > 0) {
        resume(player, options->match > 0 ? options->match : player->online.player.match);
        return;
    }
    if (options->creates || options->against != NULL) {
        client_send_text(player->online.client,
                         sk_json_buffer_write(&buffer, write_create, options));
        free(buffer.at);
        return;
    }
    if (options->join == 0) {
        frame.queue = (struct frame_queue){ .head = { .type = FRAME_QUEUE },
                                            .ruleset = sk_text_of(options->ruleset) };
        frame.queue.params.text = sk_text_of(options->params == NULL ? "" : options->params);
        printf("waiting for somebody who wants to play %s\n", options->ruleset);
        (void)fflush(stdout);
    }
    client_send(player->online.client, &frame);
}

static void
on_tick(void *user)
{
    read_input(user);
}

/* ---- the command ------------------------------------------------------------------------- */

/* How to come back. */
static void
say_farewell(const struct player *player)
{
    bool is_elsewhere = strcmp(player->options.url, CLIENT_URL_DEFAULT) != 0;

    printf("\nThe match goes on without you.  To come back:\n"
           "  skirmish play --match %lld --name '%s'%s%s\n",
           (long long)player->online.player.match, player->online.player.name,
           is_elsewhere ? " --url " : "", is_elsewhere ? player->options.url : "");
}

static int
play(struct player *player)
{
    static const struct client_events events = { on_welcome, on_frame, on_tick };
    struct client_options options = { .url = player->options.url, .name = player->options.name };
    bool is_fine;

    live_init(&player->live);
    choices_init(&player->choices);
    player->prefix = cli_guest_number();
    is_fine = online_run(&player->online, &options, &events, player);
    if (is_fine && player->online.player.match != 0 && player->online.keeps_player) {
        say_farewell(player);
    }
    choices_fini(&player->choices);
    live_fini(&player->live);
    return is_fine ? CLI_OK : CLI_FAILED;
}

static int
check_options(struct player *player)
{
    const struct options *options = &player->options;
    bool says_what = options->creates || options->against != NULL || options->params != NULL;
    enum bot_level level;

    if ((options->ruleset != NULL) + (options->join > 0) + (options->match > 0) > 1 ||
        (options->ruleset == NULL && says_what)) {
        return cli_usage_error(
            "play", "takes --ruleset, or --join, or --match and nothing about the match", NULL);
    }
    player->online.needs_match = options->ruleset == NULL && options->join == 0;
    if (options->match > 0) {
        player->online.needs_match = false;
    }
    if (options->ruleset != NULL && sk_registry_find(sk_text_of(options->ruleset), 0) == NULL) {
        return cli_usage_error("play", "there is no ruleset", options->ruleset);
    }
    if (options->against != NULL && !bot_level_find(sk_text_of(options->against), &level)) {
        return cli_usage_error("play", "a level is random, greedy or search, not",
                               options->against);
    }
    if (options->params != NULL && !cli_is_json_object(options->params)) {
        return cli_usage_error("play", "--params takes a JSON object, not", options->params);
    }
    return CLI_OK;
}

int
cli_play(int argc, char **argv)
{
    struct player player = { 0 };
    struct options *its = &player.options;
    const struct cli_option options[] = {
        { "ruleset", CLI_TEXT, &its->ruleset, "NAME", "what to play", 0, 0 },
        { "against", CLI_TEXT, &its->against, "LEVEL",
          "practise against the server's bot: random, greedy or search", 0, 0 },
        { "create", CLI_FLAG, &its->creates, NULL, "create a match and wait for a player", 0, 0 },
        { "join", CLI_NUMBER, &its->join, "ID", "join this match", 1, INT32_MAX },
        { "match", CLI_NUMBER, &its->match, "ID", "go on with this match (the last one)", 1,
          INT32_MAX },
        { "params", CLI_TEXT, &its->params, "JSON", "of the match (the ruleset's default)", 0, 0 },
        { "name", CLI_TEXT, &its->name, "NAME", "of the player (as the last time, or a guest)", 0,
          0 },
        CLI_TOKEN_OPTION(&player.online.token_file),
        { "url", CLI_TEXT, &its->url, "URL", "the server (" CLIENT_URL_DEFAULT ")", 0, 0 },
    };
    const struct cli_usage usage = {
        .command = "play",
        .about =
            "Plays a match on a running server, in a terminal.  Type a unit's name to see what it\n"
            "can do (its targets are marked * on the board), a number to choose one of that, and\n"
            "send to hand the turn in; where seats take turns a choice is sent at once.  Also: "
            "all,\n"
            "clear, resign, quit, help.  Without --against, --create or --join it waits in the\n"
            "queue for whoever wants the same.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    its->url = CLIENT_URL_DEFAULT;
    player.online.command = "play";
    if (cli_options_read(&usage, argc, argv, &words, &status)) {
        status = check_options(&player);
        status = status == CLI_OK ? play(&player) : status;
    }
    return status;
}
