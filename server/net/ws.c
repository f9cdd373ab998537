/*
 * WebSockets.
 *
 * Pieces of a message are put together here, up to what the session may
 * send now; a message that comes in one piece is handed over where it lies.
 * What the host has for a connection goes out when a round of the loop is
 * over, all of it in one write: most of a server's time is system calls.  The
 * frames' headers are made here, because libwebsockets writes one frame a
 * call.  Only where a socket does not take all of it, and libwebsockets has
 * kept the rest, does writing wait for the writable callback.
 *
 * libwebsockets answers pings without telling us, so a flood of them is
 * found by counting: what the kernel received and nobody was handed.
 *
 * Closing is done by hand too: libwebsockets would set a timer for each
 * connection that closes, in a sorted list, and a server that stops with
 * thousands of connections would walk that list for seconds.
 */
#include <stdlib.h>
#include <string.h>

#include "server/net/internal.h"
#include "server/net/tcp.h"

/* ---- ending ------------------------------------------------------------------------------ */

static void
forget_session(struct ws_connection *connection)
{
    if (connection->session != NULL) {
        host_disconnect(connection->net->world.host, connection->session);
        connection->session = NULL;
    }
    free(connection->text);
    connection->text = NULL;
}

/* The close frame follows what waits to be written; ws_sweep cuts a peer that does not answer. */
static void
end_soon(struct ws_connection *connection, int code, const char *reason)
{
    if (connection->close_code == 0) {
        connection->close_code = code;
        connection->close_reason = reason;
        lws_callback_on_writable(connection->wsi);
    }
}

/* What waits is dropped, the close frame goes out next. */
static int
refuse_message(struct ws_connection *connection, enum net_refusal why, int code, const char *reason)
{
    connection->net->refused[why]++;
    forget_session(connection);
    end_soon(connection, code, reason);
    return 0;
}

