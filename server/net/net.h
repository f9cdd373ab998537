/*
 * net - the libwebsockets front end: WebSocket and HTTP on one port, metrics on
 * another.
 *
 * Turns connections into sessions of the host, passes it complete messages, and
 * writes the contents of their outboxes.  Decides who may connect (net_gate.c) and
 * knows nothing about players and matches.
 *
 * Owner:   the caller of net_open.  The host must outlive net_close.
 * Threads: only the loop, except net_wake, which any thread may call between
 * net_open and net_close.
 */
#ifndef SK_NET_H
#define SK_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "server/host/host.h"
#include "server/net/options.h"
#include "server/server_limits.h"

struct net;

/* The transport to pass to the host; it serves all connections of the process. */
struct transport *net_transport(void);

/* Starts listening.  On failure returns false with a message and leaves `*ret_net` untouched. */
bool net_open(const struct net_options *options, const struct net_world *world,
              struct net **ret_net, char error[SERVER_ERROR_MAX + 1]);

/* Cuts all connections.  NULL is allowed. */
void net_close(struct net *net);

/* Waits for events, at most NET_TICK_MAX_MS, and handles them.  False: cannot continue. */
bool net_run(struct net *net);

/* Makes net_run return soon and call `woken`. */
void net_wake(struct net *net);

/* Applies options that can change while running: lists, limits, and the certificate files. */
bool net_reload(struct net *net, const struct net_options *options,
                char error[SERVER_ERROR_MAX + 1]);

/* From now on new WebSockets are refused with 503. */
void net_refuse_new(struct net *net);

/* Closes all WebSockets after their pending data is written; `reason` is a literal. */
void net_close_all(struct net *net, enum close_code code, const char *reason);

uint32_t net_connection_count(const struct net *net); /* WebSockets */
uint32_t net_unclosed_count(const struct net *net);   /* those of them without our close frame */
int32_t net_port(const struct net *net);
int32_t net_metrics_port(const struct net *net); /* -1 = no metrics */

#endif /* SK_NET_H */
