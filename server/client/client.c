#include "server/client/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/json_buffer.h"
#include "proto/json_parse.h"
#include "server/client/look.h"
#include "server/memory.h"

#define RETRY_FIRST_MS 100
#define RETRY_LAST_MS  3000
#define MOVE_PAUSE_MS  1000 /* at most, and half of it at least */
#define ANYWHERE       "/"  /* the path of a match that no node is known to have */

struct followed {
    int64_t match;
    int32_t seq;
    char path[FRAME_PATH_MAX + 1]; /* of the node that has it; empty = not known to be elsewhere */
};

struct client {
    const struct client_events *events;
    void *user;
    struct client_socket *socket;
    char name[FRAME_PLAYER_NAME_MAX + 1];
    char token[FRAME_TOKEN_MAX + 1];
    char code[FRAME_CODE_MAX + 1];
    bool is_bot;
    bool is_spectator;
    bool was_welcome; /* ever */
    bool is_welcome;  /* on this connection */
    bool is_stopped;
    bool is_finishing;
    bool has_pinged; /* to finish */
    uint32_t finishing_ms;
    uint32_t unanswered; /* frames of this connection */
    bool has_failed;
    uint32_t retries;
    char path[FRAME_PATH_MAX + 1]; /* of the node; empty = any */
    bool is_moving;                /* the connection ends for the next one */
    uint32_t moves;                /* in a row */
    struct sk_fault fault;
    struct followed *followed;
    uint32_t followed_count;
    uint32_t followed_capacity;
};

static void
fail(struct client *client, const char *code, const char *message, const char *more)
{
    if (client->has_failed) {
        return;
    }
    client->has_failed = true;
    sk_fault_set(&client->fault, code, message);
    if (more != NULL) {
        sk_fault_say(&client->fault, ": ");
        sk_fault_say(&client->fault, more);
    }
}

/* ---- sending ----------------------------------------------------------------------------- */

static void
send_text(struct client *client, struct sk_text text)
{
    client->unanswered++;
    client_socket_send(client->socket, text.at, text.length);
}

static void
send_frame(struct client *client, const union client_frame *frame)
{
    struct sk_json_buffer buffer = { NULL, 0 };
    union client_frame its = *frame;

    if (!its.head.has_id) {
        its.head.has_id = true;
        its.head.id = sk_text_of(CLIENT_ID);
    }
    send_text(client, sk_json_buffer_write(&buffer, sk_client_frame_write, &its));
    free(buffer.at);
}

/* Before the welcome the server would refuse it, and the pace is not known yet. */
void
client_send(struct client *client, const union client_frame *frame)
{
    if (client->is_welcome) {
        send_frame(client, frame);
    }
}

void
client_send_text(struct client *client, struct sk_text text)
{
    if (client->is_welcome) {
        send_text(client, text);
    }
}

/* ---- who I am ---------------------------------------------------------------------------- */

static void
on_opened(void *user)
{
    struct client *client = user;
    union client_frame frame = { .hello = { .head = { .type = FRAME_HELLO },
                                            .protocol = SK_PROTOCOL,
                                            .bot = client->is_bot,
                                            .spectator = client->is_spectator } };

    if (client->token[0] != '\0') {
        frame.hello.token = sk_text_of(client->token);
    } else {
        frame.hello.name = sk_text_of(client->name);
    }
    client->unanswered = 0; /* what was sent on the connection before is lost */
    send_frame(client, &frame);
}

const char *
client_token(const struct client *client)
{
    return client->token;
}

const char *
client_name(const struct client *client)
{
    return client->name;
}

bool
client_is_connected(const struct client *client)
{
    return client->is_welcome;
}

/* May the match be at the node of this connection? */
static bool
is_here(const struct client *client, const struct followed *followed)
{
    return followed->path[0] == '\0' || strcmp(followed->path, client->path) == 0;
}

static void
resume(struct client *client)
{
    for (uint32_t i = 0; i < client->followed_count; i++) {
        if (!is_here(client, &client->followed[i])) {
            continue;
        }
        union client_frame frame = { .resume = { .head = { .type = FRAME_RESUME },
                                                 .match = client->followed[i].match,
                                                 .seq = client->followed[i].seq,
                                                 .code = sk_text_of(client->code) } };

        client_send(client, &frame);
    }
}

static void
take_welcome(struct client *client, const struct sk_value *frame)
{
    bool is_again = client->was_welcome;

    look_text(frame, "token", client->token, sizeof(client->token));
    look_text(frame, "name", client->name, sizeof(client->name));
    client->was_welcome = true;
    client->is_welcome = true;
    client->retries = 0;
    client_socket_pace(client->socket, look_int(frame, "frames_per_second", 0),
                       look_int(frame, "frames_burst", 1));
    resume(client);
    client->events->welcome(client->user, is_again);
}

/* ---- what is followed -------------------------------------------------------------------- */

static struct followed *
find_followed(struct client *client, int64_t match)
{
    for (uint32_t i = 0; i < client->followed_count; i++) {
        if (client->followed[i].match == match) {
            return &client->followed[i];
        }
    }
    return NULL;
}

