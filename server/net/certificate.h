/*
 * Checks the certificate files: do they hold a certificate with its key, and
 * did they change?
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

#include "server/net/options.h"

/* A hash of both files; all zeros without a certificate. */
struct certificate_mark {
    uint8_t bytes[2][32];
};

/* Returns false with a message if they cannot be used. */
bool certificate_look(const struct net_options *options, struct certificate_mark *ret_mark,
                      char error[SERVER_ERROR_MAX + 1]);

#endif /* SK_NET_CERTIFICATE_H */
