/*
 * calls - HTTP requests to web services, thousands at a time.
 *
 * Runs libcurl's multi interface on its own thread.  A call is a POST of JSON
 * and its answer; failures are those of proto/bot_failures.h.  Redirects,
 * proxies and compression are not used.  Time and size of the answer are
 * limited.  call_targets decides which addresses may be called, and a service
 * that keeps failing is not called for a while (breaker.h).
 *
 * Owner:   the caller of calls_open.  Ownership of a call moves: caller ->
 * calls -> `done`.
 * Threads: any for calls_put; `prepare` and `done` run on the calls' thread.
 */
#ifndef SK_CALL_H
#define SK_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "proto/bot_failures.h"
#include "server/net/call/target.h"

#define CALLS_MAX             8192 /* waiting or under way */
#define CALLS_CONNECTIONS_MAX 2048
#define CALL_CONNECT_MS       3000 /* part of the total time, for connecting */
#define CALL_ANSWER_BYTES_MAX 65536
#define CALL_HEADERS_MAX      8
#define CALL_HEADER_MAX       200
#define CALL_SECRET_MAX       128

struct call {
    struct call *next;
    char url[CALL_URL_MAX + 1];
    bool is_operators;                /* the operator wrote the URL: call_targets_refuse */
    char secret[CALL_SECRET_MAX + 1]; /* "" = do not sign */
    char *body;                       /* on the heap, like the answer */
    size_t body_length;
    char headers[CALL_HEADERS_MAX][CALL_HEADER_MAX + 1];
    uint32_t header_count;
    int32_t limit_ms;
    void *context; /* the caller's */

    /* The result: */
    enum bot_failure failure;
    int32_t status; /* HTTP status; 0 = no answer */
    char *answer;
    size_t answer_length;
    int32_t latency_ms;

    /* Internal to calls: */
    const struct call_targets *targets;
    size_t answer_capacity;
    int64_t began_ms;
    bool is_forbidden;
    bool is_too_large;
};

struct calls;

struct calls_options {
    struct call_targets targets;
    const char *ca_file; /* trusted certificates; NULL or "" = the system's */

    /* Fills in the body and headers, or sets `failure`; NULL = they are set already. */
    void (*prepare)(void *context, struct call *call);
    void (*done)(void *context, struct call *call);
    void (*forget)(void *context,
                   struct call *call); /* called for a call that is dropped; may be NULL */
    void *context;
};

/* Zeroed; never NULL. */
struct call *call_alloc(void);
void call_free(struct call *call);

/* Adds "Name: value"; a longer one is cut. */
void call_add_header(struct call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns NULL if there is no thread or no libcurl. */
struct calls *calls_open(const struct calls_options *options);

/* Drops and frees the calls under way: calls `forget` for them, not `done`.  NULL is allowed. */
void calls_close(struct calls *calls);

/* Returns false if there are too many; the caller keeps the call. */
bool calls_put(struct calls *calls, struct call *call);

/* HMAC-SHA256 of "timestamp.body" with the secret, as hex digits. */
#define CALL_SIGNATURE_DIGITS 64
void call_sign(const char *secret, int64_t timestamp, const char *body, size_t length,
               char ret_digits[CALL_SIGNATURE_DIGITS + 1]);

#endif /* SK_CALL_H */
