/*
 * skirmish bot - one of the bots that ship, as a client of a running server.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_parse.h"
#include "server/bot/bot.h"
#include "server/cli/cli.h"
#include "server/cli/online.h"
#include "server/cli/options.h"
#include "server/client/look.h"

#define GAMES_MAX      1000000
#define COMMAND_ID_MAX 64
#define WORD_MAX       64
#define SEEK_ID        "seek" /* of the frame that looks for a match */
#define DRAW_ID        "draw" /* of those that decline a draw */

struct options {
    const char *url;
    const char *name;
    const char *ruleset;
    const char *level;
    const char *params;
    const char *code;
    int64_t join;
    int64_t games;
    int64_t budget_ms;
    int64_t seed;
    bool creates;
};

/* The match that is being played; `match` 0 = none yet. */
struct game {
    int64_t match;
    int32_t seat;
    uint32_t version;
    int32_t turn;
    int32_t asked;   /* the turn that hints were asked for last, -1 = none */
    bool must_ask;   /* again: the server had no time, or something was lost */
    bool owes;       /* commands for the turn; none were accepted */
    int32_t refused; /* the turn in which commands were refused; the next ones count as they are */
    char ruleset[WORD_MAX];
    char *params;
    char *view;
};

struct player {
    struct options options;
    enum bot_level level;
    struct online online;
    struct game game;
    int64_t played;
    uint32_t submissions; /* so far, for their ids */
    uint32_t prefix;      /* of the ids: another one in each run */
};

/* ---- games ------------------------------------------------------------------------------- */

static void
game_clear(struct game *game)
{
    free(game->params);
    free(game->view);
    *game = (struct game){ .asked = -1, .refused = -1 };
}

/* Looks for a match in the way that the options say. */
static void
seek(struct player *player)
{
    const struct options *options = &player->options;
    union client_frame frame = { .head = { .type = FRAME_QUEUE } };

    game_clear(&player->game);
    if (options->join > 0 || options->code != NULL) {
        frame.join = (struct frame_join){ .head = { .type = FRAME_JOIN },
                                          .has_match = options->join > 0,
                                          .match = options->join };
        frame.join.code = sk_text_of(options->code == NULL ? "" : options->code);
    } else if (options->creates) {
        frame.create = (struct frame_create){ .head = { .type = FRAME_CREATE },
                                              .ruleset = sk_text_of(options->ruleset) };
        frame.create.params.text = sk_text_of(options->params == NULL ? "" : options->params);
    } else {
        frame.queue.ruleset = sk_text_of(options->ruleset);
        frame.queue.params.text = sk_text_of(options->params == NULL ? "" : options->params);
    }
    frame.head.has_id = true;
    frame.head.id = SK_TEXT(SEEK_ID);
    client_send(player->online.client, &frame);
}

static void
ask_hints(struct player *player)
{
    union client_frame frame = { .match = { .head = { .type = FRAME_HINTS },
                                            .match = player->game.match } };

    player->game.asked = player->game.turn;
    player->game.must_ask = false;
    client_send(player->online.client, &frame);
}

static void
submit(struct player *player, const char *commands)
{
    union client_frame frame = { .submit = { .head = { .type = FRAME_SUBMIT },
                                             .match = player->game.match,
                                             .turn = player->game.turn,
                                             .has_ready = player->game.refused == player->game.turn,
                                             .ready = true } };
    char id[COMMAND_ID_MAX];

    (void)snprintf(id, sizeof(id), "bot-%x-%u", player->prefix, player->submissions++);
    frame.submit.command_id = sk_text_of(id);
    frame.submit.commands.text = sk_text_of(commands);
    client_send(player->online.client, &frame);
}

/* ---- frames ------------------------------------------------------------------------------ */

static void
take_joined(struct player *player, const struct sk_value *frame)
{
    player->game.match = look_int(frame, "match", 0);
    player->game.seat = look_int(frame, "seat", 0);
    printf("match %lld: seat %d\n", (long long)player->game.match, (int)player->game.seat);
    (void)fflush(stdout);
}

