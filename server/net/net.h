/*
 * net - the libwebsockets front: WebSocket and HTTP on one port, the metrics
 * on another.
 *
 * It turns connections into sessions of the host, hands it whole messages,
 * and writes what waits in their outboxes.  It decides who may connect
 * (gate.c) and knows nothing of players and matches.
 *
 * Owner:   net_open's caller.  The host must live until after net_close.
 * Threads: the loop's only, except net_wake, which any thread may call
 *          between net_open and net_close.
 */
#ifndef SK_NET_H
#define SK_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "server/host/host.h"
#include "server/limits.h"
#include "server/net/address.h"

struct net;

/* What a configuration may change.  An empty text is "not set". */
struct net_options {
    char address[NET_ADDRESS_TEXT_SIZE]; /* "0.0.0.0" and "::" listen everywhere */
    int32_t port;                        /* 0 = any free one, see net_port */
    char metrics_address[NET_ADDRESS_TEXT_SIZE];
    int32_t metrics_port; /* -1 = no metrics */
    char tls_certificate[SERVER_PATH_MAX + 1];
    char tls_key[SERVER_PATH_MAX + 1];
    char web[SERVER_PATH_MAX + 1];             /* the page's folder, see page_open */
    char origins[SERVER_LIST_MAX + 1];         /* as net_origins_parse reads it */
    char trusted_proxies[SERVER_LIST_MAX + 1]; /* as net_networks_parse reads it */
    int32_t connections_max;
    int32_t connections_per_address_max; /* 0 = no limit */
    int32_t handshake_timeout_ms;        /* until the request, and for each answer */
    int32_t ping_interval_ms;            /* silence after which we ping; 0 = never */
};

/* The daemon around it. */
struct net_world {
    struct host *host;
    void (*woken)(void *context); /* after net_wake, on the loop */
    void (*heard)(void *context); /* all that had come is handled; the answers go out next */
    void (*metrics)(void *context, struct metrics_page *page); /* beside the net's and the host's */
    void (*log)(void *context, int level, const char *message); /* enum host_log_level */
    void *context;
};

/* Hand this to the host; it serves all connections of the process. */
struct transport *net_transport(void);

/* Listens.  False with a message when it cannot; `*ret_net` is then untouched. */
bool net_open(const struct net_options *options, const struct net_world *world,
              struct net **ret_net, char error[SERVER_ERROR_MAX + 1]);

/* Cuts all connections.  NULL is fine. */
void net_close(struct net *net);

/* Waits for something to happen and does it; at most NET_TICK_MAX_MS.  False: cannot go on. */
bool net_run(struct net *net);

/* Makes net_run return soon and call `woken`. */
void net_wake(struct net *net);

/* Takes over what can change while running: lists, limits, and the files of the certificate. */
bool net_reload(struct net *net, const struct net_options *options,
                char error[SERVER_ERROR_MAX + 1]);

/* From now on new WebSockets are refused with 503. */
void net_refuse_new(struct net *net);

/* Closes all WebSockets once what waits for them is written; `reason` is a literal. */
void net_close_all(struct net *net, enum close_code code, const char *reason);

uint32_t net_connection_count(const struct net *net); /* WebSockets */
uint32_t net_untold_count(const struct net *net);     /* of these without our close frame */
int32_t net_port(const struct net *net);
int32_t net_metrics_port(const struct net *net); /* -1 = no metrics */

#endif /* SK_NET_H */
