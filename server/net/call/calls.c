/*
 * The calls' thread: passes new calls to libcurl and returns the results.
 */
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/status.h"
#include "server/clock.h"
#include "server/memory.h"
#include "server/net/call/breaker.h"
#include "server/net/call/call.h"
#include "server/thread.h"

#define POLL_MS 1000

/* A shorter timeout says nothing about the service: the seat's clock left too little time. */
#define SLOW_FAILS_FROM_MS 500

/* A call in libcurl. */
struct transfer {
    struct transfer *next;
    struct call *call;
    CURL *easy;
    struct curl_slist *headers;
};

struct calls {
    struct calls_options options;
    pthread_t thread;
    pthread_mutex_t lock;
    struct call *first; /* waiting; protected by the lock, like: */
    struct call *last;
    uint32_t count; /* put in and not done */
    bool has_ended;

    CURLM *multi; /* the thread's, except for waking it */
    struct transfer *transfers;
    struct call_breaker breaker;
};

/* ---- callbacks of libcurl ---------------------------------------------------------------- */

/* Called when the name is resolved: checks the address. */
static curl_socket_t
open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct call *call = context;
    struct net_address found;

    if (purpose != CURLSOCKTYPE_IPCXN || !net_address_from_socket(&address->addr, &found) ||
        !call_targets_hold(call->targets, &found)) {
        call->is_forbidden = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t
take_bytes(char *bytes, size_t size, size_t count, void *context)
{
    struct call *call = context;
    size_t length = size * count;

    if (length > CALL_ANSWER_BYTES_MAX - call->answer_length) {
        call->is_too_large = true;
        return 0; /* ends the transfer */
    }
    if (call->answer_length + length > call->answer_capacity) {
        call->answer_capacity = 2 * (call->answer_length + length);
        call->answer = heap_grow(call->answer, call->answer_capacity + 1);
    }
    memcpy(call->answer + call->answer_length, bytes, length);
    call->answer_length += length;
    call->answer[call->answer_length] = '\0';
    return length;
}

/* ---- starting a call --------------------------------------------------------------------- */

static struct curl_slist *
headers_of(const struct call *call)
{
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    int64_t timestamp = (int64_t)time(NULL);
    char signature[CALL_SIGNATURE_DIGITS + 1];
    char line[CALL_HEADER_MAX + 1];

    headers = curl_slist_append(headers, "Expect:"); /* no round trip before a small body */
    for (uint32_t i = 0; i < call->header_count; i++) {
        headers = curl_slist_append(headers, call->headers[i]);
    }
    if (call->secret[0] != '\0') {
        call_sign(call->secret, timestamp, call->body, call->body_length, signature);
        (void)snprintf(line, sizeof(line), "X-Skirmish-Timestamp: %lld", (long long)timestamp);
        headers = curl_slist_append(headers, line);
        (void)snprintf(line, sizeof(line), "X-Skirmish-Signature: sha256=%s", signature);
        headers = curl_slist_append(headers, line);
    }
    return headers;
}

#define SET(option, value) SK_ASSERT(curl_easy_setopt(easy, option, value) == CURLE_OK)

static void
set_where(const struct calls *calls, CURL *easy, struct call *call)
{
    const char *ca_file = calls->options.ca_file;

    SET(CURLOPT_URL, call->url);
    SET(CURLOPT_PROTOCOLS_STR, calls->options.targets.allows_plain ? "http,https" : "https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_PROXY, ""); /* and ignore those of the environment */
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SET(CURLOPT_OPENSOCKETDATA, call);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_NOSIGNAL, 1L);
    if (ca_file != NULL && ca_file[0] != '\0') {
        SET(CURLOPT_CAINFO, ca_file);
    }
}

static void
set_what(CURL *easy, struct call *call, struct curl_slist *headers)
{
    long limit_ms = call->limit_ms < 1 ? 1 : call->limit_ms;

    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_USERAGENT, "skirmish");
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE, (long)call->body_length);
    SET(CURLOPT_POSTFIELDS, call->body);
    SET(CURLOPT_TIMEOUT_MS, limit_ms);
    SET(CURLOPT_CONNECTTIMEOUT_MS, limit_ms < CALL_CONNECT_MS ? limit_ms : CALL_CONNECT_MS);
    SET(CURLOPT_MAXFILESIZE, (long)CALL_ANSWER_BYTES_MAX);
    SET(CURLOPT_WRITEFUNCTION, take_bytes);
    SET(CURLOPT_WRITEDATA, call);
}