/* Ruleset and params, which only `state` has. */
static void
take_params(struct player *player, const struct sk_value *frame)
{
    const struct sk_value *params = look_object(frame, "params");

    if (params != NULL) {
        look_text(frame, "ruleset", player->game.ruleset, sizeof(player->game.ruleset));
        player->game.version = (uint32_t)look_int(frame, "version", 0);
        player->game.seat = look_int(frame, "seat", player->game.seat);
        free(player->game.params);
        player->game.params = sk_json_text_of(params);
    }
}

/* `outcome` says who won, as `over` and the `state` of a match that is over do. */
static void
end_game(struct player *player, const struct sk_value *outcome)
{
    int32_t winner = look_int(outcome, "winner", -1);
    char reason[WORD_MAX] = "";

    look_text(outcome, "reason", reason, sizeof(reason));
    printf("match %lld: %s (%s) after %d %s\n", (long long)player->game.match,
           winner < 0                    ? "nobody won"
           : winner == player->game.seat ? "won"
                                         : "lost",
           reason, (int)player->game.turn + 1, player->game.turn == 0 ? "turn" : "turns");
    (void)fflush(stdout);
    client_forget(player->online.client, player->game.match);
    player->played++;
    if (player->played == player->options.games) {
        client_stop(player->online.client);
    } else {
        seek(player);
    }
}

static void
take_over(struct player *player, const struct sk_value *frame)
{
    if (look_int(frame, "match", 0) == player->game.match) {
        end_game(player, frame);
    }
}

/* Any frame that shows the match; if the seat owes commands it asks what it can do. */
static void
take_view(struct player *player, const struct sk_value *frame)
{
    const struct sk_value *view = look_object(frame, "view");
    const struct sk_value *open = look_object(frame, "turn_open");
    const struct sk_value *pending = look_object(frame, "pending");

    if (look_int(frame, "match", 0) != player->game.match) {
        return;
    }
    take_params(player, frame);
    if (view != NULL) {
        free(player->game.view);
        player->game.view = sk_json_text_of(view);
    }
    if (look_says(frame, "status", "over")) {
        const struct sk_value *outcome = look_object(frame, "outcome");

        end_game(player, outcome == NULL ? frame : outcome);
        return;
    }
    if (open == NULL || player->game.view == NULL ||
        (pending != NULL && look_is(pending, "ready"))) {
        return;
    }
    player->game.turn = look_int(open, "turn", 0);
    player->game.owes = look_lists(open, "owing", player->game.seat) &&
                        !look_lists(open, "ready", player->game.seat);
    if (player->game.owes && player->game.asked < player->game.turn) {
        ask_hints(player);
    }
}

/* Declines a draw: a bot plays on. */
static void
answer_offer(struct player *player, int32_t seat)
{
    union client_frame frame = { .answer_draw = { .head = { .type = FRAME_ANSWER_DRAW,
                                                            .has_id = true,
                                                            .id = SK_TEXT(DRAW_ID) },
                                                  .match = player->game.match,
                                                  .accept = false } };

    if (seat >= 0 && seat != player->game.seat) {
        client_send(player->online.client, &frame);
    }
}

/* As take_view; a `state` also has the draw that was offered meanwhile. */
static void
take_state(struct player *player, const struct sk_value *frame)
{
    take_view(player, frame);
    if (look_int(frame, "match", 0) == player->game.match &&
        look_says(frame, "status", "running")) {
        answer_offer(player, look_int(frame, "offer", -1));
    }
}

static void
take_accepted(struct player *player, const struct sk_value *frame)
{
    if (look_int(frame, "turn", -1) != player->game.turn) {
        return;
    }
    player->game.owes = !look_is(frame, "ready");
    if (player->game.owes) {
        player->game.refused = player->game.turn;
        ask_hints(player);
    }
}

