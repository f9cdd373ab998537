/*
 * skirmish play - a person plays on a running server, from a terminal.
 *
 * It reads lines: a unit's name lists its commands, a number chooses one of them, a
 * unit and a cell choose directly, `send` submits the turn.  So it works in every
 * terminal and in scripts.
 */
#include <json-c/json.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/json_parse.h"
#include "server/bot/bot.h"
#include "server/cli/choices.h"
#include "server/cli/cli.h"
#include "server/cli/live_match.h"
#include "server/cli/online.h"
#include "server/cli/options.h"
#include "server/cli/orders.h"
#include "server/cli/turn_clock.h"
#include "server/client/look.h"

#define LINE_BYTES_MAX 255
#define MESSAGE_MAX    256
#define MARKS_MAX      256
#define WORDS_MAX      16
#define PROMPT_LINES   5 /* of a terminal, for the list and the prompt */

struct options {
    const char *url;
    const char *name;
    const char *ruleset;
    const char *against;
    const char *params;
    int64_t join;
    int64_t match; /* to continue */
    bool creates;
};

struct player {
    struct options options;
    struct online online;
    struct live_match live;
    struct choices choices;
    int32_t turn;
    bool owes;
    bool has_sent; /* something for the open turn */
    struct turn_clock clock;
    char *last_frame; /* the last one with events */
    struct orders orders;
    char line[LINE_BYTES_MAX + 1];
    size_t line_length;
};

/* ---- screens ----------------------------------------------------------------------------- */

/* `message` may be NULL. */
static void
add_prompt(struct player *player, const char *message)
{
    struct screen *screen = &player->live.screen;
    char text[TURN_CLOCK_TEXT_MAX];

    screen_add(screen, "\n");
    if (player->owes) {
        if (choices_are_places(&player->choices)) {
            screen_add(screen, "  Place your units, a unit and a cell each (a1 3,7), and send;\n"
                               "  pass leaves all as they stand.\n");
        }
        choices_add(&player->choices, &player->live);
    }
    if (message != NULL) {
        screen_add_text(screen, sk_text_of(message));
        screen_add(screen, "\n");
    }
    if (player->owes) {
        (void)turn_clock_text(&player->clock, text);
        screen_add(screen, "%s> ", text);
    } else {
        screen_add(screen, "(waiting for the others)\n");
    }
}

/* Draws the screen again, with a message below it, or NULL. */
static void
show(struct player *player, const char *message)
{
    static struct live_mark marks[MARKS_MAX];
    uint32_t count = player->owes ? choices_marks(&player->choices, MARKS_MAX, marks) : 0;

    live_draw(&player->live, marks, count);
    add_prompt(player, message);
    live_print(&player->live);
}

static void
show_help(struct player *player)
{
    screen_clear(&player->live.screen);
    screen_add(&player->live.screen,
               "  a1           lists what unit a1 can do; all lists everything\n"
               "  7            picks number 7 of the list; more shows the rest of the list\n"
               "  a1 3,4       moves a1 to column 3, row 4, or attacks what it cannot move to;\n"
               "               a1 attack 3,4 attacks.  Any words of a command do: use disc n\n"
               "  send         submits the orders; in racers and snarl a choice is sent at once\n"
               "  pass         submits none\n"
               "  clear        forgets the orders that are not sent yet\n"
               "  events       shows all that happened in the last turn\n"
               "  resign       gives up\n"
               "  quit         leaves; the match goes on, and skirmish play comes back to it\n"
               "Enter shows the board again.\n");
    screen_add(&player->live.screen, "%s", player->owes ? "> " : "");
    live_print(&player->live);
}

static void
show_events(struct player *player)
{
    struct sk_value *frame = NULL;
    struct sk_fault fault;

    screen_clear(&player->live.screen);
    if (player->last_frame != NULL &&
        sk_json_parse(player->last_frame, strlen(player->last_frame), &frame, &fault) == SK_OK) {
        live_add_events(&player->live, frame, -SCREEN_LINES_ENDLESS);
    }
    sk_json_free(frame);
    screen_add(&player->live.screen, "%s", player->owes ? "> " : "");
    live_print(&player->live);
}