static void
follow(struct client *client, int64_t match, int32_t seq)
{
    struct followed *followed = find_followed(client, match);

    if (followed != NULL) {
        followed->seq = seq > followed->seq ? seq : followed->seq;
        return;
    }
    if (client->followed_count == client->followed_capacity) {
        client->followed_capacity =
            client->followed_capacity == 0 ? 8 : 2 * client->followed_capacity;
        client->followed =
            heap_grow(client->followed, client->followed_capacity * sizeof(client->followed[0]));
    }
    client->followed[client->followed_count++] = (struct followed){ .match = match, .seq = seq };
}

void
client_forget(struct client *client, int64_t match)
{
    struct followed *followed = find_followed(client, match);

    if (followed != NULL) {
        *followed = client->followed[--client->followed_count];
    }
}

static void
take_seq(struct client *client, const struct sk_value *frame)
{
    int32_t match = look_int(frame, "match", 0);
    int32_t seq = look_int(frame, "seq", 0);

    if (match > 0 && seq > 0) {
        follow(client, match, seq);
    }
}

/* ---- nodes ------------------------------------------------------------------------------- */

/* All clients of a dead node lose it at once: they wait a random time. */
static uint32_t
random_part(uint32_t most_ms)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return most_ms / 2 + (uint32_t)now.tv_nsec / 1000 % (most_ms / 2 + 1);
}

/* At any node (an empty path) nothing is known about where matches are. */
static void
set_path(struct client *client, const char *path)
{
    (void)snprintf(client->path, sizeof(client->path), "%s", path);
    client_socket_path(client->socket, path[0] == '\0' ? NULL : client->path);
    for (uint32_t i = 0; i < client->followed_count && path[0] == '\0'; i++) {
        client->followed[i].path[0] = '\0';
    }
}

/* The way on is in on_lost, when the connection has ended. */
static void
go(struct client *client, const char *path)
{
    if (++client->moves > CLIENT_MOVES_MAX) {
        fail(client, "moved", "the match moves from server to server; try again later", NULL);
        return;
    }
    set_path(client, strcmp(client->path, path) == 0 ? "" : path);
    client->is_moving = true;
    client->is_welcome = false;
    client_socket_cut(client->socket);
}

/* If no match is here any more: to where one is. */
static void
go_after_matches(struct client *client)
{
    const struct followed *elsewhere = NULL;

    for (uint32_t i = 0; i < client->followed_count; i++) {
        if (is_here(client, &client->followed[i])) {
            return;
        }
        elsewhere = &client->followed[i];
    }
    if (elsewhere != NULL && client->is_welcome) {
        go(client, elsewhere->path);
    }
}

/* `//` would be another address, which must not get the token. */
static bool
is_path(const char *path)
{
    return path[0] == '/' && path[1] != '/' && path[1] != '\\';
}

static void
take_moved(struct client *client, const struct sk_value *frame)
{
    int32_t match = look_int(frame, "match", 0);
    struct followed *followed;
    char path[FRAME_PATH_MAX + 1] = "";

    look_text(frame, "path", path, sizeof(path));
    if (sk_value_member(frame, "id") == NULL) {
        follow(client, match, 0); /* the queue may have found it */
    }
    followed = find_followed(client, match);
    if (!is_path(path)) {
        fail(client, "moved", "the server names a path that is none", NULL);
    } else if (!client->is_welcome) {
        return; /* it is on its way already */
    } else if (strcmp(path, ANYWHERE) == 0) {
        go(client, "");
    } else if (followed == NULL || strcmp(path, client->path) == 0) {
        go(client, path);
    } else {
        (void)snprintf(followed->path, sizeof(followed->path), "%s", path);
        go_after_matches(client);
    }
}

/* ---- receiving --------------------------------------------------------------------------- */

/* An error before the welcome: the name is taken, the token unknown. */
static void
take_refusal(struct client *client, const struct sk_value *frame)
{
    char message[256] = "no reason given";

    if (look_says(frame, "code", "bad_token") && client->token[0] != '\0' &&
        client->name[0] != '\0') {
        client->token[0] = '\0';
        on_opened(client);
        return;
    }
    look_text(frame, "message", message, sizeof(message));
    fail(client, "refused", "the server refuses", message);
}

static void
take_answer(struct client *client, const struct sk_value *frame)
{
    if (client->unanswered > 0) {
        client->unanswered--;
    }
    if (look_says(frame, "code", "rate_limited")) {
        client_socket_refused(client->socket, look_int(frame, "retry_ms", 0));
    } else {
        client_socket_answered(client->socket);
    }
}

static void
take_frame(struct client *client, const struct sk_value *frame)
{
    if (sk_value_member(frame, "id") != NULL) {
        take_answer(client, frame);
    }
    if (look_says(frame, "type", "welcome")) {
        take_welcome(client, frame);
    } else if (look_says(frame, "type", "error") && !client->was_welcome) {
        take_refusal(client, frame);
    } else {
        if (look_says(frame, "type", "moved")) {
            take_moved(client, frame);
        } else if (look_says(frame, "type", "done") || sk_value_member(frame, "seq") != NULL) {
            client->moves = 0;
        }
        take_seq(client, frame);
        client->events->frame(client->user, frame);
    }
}

