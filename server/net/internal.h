/*
 * What the files of the net layer share.
 *
 *   net.c         the context, the two listeners, timers
 *   connection.c  one connection: what it is now, reading, deadlines, its end
 *   head.c        the head of an HTTP request, taken apart
 *   gate.c        who may connect: limits, upgrades, origins, proxies
 *   http.c        HTTP: routes and answers
 *   page.c        the files of the page
 *   frame.c       WebSocket frames, taken apart
 *   ws.c          WebSockets: messages in and out, closing, pings
 *
 * Of libwebsockets only the loop, the sockets and TLS are used, by its "raw"
 * role.  Its own HTTP and WebSocket accept what must be refused, answer some
 * errors with silence, and differ between 4.1 (Debian 12) and 4.3 (Debian 13).
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
#include "server/net/net.h"
#include "server/net/origin.h"
#include "server/net/page.h"

#define NET_SUBPROTOCOL        "skirmish.v1"
#define NET_SUBPROTOCOL_HEADER "sec-websocket-protocol"
#define NET_KEY_LENGTH         24 /* of a Sec-WebSocket-Key: 16 bytes in base64 */
#define NET_SHA1_BYTES         20
#define NET_ACCEPT_SIZE        32 /* for these in base64 */

/* Close codes of the connection itself; those of the host are in transport.h. */
#define CLOSE_PROTOCOL     1002
#define CLOSE_UNACCEPTABLE 1003
#define CLOSE_NO_CODE      1005 /* a close frame without one */

/* Why somebody was turned away: the counters, their names in the metrics. */
#define NET_REFUSALS(X)                       \
    X(REFUSED_FULL, "full")                   \
    X(REFUSED_ADDRESS, "address")             \
    X(REFUSED_UPGRADE, "upgrade")             \
    X(REFUSED_DRAINING, "draining")           \
    X(REFUSED_SUBPROTOCOL, "subprotocol")     \
    X(REFUSED_ORIGIN, "origin")               \
    X(REFUSED_REQUEST, "request")             \
    X(REFUSED_HOST, "host")                   \
    X(REFUSED_FRAME, "frame")                 \
    X(REFUSED_BINARY, "binary")               \
    X(REFUSED_UTF8, "utf8")                   \
    X(REFUSED_TOO_BIG, "too_big")             \
    X(REFUSED_FRAGMENTS, "fragments")         \
    X(REFUSED_CONTROL_FLOOD, "control_flood") \
    X(REFUSED_SILENT, "silent")

#define NET_REFUSAL_NUMBER(number, word) number,
enum net_refusal {
    NET_REFUSALS(NET_REFUSAL_NUMBER) REFUSED_COUNT
};
#undef NET_REFUSAL_NUMBER

/* ---- what one connection is, in lws memory ------------------------------------------------ */

/* One HTTP request and its answer. */
struct http_exchange {
    struct http_request request; /* the host's handle on it; its context is the exchange */
    bool is_with_host;
    bool is_head;
    bool must_end;        /* the connection, after this answer */
    unsigned char *bytes; /* headers and body */
    size_t length;
    size_t written;
};

/* A WebSocket, once it is open. */
struct ws_connection {
    struct lws_dll2 list;
    struct lws_dll2 writer; /* in net->writers while the host has something for it */
    struct net *net;        /* NULL unless it is open */
    struct lws *wsi;
    struct session *session; /* NULL once the host was told of the end */
    struct frame_reader reader;
    char *text; /* of a message that comes in pieces */
    size_t length;
    size_t capacity;
    uint32_t fragments;
    uint8_t control[FRAME_CONTROL_MAX]; /* of a control frame that comes in pieces */
    uint8_t control_length;
    int close_code; /* 0 = stays open */
    const char *close_reason;
    bool is_told;        /* our close frame is written */
    bool is_peer_closed; /* theirs has come, or need not be waited for */
    bool is_cut;
    bool is_ping_due;
    bool is_heard;         /* since the last sweep */
    uint32_t control_rate; /* bytes of control frames since then */
    int32_t silent_ms;     /* sweeps without a byte */
    int32_t closing_ms;    /* sweeps since it shall end */
};

enum connection_phase {
    PHASE_REQUEST,   /* waits for a request, or for the rest of one */
    PHASE_ANSWER,    /* has one that is not answered yet; nothing more is read */
    PHASE_WEBSOCKET, /* for good */
    PHASE_END        /* all is said; what still comes is dropped until the peer closes, too */
};

struct inbox;

struct connection {
    struct lws *wsi;
    struct listener *listener; /* NULL until it is open */
    enum connection_phase phase;
    bool is_paused;          /* not read from */
    bool is_shut;            /* our side, in PHASE_END */
    struct lws_dll2 waiting; /* in net->waiting while it has a deadline */
    lws_usec_t deadline_us;
    struct inbox *inbox; /* a request, as far as it has come, and what follows it; may be NULL */
    uint64_t body_left;  /* of the last request, to be skipped */
    struct http_exchange http;
    struct ws_connection ws;
};

