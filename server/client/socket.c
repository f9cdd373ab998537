/*
 * Each case of the libwebsockets callback is one call deep.
 */
#include "server/client/socket.h"

#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/memory.h"

#define HOST_MAX       255
#define PATH_BYTES_MAX 255
#define RECEIVE_BYTES  65536
#define CLOSED_MAX     63
#define PACE_MARGIN    100                 /* intervals are 1/100 longer, because clocks differ */
#define CLOCKS_US      (2 * LWS_US_PER_MS) /* both clocks may count whole milliseconds only */

/* A message that waits to be written; LWS_PRE bytes of space come before its text. */
struct outgoing {
    struct outgoing *next;
    size_t length;
    uint8_t memory[];
};

/* How many messages the server accepts; interval_us 0 = no limit. */
struct pace {
    lws_usec_t interval_us;
    int64_t burst;
    int64_t unanswered;
    lws_usec_t full_us; /* when all tokens are back, except those of unanswered messages */
};

struct client_socket {
    const struct client_socket_events *events;
    void *user;

    char host[HOST_MAX + 1];
    char url_path[PATH_BYTES_MAX + 2];
    char path[PATH_BYTES_MAX + 2];
    int port;
    bool is_secure;
    const char *subprotocol;
    struct lws_protocols protocols[2];

    struct lws_context *context;
    struct lws *wsi; /* NULL = no connection */
    lws_sorted_usec_list_t connecting;
    lws_sorted_usec_list_t ticking;
    bool is_open;
    bool is_closing;             /* no more callbacks */
    char closed[CLOSED_MAX + 1]; /* how the server closed it */

    char *in; /* a message that is not whole yet */
    size_t in_length;
    size_t in_capacity;
    struct outgoing *first;
    struct outgoing *last;

    struct pace pace;
    lws_sorted_usec_list_t pausing;
};

static void
drop_messages(struct client_socket *socket)
{
    while (socket->first != NULL) {
        struct outgoing *next = socket->first->next;

        free(socket->first);
        socket->first = next;
    }
    socket->last = NULL;
    socket->in_length = 0;
}

/* ---- connecting -------------------------------------------------------------------------- */

static int
lost(struct client_socket *socket, const char *why)
{
    socket->wsi = NULL;
    socket->is_open = false;
    drop_messages(socket);
    if (!socket->is_closing) {
        socket->events->lost(socket->user, why == NULL ? "no reason known" : why);
    }
    return 0;
}

/* A callback reports a failure, now or later. */
static void
connect_now(lws_sorted_usec_list_t *sul)
{
    struct client_socket *socket = lws_container_of(sul, struct client_socket, connecting);
    char host_header[HOST_MAX + 16];
    struct lws_client_connect_info info = {
        .context = socket->context,
        .address = socket->host,
        .port = socket->port,
        .path = socket->path,
        .host = host_header,
        .protocol = socket->subprotocol,
        .ssl_connection = socket->is_secure ? LCCSCF_USE_SSL : 0,
        .pwsi = &socket->wsi,
        .opaque_user_data = socket,
    };

    (void)snprintf(host_header, sizeof(host_header), "%s:%d", socket->host, socket->port);
    (void)lws_client_connect_via_info(&info);
}

void
client_socket_connect(struct client_socket *socket, uint32_t wait_ms)
{
    lws_sul_schedule(socket->context, 0, &socket->connecting, connect_now,
                     (lws_usec_t)wait_ms * LWS_US_PER_MS + 1);
}

void
client_socket_path(struct client_socket *socket, const char *path)
{
    (void)snprintf(socket->path, sizeof(socket->path), "%s",
                   path == NULL ? socket->url_path : path);
}

void
client_socket_cut(struct client_socket *socket)
{
    if (socket->wsi != NULL) {
        lws_set_timeout(socket->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    }
}

static int
opened(struct client_socket *socket)
{
    socket->is_open = true;
    (void)snprintf(socket->closed, sizeof(socket->closed), "the server closed the connection");
    socket->pace = (struct pace){ 0 };
    socket->events->opened(socket->user);
    return 0;
}

/* The code is the first two bytes, if the server gave one. */
static int
take_close(struct client_socket *socket, const uint8_t *bytes, size_t length)
{
    if (length >= 2) {
        (void)snprintf(socket->closed, sizeof(socket->closed),
                       "the server closed the connection with code %d", bytes[0] << 8 | bytes[1]);
    }
    return 0;
}

/* ---- messages ---------------------------------------------------------------------------- */

static int
receive(struct client_socket *socket, struct lws *wsi, const char *bytes, size_t length)
{
    if (socket->in_length + length > CLIENT_MESSAGE_MAX) {
        return -1;
    }
    if (socket->in_length + length > socket->in_capacity) {
        socket->in_capacity = 2 * (socket->in_length + length);
        socket->in = heap_grow(socket->in, socket->in_capacity);
    }
    memcpy(socket->in + socket->in_length, bytes, length);
    socket->in_length += length;
    if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0) {
        length = socket->in_length;
        socket->in_length = 0;
        socket->events->message(socket->user, socket->in, length);
    }
    return 0;
}

