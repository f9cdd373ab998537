/*
 * calls - HTTP requests to web services, thousands at a time.
 *
 * libcurl's multi interface on a thread of its own.  A call is a POST of JSON
 * and its answer; whatever goes wrong has a word of proto/bot_failures.h.  No
 * redirect is followed, no proxy used, nothing unpacked; the answer has a limit
 * of time and of size, and where it goes is judged by call_targets.  Who fails
 * again and again is left alone for a while (breaker.h).
 *
 * Owner:   calls_open's caller; a call moves with its ownership: caller ->
 *          calls -> `done`.
 * Threads: calls_put any; `prepare` and `done` run on the thread of the calls.
 */
#ifndef SK_CALL_H
#define SK_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "proto/bot_failures.h"
#include "server/net/call/target.h"

#define CALLS_MAX             8192 /* waiting or under way; more are for later */
#define CALLS_CONNECTIONS_MAX 2048
#define CALL_CONNECT_MS       3000 /* of the whole time, for the connection */
#define CALL_ANSWER_BYTES_MAX 65536
#define CALL_HEADERS_MAX      8
#define CALL_HEADER_MAX       200
#define CALL_SECRET_MAX       128

struct call {
    struct call *next;
    char url[CALL_URL_MAX + 1];
    bool is_operators;                /* who wrote the address: see call_targets_refuse */
    char secret[CALL_SECRET_MAX + 1]; /* "" = it is not signed */
    char *body;                       /* on the heap, like the answer */
    size_t body_length;
    char headers[CALL_HEADERS_MAX][CALL_HEADER_MAX + 1];
    uint32_t header_count;
    int32_t limit_ms;
    void *context; /* the caller's */

    /* What came of it: */
    enum bot_failure failure;
    int32_t status; /* of HTTP; 0 = there was none */
    char *answer;
    size_t answer_length;
    int32_t latency_ms;

    /* The calls' own: */
    const struct call_targets *targets;
    size_t answer_room;
    int64_t began_ms;
    bool is_forbidden;
    bool is_too_large;
};

struct calls;

struct calls_options {
    struct call_targets targets;
    const char *ca_file; /* certificates to trust instead of the system's; NULL or "" = those */

    /* Fills in the body and headers, or sets `failure`; NULL = they are there. */
    void (*prepare)(void *context, struct call *call);
    void (*done)(void *context, struct call *call);
    void (*forget)(void *context,
                   struct call *call); /* one that is given up; NULL = nothing to do */
    void *context;
};

/* Zeroed; never NULL. */
struct call *call_alloc(void);
void call_free(struct call *call);

/* "Name: value"; what is too long is cut. */
void call_add_header(struct call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* NULL when there is no thread or no libcurl. */
struct calls *calls_open(const struct calls_options *options);

/* What is under way is given up and freed: `forget` hears of it, `done` does not.  NULL is fine. */
void calls_close(struct calls *calls);

/* False when there are too many: the caller keeps it. */
bool calls_put(struct calls *calls, struct call *call);

/* HMAC-SHA256 of "timestamp.body" with the secret, as hex digits. */
#define CALL_SIGNATURE_DIGITS 64
void call_sign(const char *secret, int64_t timestamp, const char *body, size_t length,
               char ret_digits[CALL_SIGNATURE_DIGITS + 1]);

#endif /* SK_CALL_H */