static void
finish(struct calls *calls, struct call *call)
{
    call->latency_ms = (int32_t)(clock_ms(CLOCK_MONOTONIC) - call->began_ms);
    (void)pthread_mutex_lock(&calls->lock);
    calls->count--;
    (void)pthread_mutex_unlock(&calls->lock);
    calls->options.done(calls->options.context, call);
}

static void
begin(struct calls *calls, struct call *call)
{
    struct transfer *transfer;

    call->targets = &calls->options.targets;
    if (call_targets_refuse(call->targets, call->url, call->is_operators) != NULL) {
        call->failure = BOT_FORBIDDEN;
    } else if (calls->options.prepare != NULL) {
        calls->options.prepare(calls->options.context, call);
    }
    if (call->failure == BOT_ANSWERED &&
        !breaker_lets_pass(&calls->breaker, call->url, clock_ms(CLOCK_MONOTONIC))) {
        call->failure = BOT_PAUSED;
    }
    call->limit_ms -= (int32_t)(clock_ms(CLOCK_MONOTONIC) - call->began_ms);
    if (call->failure != BOT_ANSWERED) {
        finish(calls, call);
        return;
    }
    transfer = heap_memory(sizeof(*transfer));
    transfer->call = call;
    transfer->easy = curl_easy_init();
    SK_ASSERT(transfer->easy != NULL);
    transfer->headers = headers_of(call);
    set_where(calls, transfer->easy, call);
    set_what(transfer->easy, call, transfer->headers);
    SK_ASSERT(curl_easy_setopt(transfer->easy, CURLOPT_PRIVATE, transfer) == CURLE_OK);
    SK_ASSERT(curl_multi_add_handle(calls->multi, transfer->easy) == CURLM_OK);
    transfer->next = calls->transfers;
    calls->transfers = transfer;
}

/* ---- ending a call ----------------------------------------------------------------------- */

static enum bot_failure
failure_of(const struct call *call, CURLcode code)
{
    if (call->is_forbidden) {
        return BOT_FORBIDDEN;
    }
    if (call->is_too_large || code == CURLE_FILESIZE_EXCEEDED) {
        return BOT_TOO_LARGE;
    }
    if (code == CURLE_OPERATION_TIMEDOUT) {
        return BOT_TOO_SLOW;
    }
    if (code != CURLE_OK) {
        return BOT_UNREACHABLE;
    }
    return call->status == 200 ? BOT_ANSWERED : BOT_STATUS;
}

/* What the result says about the service's health. */
static enum breaker_news
news_of(const struct call *call)
{
    if (call->failure == BOT_ANSWERED) {
        return BREAKER_FINE;
    }
    if (call->failure == BOT_FORBIDDEN ||
        (call->failure == BOT_TOO_SLOW &&
         clock_ms(CLOCK_MONOTONIC) - call->began_ms < SLOW_FAILS_FROM_MS)) {
        return BREAKER_UNKNOWN;
    }
    return BREAKER_DOWN;
}

static void
transfer_free(struct calls *calls, struct transfer *transfer)
{
    struct transfer **at = &calls->transfers;

    while (*at != transfer) {
        at = &(*at)->next;
    }
    *at = transfer->next;
    (void)curl_multi_remove_handle(calls->multi, transfer->easy);
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->headers);
    free(transfer);
}

