/*
 * What the files of the net layer share.
 *
 *   net.c       the context, the two listeners, timers
 *   callback.c  what libwebsockets tells us, each case one call deep
 *   gate.c      who may connect: limits, upgrades, origins, proxies
 *   ws.c        WebSockets: messages in and out, closing, pings
 *   http.c      HTTP: routes and answers
 *   page.c      the files of the page
 */
#ifndef SK_NET_INTERNAL_H
#define SK_NET_INTERNAL_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/net/certificate.h"
#include "server/net/counts.h"
#include "server/net/net.h"
#include "server/net/origin.h"
#include "server/net/page.h"

_Static_assert(HOST_MESSAGE_HEADROOM >= LWS_PRE, "lws writes its frame header before the text");

#define NET_SUBPROTOCOL "skirmish.v1"

/* Why somebody was turned away: the counters, their names in the metrics. */
#define NET_REFUSALS(X)                       \
    X(REFUSED_FULL, "full")                   \
    X(REFUSED_ADDRESS, "address")             \
    X(REFUSED_UPGRADE, "upgrade")             \
    X(REFUSED_DRAINING, "draining")           \
    X(REFUSED_SUBPROTOCOL, "subprotocol")     \
    X(REFUSED_ORIGIN, "origin")               \
    X(REFUSED_RAW, "raw")                     \
    X(REFUSED_HOST, "host")                   \
    X(REFUSED_BINARY, "binary")               \
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
    struct lws *wsi;
    bool is_with_host;
    bool is_head;
    bool must_end;        /* the connection, after this answer */
    unsigned char *bytes; /* LWS_PRE, headers, body */
    size_t headers_length;
    size_t body_length;
    size_t body_written;
    bool headers_are_written;
};

/* A WebSocket, once it is open. */
struct ws_connection {
    struct lws_dll2 list;
    struct lws_dll2 writer; /* in net->writers while the host has something for it */
    struct net *net;        /* NULL until it is open */
    struct lws *wsi;
    struct session *session; /* NULL once the host was told of the end */
    char *text;              /* of a message that comes in pieces */
    size_t length;
    size_t room;
    uint32_t pieces;
    int close_code; /* 0 = stays open */
    const char *close_reason;
    bool is_told; /* our close frame is written */
    bool is_cut;
    bool is_ping_due;
    int64_t accounted;   /* bytes handed over, with what surrounds them */
    int64_t received;    /* bytes that the kernel got, at the last sweep */
    int64_t unexplained; /* of these neither accounted for nor still waiting to be read */
    int32_t silent_ms;   /* sweeps without a byte */
    int32_t closing_ms;  /* sweeps since it shall end */
};

/*
 * lws does not say reliably which of the two a connection is when it ends,
 * so there is room for both.
 */
struct client {
    struct http_exchange http;
    struct ws_connection ws;
};

/* ---- listeners ---------------------------------------------------------------------------- */

struct http_route {
    const char *path;
    bool is_prefix;
    void (*serve)(struct http_exchange *exchange, struct net *net, const char *path);
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
    struct lws_dll2_owner sockets; /* struct ws_connection */
    struct lws_dll2_owner writers; /* of these, those that wait for ws_flush */
    uint32_t told;                 /* of these, those with our close frame */
    bool is_draining;
    struct certificate_mark certificate; /* of the files that are served */
    uint64_t refused[REFUSED_COUNT];
    uint64_t accepted;
    uint64_t messages_in;
    uint64_t messages_out;
    uint64_t bytes_in;
    uint64_t bytes_out;
    unsigned char out[LWS_PRE + NET_WRITE_BYTES]; /* frames that are written together */
};

struct listener *net_listener_of(struct lws *wsi);

/* The host had something to do: something may be due earlier than it said. */
void net_tick_soon(struct net *net);

void net_log(struct net *net, enum host_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- gate.c: each returns what the callback of that reason shall return ------------------- */

int gate_accept(struct listener *listener, const struct lws_filter_network_conn_args *arrival);
int gate_open(struct listener *listener, struct lws *wsi);
int gate_close(struct lws *wsi);
int gate_upgrade(struct listener *listener, struct lws *wsi);
int gate_refuse_raw(struct listener *listener);

/* Whose limits count, as the proxies we trust tell it; "" when they do not. */
void gate_client_address(struct lws *wsi, char text[NET_ADDRESS_TEXT_SIZE]);

/* ---- ws.c --------------------------------------------------------------------------------- */

int ws_opened(struct ws_connection *connection, struct lws *wsi);
int ws_received(struct ws_connection *connection, const char *piece, size_t length);
int ws_writable(struct ws_connection *connection);

/* Writes what the host has for anybody, as far as sockets take it at once. */
void ws_flush(struct net *net);
int ws_peer_closes(struct ws_connection *connection);
int ws_closed(struct ws_connection *connection);
struct transport *ws_transport(void);

/* Looks at every socket now and then: pings, floods, the dead. */
void ws_sweep(struct net *net);
void ws_close_all(struct net *net, enum close_code code, const char *reason);

/* ---- http.c ------------------------------------------------------------------------------- */

extern const struct http_route http_game_routes[];
extern const struct http_route http_metrics_routes[];

int http_begun(struct http_exchange *exchange, struct lws *wsi, const char *path, size_t length);
int http_writable(struct http_exchange *exchange);
int http_ended(struct http_exchange *exchange);

/* Writes a whole short answer at once, for a connection that then ends. */
void http_turn_away(struct lws *wsi, const char *status, const char *text);

/* ---- callback.c, metrics.c ---------------------------------------------------------------- */

lws_callback_function net_callback;

struct metrics_page;
void net_metrics(const struct net *net, struct metrics_page *page);

#endif /* SK_NET_INTERNAL_H */