static void
on_message(void *user, const char *text, size_t length)
{
    struct client *client = user;
    struct sk_value *frame;
    struct sk_fault fault;

    if (sk_json_parse_long(text, length, &frame, &fault) != SK_OK) {
        fail(client, "malformed", "the server sent invalid JSON", fault.message);
        return;
    }
    if (sk_value_is(frame, SK_VALUE_OBJECT)) {
        take_frame(client, frame);
    }
    sk_json_free(frame);
}

/* ---- the connection ---------------------------------------------------------------------- */

/* Before the first welcome the address may be wrong: give up.  Later, reconnect: to any node,
 * unless it has left one for another. */
static void
on_lost(void *user, const char *why)
{
    struct client *client = user;
    uint32_t wait_ms = RETRY_FIRST_MS;

    client->is_welcome = false;
    if (client->is_moving) {
        client->is_moving = false;
        wait_ms = client->moves > CLIENT_MOVES_FREE ? random_part(MOVE_PAUSE_MS) : 0;
        client_socket_connect(client->socket, wait_ms);
        return;
    }
    set_path(client, "");
    if (!client->was_welcome || client->retries >= CLIENT_RETRIES_MAX) {
        fail(client, "cannot_connect", "no connection", why);
        return;
    }
    for (uint32_t i = 0; i < client->retries && wait_ms < RETRY_LAST_MS; i++) {
        wait_ms *= 2;
    }
    client->retries++;
    client_socket_connect(client->socket, random_part(2 * wait_ms));
}

static void
on_tick(void *user)
{
    struct client *client = user;

    if (client->is_finishing) {
        client->finishing_ms += CLIENT_TICK_MS;
        if (client->finishing_ms > CLIENT_ANSWER_MS) {
            fail(client, "timeout", "the server gave no answer in time; try again", NULL);
        }
    }
    go_after_matches(client);
    if (client->events->tick != NULL) {
        client->events->tick(client->user);
    }
}

/* ---- beginning and end ------------------------------------------------------------------- */

/* Copies an option, which may be NULL; false when it is too long. */
static bool
copy(const char *option, char *ret_text, size_t size)
{
    return option == NULL || (size_t)snprintf(ret_text, size, "%s", option) < size;
}

static enum sk_status
take_options(struct client *client, const struct client_options *options, struct sk_fault *fault)
{
    if (!copy(options->name, client->name, sizeof(client->name))) {
        return sk_fault_set(fault, "bad_name", "the name is too long");
    }
    if (!copy(options->token, client->token, sizeof(client->token))) {
        return sk_fault_set(fault, "bad_token", "the token is too long");
    }
    if (!copy(options->code, client->code, sizeof(client->code))) {
        return sk_fault_set(fault, "wrong_code", "the code is too long");
    }
    client->is_bot = options->is_bot;
    client->is_spectator = options->is_spectator;
    return SK_OK;
}

enum sk_status
client_open(const struct client_options *options, const struct client_events *events, void *user,
            struct client **ret_client, struct sk_fault *ret_fault)
{
    static const struct client_socket_events socket_events = { on_opened, on_message, on_lost,
                                                               on_tick };
    struct client *client = heap_memory(sizeof(*client));
    enum sk_status status;

    client->events = events;
    client->user = user;
    status = take_options(client, options, ret_fault);
    if (status == SK_OK) {
        status = client_socket_open(options->url, SK_SUBPROTOCOL, &socket_events, client,
                                    &client->socket, ret_fault);
    }
    if (status != SK_OK) {
        client_close(client);
        return status;
    }
    *ret_client = client;
    return SK_OK;
}

void
client_close(struct client *client)
{
    if (client == NULL) {
        return;
    }
    client_socket_close(client->socket);
    free(client->followed);
    free(client);
}

void
client_stop(struct client *client)
{
    client->is_stopped = true;
}

void
client_finish(struct client *client)
{
    client->is_finishing = true;
}

/* Frames may follow an answer, as the end of a match follows the answer to `resign`.  All have come
 * when a later ping is answered. */
static bool
has_finished(struct client *client)
{
    union client_frame ping = { .head = { .type = FRAME_PING } };

    if (!client->is_finishing || !client->is_welcome || client->unanswered > 0) {
        return false;
    }
    if (!client->has_pinged) {
        client->has_pinged = true;
        client_send(client, &ping);
        return false;
    }
    return true;
}

enum sk_status
client_run(struct client *client, struct sk_fault *ret_fault)
{
    client_socket_connect(client->socket, 0);
    while (!client->is_stopped && !client->has_failed && !has_finished(client)) {
        if (!client_socket_work(client->socket)) {
            fail(client, "cannot_connect", "the event loop failed", NULL);
        }
    }
    if (client->has_failed) {
        *ret_fault = client->fault;
        return SK_ERR_REFUSED;
    }
    return SK_OK;
}
