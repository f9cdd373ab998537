/*
 * What the kernel knows of ports.
 *
 * Threads: any.
 */
#ifndef SK_NET_TCP_H
#define SK_NET_TCP_H

#include <stdint.h>

/* Why nobody can listen there now: an errno, or 0 if one could. */
int net_tcp_listen_error(const char *address, int32_t port);

#endif /* SK_NET_TCP_H */