static void
end(struct calls *calls, CURL *easy, CURLcode code)
{
    struct transfer *transfer = NULL;
    struct call *call;
    long status = 0;

    SK_ASSERT(curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer) == CURLE_OK);
    (void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    call = transfer->call;
    call->status = (int32_t)status;
    call->failure = failure_of(call, code);
    breaker_note(&calls->breaker, call->url, news_of(call), clock_ms(CLOCK_MONOTONIC));
    transfer_free(calls, transfer);
    finish(calls, call);
}

/* ---- the thread -------------------------------------------------------------------------- */

static void
give_up(struct calls *calls, struct call *call)
{
    if (calls->options.forget != NULL) {
        calls->options.forget(calls->options.context, call);
    }
    call_free(call);
}

/* Returns false when the thread must end. */
static bool
begin_waiting(struct calls *calls)
{
    struct call *call;
    bool has_ended;

    (void)pthread_mutex_lock(&calls->lock);
    call = calls->first;
    calls->first = NULL;
    has_ended = calls->has_ended;
    (void)pthread_mutex_unlock(&calls->lock);
    while (call != NULL) {
        struct call *next = call->next;

        call->next = NULL;
        if (has_ended) {
            give_up(calls, call);
        } else {
            begin(calls, call);
        }
        call = next;
    }
    return !has_ended;
}

static void
end_done(struct calls *calls)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(calls->multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            end(calls, message->easy_handle, message->data.result);
        }
    }
}

static void *
run(void *context)
{
    struct calls *calls = context;
    int running;

    while (begin_waiting(calls)) {
        SK_ASSERT(curl_multi_perform(calls->multi, &running) == CURLM_OK);
        end_done(calls);
        SK_ASSERT(curl_multi_poll(calls->multi, NULL, 0, POLL_MS, NULL) == CURLM_OK);
    }
    while (calls->transfers != NULL) {
        struct call *call = calls->transfers->call;

        transfer_free(calls, calls->transfers);
        give_up(calls, call);
    }
    return NULL;
}

/* ---- interface --------------------------------------------------------------------------- */

struct calls *
calls_open(const struct calls_options *options)
{
    struct calls *calls;

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        return NULL;
    }
    calls = heap_memory(sizeof(*calls));
    calls->options = *options;
    calls->multi = curl_multi_init();
    if (calls->multi == NULL || pthread_mutex_init(&calls->lock, NULL) != 0) {
        curl_multi_cleanup(calls->multi);
        free(calls);
        return NULL;
    }
    (void)curl_multi_setopt(calls->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS,
                            (long)CALLS_CONNECTIONS_MAX);
    if (!thread_start(&calls->thread, run, calls)) {
        (void)pthread_mutex_destroy(&calls->lock);
        curl_multi_cleanup(calls->multi);
        free(calls);
        return NULL;
    }
    return calls;
}

void
calls_close(struct calls *calls)
{
    if (calls == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&calls->lock);
    calls->has_ended = true;
    (void)pthread_mutex_unlock(&calls->lock);
    (void)curl_multi_wakeup(calls->multi);
    (void)pthread_join(calls->thread, NULL);
    curl_multi_cleanup(calls->multi);
    (void)pthread_mutex_destroy(&calls->lock);
    free(calls);
}

bool
calls_put(struct calls *calls, struct call *call)
{
    bool is_taken;

    call->began_ms = clock_ms(CLOCK_MONOTONIC);
    call->next = NULL;
    (void)pthread_mutex_lock(&calls->lock);
    is_taken = !calls->has_ended && calls->count < CALLS_MAX;
    if (is_taken) {
        if (calls->first == NULL) {
            calls->first = call;
        } else {
            calls->last->next = call;
        }
        calls->last = call;
        calls->count++;
    }
    (void)pthread_mutex_unlock(&calls->lock);
    if (is_taken) {
        (void)curl_multi_wakeup(calls->multi);
    }
    return is_taken;
}