/* ---- sending ----------------------------------------------------------------------------- */

static void
say_if_unsent(const struct player *player)
{
    if (!client_is_connected(player->online.client)) {
        printf("there is no connection: your orders are sent as soon as there is one\n");
    }
}

static void
submit(struct player *player)
{
    player->has_sent = true;
    orders_submit(&player->orders, player->online.client, player->live.match, player->turn,
                  &player->choices);
    say_if_unsent(player);
}

static void
resign(struct player *player)
{
    if (player->live.match == 0) {
        printf("(there is no match yet)\n");
        return;
    }
    player->has_sent = true;
    orders_resign(&player->orders, player->online.client, player->live.match);
    say_if_unsent(player);
}

/* ---- lines ------------------------------------------------------------------------------- */

static void
quit(struct player *player)
{
    client_stop(player->online.client);
}

static void
send_chosen(struct player *player)
{
    if (player->choices.chosen_count == 0) {
        show(player, "nothing is chosen yet; pass submits a turn without orders");
    } else {
        submit(player);
    }
}

static void
forget_chosen(struct player *player)
{
    choices_clear(&player->choices);
    show(player, NULL);
}

static void
send_none(struct player *player)
{
    choices_clear(&player->choices);
    submit(player);
}

static void
show_all(struct player *player)
{
    (void)choices_number(&player->choices, NULL, 0);
    show(player, NULL);
}

static void
show_more(struct player *player)
{
    choices_show_more(&player->choices);
    show(player, NULL);
}

static const struct {
    const char *name;
    void (*act)(struct player *player);
    bool needs_turn; /* only while this seat owes commands */
} lines[] = {
    { "quit", quit, false },     { "resign", resign, false },      { "help", show_help, false },
    { "?", show_help, false },   { "events", show_events, false }, { "send", send_chosen, true },
    { "pass", send_none, true }, { "clear", forget_chosen, true }, { "all", show_all, true },
    { "more", show_more, true },
};

/* Where seats take turns, each command is a turn and is sent at once. */
static void
choose(struct player *player, uint32_t number)
{
    choices_choose(&player->choices, number);
    if (player->live.ruleset->is_simultaneous) {
        show(player, NULL);
    } else {
        submit(player);
    }
}

/* A unit alone lists its commands.  Words that fit only one command choose it.  Other input changes
 * nothing. */
static void
take_choice(struct player *player, const char *const *words, uint32_t count)
{
    struct choices *choices = &player->choices;
    char message[MESSAGE_MAX];
    int64_t number;

    if (count == 1 && cli_number_read(words[0], 1, choices->shown_count, &number)) {
        choose(player, (uint32_t)number);
    } else if (!choices_number(choices, words, count)) {
        (void)snprintf(message, sizeof(message),
                       "%s%s%s: there is no such choice; help says what can be typed", words[0],
                       count > 1 ? " " : "", count > 1 ? words[1] : "");
        show(player, message);
    } else if (choices_are_one(choices, words, count)) {
        choose(player, 1);
    } else {
        show(player, NULL);
    }
}

static uint32_t
split(char *line, const char *ret_words[WORDS_MAX])
{
    char *rest = NULL;
    uint32_t count = 0;

    for (char *word = strtok_r(line, " \t", &rest); word != NULL && count < WORDS_MAX;
         word = strtok_r(NULL, " \t", &rest)) {
        ret_words[count++] = word;
    }
    return count;
}

static void
take_line(struct player *player, char *line)
{
    const char *words[WORDS_MAX];
    uint32_t count = split(line, words);
    bool can_move = player->owes && player->choices.hints != NULL;
    size_t i = 0;

    while (count == 1 && i < sizeof(lines) / sizeof(lines[0]) &&
           strcmp(lines[i].name, words[0]) != 0) {
        i++;
    }
    if (count == 1 && i < sizeof(lines) / sizeof(lines[0]) && (can_move || !lines[i].needs_turn)) {
        lines[i].act(player);
    } else if (player->live.ruleset == NULL || (count > 0 && !can_move)) {
        printf("(not your turn)\n");
    } else if (count == 0) {
        show(player, NULL);
    } else {
        take_choice(player, words, count);
    }
    (void)fflush(stdout);
}

