/*
 * What the kernel knows of connections.
 *
 * Apart, because the kernel's own header, which knows more than the C
 * library's, does not bear being included beside it.
 *
 * Threads: any.
 */
#ifndef SK_NET_TCP_H
#define SK_NET_TCP_H

#include <stdbool.h>
#include <stdint.h>

struct net_tcp_bytes {
    int64_t received; /* since the connection exists */
    int64_t waiting;  /* of these not yet read by us */
};

/* False when the kernel does not tell. */
bool net_tcp_bytes(int descriptor, struct net_tcp_bytes *ret_bytes);

/* Why nobody can listen there now: an errno, or 0 if one could. */
int net_tcp_listen_error(const char *address, int32_t port);

#endif /* SK_NET_TCP_H */