/* The match is resumed.  If nothing was missed, no frame says that the seat still owes commands. */
static void
take_done(struct player *player, const struct sk_value *frame)
{
    (void)frame;
    if (player->game.owes && player->game.asked < player->game.turn) {
        ask_hints(player);
    }
}

static void
take_draw(struct player *player, const struct sk_value *frame)
{
    if (look_says(frame, "offer", "made") && look_int(frame, "match", 0) == player->game.match) {
        answer_offer(player, look_int(frame, "seat", -1));
    }
}

static void
take_hints(struct player *player, const struct sk_value *frame)
{
    const struct sk_value *hints = sk_value_member(frame, "commands");
    struct game *game = &player->game;
    struct bot_question question = {
        .ruleset = sk_text_of(game->ruleset),
        .version = game->version,
        .seat = (uint8_t)game->seat,
        .turn = (uint32_t)game->turn,
        .level = player->level,
        .seed = (uint64_t)player->options.seed,
        .budget_ms = (uint32_t)player->options.budget_ms,
    };
    struct sk_fault fault;
    char *text;
    char *commands;

    if (look_int(frame, "match", 0) != game->match || look_int(frame, "turn", -1) != game->turn ||
        hints == NULL || game->params == NULL || game->view == NULL) {
        return;
    }
    text = sk_json_text_of(hints);
    question.params = sk_text_of(game->params);
    question.view = sk_text_of(game->view);
    question.hints = sk_text_of(text);
    if (bot_answer(&question, &commands, &fault) == SK_OK) {
        submit(player, commands);
        free(commands);
    } else {
        online_fail(&player->online, "cannot play this match", fault.message);
    }
    free(text);
}

/* The queue has found a match on another node: the client goes there. */
static void
take_moved(struct player *player, const struct sk_value *frame)
{
    if (player->game.match == 0 && sk_value_member(frame, "id") == NULL) {
        player->game.match = look_int(frame, "match", 0);
    }
}

/* Continues a match that the player has joined before. */
static void
come_back(struct player *player)
{
    union client_frame frame = { .resume = { .head = { .type = FRAME_RESUME },
                                             .match = player->options.join } };

    player->game.match = player->options.join;
    client_send(player->online.client, &frame);
}

/* An error while looking for a match ends the program; in a match, it tries again a moment
 * later. */
static void
take_error(struct player *player, const struct sk_value *frame)
{
    bool is_seeking = look_says(frame, "id", SEEK_ID);
    char code[WORD_MAX] = "";
    char message[ONLINE_ERROR_MAX + 1];

    if (look_says(frame, "id", DRAW_ID)) {
        return; /* the offer is gone, with its turn */
    }
    look_text(frame, "code", code, sizeof(code));
    online_error_text(frame, message, sizeof(message));
    if (is_seeking && player->options.join > 0 && strcmp(code, "already_joined") == 0) {
        come_back(player);
    } else if (is_seeking) {
        online_fail(&player->online, code, message);
    } else {
        player->game.must_ask = player->game.match != 0;
    }
}

static const struct {
    const char *type;
    void (*take)(struct player *player, const struct sk_value *frame);
} frames[] = {
    { "joined", take_joined },     { "state", take_state }, { "seated", take_view },
    { "turn", take_view },         { "clock", take_view },  { "hints", take_hints },
    { "accepted", take_accepted }, { "done", take_done },   { "draw", take_draw },
    { "over", take_over },         { "moved", take_moved }, { "error", take_error },
};

static void
on_frame(void *user, const struct sk_value *frame)
{
    ONLINE_TAKE(frames, user, frame)
}

/* A lost connection ends the wait in the queue; the client resumes matches. */
static void
on_welcome(void *user, bool is_again)
{
    struct player *player = user;

    if (!is_again) {
        printf("%s plays %s\n", client_name(player->online.client), player->options.level);
        (void)fflush(stdout);
    }
    player->game.asked = -1;
    if (player->game.match == 0) {
        seek(player);
    }
}

