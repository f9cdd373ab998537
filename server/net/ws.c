/*
 * WebSockets (RFC 6455).
 *
 * frame.c parses frames.  Their pieces are joined here, up to what the session
 * may send now; a message that arrives in one piece is passed on in place.
 * Everything after a close frame is ignored.
 *
 * What the host has for a connection is sent at the end of an iteration of the
 * loop, all in one write, because system calls dominate.  Only if a socket does
 * not accept all of it, and libwebsockets keeps the rest, does writing wait for
 * the writable callback.
 *
 * A peer that violates the protocol gets a close frame, and the connection ends
 * at once (7.1.7).  Otherwise the side that closes first waits for the other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/utf8.h"
#include "server/net/internal.h"
#include "server/net/net.h"

/* ---- ending ------------------------------------------------------------------------------ */

static void
forget_message(struct ws_connection *connection)
{
    (void)gate_keeps(connection->wsi, -(int64_t)connection->capacity);
    free(connection->text);
    connection->text = NULL;
    connection->length = 0;
    connection->capacity = 0;
    connection->fragments = 0;
}

static void
forget_session(struct ws_connection *connection)
{
    if (connection->session != NULL) {
        host_disconnect(connection->net->world.host, connection->session);
        connection->session = NULL;
    }
    forget_message(connection);
}

/* The close frame follows pending data; ws_sweep cuts a peer that does not answer. */
static void
end_soon(struct ws_connection *connection, int code, const char *reason)
{
    if (connection->close_code == 0) {
        connection->close_code = code;
        connection->close_reason = reason;
        lws_callback_on_writable(connection->wsi);
    }
}

/* Drops pending data, sends the close frame next, and ends the connection. */
static void
fail(struct ws_connection *connection, enum net_refusal why, int code, const char *reason)
{
    connection->net->refused[why]++;
    forget_session(connection);
    connection->is_peer_closed = true;
    end_soon(connection, code, reason);
}

/* Without a close frame. */
static void
cut(struct ws_connection *connection)
{
    forget_session(connection);
    connection->is_cut = true;
    connection_cut(lws_container_of(connection, struct connection, ws));
}

void
net_close_all(struct net *net, enum close_code code, const char *reason)
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
net_transport(void)
{
    static struct transport transport = { transport_want_write, transport_close };

    return &transport;
}

/* ---- opening and closing ----------------------------------------------------------------- */

