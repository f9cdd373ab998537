/*
 * What the net layer gets when it is opened: its options and its callbacks.
 *
 * Owner:   the caller of net_open; options are copied.
 * Threads: none of its own.
 */
#ifndef SK_NET_OPTIONS_H
#define SK_NET_OPTIONS_H

#include <stdint.h>

#include "server/host/host.h"
#include "server/net/address.h"
#include "server/server_limits.h"

/* Options from the configuration.  An empty text is "not set". */
struct net_options {
    char address[NET_ADDRESS_TEXT_SIZE]; /* "0.0.0.0" and "::" listen on all interfaces */
    int32_t port;                        /* 0 = any free port, see net_port */
    char metrics_address[NET_ADDRESS_TEXT_SIZE];
    int32_t metrics_port; /* -1 = no metrics */
    char tls_certificate[SERVER_PATH_MAX + 1];
    char tls_key[SERVER_PATH_MAX + 1];
    char web[SERVER_PATH_MAX + 1];             /* the page's folder, see page_open */
    char origins[SERVER_LIST_MAX + 1];         /* format: net_origins_parse */
    char hosts[SERVER_LIST_MAX + 1];           /* format: net_names_parse */
    char trusted_proxies[SERVER_LIST_MAX + 1]; /* format: net_networks_parse */
    int32_t connections_max;
    int32_t connections_per_address_max; /* 0 = no limit */
    int32_t connects_per_second;         /* per address; 0 = no limit */
    int32_t inbox_address_bytes_max;     /* of incomplete messages, per address */
    int32_t handshake_timeout_ms;        /* for the request, and for each answer */
    int32_t ping_interval_ms;            /* ping after this much silence; 0 = never */
};

/* Callbacks to the daemon. */
struct net_world {
    struct host *host;
    void (*woken)(void *context); /* after net_wake, on the loop */
    void (*heard)(void *context); /* all input is handled; the answers are sent next */
    void (*metrics)(void *context, struct metrics_out *out);    /* adds the daemon's */
    void (*log)(void *context, int level, const char *message); /* enum host_log_level */
    void *context;
};

#endif /* SK_NET_OPTIONS_H */
