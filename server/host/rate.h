/*
 * rate - how many frames a connection, an account and an address may send.
 *
 * Each has a token bucket.  A frame is heard when all three have a token, and
 * then takes one of each; one that is not heard takes none.  A frame that is
 * long or kept the loop busy takes more, also tokens that are not there yet:
 * then nothing is heard until they have come.
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
#include <stddef.h>
#include <stdint.h>

#define RATE_ADDRESS_MAX 47   /* characters of an address */
#define RATE_FRAME_BYTES 4096 /* that a token pays for */

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

/* What a frame cost beyond the token that it had: its length, and the loop's time. */
void rate_charge(struct session *session, size_t length, int64_t cpu_us);

/* All that nobody refers to; when the host ends. */
void rates_free(struct host *host);

#endif /* SK_HOST_RATE_H */
