#include "server/cli/relay.h"

#include <arpa/inet.h>
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

/* One connection of the bot, and ours to the server. */
struct pair {
    int bot;
    int server;
    bool is_open; /* the handshake is over: frames follow */
    char *said;   /* by the server, and not looked at yet */
    size_t length;
    size_t size;
};

struct relay {
    struct sockaddr_in server;
    int listener;
    pthread_t thread;
    pthread_mutex_t lock; /* for what follows */
    struct relay_report report;
    int64_t closed_until_ms;
    bool is_cut;
    bool is_over;
    char url[64];
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

static void
look_at(struct relay *relay, const char *text, size_t length)
{
    struct sk_value *frame;
    struct sk_fault fault;

    if (sk_json_parse_long(text, length, &frame, &fault) != SK_OK) {
        return;
    }
    (void)pthread_mutex_lock(&relay->lock);
    if (look_says(frame, "type", "error")) {
        char code[64] = "";
        char message[RELAY_WORDS_MAX + 1] = "";

        look_text(frame, "code", code, sizeof(code));
        look_text(frame, "message", message, sizeof(message));
        add_note(relay->report.errors, code, message);
    } else if (look_says(frame, "type", "accepted")) {
        note_refusals(relay, frame);
    }
    (void)pthread_mutex_unlock(&relay->lock);
    sk_json_free(frame);
}

/* The length of the whole frame at the beginning, or 0 if it is not all there; it is not masked. */
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
    *ret_head = head;
    return size <= SAID_MAX && length >= head + size ? head + size : 0;
}

/* How long the head of the answer to the handshake is; 0: not all of it is there. */
static size_t
head_of(const struct pair *pair)
{
    static const char end[] = "\r\n\r\n";
    size_t length = strlen(end);

    for (size_t i = length; i <= pair->length; i++) {
        if (memcmp(pair->said + i - length, end, length) == 0) {
            return i;
        }
    }
    return 0;
}

/* Takes whole frames, and the handshake before them, from the beginning of what was said. */
static void
listen_to(struct relay *relay, struct pair *pair)
{
    size_t used = pair->is_open ? 0 : head_of(pair);
    size_t head;
    size_t whole;

    pair->is_open = pair->is_open || used > 0;
    if (!pair->is_open) {
        return;
    }
    while ((whole = frame_of((const uint8_t *)pair->said + used, pair->length - used, &head)) > 0) {
        if (((uint8_t)pair->said[used] & 0x8f) == 0x81) { /* one text, not in fragments */
            look_at(relay, pair->said + used + head, whole - head);
        }
        used += whole;
    }
    memmove(pair->said, pair->said + used, pair->length - used);
    pair->length -= used;
}

/* ---- passing on -------------------------------------------------------------------------- */

static void
keep(struct pair *pair, const char *piece, size_t length)
{
    if (pair->length + length > SAID_MAX) {
        return;
    }
    if (pair->length + length > pair->size) {
        pair->size = 2 * (pair->length + length);
        pair->said = heap_grow(pair->said, pair->size);
    }
    memcpy(pair->said + pair->length, piece, length);
    pair->length += length;
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
        (void)pthread_mutex_lock(&relay->lock);
        relay->report.sent += (uint64_t)length;
        (void)pthread_mutex_unlock(&relay->lock);
    } else {
        keep(pair, piece, (size_t)length);
        listen_to(relay, pair);
    }
    for (ssize_t at = 0; at < length;) {
        ssize_t sent = send(is_from_bot ? pair->server : pair->bot, piece + at,
                            (size_t)(length - at), MSG_NOSIGNAL);

        if (sent <= 0) {
            return false;
        }
        at += sent;
    }
    return true;
}

static void
end_pair(struct relay *relay, uint32_t place)
{
    struct pair *pair = &relay->pairs[place];

    (void)close(pair->bot);
    if (pair->server >= 0) {
        (void)close(pair->server);
    }
    free(pair->said);
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
    struct pair pair = { .bot = accept(relay->listener, NULL, NULL), .server = -1 };

    if (pair.bot < 0) {
        return;
    }
    pair.server = is_closed || relay->count == PAIRS_MAX ? -1 : socket(AF_INET, SOCK_STREAM, 0);
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

    polls[2 * count] = (struct pollfd){ .fd = relay->listener, .events = POLLIN };
    for (uint32_t i = 0; i < count; i++) {
        polls[2 * i] = (struct pollfd){ .fd = relay->pairs[i].bot, .events = POLLIN };
        polls[2 * i + 1] = (struct pollfd){ .fd = relay->pairs[i].server, .events = POLLIN };
    }
    if (poll(polls, 2 * count + 1, WAIT_MS) <= 0) {
        return;
    }
    for (uint32_t i = count;
         i-- > 0;) { /* from the end: one that is over is replaced by the last */
        if ((polls[2 * i].revents != 0 && !pass_on(relay, &relay->pairs[i], true)) ||
            (polls[2 * i + 1].revents != 0 && !pass_on(relay, &relay->pairs[i], false))) {
            end_pair(relay, i);
        }
    }
    if (polls[2 * count].revents != 0) {
        begin_pair(relay, is_closed);
    }
}

static void *
run(void *context)
{
    struct relay *relay = context;
    bool is_over = false;

    while (!is_over) {
        bool is_closed;
        bool is_cut;

        (void)pthread_mutex_lock(&relay->lock);
        is_over = relay->is_over;
        is_cut = relay->is_cut || is_over;
        is_closed = clock_ms(CLOCK_MONOTONIC) < relay->closed_until_ms;
        relay->is_cut = false;
        (void)pthread_mutex_unlock(&relay->lock);
        while (is_cut && relay->count > 0) {
            end_pair(relay, relay->count - 1);
        }
        if (!is_over) {
            work(relay, is_closed);
        }
    }
    return NULL;
}

/* ---- the relay --------------------------------------------------------------------------- */

static bool
open_port(struct relay *relay)
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t size = sizeof(address);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    relay->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (relay->listener < 0 ||
        bind(relay->listener, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
        listen(relay->listener, PAIRS_MAX) != 0 ||
        getsockname(relay->listener, (struct sockaddr *)&address, &size) != 0) {
        return false;
    }
    (void)snprintf(relay->url, sizeof(relay->url), "ws://127.0.0.1:%u/",
                   (unsigned)ntohs(address.sin_port));
    return true;
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
    if (!open_port(relay) || pthread_create(&relay->thread, NULL, run, relay) != 0) {
        if (relay->listener >= 0) {
            (void)close(relay->listener);
        }
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

uint64_t
relay_sent(struct relay *relay)
{
    uint64_t sent;

    (void)pthread_mutex_lock(&relay->lock);
    sent = relay->report.sent;
    (void)pthread_mutex_unlock(&relay->lock);
    return sent;
}
