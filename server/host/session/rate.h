/*
 * rate - how many frames a connection, an account and an address may send,
 * and how many HTTP requests an address.
 *
 * Each has a token bucket.  A frame is accepted if all three have a token, and
 * then takes one from each; a refused frame takes none.  A frame that is long
 * or kept the loop busy takes more, even below zero: then nothing is accepted
 * until the bucket has filled up again.  A client that keeps sending gets a
 * limited number of refusals, and is then disconnected.
 *
 * There are also quotas for new players per address and for matches created
 * per account and per address, and both have a limit of unfinished matches
 * that they created, no matter who plays them.
 *
 * What an account or address has used is remembered after its connections end,
 * until the quota is full again, so reconnecting does not help.
 *
 * An address has another bucket for its HTTP requests, and a count of the work
 * that other threads do for it.
 *
 * Owner:   the host; sessions and players hold references.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_SESSION_RATE_H
#define SK_HOST_SESSION_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RATE_ADDRESS_MAX 47   /* characters of an address */
#define RATE_FRAME_BYTES 4096 /* included in a token */
#define RATE_HEARD       8    /* receivers of a chat per token */

struct host;
struct session;

/* Shared by all connections of an address, or of a player. */
struct rate;

/* Returns a reference, to be released by rate_release.  NULL for the address "": no limit. */
struct rate *rate_of_address(struct host *host, const char *address);
struct rate *rate_of_account(struct host *host, int64_t player);
struct rate *rate_hold(struct rate *rate); /* adds a reference; NULL is allowed */
void rate_release(struct host *host, struct rate *rate);

void rate_open(struct session *session, const char *address);
void rate_close(struct session *session);

/* The address of the connection; "" if unknown. */
const char *rate_address(const struct session *session);

/* Returns NULL if a frame is accepted now, else a message that says whose limit is exceeded, and
 * when to try again. */
const char *rate_refuses(struct session *session, int32_t *ret_retry_ms);

/* After a refused frame: whether the session or its address has sent too many of them. */
bool rate_is_flood(struct session *session, size_t length);

/* Adds bytes that wait to be written, or subtracts them; returns the sum of the address. */
int64_t rate_waits(struct session *session, int64_t bytes);

/* Returns NULL and takes one from the quota, or returns why the session may not create a new
 * player. */
const char *rate_refuses_player(struct session *session, int32_t *ret_retry_ms);

/* The same for a match; the number of unfinished matches is checked before, elsewhere. */
const char *rate_refuses_create(struct session *session, int32_t *ret_retry_ms);
const char *rate_refuses_match(const struct session *session, bool is_of_bots);

/* Whether the player may chat; takes one from the quota, or says when to try again. */
bool rate_allows_chat(const struct session *session, int32_t *ret_retry_ms);

/* The account and address that a match counts for until it is over; all zeros: nobody. */
struct maker {
    struct rate *account;
    struct rate *address;
    bool is_of_bots;
};

struct maker maker_of(struct session *session, bool is_of_bots);
struct maker maker_restored(struct host *host, int64_t player); /* of a match of bots */
void maker_release(struct host *host, struct maker *maker);

/* Charges for a frame's length and loop time beyond its first token.  The record of a turn costs
 * its players as much as a frame of that length. */
void rate_charge(struct session *session, size_t length, int64_t cpu_us);

/* The same for a match that only bots play; returns when it will be paid for. */
int64_t maker_charge(const struct host *host, const struct maker *maker, size_t length,
                     int64_t cpu_us);

/* Whether an HTTP request of this cost, in thousandths of a token, is allowed; takes the cost,
 * or says when to try again.  Work done for it is charged afterwards.  NULL is allowed. */
bool rate_http_takes(const struct host *host, struct rate *rate, int32_t cost,
                     int32_t *ret_retry_ms);
void rate_http_charge(const struct host *host, struct rate *rate, int64_t work_us);

/* Counts one more job on another thread, or answer that is not read yet; returns false if there
 * are too many.  Holds a reference until it ends.  NULL is allowed. */
bool rate_read_begins(struct host *host, struct rate *rate);
void rate_read_ends(struct host *host, struct rate *rate);

/* Frees everything without references, when the host ends. */
void rates_free(struct host *host);

#endif /* SK_HOST_SESSION_RATE_H */
