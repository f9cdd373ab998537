/*
 * Shared by the files of the net layer.
 *
 *   net.c         the context, the two listeners, timers
 *   connection.c  one connection: its phase, reading, deadlines, its end
 *   head.c        parses the head of an HTTP request
 *   net_gate.c    who may connect: limits, upgrades, origins, proxies
 *   net_http.c    HTTP: routes and answers
 *   page.c        the files of the page
 *   frame.c       parses WebSocket frames
 *   ws.c          WebSockets: messages in and out, closing, pings
 *
 * Only the event loop, sockets and TLS of libwebsockets are used, through its
 * "raw" role.  Its HTTP and WebSocket code accepts what must be refused, drops
 * some errors silently, and differs between 4.1 (Debian 12) and 4.3 (Debian
 * 13).
 */
#ifndef SK_NET_INTERNAL_H
#define SK_NET_INTERNAL_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/net/certificate.h"
#include "server/net/counts.h"
#include "server/net/frame.h"
#include "server/net/head.h"
#include "server/net/names.h"
#include "server/net/options.h"
#include "server/net/origin.h"
#include "server/net/page.h"

#define NET_SUBPROTOCOL        "skirmish.v1"
#define NET_SUBPROTOCOL_HEADER "sec-websocket-protocol"
#define NET_KEY_LENGTH         24 /* of a Sec-WebSocket-Key: 16 bytes in base64 */
#define NET_SHA1_BYTES         20
#define NET_ACCEPT_SIZE        32 /* for these in base64 */

/* Close codes of the connection; the host's are in transport.h. */
#define CLOSE_PROTOCOL     1002
#define CLOSE_UNACCEPTABLE 1003
#define CLOSE_NO_CODE      1005 /* a close frame without a code */

/* Reasons for refusing a connection: counters, and their names in the metrics. */
#define NET_REFUSALS(X)                       \
    X(REFUSED_FULL, "full")                   \
    X(REFUSED_ADDRESS, "address")             \
    X(REFUSED_CONNECTS, "connects")           \
    X(REFUSED_UPGRADE, "upgrade")             \
    X(REFUSED_DRAINING, "draining")           \
    X(REFUSED_SUBPROTOCOL, "subprotocol")     \
    X(REFUSED_ORIGIN, "origin")               \
    X(REFUSED_REQUEST, "request")             \
    X(REFUSED_HOST, "host")                   \
    X(REFUSED_NAME, "name")                   \
    X(REFUSED_INBOX, "inbox")                 \
    X(REFUSED_FRAME, "frame")                 \
    X(REFUSED_BINARY, "binary")               \
    X(REFUSED_UTF8, "utf8")                   \
    X(REFUSED_TOO_BIG, "too_big")             \
    X(REFUSED_FRAGMENTS, "fragments")         \
    X(REFUSED_UNFINISHED, "unfinished")       \
    X(REFUSED_CONTROL_FLOOD, "control_flood") \
    X(REFUSED_SILENT, "silent")               \
    X(REFUSED_TIMEOUT, "timeout")

#define NET_REFUSAL_NUMBER(number, word) number,
enum net_refusal {
    NET_REFUSALS(NET_REFUSAL_NUMBER) REFUSED_COUNT
};
#undef NET_REFUSAL_NUMBER

/* ---- a connection, in lws memory ---------------------------------------------------------- */

/* One HTTP request and its answer. */
struct http_exchange {
    struct http_request request; /* the host's handle; its context is the exchange */
    bool is_begun;               /* the host must be notified of its end */
    bool is_head;
    bool must_end; /* close the connection after this answer */
    char *head;    /* of the answer; NULL = none yet */
    size_t head_length;
    const char *body;
    char *owned;   /* the body, if it must be freed */
    char *link;    /* of a card: its address; NULL = unknown */
    size_t length; /* of both */
    size_t written;
    struct lws_dll2 delayed; /* in net->delayed: the answer is ready but delayed; or net->cards */
    lws_usec_t due_us;       /* when it may be sent, or is not waited for any more */
};