static lws_usec_t
later_of(lws_usec_t a, lws_usec_t b)
{
    return a > b ? a : b;
}

/* With the answer to the first message. */
void
client_socket_pace(struct client_socket *socket, int32_t per_second, int32_t burst)
{
    lws_usec_t interval_us = per_second <= 0 ? 0 : LWS_US_PER_SEC / per_second;

    socket->pace = (struct pace){ .interval_us = interval_us + interval_us / PACE_MARGIN,
                                  .burst = burst,
                                  .unanswered = 1 };
    client_socket_answered(socket);
}

static void
token_is_back(struct client_socket *socket, lws_usec_t full_us)
{
    struct pace *pace = &socket->pace;

    pace->unanswered -= pace->unanswered > 0 ? 1 : 0;
    pace->full_us = full_us;
    if (socket->is_open && socket->first != NULL) {
        lws_callback_on_writable(socket->wsi);
    }
}

void
client_socket_answered(struct client_socket *socket)
{
    const struct pace *pace = &socket->pace;

    token_is_back(socket, later_of(pace->full_us, lws_now_usecs() + CLOCKS_US) + pace->interval_us);
}

/* The server's limit may be shared with others: one token comes back this much later. */
void
client_socket_refused(struct client_socket *socket, int32_t retry_ms)
{
    const struct pace *pace = &socket->pace;
    lws_usec_t retry_us = (lws_usec_t)retry_ms * LWS_US_PER_MS;

    token_is_back(socket, later_of(pace->full_us, lws_now_usecs() + retry_us +
                                                      (pace->burst - 1) * pace->interval_us));
}

/* Takes a token; or says how long until there is one, or -1: not before an answer. */
static lws_usec_t
pace_wait_us(struct pace *pace)
{
    int64_t others = pace->burst - 1 - pace->unanswered;
    lws_usec_t wait_us = pace->full_us - lws_now_usecs() - others * pace->interval_us;

    if (pace->interval_us > 0 && others < 0) {
        return -1;
    }
    if (pace->interval_us > 0 && wait_us > 0) {
        return wait_us;
    }
    pace->unanswered++;
    return 0;
}

static void
pause_ends(lws_sorted_usec_list_t *sul)
{
    struct client_socket *socket = lws_container_of(sul, struct client_socket, pausing);

    if (socket->is_open) {
        lws_callback_on_writable(socket->wsi);
    }
}

static int
write_next(struct client_socket *socket, struct lws *wsi)
{
    struct outgoing *message = socket->first;
    lws_usec_t wait_us = message == NULL ? 0 : pace_wait_us(&socket->pace);
    int written;

    if (message == NULL) {
        return 0;
    }
    if (wait_us != 0) {
        if (wait_us > 0) {
            lws_sul_schedule(socket->context, 0, &socket->pausing, pause_ends, wait_us);
        }
        return 0;
    }
    socket->first = message->next;
    socket->last = socket->first == NULL ? NULL : socket->last;
    written = lws_write(wsi, message->memory + LWS_PRE, message->length, LWS_WRITE_TEXT);
    free(message);
    if (written < 0) {
        return -1;
    }
    if (socket->first != NULL) {
        lws_callback_on_writable(wsi);
    }
    return 0;
}

void
client_socket_send(struct client_socket *socket, const char *text, size_t length)
{
    struct outgoing *message;

    if (!socket->is_open) {
        return;
    }
    message = heap_grow(NULL, sizeof(*message) + LWS_PRE + length);
    message->next = NULL;
    message->length = length;
    memcpy(message->memory + LWS_PRE, text, length);
    if (socket->last == NULL) {
        socket->first = message;
    } else {
        socket->last->next = message;
    }
    socket->last = message;
    lws_callback_on_writable(socket->wsi);
}

