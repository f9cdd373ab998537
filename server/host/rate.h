/*
 * rate - how many frames a connection, an account and an address may send.
 *
 * Each has a token bucket.  A frame is heard when all three have a token, and
 * then takes one of each; one that is not heard takes none.
 *
 * An account's and an address's bucket outlive their connections until they
 * are full again, so that coming anew does not fill them.
 *
 * Owner:   the host; sessions and players hold references.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_RATE_H
#define SK_HOST_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define RATE_ADDRESS_MAX 47 /* characters of an address */

struct host;
struct session;

struct bucket {
    int64_t tokens; /* in thousandths */
    int64_t filled_ms;
};

/* What connections that come from somewhere, or of somebody, share. */
struct rate;

/* Takes a reference, which rate_release gives back.  NULL for the address "": without limit. */
struct rate *rate_of_address(struct host *host, const char *address);
struct rate *rate_of_account(struct host *host, int64_t player);
void rate_release(struct host *host, struct rate *rate);

void rate_open(struct session *session, const char *address);
void rate_close(struct session *session);

/* Where the connection comes from; "" if that is not known. */
const char *rate_address(const struct session *session);

/* NULL, or whose frames are too many, for people; and when one more will be heard. */
const char *rate_refuses(struct session *session, int32_t *ret_retry_ms);

/* All that nobody refers to; when the host ends. */
void rates_free(struct host *host);

#endif /* SK_HOST_RATE_H */
