#include "server/cli/relay.h"

#include <arpa/inet.h>
#include <json-c/json.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/json_parse.h"
#include "server/client/look.h"
#include "server/clock.h"
#include "server/memory.h"

#define PAIRS_MAX   64
#define PIECE_BYTES 65536
#define SAID_MAX    (16u << 20) /* bytes of one message of the server */
#define WAIT_MS     50
#define SEND_S      5
#define MASK_BYTES  4

/* What one of the two has sent, and was not passed on yet: no whole frame. */
struct stream {
    char *at;
    size_t length;
    size_t size;
};

enum pair_phase {
    PAIR_BEGINS,  /* no answer of the server yet */
    PAIR_IS_OPEN, /* the handshake is over: frames follow */
    PAIR_IS_HTTP  /* it is no WebSocket: bytes are passed on */
};

/* One connection of the bot, and ours to the server. */
struct pair {
    int bot;
    int server;
    enum pair_phase phase;
    struct stream asked; /* by the bot */
    struct stream said;  /* by the server */
    char *turn;          /* its last `turn`, for RELAY_REPEATS */
    size_t turn_length;
};

struct relay {
    struct sockaddr_in server;
    int listener;
    pthread_t thread;
    pthread_mutex_t lock; /* for what follows */
    struct relay_report report;
    int64_t closed_until_ms;
    int64_t hold_ms; /* begins with the bot's next text; 0 = does not */
    int64_t held_until_ms;
    enum relay_trick trick;
    bool is_cut;
    pthread_cond_t was_cut; /* is_cut is false again */
    bool is_over;
    char url[RELAY_URL_MAX + 1];
    struct pair pairs[PAIRS_MAX]; /* the thread's */
    uint32_t count;
};

/* ---- what the server says ---------------------------------------------------------------- */

static void
add_note(struct relay_note notes[RELAY_NOTES_MAX], const char *word, const char *text)
{
    for (uint32_t i = 0; i < RELAY_NOTES_MAX; i++) {
        if (notes[i].count == 0) {
            (void)snprintf(notes[i].word, sizeof(notes[i].word), "%s", word);
            (void)snprintf(notes[i].text, sizeof(notes[i].text), "%s", text);
        }
        if (strcmp(notes[i].word, word) == 0) {
            notes[i].count++;
            return;
        }
    }
}

static void
note_refusals(struct relay *relay, const struct sk_value *frame)
{
    const struct sk_value *list = sk_value_member(frame, "verdicts");
    const struct sk_value *item = list == NULL ? NULL : list + 1;
    uint32_t count = sk_value_is(list, SK_VALUE_LIST) ? list->count : 0;

    for (uint32_t i = 0; i < count; i++, item = sk_value_next(item)) {
        char verdict[64] = "";
        char check[RELAY_WORDS_MAX + 1] = "";

        look_text(item, "verdict", verdict, sizeof(verdict));
        look_text(item, "check", check, sizeof(check));
        if (strcmp(verdict, "ok") != 0) {
            add_note(relay->report.refusals, verdict, check);
        }
    }
}

/* True = it is a `turn`. */
static bool
look_at(struct relay *relay, const char *text, size_t length)
{
    struct sk_value *frame;
    struct sk_fault fault;
    bool is_turn;

    if (sk_json_parse_long(text, length, &frame, &fault) != SK_OK) {
        return false;
    }
    (void)pthread_mutex_lock(&relay->lock);
    if (look_says(frame, "type", "error")) {
        char code[64] = "";
        char message[RELAY_WORDS_MAX + 1] = "";

        look_text(frame, "code", code, sizeof(code));
        look_text(frame, "message", message, sizeof(message));
        add_note(relay->report.errors, code, message);
    } else if (look_says(frame, "type", "accepted")) {
        relay->report.turn = look_int(frame, "turn", 0);
        note_refusals(relay, frame);
    }
    (void)pthread_mutex_unlock(&relay->lock);
    is_turn = look_says(frame, "type", "turn");
    sk_json_free(frame);
    return is_turn;
}

/* ---- frames ------------------------------------------------------------------------------ */