/* Without a word.  lws may first try to flush what it holds; a second time it does not. */
static void
cut(struct ws_connection *connection)
{
    forget_session(connection);
    connection->is_cut = true;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

void
ws_close_all(struct net *net, enum close_code code, const char *reason)
{
    lws_start_foreach_dll(struct lws_dll2 *, at, net->sockets.head)
    {
        end_soon(lws_container_of(at, struct ws_connection, list), (int)code, reason);
    }
    lws_end_foreach_dll(at);
}

/* ---- the transport ----------------------------------------------------------------------- */

static void
transport_want_write(struct transport *transport, void *to)
{
    struct ws_connection *connection = to;

    (void)transport;
    if (lws_dll2_is_detached(&connection->writer)) {
        lws_dll2_add_tail(&connection->writer, &connection->net->writers);
    }
}

static void
transport_close(struct transport *transport, void *connection, enum close_code code,
                const char *reason)
{
    (void)transport;
    end_soon(connection, (int)code, reason);
}

struct transport *
ws_transport(void)
{
    static struct transport transport = { transport_want_write, transport_close };

    return &transport;
}

/* ---- accounting -------------------------------------------------------------------------- */

/* Bytes since the last look. */
struct progress {
    int64_t received;
    int64_t unexplained;
};

static struct progress
account(struct ws_connection *connection)
{
    struct net_tcp_bytes bytes;
    struct progress progress = { 0, 0 };

    if (net_tcp_bytes(lws_get_socket_fd(connection->wsi), &bytes)) {
        int64_t unexplained = bytes.received - bytes.waiting - connection->accounted;

        progress.received = bytes.received - connection->received;
        progress.unexplained = unexplained - connection->unexplained;
        connection->received = bytes.received;
        connection->unexplained = unexplained;
    }
    return progress;
}

/* ---- opening and closing ----------------------------------------------------------------- */

int
ws_opened(struct ws_connection *connection, struct lws *wsi)
{
    struct net *net = net_listener_of(wsi)->net;
    char address[NET_ADDRESS_TEXT_SIZE];

    connection->net = net;
    connection->wsi = wsi;
    account(connection);
    lws_dll2_add_tail(&connection->list, &net->sockets);
    gate_client_address(wsi, address);
    connection->session = host_connect(net->world.host, connection, address);
    if (connection->session == NULL) {
        net->refused[REFUSED_HOST]++;
        end_soon(connection, CLOSE_TRY_AGAIN, "the server is full");
    }
    net_tick_soon(net);
    return 0;
}

int
ws_closed(struct ws_connection *connection)
{
    if (connection->net != NULL) {
        forget_session(connection);
        connection->net->told -= connection->is_told ? 1 : 0;
        lws_dll2_remove(&connection->list);
        lws_dll2_remove(&connection->writer);
        connection->net = NULL;
    }
    return 0;
}

/* If it answers our close frame, both have said it and the connection can go. */
int
ws_peer_closes(struct ws_connection *connection)
{
    return connection->is_told ? -1 : 0;
}

/* ---- messages in ------------------------------------------------------------------------- */

static bool
keep_piece(struct ws_connection *connection, const char *piece, size_t length, size_t max)
{
    size_t needed = connection->length + length;

    if (needed > connection->room) {
        size_t room = 2 * needed < max ? 2 * needed : max;
        char *text = realloc(connection->text, room);

        if (text == NULL) {
            return false;
        }
        connection->text = text;
        connection->room = room;
    }
    if (length > 0) {
        memcpy(connection->text + connection->length, piece, length);
    }
    connection->length = needed;
    return true;
}

static void
forget_message(struct ws_connection *connection)
{
    free(connection->text);
    connection->text = NULL;
    connection->length = 0;
    connection->room = 0;
    connection->pieces = 0;
}

static void
hand_over(struct ws_connection *connection, const char *text, size_t length)
{
    struct net *net = connection->net;

    net->messages_in++;
    net->bytes_in += length;
    host_message(net->world.host, connection->session, text, length);
    net_tick_soon(net);
}

int
ws_received(struct ws_connection *connection, const char *piece, size_t length)
{
    struct lws *wsi = connection->wsi;
    bool is_last = lws_is_final_fragment(wsi) != 0;
    size_t max;
    size_t rest;

    connection->accounted += (int64_t)length + NET_FRAME_OVERHEAD;
    if (connection->session == NULL || connection->close_code != 0) {
        return 0; /* it is ending; nothing that comes now counts */
    }
    if (lws_frame_is_binary(wsi)) {
        return refuse_message(connection, REFUSED_BINARY, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE,
                              "text messages only");
    }
    max = host_message_max(connection->session);
    rest = lws_remaining_packet_payload(wsi); /* of this frame: no need to wait for it */
    if (rest > max || connection->length + length + rest > max) {
        return refuse_message(connection, REFUSED_TOO_BIG, CLOSE_TOO_BIG, "the message is too big");
    }
    if (connection->pieces == 0 && is_last) {
        hand_over(connection, piece, length);
        return 0;
    }
    if (++connection->pieces > NET_FRAGMENTS_MAX || !keep_piece(connection, piece, length, max)) {
        return refuse_message(connection, REFUSED_FRAGMENTS, CLOSE_POLICY, "too many fragments");
    }
    if (is_last) {
        hand_over(connection, connection->text == NULL ? "" : connection->text, connection->length);
        forget_message(connection);
    }
    return 0;
}

/* ---- messages out ------------------------------------------------------------------------ */

static const struct message *
next_message(const struct ws_connection *connection)
{
    return connection->session == NULL ? NULL : host_next_message(connection->session);
}

static void
take_message(struct ws_connection *connection, size_t length)
{
    struct net *net = connection->net;

    net->messages_out++;
    net->bytes_out += length;
    host_written(net->world.host, connection->session);
}

/* One that is too long to be copied: libwebsockets puts the header into its headroom. */
static int
write_long_message(struct ws_connection *connection, const struct message *message)
{
    size_t length = message->length;
    int written =
        lws_write(connection->wsi, (unsigned char *)message->text, length, LWS_WRITE_TEXT);

    if (written < (int)length) {
        return -1;
    }
    take_message(connection, length);
    return 0;
}

/* The header of a text frame that is whole and not masked. */
static size_t
put_header(unsigned char *frame, size_t length)
{
    frame[0] = 0x81;
    if (length < 126) {
        frame[1] = (unsigned char)length;
        return 2;
    }
    frame[1] = 126;
    frame[2] = (unsigned char)(length >> 8);
    frame[3] = (unsigned char)length;
    return 4;
}

_Static_assert(NET_WRITE_BYTES <= 65535, "longer frames have other headers");

/* As many messages as fit into one write; returns their bytes. */
static size_t
gather_messages(struct ws_connection *connection, unsigned char *frames)
{
    const struct message *message;
    size_t used = 0;

    while ((message = next_message(connection)) != NULL &&
           used + NET_HEADER_BYTES_MAX + message->length <= NET_WRITE_BYTES) {
        used += put_header(frames + used, message->length);
        memcpy(frames + used, message->text, message->length);
        used += message->length;
        take_message(connection, message->length);
    }
    return used;
}

static int
write_messages(struct ws_connection *connection)
{
    unsigned char *frames = connection->net->out + LWS_PRE;
    size_t length = gather_messages(connection, frames);

    if (length == 0) {
        return write_long_message(connection, next_message(connection));
    }
    return lws_write(connection->wsi, frames, length, LWS_WRITE_RAW) < (int)length ? -1 : 0;
}

static int
write_ping(struct ws_connection *connection)
{
    unsigned char nothing[LWS_PRE];

    connection->is_ping_due = false;
    return lws_write(connection->wsi, nothing + LWS_PRE, 0, LWS_WRITE_PING) < 0 ? -1 : 0;
}

/* The whole frame by hand: lws writes close frames only itself. */
static int
write_close(struct ws_connection *connection)
{
    unsigned char bytes[LWS_PRE + 2 + NET_CLOSE_BYTES_MAX];
    unsigned char *frame = bytes + LWS_PRE;
    size_t length = strlen(connection->close_reason);

    length = length < NET_CLOSE_BYTES_MAX - 2 ? length : NET_CLOSE_BYTES_MAX - 2;
    frame[0] = 0x88; /* the last and only piece of a close */
    frame[1] = (unsigned char)(length + 2);
    frame[2] = (unsigned char)(connection->close_code >> 8);
    frame[3] = (unsigned char)connection->close_code;
    memcpy(frame + 4, connection->close_reason, length);
    forget_session(connection);
    connection->is_told = true;
    connection->net->told++;
    return lws_write(connection->wsi, frame, length + 4, LWS_WRITE_RAW) < 0 ? -1 : 0;
}

static bool
has_more(const struct ws_connection *connection)
{
    return !connection->is_told && (next_message(connection) != NULL ||
                                    connection->close_code != 0 || connection->is_ping_due);
}

/* One write a call; libwebsockets calls again if asked to. */
int
ws_writable(struct ws_connection *connection)
{
    int result = 0;

    if (next_message(connection) != NULL) {
        result = write_messages(connection);
    } else if (connection->is_told) {
        return 0; /* nothing may follow a close frame */
    } else if (connection->close_code != 0) {
        result = write_close(connection);
    } else if (connection->is_ping_due) {
        result = write_ping(connection);
    }
    if (result == 0 && has_more(connection)) {
        lws_callback_on_writable(connection->wsi);
    }
    return result;
}

/* libwebsockets may have kept what a socket did not take: then it says when there is room. */
static void
flush_one(struct ws_connection *connection)
{
    if (next_message(connection) == NULL) {
        return;
    }
    if (!lws_partial_buffered(connection->wsi) && write_messages(connection) < 0) {
        cut(connection);
    } else if (has_more(connection)) {
        lws_callback_on_writable(connection->wsi);
    }
}

void
ws_flush(struct net *net)
{
    while (net->writers.head != NULL) {
        struct ws_connection *connection =
            lws_container_of(net->writers.head, struct ws_connection, writer);

        lws_dll2_remove(&connection->writer);
        flush_one(connection);
    }
}

/* ---- sweeping ---------------------------------------------------------------------------- */

static void
sweep_closing(struct ws_connection *connection)
{
    connection->closing_ms += NET_SWEEP_MS;
    if (connection->closing_ms > NET_CLOSE_TIMEOUT_MS) {
        cut(connection);
    }
}

static void
sweep_silent(struct ws_connection *connection, int32_t interval_ms)
{
    connection->silent_ms += NET_SWEEP_MS;
    if (connection->silent_ms >= 2 * interval_ms + NET_SWEEP_MS) {
        connection->net->refused[REFUSED_SILENT]++;
        cut(connection);
    } else if (connection->silent_ms >= interval_ms &&
               connection->silent_ms - NET_SWEEP_MS < interval_ms) {
        connection->is_ping_due = true;
        lws_callback_on_writable(connection->wsi);
    }
}

static void
sweep_one(struct ws_connection *connection)
{
    struct net *net = connection->net;
    int32_t interval_ms = net->options.ping_interval_ms;
    struct progress progress = account(connection);

    if (connection->is_cut) {
        cut(connection);
    } else if (progress.unexplained > NET_CONTROL_BYTES) {
        net->refused[REFUSED_CONTROL_FLOOD]++;
        cut(connection);
    } else if (connection->close_code != 0) {
        sweep_closing(connection);
    } else if (progress.received > 0 || interval_ms == 0) {
        connection->silent_ms = 0;
    } else {
        sweep_silent(connection, interval_ms);
    }
}

void
ws_sweep(struct net *net)
{
    lws_start_foreach_dll(struct lws_dll2 *, at, net->sockets.head)
    {
        sweep_one(lws_container_of(at, struct ws_connection, list));
    }
    lws_end_foreach_dll(at);
}