/* ---- libwebsockets ----------------------------------------------------------------------- */

static int
callback(struct lws *wsi, enum lws_callback_reasons reason, void *session, void *in, size_t length)
{
    struct client_socket *socket = lws_get_opaque_user_data(wsi);

    switch (socket == NULL ? LWS_CALLBACK_USER : reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        return opened(socket);
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        return lost(socket, in);
    case LWS_CALLBACK_CLIENT_CLOSED:
        return lost(socket, socket->closed);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return take_close(socket, in, length);
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive(socket, wsi, in, length);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return write_next(socket, wsi);
    default:
        return lws_callback_http_dummy(wsi, reason, session, in, length);
    }
}

static void
tick(lws_sorted_usec_list_t *sul)
{
    struct client_socket *socket = lws_container_of(sul, struct client_socket, ticking);

    socket->events->tick(socket->user);
    lws_sul_schedule(socket->context, 0, &socket->ticking, tick,
                     (lws_usec_t)CLIENT_TICK_MS * LWS_US_PER_MS);
}

bool
client_socket_work(struct client_socket *socket)
{
    return lws_service(socket->context, 0) >= 0;
}

/* ---- beginning and end ------------------------------------------------------------------- */

static enum sk_status
read_url(struct client_socket *socket, const char *url, struct sk_fault *fault)
{
    char copy[CLIENT_URL_MAX + 1];
    const char *scheme;
    const char *host;
    const char *path;

    if (strlen(url) > CLIENT_URL_MAX) {
        return sk_fault_set(fault, "bad_url", "the address is too long");
    }
    (void)snprintf(copy, sizeof(copy), "%s", url);
    if (strstr(url, "://") == NULL || lws_parse_uri(copy, &scheme, &host, &socket->port, &path)) {
        return sk_fault_set(fault, "bad_url", "an address is like ws://127.0.0.1:7777/");
    }
    socket->is_secure = strcmp(scheme, "wss") == 0 || strcmp(scheme, "https") == 0;
    if (!socket->is_secure && strcmp(scheme, "ws") != 0 && strcmp(scheme, "http") != 0) {
        return sk_fault_set(fault, "bad_url", "an address begins with ws:// or wss://");
    }
    if (strlen(host) == 0 || strlen(host) > HOST_MAX || strlen(path) > PATH_BYTES_MAX) {
        return sk_fault_set(fault, "bad_url", "the host or the path is missing or too long");
    }
    (void)snprintf(socket->host, sizeof(socket->host), "%s", host);
    (void)snprintf(socket->url_path, sizeof(socket->url_path), "/%s", path + (path[0] == '/'));
    client_socket_path(socket, NULL);
    return SK_OK;
}

static enum sk_status
make_context(struct client_socket *socket, struct sk_fault *fault)
{
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = socket->protocols,
    };

    socket->protocols[0] = (struct lws_protocols){ .name = socket->subprotocol,
                                                   .callback = callback,
                                                   .rx_buffer_size = RECEIVE_BYTES };
    if (socket->is_secure) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    }
    lws_set_log_level(0, NULL);
    socket->context = lws_create_context(&info);
    if (socket->context == NULL) {
        return sk_fault_set(fault, "no_memory", "libwebsockets could not start");
    }
    lws_sul_schedule(socket->context, 0, &socket->ticking, tick,
                     (lws_usec_t)CLIENT_TICK_MS * LWS_US_PER_MS);
    return SK_OK;
}

enum sk_status
client_socket_open(const char *url, const char *subprotocol,
                   const struct client_socket_events *events, void *user,
                   struct client_socket **ret_socket, struct sk_fault *ret_fault)
{
    struct client_socket *socket = heap_grow(NULL, sizeof(*socket));
    enum sk_status status;

    *socket = (struct client_socket){ .events = events, .user = user, .subprotocol = subprotocol };
    status = read_url(socket, url, ret_fault);
    if (status == SK_OK) {
        status = make_context(socket, ret_fault);
    }
    if (status != SK_OK) {
        free(socket);
        return status;
    }
    *ret_socket = socket;
    return SK_OK;
}

void
client_socket_close(struct client_socket *socket)
{
    if (socket == NULL) {
        return;
    }
    socket->is_closing = true;
    lws_context_destroy(socket->context);
    drop_messages(socket);
    free(socket->in);
    free(socket);
}