/* The length of the whole frame at the beginning, or 0 if it is not all there. */
static size_t
frame_of(const uint8_t *at, size_t length, size_t *ret_head)
{
    size_t size;
    size_t head = 2;

    if (length < head) {
        return 0;
    }
    size = at[1] & 0x7f;
    if (size >= 126) {
        size_t bytes = size == 126 ? 2 : 8;

        head += bytes;
        if (length < head) {
            return 0;
        }
        size = 0;
        for (size_t i = 0; i < bytes; i++) {
            size = size << 8 | at[2 + i];
        }
    }
    head += (at[1] & 0x80) != 0 ? MASK_BYTES : 0;
    *ret_head = head;
    return size <= SAID_MAX && length >= head + size ? head + size : 0;
}

static bool
is_text(const char *frame)
{
    return ((uint8_t)frame[0] & 0x8f) == 0x81; /* one text, not in fragments */
}

bool
relay_send(int to, const char *at, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(to, at, length, MSG_NOSIGNAL);

        if (sent <= 0) {
            return false;
        }
        at += sent;
        length -= (size_t)sent;
    }
    return true;
}

static bool
send_text(int to, const char *text, size_t length)
{
    uint8_t head[10] = { 0x81 };
    size_t bytes = length < 126 ? 0 : length < 65536 ? 2 : 8;

    head[1] = (uint8_t)(bytes == 0 ? length : bytes == 2 ? 126 : 127);
    for (size_t i = 0; i < bytes; i++) {
        head[2 + i] = (uint8_t)((uint64_t)length >> 8 * (bytes - 1 - i));
    }
    return relay_send(to, (const char *)head, 2 + bytes) && relay_send(to, text, length);
}

/* ---- tricks ------------------------------------------------------------------------------ */

static enum relay_trick
trick_of(struct relay *relay)
{
    enum relay_trick trick;

    (void)pthread_mutex_lock(&relay->lock);
    trick = relay->trick;
    (void)pthread_mutex_unlock(&relay->lock);
    return trick;
}

/* The answer of a server that refuses all commands; NULL: there are none to refuse, or they are
 * ready all the same.  json-c's object. */
static struct json_object *
refusal_of(const struct sk_value *submit)
{
    const struct sk_value *commands = sk_value_member(submit, "commands");
    struct json_object *answer;
    struct json_object *verdicts;
    char word[RELAY_WORDS_MAX + 1];

    if (!look_says(submit, "type", "submit") || !sk_value_is(commands, SK_VALUE_LIST) ||
        commands->count == 0 || look_is(submit, "ready")) {
        return NULL;
    }
    answer = json_object_new_object();
    json_object_object_add(answer, "type", json_object_new_string("accepted"));
    if (sk_value_member(submit, "id") != NULL) {
        look_text(submit, "id", word, sizeof(word));
        json_object_object_add(answer, "id", json_object_new_string(word));
    }
    json_object_object_add(answer, "match", json_object_new_int64(look_int(submit, "match", 0)));
    json_object_object_add(answer, "turn", json_object_new_int(look_int(submit, "turn", 0)));
    look_text(submit, "command_id", word, sizeof(word));
    json_object_object_add(answer, "command_id", json_object_new_string(word));
    verdicts = json_object_new_array();
    for (uint32_t i = 0; i < commands->count; i++) {
        struct json_object *verdict = json_object_new_object();

        json_object_object_add(verdict, "verdict", json_object_new_string(RELAY_VERDICT));
        json_object_object_add(verdict, "check", json_object_new_string("bot_check"));
        json_object_array_add(verdicts, verdict);
    }
    json_object_object_add(answer, "verdicts", verdicts);
    json_object_object_add(answer, "ready", json_object_new_boolean(false));
    return answer;
}

/* Once: refuses the bot's commands, which the server then does not get.  True = done. */
static bool
refuse(struct relay *relay, const struct pair *pair, const char *frame, size_t head, size_t whole)
{
    char *text = heap_copy(frame + head, whole - head);
    struct json_object *answer = NULL;
    struct sk_value *json;
    struct sk_fault fault;

    for (size_t i = 0; i < whole - head; i++) {
        text[i] = (char)(text[i] ^ frame[head - MASK_BYTES + i % MASK_BYTES]);
    }
    if (sk_json_parse_long(text, whole - head, &json, &fault) == SK_OK) {
        answer = sk_value_is(json, SK_VALUE_OBJECT) ? refusal_of(json) : NULL;
        sk_json_free(json);
    }
    free(text);
    if (answer == NULL) {
        return false;
    }
    relay_set_trick(relay, RELAY_NO_TRICK);
    (void)send_text(pair->bot, json_object_to_json_string(answer),
                    strlen(json_object_to_json_string(answer)));
    json_object_put(answer);
    return true;
}