/* ---- listeners ---------------------------------------------------------------------------- */

struct http_route {
    const char *path;
    bool is_prefix;
    void (*serve)(struct connection *connection, const char *path);
};

/* A port that we listen on: the game's, or the metrics'.  The vhost's user pointer. */
struct listener {
    struct net *net;
    struct lws_vhost *vhost;
    struct lws_protocols protocols[2]; /* ours, and the end */
    const struct http_route *routes;   /* ends with a row without a path */
    int32_t connections;
    int32_t connections_max;
};

struct net {
    struct lws_context *context;
    struct net_options options;
    struct net_world world;
    struct listener game;
    struct listener metrics;
    struct net_networks trusted;
    struct net_origins origins;
    struct net_counts counts;
    struct page page;
    lws_sorted_usec_list_t tick;
    bool is_tick_soon;
    lws_sorted_usec_list_t sweep;
    struct lws_dll2_owner waiting; /* struct connection, the next deadline first */
    struct lws_dll2_owner sockets; /* struct ws_connection */
    struct lws_dll2_owner writers; /* of these, those that wait for ws_flush */
    uint32_t told;                 /* of these, those with our close frame */
    bool is_draining;
    struct certificate_mark certificate; /* of the files that are served */
    uint64_t refused[REFUSED_COUNT];
    lws_usec_t origin_logged_us; /* when a refused origin was last logged; 0 = never */
    uint32_t origins_unlogged;   /* since then */
    uint64_t accepted;
    uint64_t messages_in;
    uint64_t messages_out;
    uint64_t bytes_in;
    uint64_t bytes_out;
    unsigned char out[NET_WRITE_BYTES]; /* frames that are written together */
};

struct listener *net_listener_of(struct lws *wsi);

/* The host had something to do: something may be due earlier than it said. */
void net_tick_soon(struct net *net);

void net_log(struct net *net, enum host_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- connection.c ------------------------------------------------------------------------- */

lws_callback_function net_callback;

/* The request that came last; valid while it is begun or upgraded. */
const struct request_head *connection_head(const struct connection *connection);
const char *connection_bytes(const struct connection *connection);

/* From now on it must make progress within the handshake timeout; or need not. */
void connection_wait(struct connection *connection);
void connection_wait_no_more(struct connection *connection);

/* Reads on, or not yet: call it after what may have changed that. */
void connection_adjust(struct connection *connection);

/* The answer is written: on to the next request, or to the end. */
void connection_answered(struct connection *connection, bool must_end);

/*
 * Closes our side once what lws holds is written, and drops what still comes:
 * to close at once would make the kernel withdraw what was written last.
 */
void connection_end(struct connection *connection);

/* Without a word, soon. */
void connection_cut(struct connection *connection);

/* Cuts those whose deadline has passed. */
void connection_expire(struct net *net);

/* ---- gate.c ------------------------------------------------------------------------------- */

/* Each returns what the callback of that reason shall return. */
int gate_accept(struct listener *listener, const struct lws_filter_network_conn_args *arrival);
int gate_open(struct listener *listener, struct lws *wsi);
int gate_close(struct lws *wsi);

/* Is the request one to open a WebSocket?  Other upgrades are ignored. */
bool gate_is_upgrade(const struct connection *connection);

/* May it be opened?  If not, the request is answered. */
bool gate_upgrade(struct connection *connection);

/* Whose limits count, as the proxies we trust tell it; "" when they do not. */
void gate_client_address(struct lws *wsi, char text[NET_ADDRESS_TEXT_SIZE]);

/* ---- ws.c --------------------------------------------------------------------------------- */

/* Answers the upgrade and opens it. */
int ws_open(struct connection *connection);
int ws_received(struct connection *connection, uint8_t *bytes, size_t length);
int ws_writable(struct connection *connection);

/* Writes what the host has for anybody, as far as sockets take it at once. */
void ws_flush(struct net *net);
void ws_closed(struct ws_connection *ws);
struct transport *ws_transport(void);

/* Looks at every socket now and then: pings, the dead. */
void ws_sweep(struct net *net);
void ws_close_all(struct net *net, enum close_code code, const char *reason);

/* ---- http.c ------------------------------------------------------------------------------- */

extern const struct http_route http_game_routes[];
extern const struct http_route http_metrics_routes[];

void http_begun(struct connection *connection);
int http_writable(struct connection *connection);
void http_ended(struct http_exchange *exchange);

/* Answers what is no request, or one that is not allowed; the connection then ends. */
void http_refuse(struct connection *connection, unsigned int status, const char *text);

/* ---- metrics.c ---------------------------------------------------------------------------- */

struct metrics_page;
void net_metrics(const struct net *net, struct metrics_page *page);

#endif /* SK_NET_INTERNAL_H */
