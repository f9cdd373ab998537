/*
 * One connection, from its first byte to its end.
 *
 * The head of a request is collected in an inbox, up to NET_HTTP_HEAD_MAX.
 * Nothing more is read while a request is being answered; bytes that arrived
 * after it wait in the inbox.  Once the connection is a WebSocket, bytes go
 * straight to ws.c.
 *
 * All deadlines have the same length, so a list in the order in which they were
 * set is sorted by expiry.  libwebsockets would keep one sorted list of all
 * timers and walk it for each.
 */
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/net/internal.h"

struct inbox {
    struct request_head head;
    size_t length;
    size_t capacity;
    char bytes[];
};

const struct request_head *
connection_head(const struct connection *connection)
{
    return &connection->inbox->head;
}

const char *
connection_bytes(const struct connection *connection)
{
    return connection->inbox->bytes;
}

/* ---- deadlines --------------------------------------------------------------------------- */

void
connection_wait_no_more(struct connection *connection)
{
    lws_dll2_remove(&connection->waiting);
}

void
connection_wait(struct connection *connection)
{
    struct net *net = connection->listener->net;

    lws_dll2_remove(&connection->waiting);
    connection->deadline_us =
        lws_now_usecs() + (lws_usec_t)net->options.handshake_timeout_ms * LWS_US_PER_MS;
    lws_dll2_add_tail(&connection->waiting, &net->waiting);
}