/* The text, with a member that no version of the protocol has. */
static bool
send_more(int to, const char *text, size_t length)
{
    static const char more[] = RELAY_MORE;
    size_t more_length = sizeof(more) - 1;
    char *whole = heap_memory(more_length + length);
    bool is_sent;

    memcpy(whole, more, more_length);
    memcpy(whole + more_length, text + 1, length - 1); /* without its brace */
    is_sent = send_text(to, whole, more_length + length - 1);
    free(whole);
    return is_sent;
}

/* The turn before this one, and this one again. */
static bool
send_again(struct pair *pair, const char *frame, size_t length)
{
    bool is_sent = pair->turn == NULL || (relay_send(pair->bot, pair->turn, pair->turn_length) &&
                                          relay_send(pair->bot, frame, length));

    free(pair->turn);
    pair->turn = heap_copy(frame, length);
    pair->turn_length = length;
    return is_sent;
}

/* ---- holding ----------------------------------------------------------------------------- */

/* The bot says something whose answer is to be held. */
static void
begin_hold(struct relay *relay)
{
    (void)pthread_mutex_lock(&relay->lock);
    if (relay->hold_ms > 0) {
        relay->held_until_ms = clock_ms(CLOCK_MONOTONIC) + relay->hold_ms;
        relay->hold_ms = 0;
    }
    (void)pthread_mutex_unlock(&relay->lock);
}

static bool
is_held(struct relay *relay)
{
    bool is_still;

    (void)pthread_mutex_lock(&relay->lock);
    is_still = clock_ms(CLOCK_MONOTONIC) < relay->held_until_ms;
    (void)pthread_mutex_unlock(&relay->lock);
    return is_still;
}

/* ---- passing on -------------------------------------------------------------------------- */

static void
keep(struct stream *stream, const char *piece, size_t length)
{
    if (stream->length + length > stream->size) {
        stream->size = 2 * (stream->length + length);
        stream->at = heap_grow(stream->at, stream->size);
    }
    memcpy(stream->at + stream->length, piece, length);
    stream->length += length;
}

static void
drop(struct stream *stream, size_t length)
{
    memmove(stream->at, stream->at + length, stream->length - length);
    stream->length -= length;
}

static bool
pass_question(struct relay *relay, struct pair *pair, const char *frame, size_t head, size_t whole)
{
    bool is_masked = ((uint8_t)frame[1] & 0x80) != 0;

    if (trick_of(relay) == RELAY_REFUSES && is_text(frame) && is_masked &&
        refuse(relay, pair, frame, head, whole)) {
        return true;
    }
    if (is_text(frame)) {
        begin_hold(relay);
    }
    return relay_send(pair->server, frame, whole);
}

static bool
pass_answer(struct relay *relay, struct pair *pair, const char *frame, size_t head, size_t whole)
{
    static const char unknown[] = "{\"type\":\"from_a_later_version\",\"match\":1,\"x\":[]}";
    enum relay_trick trick = trick_of(relay);
    bool is_turn = is_text(frame) && look_at(relay, frame + head, whole - head);

    if (trick == RELAY_ADDS && is_text(frame)) {
        return send_more(pair->bot, frame + head, whole - head) &&
               (!is_turn || send_text(pair->bot, unknown, sizeof(unknown) - 1));
    }
    return relay_send(pair->bot, frame, whole) &&
           (trick != RELAY_REPEATS || !is_turn || send_again(pair, frame, whole));
}

/* Passes on the head of the server's answer, once it is all there. */
static bool
pass_head(struct pair *pair)
{
    static const char switching[] = "HTTP/1.1 101";
    static const char end[] = "\r\n\r\n";
    size_t length = sizeof(switching);

    while (length <= pair->said.length &&
           memcmp(pair->said.at + length - (sizeof(end) - 1), end, sizeof(end) - 1) != 0) {
        length++;
    }
    if (length > pair->said.length) {
        return true;
    }
    pair->phase =
        memcmp(pair->said.at, switching, sizeof(switching) - 1) == 0 ? PAIR_IS_OPEN : PAIR_IS_HTTP;
    if (!relay_send(pair->bot, pair->said.at, length)) {
        return false;
    }
    drop(&pair->said, length);
    return true;
}

