#include "server/cli/online.h"

#include <errno.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/client/look.h"

/* The caller's events, and a check for signals. */
struct listener {
    struct online *online;
    const struct client_events *events;
    void *user;
};

static volatile sig_atomic_t is_interrupted;

static void
interrupt(int signal)
{
    (void)signal;
    is_interrupted = 1;
}

uint32_t
online_unique_number(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint32_t)now.tv_nsec ^ ((uint32_t)now.tv_sec << 10) ^ ((uint32_t)getpid() << 16);
}

/* ---- tokens ------------------------------------------------------------------------------ */

static bool
keeps_tokens(const struct online *online)
{
    return online->tokens.lock >= 0;
}

/* A file that was given must work.  Without the default file, only saving fails. */
static void
complain_tokens(struct online *online)
{
    if (online->token_file != NULL) {
        online_fail(online, online->tokens.path, strerror(errno));
    } else {
        fprintf(stderr, "skirmish %s: cannot save tokens: %s: %s\n", online->command,
                online->tokens.path, strerror(errno));
    }
    tokens_close(&online->tokens);
}

/* Chooses the player. */
static void
choose_player(struct online *online, struct client_options *options)
{
    const char *word = online->word == NULL ? online->command : online->word;

    online->tokens.lock = -1;
    if (options->is_spectator) {
        return;
    }
    if (!online->is_short_lived &&
        !tokens_open(&online->tokens, online->token_file,
                     online->server == NULL ? options->url : online->server, word)) {
        complain_tokens(online);
    }
    if (keeps_tokens(online) && !tokens_find(&online->tokens, options->name, &online->player) &&
        errno != 0) {
        complain_tokens(online);
    }
    if (online->needs_match && online->player.match == 0) {
        online_fail(online, "there is no match to continue",
                    "start one with --ruleset NAME, or use --join");
    }
    if (online->player.token[0] != '\0') {
        options->token = online->player.token;
        options->name = online->player.name;
    } else if (options->name == NULL) {
        (void)snprintf(online->player.name, sizeof(online->player.name), "%s-%08x", word,
                       (unsigned)online_unique_number());
        options->name = online->player.name;
    }
}

static void
save_player(struct online *online)
{
    if (keeps_tokens(online)) {
        online->keeps_player = tokens_save(&online->tokens, &online->player);
        if (!online->keeps_player) {
            complain_tokens(online);
        }
    }
}

static void
take_player(struct online *online)
{
    const char *token = client_token(online->client);

    if (strcmp(online->player.token, token) != 0) {
        online->player.match = 0; /* another player than the one of the last run */
    }
    (void)snprintf(online->player.name, sizeof(online->player.name), "%s",
                   client_name(online->client));
    (void)snprintf(online->player.token, sizeof(online->player.token), "%s", token);
    save_player(online);
}

void
online_remember(struct online *online, int64_t match)
{
    if (online->player.match != match) {
        online->player.match = match;
        save_player(online);
    }
}

/* ---- events ------------------------------------------------------------------------------ */

static void
on_welcome(void *user, bool is_again)
{
    struct listener *listener = user;

    if (!is_again) {
        take_player(listener->online);
    }
    if (!listener->online->has_failed) {
        listener->events->welcome(listener->user, is_again);
    }
}

static void
on_frame(void *user, const struct sk_value *frame)
{
    struct listener *listener = user;

    listener->events->frame(listener->user, frame);
}

static void
on_tick(void *user)
{
    struct listener *listener = user;

    if (is_interrupted) {
        client_stop(listener->online->client);
    } else if (listener->events->tick != NULL) {
        listener->events->tick(listener->user);
    }
}

void
online_fail(struct online *online, const char *what, const char *why)
{
    if (!online->has_failed) {
        fprintf(stderr, "%sskirmish %s: %s: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "",
                online->command, what, why);
    }
    online->has_failed = true;
    if (online->client != NULL) {
        client_stop(online->client);
    }
}

void
online_error_text(const struct sk_value *frame, char *ret_text, size_t size)
{
    char message[ONLINE_ERROR_MAX + 1] = "no reason given";
    char at[ONLINE_ERROR_MAX + 1] = "";

    look_text(frame, "message", message, sizeof(message));
    look_text(frame, "at", at, sizeof(at));
    (void)snprintf(ret_text, size, "%s%s%s", message, at[0] == '\0' ? "" : ", at ", at);
}

/* ---- frames ------------------------------------------------------------------------------ */

struct json_object *
online_create(const char *id, const char *ruleset, const char *params)
{
    struct json_object *frame = json_object_new_object();

    json_object_object_add(frame, "type", json_object_new_string("create"));
    json_object_object_add(frame, "id", json_object_new_string(id));
    json_object_object_add(frame, "ruleset", json_object_new_string(ruleset));
    if (params != NULL) {
        json_object_object_add(frame, "params", json_tokener_parse(params));
    }
    return frame;
}

struct json_object *
online_bot(const char *kind, const char *word)
{
    struct json_object *bot = json_object_new_object();
    struct json_object *seat = json_object_new_object();

    json_object_object_add(bot, kind, json_object_new_string(word));
    json_object_object_add(seat, "bot", bot);
    return seat;
}

void
online_send_json(struct online *online, struct json_object *frame)
{
    const char *text = json_object_to_json_string_ext(frame, JSON_C_TO_STRING_PLAIN);

    client_send_text(online->client, sk_text_of(text));
    json_object_put(frame);
}

/* ---- the run ----------------------------------------------------------------------------- */

bool
online_run(struct online *online, const struct client_options *options,
           const struct client_events *events, void *user)
{
    static const struct client_events own = { on_welcome, on_frame, on_tick };
    struct listener listener = { online, events, user };
    struct client_options its = *options;
    struct sk_fault fault;

    choose_player(online, &its);
    if (!online->has_failed &&
        client_open(&its, &own, &listener, &online->client, &fault) != SK_OK) {
        online_fail(online, its.url, fault.message);
    }
    if (online->has_failed) {
        tokens_close(&online->tokens);
        return false;
    }
    (void)signal(SIGINT, interrupt);
    (void)signal(SIGTERM, interrupt);
    if (client_run(online->client, &fault) != SK_OK) {
        online_fail(online, its.url, fault.message);
    }
    client_close(online->client);
    online->client = NULL;
    tokens_close(&online->tokens);
    return !online->has_failed;
}