void
connection_cut(struct connection *connection)
{
    connection->is_cut = true;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

void
connection_expire(struct net *net)
{
    lws_usec_t now_us = lws_now_usecs();

    while (net->waiting.head != NULL) {
        struct connection *connection =
            lws_container_of(net->waiting.head, struct connection, waiting);

        if (connection->deadline_us > now_us) {
            return;
        }
        /* One that is idle between requests has done nothing wrong. */
        net->refused[REFUSED_TIMEOUT] +=
            connection->phase == PHASE_ANSWER ||
                    (connection->phase == PHASE_REQUEST && connection->inbox != NULL)
                ? 1
                : 0;
        connection_wait_no_more(connection);
        connection_cut(connection);
    }
}

/* ---- pausing ----------------------------------------------------------------------------- */

/*
 * While lws holds bytes that the socket did not accept, it wakes up for
 * incoming data again and again without reading it, so reading is paused.
 */
void
connection_adjust(struct connection *connection)
{
    bool is_paused =
        connection->phase == PHASE_ANSWER || lws_partial_buffered(connection->wsi) != 0;

    if (is_paused != connection->is_paused) {
        connection->is_paused = is_paused;
        lws_rx_flow_control(connection->wsi, is_paused ? 0 : 1);
    }
}

/* ---- the inbox --------------------------------------------------------------------------- */

static void
drop_inbox(struct connection *connection)
{
    free(connection->inbox);
    connection->inbox = NULL;
}

/* Drops a request's body as it arrives: nobody reads it. */
static bool
keep(struct connection *connection, const char *bytes, size_t length)
{
    size_t skipped = connection->body_left < length ? (size_t)connection->body_left : length;
    struct inbox *inbox = connection->inbox;
    size_t needed = (inbox == NULL ? 0 : inbox->length) + length - skipped;

    connection->body_left -= skipped;
    if (needed > NET_HTTP_INBOX_MAX) {
        connection->listener->net->refused[REFUSED_INBOX]++;
        return false;
    }
    if (inbox == NULL || needed > inbox->capacity) {
        size_t capacity = 2 * needed > NET_HTTP_HEAD_START ? 2 * needed : NET_HTTP_HEAD_START;
        bool is_new = inbox == NULL;

        inbox = realloc(inbox, sizeof(*inbox) + capacity);
        if (inbox == NULL) {
            return false;
        }
        if (is_new) {
            memset(inbox, 0, sizeof(*inbox));
        }
        inbox->capacity = capacity;
        connection->inbox = inbox;
    }
    memcpy(inbox->bytes + inbox->length, bytes + skipped, length - skipped);
    inbox->length += length - skipped;
    return true;
}

/* The request is handled; what follows it moves to the front. */
static void
drop_request(struct connection *connection)
{
    struct inbox *inbox = connection->inbox;
    size_t end = inbox->head.length;
    uint64_t body = connection->body_left;
    size_t skipped = body < inbox->length - end ? (size_t)body : inbox->length - end;

    connection->body_left -= skipped;
    end += skipped;
    inbox->length -= end;
    if (inbox->length == 0) {
        drop_inbox(connection);
        return;
    }
    memmove(inbox->bytes, inbox->bytes + end, inbox->length);
    memset(&inbox->head, 0, sizeof(inbox->head));
}

/* ---- requests ---------------------------------------------------------------------------- */

static void
refuse(struct connection *connection, unsigned int status, const char *text)
{
    connection->listener->net->refused[REFUSED_REQUEST]++;
    http_refuse(connection, status, text);
}

/* Checks that apply to every request. */
static bool
is_acceptable(struct connection *connection)
{
    const struct request_head *head = connection_head(connection);
    const char *bytes = connection_bytes(connection);
    uint32_t hosts = head_count(head, bytes, "host");

    if (hosts > 1 || (hosts == 0 && !head->is_1_0)) {
        refuse(connection, 400, "A request needs one Host header.\n");
        return false;
    }
    if (!head_body_length(head, bytes, &connection->body_left)) {
        refuse(connection, 400,
               "A body needs exactly one Content-Length; no body is needed here.\n");
        return false;
    }
    return true;
}

/* Everything after the head belongs to the WebSocket. */
static int
become_websocket(struct connection *connection)
{
    struct inbox *inbox = connection->inbox;
    int result = ws_open(connection);

    connection->inbox = NULL;
    if (result == 0 && inbox->length > inbox->head.length) {
        result = ws_received(connection, (uint8_t *)inbox->bytes + inbox->head.length,
                             inbox->length - inbox->head.length);
    }
    free(inbox);
    return result;
}

static int
begin_request(struct connection *connection)
{
    connection_wait_no_more(connection);
    connection->phase = PHASE_ANSWER;
    if (!is_acceptable(connection)) {
        return 0;
    }
    if (!gate_name(connection)) {
        return 0;
    }
    if (gate_is_upgrade(connection)) {
        return gate_upgrade(connection) ? become_websocket(connection) : 0;
    }
    http_begun(connection);
    drop_request(connection);
    return 0;
}

static int
read_request(struct connection *connection)
{
    struct inbox *inbox = connection->inbox;

    switch (head_read(&inbox->head, inbox->bytes, inbox->length)) {
    case HEAD_WHOLE:
        return begin_request(connection);
    case HEAD_BAD:
        refuse(connection, 400, "This is not an HTTP/1.1 request.\n");
        break;
    case HEAD_TOO_LONG:
        refuse(connection, 431, "The request's headers are too long.\n");
        break;
    case HEAD_OTHER_VERSION:
        refuse(connection, 505, "HTTP/1.1 only.\n");
        break;
    case HEAD_MORE:
        break;
    }
    return 0;
}

void
connection_answered(struct connection *connection, bool must_end)
{
    if (must_end || connection->body_left > NET_HTTP_BODY_MAX) {
        connection_end(connection);
        return;
    }
    connection->phase = PHASE_REQUEST;
    connection_wait(connection);
    if (connection->inbox != NULL && read_request(connection) != 0) {
        connection_cut(connection);
    }
}

/* ---- the end ----------------------------------------------------------------------------- */

static void
shut_when_written(struct connection *connection)
{
    SSL *tls = lws_get_ssl(connection->wsi);

    if (connection->is_shut || lws_partial_buffered(connection->wsi)) {
        return;
    }
    connection->is_shut = true;
    if (tls != NULL) {
        SSL_shutdown(tls);
    }
    shutdown(lws_get_socket_fd(connection->wsi), SHUT_WR);
}

void
connection_end(struct connection *connection)
{
    connection->phase = PHASE_END;
    ws_closed(&connection->ws);
    http_ended(connection);
    drop_inbox(connection);
    connection_wait(connection);
    shut_when_written(connection);
    lws_callback_on_writable(connection->wsi);
}

/* ---- callbacks of libwebsockets ---------------------------------------------------------- */

static int
opened(struct connection *connection, struct lws *wsi)
{
    connection->wsi = wsi;
    connection->listener = net_listener_of(wsi);
    connection_wait(connection);
    return gate_open(connection->listener, wsi);
}

static int
received(struct connection *connection, uint8_t *bytes, size_t length)
{
    if (connection->is_cut) {
        return -1; /* these bytes were there before lws could close it */
    }
    switch (connection->phase) {
    case PHASE_WEBSOCKET:
        return ws_received(connection, bytes, length);
    case PHASE_REQUEST:
        /* Clears the timer that lws sets after a TLS handshake. */
        lws_set_timeout(connection->wsi, NO_PENDING_TIMEOUT, 0);
        if (!keep(connection, (const char *)bytes, length)) {
            return -1;
        }
        return read_request(connection);
    case PHASE_ANSWER:
        return keep(connection, (const char *)bytes, length) ? 0 : -1;
    case PHASE_END:
        break;
    }
    return 0;
}

static int
writable(struct connection *connection)
{
    if (lws_partial_buffered(connection->wsi)) {
        lws_callback_on_writable(connection->wsi);
        return 0;
    }
    switch (connection->phase) {
    case PHASE_ANSWER:
        return http_writable(connection);
    case PHASE_WEBSOCKET:
        return ws_writable(connection);
    case PHASE_END:
        shut_when_written(connection);
        break;
    case PHASE_REQUEST:
        break;
    }
    return 0;
}

static int
closed(struct connection *connection)
{
    if (connection != NULL && connection->listener != NULL) {
        connection_wait_no_more(connection);
        ws_closed(&connection->ws);
        http_ended(connection);
        drop_inbox(connection);
        connection->listener = NULL;
    }
    return 0;
}

/* Every listener gets this call; one is enough. */
static int
woken(struct listener *listener)
{
    struct net *net = listener->net;

    if (listener == &net->game) {
        net->world.woken(net->world.context);
        net_tick_soon(net);
    }
    return 0;
}

static int
adjusted(struct connection *connection, int result)
{
    if (result == 0) {
        connection_adjust(connection);
    }
    return result;
}

int
net_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    struct connection *connection = user; /* except where noted */

    switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        return gate_accept(net_listener_of(wsi), user); /* who arrives */
    case LWS_CALLBACK_RAW_ADOPT:
        return opened(connection, wsi);
    case LWS_CALLBACK_RAW_RX:
        return adjusted(connection, received(connection, in, length));
    case LWS_CALLBACK_RAW_WRITEABLE:
        return adjusted(connection, writable(connection));
    case LWS_CALLBACK_RAW_CLOSE:
        return closed(connection);
    case LWS_CALLBACK_WSI_DESTROY:
        return gate_close(wsi);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        return woken(net_listener_of(wsi));
    default:
        return 0;
    }
}
