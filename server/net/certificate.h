/*
 * The files of the certificate: do they hold one with its key, and is it new?
 *
 * libwebsockets only logs what is wrong with them, and goes on.
 *
 * Owner:   the caller.
 * Threads: any.
 */
#ifndef SK_NET_CERTIFICATE_H
#define SK_NET_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/net/net.h"

/* Of the content of both files; all zero without a certificate. */
struct certificate_mark {
    uint8_t bytes[2][32];
};

/* False with a message when they cannot be served. */
bool certificate_look(const struct net_options *options, struct certificate_mark *ret_mark,
                      char error[SERVER_ERROR_MAX + 1]);

#endif /* SK_NET_CERTIFICATE_H */