/* A WebSocket, once it is open. */
struct ws_connection {
    struct lws_dll2 list;
    struct lws_dll2 writer; /* in net->writers while the host has data for it */
    struct net *net;        /* NULL unless open */
    struct lws *wsi;
    struct session *session; /* NULL once the host was notified of the end */
    struct frame_reader reader;
    char *text; /* of a message that arrives in pieces */
    size_t length;
    size_t capacity;
    uint32_t fragments;
    uint8_t control[FRAME_CONTROL_MAX]; /* of a control frame that arrives in pieces */
    uint8_t control_length;
    int close_code; /* 0 = stays open */
    const char *close_reason;
    bool is_close_sent;  /* our close frame is written */
    bool is_peer_closed; /* theirs has arrived, or is not waited for */
    bool is_cut;
    bool is_ping_due;
    bool is_heard;         /* received anything since the last sweep */
    uint32_t control_rate; /* bytes of control frames since then */
    int32_t silent_ms;     /* time without a byte, counted by sweeps */
    int32_t closing_ms;    /* time since closing began, counted by sweeps */
};

enum connection_phase {
    PHASE_REQUEST,   /* waits for a request, or the rest of it */
    PHASE_ANSWER,    /* a request is not answered yet; nothing is read */
    PHASE_WEBSOCKET, /* until the end */
    PHASE_END        /* all is written; input is dropped until the peer closes too */
};

struct inbox;

struct connection {
    struct lws *wsi;
    struct listener *listener; /* NULL until it is open */
    enum connection_phase phase;
    bool is_paused;          /* not reading */
    bool is_shut;            /* our side is shut down, in PHASE_END */
    bool is_cut;             /* lws closes it soon */
    struct lws_dll2 waiting; /* in net->waiting while it has a deadline */
    lws_usec_t deadline_us;
    struct inbox *inbox; /* the request so far, and what follows it; may be NULL */
    uint64_t body_left;  /* bytes of the last request's body to skip */
    struct http_exchange http;
    struct ws_connection ws;
};

/* ---- listeners ---------------------------------------------------------------------------- */

struct http_route {
    const char *path;
    bool is_prefix;
    bool has_query; /* only requests with a query */
    int32_t cost;   /* see host.h; free for clients on this machine if is_free_near */
    bool is_free_near;
    void (*serve)(struct connection *connection, const char *path);
};

/* A port that we listen on: the game's or the metrics'.  The vhost's user pointer. */
struct listener {
    struct net *net;
    struct lws_vhost *vhost;
    struct lws_protocols protocols[2]; /* ours, and the terminator */
    const struct http_route *routes;   /* ends with a row without a path */
    int32_t connections;
    int32_t connections_max;
};

/* Events that anybody can cause are logged once per minute. */
struct net_seldom {
    lws_usec_t logged_us; /* when it was last logged; 0 = never */
    uint32_t unlogged;    /* count since then */
};

struct net {
    struct lws_context *context;
    struct net_options options;
    struct net_world world;
    struct listener game;
    struct listener metrics;
    struct net_networks trusted;
    struct net_list origins;
    struct net_names names;
    struct net_counts counts;
    struct page page;
    lws_sorted_usec_list_t tick;
    bool is_tick_soon;
    lws_sorted_usec_list_t sweep;
    struct lws_dll2_owner waiting; /* struct connection, next deadline first */
    struct lws_dll2_owner delayed; /* struct http_exchange, likewise */
    struct lws_dll2_owner cards;   /* struct http_exchange that wait for the store */
    struct lws_dll2_owner sockets; /* struct ws_connection */
    struct lws_dll2_owner writers; /* those of them that wait for ws_flush */
    uint32_t closes_sent;          /* those of them with our close frame written */
    bool is_draining;
    struct certificate_mark certificate; /* of the files in use */
    uint64_t refused[REFUSED_COUNT];
    struct net_seldom origin_log;
    struct net_seldom name_log;
    uint64_t accepted;
    uint64_t messages_in;
    uint64_t messages_out;
    uint64_t bytes_in;
    uint64_t bytes_out;
    unsigned char out[NET_WRITE_BYTES]; /* frames that are written together */
};

