/*
 * rate - how many frames a connection, an account and an address may send,
 * and how many HTTP requests an address.
 *
 * Each has a token bucket.  A frame is heard when all three have a token, and
 * then takes one of each; one that is not heard takes none.  A frame that is
 * long or kept the loop busy takes more, also tokens that are not there yet:
 * then nothing is heard until they have come.  Who sends on all the same is
 * answered so many times, and then cut.
 *
 * Likewise there is a quota per time of new players of an address, and of
 * matches that an account and an address create; and both are counted those
 * that they have created and that are not over, whoever sits there by now.
 *
 * What an account and an address have used outlives their connections until
 * it is theirs again, so that coming anew does not help.
 *
 * An address has one more bucket for its HTTP requests, and a count of what
 * other threads do for it.
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
#define RATE_FRAME_BYTES 4096 /* that a token pays for */
#define RATE_HEARD       8    /* connections that a chat is sent to, for a token */

struct host;
struct session;

/* What connections that come from somewhere, or of somebody, share. */
struct rate;

/* Takes a reference, which rate_release gives back.  NULL for the address "": without limit. */
struct rate *rate_of_address(struct host *host, const char *address);
struct rate *rate_of_account(struct host *host, int64_t player);
struct rate *rate_hold(struct rate *rate); /* one more reference; NULL is fine */
void rate_release(struct host *host, struct rate *rate);

void rate_open(struct session *session, const char *address);
void rate_close(struct session *session);

/* Where the connection comes from; "" if that is not known. */
const char *rate_address(const struct session *session);

/* NULL, or whose frames are too many, for people; and when one more will be heard. */
const char *rate_refuses(struct session *session, int32_t *ret_retry_ms);

/* A frame that was not heard: has the session, or its address, sent too many such by now? */
bool rate_is_flood(struct session *session, size_t length);

/* So many bytes more, or less, wait to be written; returns those that do for the whole address. */
int64_t rate_waits(struct session *session, int64_t bytes);

/* NULL, or why the session may not make a new player; then one is taken from the quota. */
const char *rate_refuses_player(struct session *session, int32_t *ret_retry_ms);

/* Likewise a match; whether there are too many at a time is another question, asked first. */
const char *rate_refuses_create(struct session *session, int32_t *ret_retry_ms);
const char *rate_refuses_match(const struct session *session, bool is_of_bots);

/* May the player chat?  Then one is taken from the quota; else it says when. */
bool rate_allows_chat(const struct session *session, int32_t *ret_retry_ms);

/* Whom a match counts for until it is over; zeroed: nobody. */
struct maker {
    struct rate *account;
    struct rate *address;
    bool is_of_bots;
};

struct maker maker_of(struct session *session, bool is_of_bots);
struct maker maker_restored(struct host *host, int64_t player); /* of a match of bots */
void maker_release(struct host *host, struct maker *maker);

/* What a frame cost beyond the token that it had: its length, and the loop's time.  The record of
 * a turn costs those who play it as much as a frame of its length. */
void rate_charge(struct session *session, size_t length, int64_t cpu_us);

/* The same for a match that only bots play; returns when all of it is paid for. */
int64_t maker_charge(const struct host *host, const struct maker *maker, size_t length,
                     int64_t cpu_us);

/* May somebody there make an HTTP request of this cost, in thousandths of a token?  Then it is
 * taken; else it says when.  Work that was done for it is charged afterwards.  NULL is fine. */
bool rate_http_takes(const struct host *host, struct rate *rate, int32_t cost,
                     int32_t *ret_retry_ms);
void rate_http_charge(const struct host *host, struct rate *rate, int64_t work_us);

/* One more that other threads work on for somebody there, or whose answer waits to be read: false
 * when these are too many.  It holds a reference until it ends.  NULL is fine. */
bool rate_read_begins(struct host *host, struct rate *rate);
void rate_read_ends(struct host *host, struct rate *rate);

/* All that nobody refers to; when the host ends. */
void rates_free(struct host *host);

#endif /* SK_HOST_SESSION_RATE_H */