static void
on_tick(void *user)
{
    struct player *player = user;

    if (player->game.must_ask) {
        ask_hints(player);
    }
}

/* ---- the command ------------------------------------------------------------------------- */

static int
play(struct player *player)
{
    static const struct client_events events = { on_welcome, on_frame, on_tick };
    struct client_options options = {
        .url = player->options.url,
        .name = player->options.name,
        .is_bot = true,
    };
    bool is_fine = online_run(&player->online, &options, &events, player);

    game_clear(&player->game);
    return is_fine ? CLI_OK : CLI_FAILED;
}

/* Says what is wrong with the options; CLI_OK = nothing. */
static int
check_options(struct player *player)
{
    struct options *options = &player->options;
    bool joins = options->join > 0 || options->code != NULL;
    int status;

    if (!bot_level_find(sk_text_of(options->level), &player->level)) {
        return cli_usage_error("bot", "a level is random, greedy or search, not", options->level);
    }
    if (!joins && options->ruleset == NULL) {
        return cli_usage_error("bot", "needs --ruleset, or a match to --join", NULL);
    }
    if (joins && (options->creates || options->params != NULL)) {
        return cli_usage_error("bot", "--join takes no options of a new match", NULL);
    }
    if (joins) {
        options->games = 1;
    }
    player->online.word = options->level;
    status = cli_check_match("bot", options->ruleset, options->params);
    return status == CLI_OK ? cli_check_level("bot", options->ruleset, player->level) : status;
}

int
cli_bot(int argc, char **argv)
{
    struct player player = { .online = { .command = "bot" },
                             .options = { .url = CLIENT_URL_DEFAULT,
                                          .level = "greedy",
                                          .budget_ms = BOT_BUDGET_DEFAULT_MS },
                             .prefix = online_unique_number() };
    struct options *its = &player.options;
    const struct cli_option options[] = {
        { "ruleset", CLI_TEXT, &its->ruleset, "NAME", "what to play", 0, 0 },
        { "level", CLI_TEXT, &its->level, "LEVEL", "random, greedy (the default) or search", 0, 0 },
        { "budget", CLI_NUMBER, &its->budget_ms, "MS", "how long a search may think (100)", 1,
          BOT_BUDGET_MAX_MS },
        { "url", CLI_TEXT, &its->url, "URL", "the server (" CLIENT_URL_DEFAULT ")", 0, 0 },
        { "name", CLI_TEXT, &its->name, "NAME", "of the player (the last one used, or a guest)", 0,
          0 },
        CLI_TOKEN_OPTION(&player.online.token_file),
        { "create", CLI_FLAG, &its->creates, NULL, "create matches and wait for players", 0, 0 },
        { "params", CLI_TEXT, &its->params, "JSON", "of the matches that it creates or waits for",
          0, 0 },
        { "join", CLI_NUMBER, &its->join, "ID", "join this match", 1, INT32_MAX },
        { "code", CLI_TEXT, &its->code, "CODE", "join the private match of this code", 0, 0 },
        { "games", CLI_NUMBER, &its->games, "N", "stop after N matches (never)", 1, GAMES_MAX },
        { "seed", CLI_NUMBER, &its->seed, "N", "of its random choices (another each time)", 1,
          INT64_MAX },
    };
    const struct cli_usage usage = {
        .command = "bot",
        .about =
            "Plays on a running server as a client, with what any client gets: views and hints.\n"
            "Without --create or --join it waits in the queue for the next player who wants the\n"
            "same.  It says that it is a bot, so its matches are unrated.  It reconnects when the\n"
            "connection is lost.  To continue a match after it was stopped, start it with --join\n"
            "and the same --name.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 0) {
        return cli_usage_error("bot", "takes no arguments", words.at[0]);
    }
    if (its->seed == 0) {
        its->seed = player.prefix;
    }
    status = check_options(&player);
    return status == CLI_OK ? play(&player) : status;
}