/* Computes the reply to the key (4.2.2). */
static void
accept_key(const struct connection *connection, char text[NET_ACCEPT_SIZE])
{
    static const char suffix[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char key[NET_KEY_LENGTH + sizeof(suffix)];
    unsigned char hash[NET_SHA1_BYTES];

    head_copy(connection_head(connection), connection_bytes(connection), "sec-websocket-key", key,
              sizeof(key));
    memcpy(key + NET_KEY_LENGTH, suffix, sizeof(suffix));
    lws_SHA1((const unsigned char *)key, sizeof(key) - 1, hash);
    lws_b64_encode_string((const char *)hash, sizeof(hash), text, NET_ACCEPT_SIZE);
}

static int
answer_upgrade(struct connection *connection)
{
    bool is_offered = head_count(connection_head(connection), connection_bytes(connection),
                                 NET_SUBPROTOCOL_HEADER) > 0;
    char accept[NET_ACCEPT_SIZE];
    char text[NET_HTTP_HEADERS_MAX];
    int length;

    accept_key(connection, accept);
    length = snprintf(text, sizeof(text),
                      "HTTP/1.1 101 Switching Protocols\r\n"
                      "upgrade: websocket\r\n"
                      "connection: upgrade\r\n"
                      "sec-websocket-accept: %s\r\n"
                      "%s\r\n",
                      accept, is_offered ? NET_SUBPROTOCOL_HEADER ": " NET_SUBPROTOCOL "\r\n" : "");
    return lws_write(connection->wsi, (unsigned char *)text, (size_t)length, LWS_WRITE_RAW) < length
               ? -1
               : 0;
}

int
ws_open(struct connection *connection)
{
    struct ws_connection *ws = &connection->ws;
    struct net *net = connection->listener->net;
    char address[NET_ADDRESS_TEXT_SIZE];

    if (answer_upgrade(connection) != 0) {
        return -1;
    }
    connection->phase = PHASE_WEBSOCKET;
    ws->net = net;
    ws->wsi = connection->wsi;
    lws_dll2_add_tail(&ws->list, &net->sockets);
    gate_client_address(ws->wsi, address);
    ws->session = host_connect(net->world.host, ws, address);
    if (ws->session == NULL) {
        net->refused[REFUSED_HOST]++;
        end_soon(ws, CLOSE_TRY_AGAIN, "the server is full");
    }
    net_tick_soon(net);
    return 0;
}

void
ws_closed(struct ws_connection *connection)
{
    if (connection->net != NULL) {
        forget_session(connection);
        connection->net->closes_sent -= connection->is_close_sent ? 1 : 0;
        lws_dll2_remove(&connection->list);
        lws_dll2_remove(&connection->writer);
        connection->net = NULL;
    }
}

/* ---- messages in ------------------------------------------------------------------------- */

/* False: it is failed. */
static bool
keep_piece(struct ws_connection *connection, const struct frame_piece *piece, size_t max)
{
    size_t needed = connection->length + piece->length;

    if (needed > connection->capacity) {
        size_t capacity = 2 * needed < max ? 2 * needed : max;
        int64_t more = (int64_t)(capacity - connection->capacity);
        bool is_kept = gate_keeps(connection->wsi, more);
        char *text = is_kept ? realloc(connection->text, capacity) : NULL;

        if (text == NULL) {
            if (is_kept) {
                (void)gate_keeps(connection->wsi, -more);
            }
            fail(connection, REFUSED_UNFINISHED, CLOSE_TRY_AGAIN,
                 "too many incomplete messages from this address");
            return false;
        }
        connection->text = text;
        connection->capacity = capacity;
    }
    if (piece->length > 0) {
        memcpy(connection->text + connection->length, piece->data, piece->length);
    }
    connection->length = needed;
    return true;
}

static void
hand_over(struct ws_connection *connection, const char *text, size_t length)
{
    struct net *net = connection->net;

    if (!sk_utf8_is_valid((const uint8_t *)text, (const uint8_t *)text + length)) {
        fail(connection, REFUSED_UTF8, CLOSE_BAD_DATA, "the message is not UTF-8");
        return;
    }
    net->messages_in++;
    net->bytes_in += length;
    host_message(connection->session, text, length);
    net_tick_soon(net);
}

static void
data_received(struct ws_connection *connection, const struct frame_piece *piece)
{
    size_t max = host_message_max(connection->session);

    if (piece->opcode == FRAME_BINARY) {
        fail(connection, REFUSED_BINARY, CLOSE_UNACCEPTABLE, "text messages only");
        return;
    }
    /* The announced length counts, so a message that is too big is refused early. */
    if (piece->left > max || connection->length + piece->length + piece->left > max) {
        fail(connection, REFUSED_TOO_BIG, CLOSE_TOO_BIG, "the message is too big");
        return;
    }
    if (piece->is_begin && piece->is_end && piece->is_final && connection->fragments == 0) {
        hand_over(connection, (const char *)piece->data, piece->length);
        return;
    }
    connection->fragments += piece->is_begin ? 1 : 0;
    if (connection->fragments > NET_FRAGMENTS_MAX) {
        fail(connection, REFUSED_FRAGMENTS, CLOSE_POLICY, "too many fragments");
        return;
    }
    if (!keep_piece(connection, piece, max)) {
        return;
    }
    if (piece->is_end && piece->is_final) {
        hand_over(connection, connection->text == NULL ? "" : connection->text, connection->length);
        forget_message(connection);
    }
}

/* ---- control frames ---------------------------------------------------------------------- */

static int
write_control(struct ws_connection *connection, uint8_t opcode, const void *data, size_t length)
{
    unsigned char frame[2 + FRAME_CONTROL_MAX];

    frame[0] = (unsigned char)(FRAME_FINAL | opcode);
    frame[1] = (unsigned char)length;
    if (length > 0) {
        memcpy(frame + 2, data, length);
    }
    return lws_write(connection->wsi, frame, 2 + length, LWS_WRITE_RAW) < 0 ? -1 : 0;
}

/* Answers with the peer's code after pending data; with ours if theirs is invalid. */
static void
peer_closes(struct ws_connection *connection, const uint8_t *data, size_t length)
{
    uint32_t code = length < 2 ? CLOSE_NO_CODE : (uint32_t)data[0] << 8 | data[1];

    if (length == 1 || (length >= 2 && !frame_close_code_is_valid(code))) {
        fail(connection, REFUSED_FRAME, CLOSE_PROTOCOL, "the close code is invalid");
        return;
    }
    if (length > 2 && !sk_utf8_is_valid(data + 2, data + length)) {
        fail(connection, REFUSED_UTF8, CLOSE_BAD_DATA, "the close reason is not UTF-8");
        return;
    }
    connection->is_peer_closed = true;
    end_soon(connection, (int)code, "");
}

static int
control_received(struct ws_connection *connection, const struct frame_piece *piece)
{
    const uint8_t *data = connection->control;
    size_t length;

    if (piece->is_begin) {
        connection->control_length = 0;
    }
    memcpy(connection->control + connection->control_length, piece->data, piece->length);
    connection->control_length = (uint8_t)(connection->control_length + piece->length);
    if (!piece->is_end) {
        return 0;
    }
    length = connection->control_length;
    connection->control_rate += (uint32_t)length + FRAME_CONTROL_COST;
    if (connection->control_rate > NET_CONTROL_BYTES) {
        connection->net->refused[REFUSED_CONTROL_FLOOD]++;
        return -1;
    }
    if (piece->opcode == FRAME_CLOSE) {
        peer_closes(connection, data, length);
    } else if (piece->opcode == FRAME_PING && connection->close_code == 0) {
        return write_control(connection, FRAME_PONG, data, length);
    }
    return 0;
}

int
ws_received(struct connection *whole, uint8_t *bytes, size_t length)
{
    struct ws_connection *connection = &whole->ws;
    struct frame_piece piece;
    const char *error;
    enum frame_state state;

    connection->is_heard = true;
    while (!connection->is_peer_closed && (state = frame_read(&connection->reader, &bytes, &length,
                                                              &piece, &error)) != FRAME_MORE) {
        if (state == FRAME_WRONG) {
            fail(connection, REFUSED_FRAME, CLOSE_PROTOCOL, error);
        } else if ((piece.opcode & FRAME_CONTROL_FLAG) != 0) {
            if (control_received(connection, &piece) != 0) {
                return -1;
            }
        } else if (connection->session != NULL && connection->close_code == 0) {
            data_received(connection, &piece);
        }
    }
    if (connection->is_close_sent && connection->is_peer_closed) {
        connection_end(whole);
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

/* Writes the header of a complete, unmasked text frame and returns its length. */
static size_t
put_header(unsigned char *frame, size_t length)
{
    size_t bytes = length < 126 ? 0 : length <= UINT16_MAX ? 2 : 8;

    frame[0] = FRAME_FINAL | FRAME_TEXT;
    frame[1] = (unsigned char)(bytes == 0 ? length : bytes == 2 ? 126 : 127);
    for (size_t i = bytes; i > 0; i--) {
        frame[1 + i] = (unsigned char)length;
        length >>= 8;
    }
    return 2 + bytes;
}

_Static_assert(NET_WRITE_BYTES <= UINT16_MAX, "longer frames have longer headers");
_Static_assert(HOST_MESSAGE_HEADROOM >= FRAME_HEADER_MAX, "a header fits before the text");

/* Writes a message that is too long to copy.  Its header, the same for all receivers, goes into the
 * message's headroom. */
static int
write_long_message(struct ws_connection *connection, const struct message *message)
{
    unsigned char header[FRAME_HEADER_MAX];
    size_t bytes = put_header(header, message->length);
    unsigned char *frame = (unsigned char *)message->text - bytes;
    size_t length = bytes + message->length;

    memcpy(frame, header, bytes);
    if (lws_write(connection->wsi, frame, length, LWS_WRITE_RAW) < (int)length) {
        return -1;
    }
    take_message(connection, message->length);
    return 0;
}

/* Collects as many messages as fit into one write; returns the number of bytes. */
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
    unsigned char *frames = connection->net->out;
    size_t length = gather_messages(connection, frames);

    if (length == 0) {
        return write_long_message(connection, next_message(connection));
    }
    return lws_write(connection->wsi, frames, length, LWS_WRITE_RAW) < (int)length ? -1 : 0;
}

static int
write_close(struct ws_connection *connection)
{
    unsigned char data[FRAME_CONTROL_MAX];
    size_t length = strlen(connection->close_reason);
    int code = connection->close_code;

    length = length < FRAME_CONTROL_MAX - 2 ? length : FRAME_CONTROL_MAX - 2;
    data[0] = (unsigned char)(code >> 8);
    data[1] = (unsigned char)code;
    memcpy(data + 2, connection->close_reason, length);
    forget_session(connection);
    connection->is_close_sent = true;
    connection->net->closes_sent++;
    return write_control(connection, FRAME_CLOSE, data, code == CLOSE_NO_CODE ? 0 : length + 2);
}

static bool
has_more(const struct ws_connection *connection)
{
    return !connection->is_close_sent && (next_message(connection) != NULL ||
                                          connection->close_code != 0 || connection->is_ping_due);
}

/* One write per call; libwebsockets calls again if asked to. */
int
ws_writable(struct connection *whole)
{
    struct ws_connection *connection = &whole->ws;
    int result = 0;

    if (next_message(connection) != NULL) {
        result = write_messages(connection);
    } else if (connection->is_close_sent) {
        return 0; /* nothing may follow a close frame */
    } else if (connection->close_code != 0) {
        result = write_close(connection);
        if (result == 0 && connection->is_peer_closed) {
            connection_end(whole);
            return 0;
        }
    } else if (connection->is_ping_due) {
        connection->is_ping_due = false;
        result = write_control(connection, FRAME_PING, NULL, 0);
    }
    if (result == 0 && has_more(connection)) {
        lws_callback_on_writable(connection->wsi);
    }
    return result;
}

/* If libwebsockets has kept bytes that the socket did not accept, its callback says when to go
 * on. */
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
    connection_adjust(lws_container_of(connection, struct connection, ws));
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
    int32_t interval_ms = connection->net->options.ping_interval_ms;
    bool is_heard = connection->is_heard;

    connection->is_heard = false;
    connection->control_rate = 0;
    if (connection->is_cut) {
        cut(connection);
    } else if (connection->close_code != 0) {
        sweep_closing(connection);
    } else if (is_heard || interval_ms == 0) {
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