/* Passes on all whole frames of what was said; false = one of the two has ended. */
static bool
pass_frames(struct relay *relay, struct pair *pair, bool is_from_bot)
{
    struct stream *stream = is_from_bot ? &pair->asked : &pair->said;
    size_t used = 0;
    size_t head;
    size_t whole;

    while ((whole = frame_of((const uint8_t *)stream->at + used, stream->length - used, &head)) >
           0) {
        const char *frame = stream->at + used;

        if (!(is_from_bot ? pass_question : pass_answer)(relay, pair, frame, head, whole)) {
            return false;
        }
        used += whole;
    }
    drop(stream, used);
    return stream->length <= SAID_MAX;
}

/* False = one of the two has ended. */
static bool
pass_on(struct relay *relay, struct pair *pair, bool is_from_bot)
{
    char piece[PIECE_BYTES];
    ssize_t length = recv(is_from_bot ? pair->bot : pair->server, piece, sizeof(piece), 0);

    if (length <= 0) {
        return false;
    }
    if (is_from_bot) {
        bool is_unanswered = is_held(relay);

        (void)pthread_mutex_lock(&relay->lock);
        relay->report.sent += (uint64_t)length;
        relay->report.sent_held += is_unanswered ? (uint64_t)length : 0;
        (void)pthread_mutex_unlock(&relay->lock);
    }
    if (pair->phase == PAIR_IS_HTTP || (is_from_bot && pair->phase == PAIR_BEGINS)) {
        return relay_send(is_from_bot ? pair->server : pair->bot, piece, (size_t)length);
    }
    keep(is_from_bot ? &pair->asked : &pair->said, piece, (size_t)length);
    if (pair->phase == PAIR_BEGINS && !pass_head(pair)) {
        return false;
    }
    if (pair->phase == PAIR_IS_HTTP) {
        bool is_sent = relay_send(pair->bot, pair->said.at, pair->said.length);

        drop(&pair->said, pair->said.length);
        return is_sent;
    }
    return pair->phase == PAIR_BEGINS || pass_frames(relay, pair, is_from_bot);
}

static void
end_pair(struct relay *relay, uint32_t place)
{
    struct pair *pair = &relay->pairs[place];

    (void)close(pair->bot);
    if (pair->server >= 0) {
        (void)close(pair->server);
    }
    free(pair->asked.at);
    free(pair->said.at);
    free(pair->turn);
    relay->pairs[place] = relay->pairs[--relay->count];
}