/* Reads what has been typed.  The end of the input ends the program, after all answers. */
static void
read_input(struct player *player)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    char letter;

    while (poll(&input, 1, 0) > 0) {
        if (read(STDIN_FILENO, &letter, 1) != 1) {
            client_finish(player->online.client);
            return;
        }
        if (letter == '\n') {
            player->line[player->line_length] = '\0';
            player->line_length = 0;
            take_line(player, player->line);
            return; /* the next one after what this one does */
        }
        if (player->line_length < LINE_BYTES_MAX && letter != '\r') {
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
    add_prompt(player, NULL);
    live_print(&player->live);
}

static void
take_open(struct player *player, const struct sk_value *open, bool is_drawn)
{
    int32_t turn = look_int(open, "turn", player->turn);
    bool is_known = turn == player->turn && player->choices.hints != NULL;

    player->turn = turn;
    player->owes = look_lists(open, "owing", player->live.seat) &&
                   !look_lists(open, "ready", player->live.seat);
    turn_clock_take(&player->clock, open, player->live.seat);
    if (is_known) { /* what was chosen stays */
        if (is_drawn) {
            show(player, NULL);
        }
        return;
    }
    player->has_sent = false;
    choices_take(&player->choices, NULL);
    if (player->owes) {
        ask_hints(player);
    } else {
        add_prompt(player, NULL);
        live_print(&player->live);
    }
}

/* A turn waits for a seat that owes orders until the seat's deadline, and no longer. */
static void
say_time_is_over(struct player *player, const struct sk_value *frame)
{
    if (look_says(frame, "type", "turn") && player->owes && !player->has_sent &&
        player->clock.deadline_ms != 0) {
        screen_add(&player->live.screen,
                   "\n  Your time ran out: the turn was played without orders of yours.\n");
    }
}

static void
keep_events(struct player *player, const struct sk_value *frame)
{
    if (sk_value_is(sk_value_member(frame, "events"), SK_VALUE_LIST)) {
        free(player->last_frame);
        player->last_frame = sk_json_text_of(frame);
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
    if (player->live.ruleset == NULL) {
        return;
    }
    if (player->live.seat < 0) {
        online_fail(&player->online, player->online.player.name, "has no seat in this match");
        return;
    }
    if (look_object(frame, "view") != NULL || is_over || outcome != NULL) {
        live_draw(&player->live, NULL, 0);
        say_time_is_over(player, frame);
        live_add_events(&player->live, frame, PROMPT_LINES);
        keep_events(player, frame);
    }
    if (is_over || outcome != NULL) {
        live_add_outcome(&player->live, is_over ? frame : outcome);
        live_print(&player->live);
        online_remember(&player->online, 0);
        client_stop(player->online.client);
    } else if (open != NULL) {
        take_open(player, open, look_object(frame, "view") != NULL);
    }
}

/* Refused commands do not count: the player may choose again until the turn is over. */
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
    printf("sent; waiting for the others\n");
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

/* Without an `id` and a match, the queue has found one on another node; the client goes there. */
static void
take_moved(struct player *player, const struct sk_value *frame)
{
    if (player->live.match != 0) {
        printf("the match moved to another server; going on there\n");
        (void)fflush(stdout);
    } else if (sk_value_member(frame, "id") == NULL) {
        player->options.match = look_int(frame, "match", 0);
        online_remember(&player->online, player->options.match);
    }
}

static void
on_frame(void *user, const struct sk_value *frame)
{
    struct player *player = user;

    orders_take(&player->orders, frame);
    if (look_says(frame, "type", "hints")) {
        take_hints(player, frame);
    } else if (look_says(frame, "type", "accepted")) {
        take_accepted(frame);
    } else if (look_says(frame, "type", "error")) {
        take_error(player, frame);
    } else if (look_says(frame, "type", "joined")) {
        take_joined(player, frame);
    } else if (look_says(frame, "type", "moved")) {
        take_moved(player, frame);
    } else if (look_int(frame, "seq", 0) > 0) {
        take_match(player, frame);
    }
}

/* ---- the match --------------------------------------------------------------------------- */

static void
create(struct player *player)
{
    const struct options *options = &player->options;
    struct json_object *frame = online_create(CLIENT_ID, options->ruleset, options->params);

    if (options->against != NULL) {
        struct json_object *seats = json_object_new_array();

        json_object_array_add(seats, NULL);
        json_object_array_add(seats, online_bot("level", options->against));
        json_object_object_add(frame, "clock", NULL);
        json_object_object_add(frame, "seats", seats);
    }
    online_send_json(&player->online, frame);
}

static void
on_welcome(void *user, bool is_again)
{
    struct player *player = user;
    const struct options *options = &player->options;
    union client_frame frame = {
        .join = { .head = { .type = FRAME_JOIN }, .has_match = true, .match = options->join }
    };

    if (is_again && player->live.match != 0) {
        orders_send_again(&player->orders, player->online.client);
        return;
    }
    if (player->online.needs_match || options->match > 0) {
        resume(player, options->match > 0 ? options->match : player->online.player.match);
        return;
    }
    if (options->creates || options->against != NULL) {
        create(player);
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

/* Updates the time in the prompt without changing what was typed. */
static void
run_clock(struct player *player)
{
    char text[TURN_CLOCK_TEXT_MAX];

    if (player->live.has_terminal && player->owes && !player->has_sent &&
        player->choices.hints != NULL && turn_clock_text(&player->clock, text)) {
        printf("\0337\r%s\0338", text);
        (void)fflush(stdout);
    }
}

static void
on_tick(void *user)
{
    read_input(user);
    run_clock(user);
}

/* ---- the command ------------------------------------------------------------------------- */

/* Prints how to come back. */
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
    player->orders.prefix = online_unique_number();
    is_fine = online_run(&player->online, &options, &events, player);
    if (is_fine && player->online.player.match != 0 && player->online.keeps_player) {
        say_farewell(player);
    }
    free(player->last_frame);
    orders_fini(&player->orders);
    choices_fini(&player->choices);
    live_fini(&player->live);
    return is_fine ? CLI_OK : CLI_FAILED;
}

static int
check_options(struct player *player)
{
    const struct options *options = &player->options;
    bool says_what = options->creates || options->against != NULL || options->params != NULL;
    enum bot_level level = BOT_RANDOM;
    int status;

    if ((options->ruleset != NULL) + (options->join > 0) + (options->match > 0) > 1 ||
        (options->ruleset == NULL && says_what)) {
        return cli_usage_error("play",
                               "takes one of --ruleset, --join and --match; the last two take no "
                               "options of a new match",
                               NULL);
    }
    player->online.needs_match =
        options->ruleset == NULL && options->join == 0 && options->match == 0;
    if (options->against != NULL && !bot_level_find(sk_text_of(options->against), &level)) {
        return cli_usage_error("play", "a level is random, greedy or search, not",
                               options->against);
    }
    status = cli_check_match("play", options->ruleset, options->params);
    return status == CLI_OK ? cli_check_level("play", options->ruleset, level) : status;
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
        { "match", CLI_NUMBER, &its->match, "ID", "continue this match (the last one)", 1,
          INT32_MAX },
        { "params", CLI_TEXT, &its->params, "JSON", "of the match (the ruleset's default)", 0, 0 },
        { "name", CLI_TEXT, &its->name, "NAME", "of the player (the last one used, or a guest)", 0,
          0 },
        CLI_TOKEN_OPTION(&player.online.token_file),
        { "url", CLI_TEXT, &its->url, "URL", "the server (" CLIENT_URL_DEFAULT ")", 0, 0 },
    };
    const struct cli_usage usage = {
        .command = "play",
        .about =
            "Plays a match on a running server, in a terminal.  Type a unit to list its moves "
            "(its\n"
            "targets are marked * on the board) and a number to pick one, or a unit and a cell at\n"
            "once (a2 3,4); send submits the turn.  Where seats take turns, a choice is sent at\n"
            "once.  help lists the other commands.  Without --against, --create or --join it\n"
            "waits in the queue for the next player who wants the same; without any option it\n"
            "continues the last match.\n",
        CLI_OPTIONS(options),
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
