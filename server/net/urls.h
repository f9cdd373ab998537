/*
 * URLs of this server that people can open in a browser.
 *
 * Threads: any.
 */
#ifndef SK_NET_URLS_H
#define SK_NET_URLS_H

#include <stdint.h>

#define NET_URLS_MAX  8 /* a machine may have hundreds of addresses */
#define NET_URLS_SIZE (NET_URLS_MAX * 72)

/*
 * "http://127.0.0.1:7777/", or for "0.0.0.0" and "::" one per address of this
 * machine, separated by ", ".  The loopback address comes first.
 */
void net_urls(const char *scheme, const char *address, int32_t port, char ret_urls[NET_URLS_SIZE]);

#endif /* SK_NET_URLS_H */