static void
prepare(int socket)
{
    struct timeval limit = { .tv_sec = SEND_S };
    int yes = 1;

    (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

static void
begin_pair(struct relay *relay, bool is_closed)
{
    struct pair pair = { .bot = accept4(relay->listener, NULL, NULL, SOCK_CLOEXEC), .server = -1 };

    if (pair.bot < 0) {
        return;
    }
    pair.server = is_closed || relay->count == PAIRS_MAX
                      ? -1
                      : socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (pair.server < 0 ||
        connect(pair.server, (const struct sockaddr *)&relay->server, sizeof(relay->server)) != 0) {
        (void)close(pair.bot);
        if (pair.server >= 0) {
            (void)close(pair.server);
        }
        return;
    }
    prepare(pair.bot);
    prepare(pair.server);
    relay->pairs[relay->count++] = pair;
    (void)pthread_mutex_lock(&relay->lock);
    relay->report.connections++;
    (void)pthread_mutex_unlock(&relay->lock);
}

/* One round: what is readable is passed on. */
static void
work(struct relay *relay, bool is_closed)
{
    struct pollfd polls[2 * PAIRS_MAX + 1];
    uint32_t count = relay->count;
    bool is_quiet = is_held(relay);

    polls[2 * count] = (struct pollfd){ .fd = relay->listener, .events = POLLIN };
    for (uint32_t i = 0; i < count; i++) {
        polls[2 * i] = (struct pollfd){ .fd = relay->pairs[i].bot, .events = POLLIN };
        polls[2 * i + 1] =
            (struct pollfd){ .fd = is_quiet ? -1 : relay->pairs[i].server, .events = POLLIN };
    }
    if (poll(polls, 2 * count + 1, WAIT_MS) <= 0) {
        return;
    }
    for (uint32_t i = count;
         i-- > 0;) { /* from the end: one that is over is replaced by the last */
        if ((polls[2 * i].revents != 0 && !pass_on(relay, &relay->pairs[i], true)) ||
            (polls[2 * i + 1].revents != 0 && !is_held(relay) &&
             !pass_on(relay, &relay->pairs[i], false))) {
            end_pair(relay, i);
        }
    }
    if (polls[2 * count].revents != 0) {
        begin_pair(relay, is_closed);
    }
}

static void
cut_all(struct relay *relay)
{
    while (relay->count > 0) {
        end_pair(relay, relay->count - 1);
    }
    (void)pthread_mutex_lock(&relay->lock);
    relay->is_cut = false;
    (void)pthread_cond_signal(&relay->was_cut);
    (void)pthread_mutex_unlock(&relay->lock);
}

static void *
run(void *context)
{
    struct relay *relay = context;
    bool is_over = false;

    while (!is_over) {
        int64_t now_ms = clock_ms(CLOCK_MONOTONIC);
        bool is_closed;
        bool is_cut;

        (void)pthread_mutex_lock(&relay->lock);
        is_over = relay->is_over;
        is_cut = relay->is_cut || is_over;
        is_closed = now_ms < relay->closed_until_ms;
        (void)pthread_mutex_unlock(&relay->lock);
        if (is_cut) {
            cut_all(relay);
        }
        if (!is_over) {
            work(relay, is_closed);
        }
    }
    return NULL;
}

/* ---- the relay --------------------------------------------------------------------------- */

int
relay_listen(const char *scheme, char ret_url[RELAY_URL_MAX + 1])
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t size = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener >= 0 && (bind(listener, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
                          listen(listener, PAIRS_MAX) != 0 ||
                          getsockname(listener, (struct sockaddr *)&address, &size) != 0)) {
        (void)close(listener);
        listener = -1;
    }
    (void)snprintf(ret_url, RELAY_URL_MAX + 1, "%s://127.0.0.1:%u/", scheme,
                   (unsigned)ntohs(address.sin_port));
    return listener;
}

struct relay *
relay_open(const char *server)
{
    struct relay *relay = heap_memory(sizeof(*relay));
    const char *port = strrchr(server, ':');

    relay->server.sin_family = AF_INET;
    relay->server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    relay->server.sin_port = htons((uint16_t)(port == NULL ? 0 : atoi(port + 1)));
    (void)pthread_mutex_init(&relay->lock, NULL);
    (void)pthread_cond_init(&relay->was_cut, NULL);
    relay->listener = relay_listen("ws", relay->url);
    if (relay->listener < 0 || pthread_create(&relay->thread, NULL, run, relay) != 0) {
        if (relay->listener >= 0) {
            (void)close(relay->listener);
        }
        (void)pthread_cond_destroy(&relay->was_cut);
        (void)pthread_mutex_destroy(&relay->lock);
        free(relay);
        return NULL;
    }
    return relay;
}

void
relay_close(struct relay *relay)
{
    if (relay == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&relay->lock);
    relay->is_over = true;
    (void)pthread_mutex_unlock(&relay->lock);
    (void)pthread_join(relay->thread, NULL);
    (void)close(relay->listener);
    (void)pthread_cond_destroy(&relay->was_cut);
    (void)pthread_mutex_destroy(&relay->lock);
    free(relay);
}

const char *
relay_url(const struct relay *relay)
{
    return relay->url;
}

void
relay_cut(struct relay *relay, int64_t closed_ms)
{
    (void)pthread_mutex_lock(&relay->lock);
    relay->is_cut = true;
    relay->closed_until_ms = clock_ms(CLOCK_MONOTONIC) + closed_ms;
    while (relay->is_cut) {
        (void)pthread_cond_wait(&relay->was_cut, &relay->lock);
    }
    (void)pthread_mutex_unlock(&relay->lock);
}

void
relay_hold(struct relay *relay, int64_t held_ms)
{
    (void)pthread_mutex_lock(&relay->lock);
    relay->hold_ms = held_ms;
    relay->held_until_ms = 0;
    (void)pthread_mutex_unlock(&relay->lock);
}

void
relay_set_trick(struct relay *relay, enum relay_trick trick)
{
    (void)pthread_mutex_lock(&relay->lock);
    relay->trick = trick;
    (void)pthread_mutex_unlock(&relay->lock);
}

void
relay_take(struct relay *relay, struct relay_report *ret_report)
{
    (void)pthread_mutex_lock(&relay->lock);
    *ret_report = relay->report;
    relay->report = (struct relay_report){ 0 };
    (void)pthread_mutex_unlock(&relay->lock);
}

void
relay_look(struct relay *relay, struct relay_report *ret_report)
{
    (void)pthread_mutex_lock(&relay->lock);
    *ret_report = relay->report;
    (void)pthread_mutex_unlock(&relay->lock);
}