struct listener *net_listener_of(struct lws *wsi);

/* After work for the host: its next deadline may be earlier than it last said. */
void net_tick_soon(struct net *net);

void net_log(struct net *net, enum host_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- connection.c ------------------------------------------------------------------------- */

lws_callback_function net_callback;

/* The current request; valid while it is begun or upgraded. */
const struct request_head *connection_head(const struct connection *connection);
const char *connection_bytes(const struct connection *connection);

/* From now on it must, or need not, make progress within the handshake timeout. */
void connection_wait(struct connection *connection);
void connection_wait_no_more(struct connection *connection);

/* Pauses or resumes reading.  Call it after any change that may matter. */
void connection_adjust(struct connection *connection);

/* The answer is written: continues with the next request, or ends. */
void connection_answered(struct connection *connection, bool must_end);

/*
 * Closes our side once lws has written its buffer, and drops further input.
 * Closing at once could make the kernel discard the last bytes written.
 */
void connection_end(struct connection *connection);

/* Closes the connection soon, without a close frame or an answer. */
void connection_cut(struct connection *connection);

/* Cuts connections whose deadline has passed. */
void connection_expire(struct net *net);

/* ---- net_gate.c --------------------------------------------------------------------------- */

/* Each returns what the callback must return. */
int gate_accept(struct listener *listener, const struct lws_filter_network_conn_args *arrival);
int gate_open(struct listener *listener, struct lws *wsi);
int gate_close(struct lws *wsi);

/* The client of the request: the peer, or whom a trusted proxy names.  "" if unknown. */
void gate_request_address(const struct connection *connection, char text[NET_ADDRESS_TEXT_SIZE]);

/* Whether the request comes from this machine and not through a proxy for somebody else. */
bool gate_is_near(const struct connection *connection);

/* Whether it comes through a trusted proxy. */
bool gate_is_proxied(const struct connection *connection);

/* Checks the request's Host header.  On false the request is answered. */
bool gate_name(struct connection *connection);

/* Whether the request wants to open a WebSocket.  Other upgrades are ignored. */
bool gate_is_upgrade(const struct connection *connection);

/* Whether it may be opened.  On false the request is answered. */
bool gate_upgrade(struct connection *connection);

/* Counts `bytes` more (or less) of incomplete messages.  False, and nothing is counted, if the
 * address would keep too many. */
bool gate_keeps(struct lws *wsi, int64_t bytes);

/* The address that limits apply to, as trusted proxies name it; "" if they do not. */
void gate_client_address(struct lws *wsi, char text[NET_ADDRESS_TEXT_SIZE]);

/* ---- ws.c --------------------------------------------------------------------------------- */

/* Answers the upgrade and opens the WebSocket. */
int ws_open(struct connection *connection);
int ws_received(struct connection *connection, uint8_t *bytes, size_t length);
int ws_writable(struct connection *connection);

/* Writes what the host has for any socket, as far as sockets accept it at once. */
void ws_flush(struct net *net);
void ws_closed(struct ws_connection *ws);

/* Visits every socket at intervals: sends pings, cuts dead peers. */
void ws_sweep(struct net *net);

/* ---- net_http.c --------------------------------------------------------------------------- */

extern const struct http_route http_game_routes[];
extern const struct http_route http_metrics_routes[];

void http_begun(struct connection *connection);
int http_writable(struct connection *connection);
void http_ended(struct connection *connection);

/* Sends the delayed answers that are due, and pages whose card does not come. */
void http_send_delayed(struct net *net);

/* Answers an invalid or forbidden request and ends the connection. */
void http_refuse(struct connection *connection, unsigned int status, const char *text);

/* ---- metrics.c ---------------------------------------------------------------------------- */

struct metrics_out;
void net_metrics(const struct net *net, struct metrics_out *out);

#endif /* SK_NET_INTERNAL_H */
