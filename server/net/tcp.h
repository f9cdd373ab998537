/*
 * Asks the kernel about ports.
 *
 * Threads: any.
 */
#ifndef SK_NET_TCP_H
#define SK_NET_TCP_H

#include <stdint.h>

/* Why listening there fails now: an errno, or 0 if it would work. */
int net_tcp_listen_error(const char *address, int32_t port);

#endif /* SK_NET_TCP_H */
