#include "server/cli/service_relay.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/clock.h"
#include "server/memory.h"
#include "server/net/call/get.h"

#define QUESTION_MAX (4u << 20)
#define ANSWER_MAX   (1u << 20)
#define HEADERS_MAX  32
#define WAIT_MS      50
#define READ_S       10
#define LIMIT_MS     10000              /* for a question without a deadline */
#define NO_ANSWER    "{\"commands\":5}" /* JSON, but not of the form */

struct service_relay {
    const char *service;
    int listener;
    pthread_t thread;
    pthread_mutex_t lock; /* for what follows */
    enum relay_trick trick;
    bool is_over;
    char url[RELAY_URL_MAX + 1];
};

/* A request as it came; its head is cut into lines. */
struct question {
    char *at;
    size_t length;
    const char *headers[HEADERS_MAX];
    size_t header_count;
    const char *body;
    size_t body_length;
    int64_t deadline_ms; /* after which the server gives up */
};

/* ---- the question ------------------------------------------------------------------------ */

/* The lines that are the service's business, and the body's length. */
static void
read_head(struct question *question, char *head)
{
    static const char length_name[] = "Content-Length:";
    static const char deadline_name[] = "X-Skirmish-Deadline-Ms:";
    int64_t limit_ms = LIMIT_MS;
    char *rest = NULL;

    for (char *line = strtok_r(head, "\r\n", &rest); line != NULL;
         line = strtok_r(NULL, "\r\n", &rest)) {
        if (strncasecmp(line, length_name, sizeof(length_name) - 1) == 0) {
            question->body_length = strtoul(line + sizeof(length_name) - 1, NULL, 10);
        } else if ((strncasecmp(line, "X-Skirmish-", 11) == 0 ||
                    strncasecmp(line, "Content-Type:", 13) == 0) &&
                   question->header_count < HEADERS_MAX) {
            question->headers[question->header_count++] = line;
        }
        if (strncasecmp(line, deadline_name, sizeof(deadline_name) - 1) == 0) {
            limit_ms = strtol(line + sizeof(deadline_name) - 1, NULL, 10);
        }
    }
    question->deadline_ms = clock_ms(CLOCK_MONOTONIC) + limit_ms;
}

/* False: it did not come as a whole. */
static bool
read_question(int from, struct question *question)
{
    size_t head = 0;

    while (head == 0 || question->length < head + question->body_length) {
        ssize_t got;
        char *end;

        if (question->length + 1 >= QUESTION_MAX) {
            return false;
        }
        got = recv(from, question->at + question->length, QUESTION_MAX - 1 - question->length, 0);
        if (got <= 0) {
            return false;
        }
        question->length += (size_t)got;
        question->at[question->length] = '\0';
        end = head == 0 ? strstr(question->at, "\r\n\r\n") : NULL;
        if (end != NULL) {
            *end = '\0';
            head = (size_t)(end - question->at) + 4;
            read_head(question, question->at);
            question->body = question->at + head;
            if (question->body_length >= QUESTION_MAX) {
                return false;
            }
        }
    }
    return question->body_length > 0;
}

/* ---- the answer -------------------------------------------------------------------------- */

/* Once: the trick, and there is none any more. */
static enum relay_trick
take_trick(struct service_relay *relay)
{
    enum relay_trick trick;

    (void)pthread_mutex_lock(&relay->lock);
    trick = relay->trick;
    if (trick == RELAY_REFUSES || trick == RELAY_CUTS) {
        relay->trick = RELAY_NO_TRICK;
    }
    (void)pthread_mutex_unlock(&relay->lock);
    return trick;
}

static long
ask(const struct service_relay *relay, const struct question *question, enum relay_trick trick,
    char *ret_answer)
{
    static const char more[] = RELAY_MORE;
    int64_t left_ms = question->deadline_ms - clock_ms(CLOCK_MONOTONIC);
    size_t more_length = trick == RELAY_ADDS ? sizeof(more) - 1 : 0;
    char *body = heap_memory(more_length + question->body_length);
    struct call_question asked = {
        .url = relay->service,
        .headers = question->headers,
        .header_count = question->header_count,
        .body = body,
        .length = question->body_length,
        .limit_ms = left_ms < 1 ? 1 : (long)left_ms, /* it is free for the next question */
    };
    long status;

    memcpy(body, question->body, question->body_length);
    if (more_length > 0) {
        memcpy(body, more, more_length);
        memcpy(body + more_length, question->body + 1, question->body_length - 1);
        asked.length += more_length - 1;
    }
    status = call_post(&asked, ret_answer, ANSWER_MAX);
    free(body);
    return status;
}

static void
give(int to, long status, const char *answer)
{
    char head[256];
    int length = snprintf(head, sizeof(head),
                          "HTTP/1.1 %ld answer\r\nContent-Type: application/json\r\n"
                          "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                          status, strlen(answer));

    (void)relay_send(to, head, (size_t)length);
    (void)relay_send(to, answer, strlen(answer));
}

/* Without a status there was no answer, and the connection ends without one. */
static void
pass_on(struct service_relay *relay, int from)
{
    struct question question = { .at = heap_bytes(QUESTION_MAX) };
    char *answer = heap_bytes(ANSWER_MAX);

    if (read_question(from, &question)) {
        enum relay_trick trick = take_trick(relay);
        long status = ask(relay, &question, trick, answer);

        if (trick == RELAY_REPEATS && status != 0) {
            status = ask(relay, &question, trick, answer);
        }
        if (trick == RELAY_REFUSES) {
            give(from, 200, NO_ANSWER);
        } else if (trick != RELAY_CUTS && status != 0) {
            give(from, status, answer);
        }
    }
    free(answer);
    free(question.at);
}

/* ---- the relay --------------------------------------------------------------------------- */

static void *
run(void *context)
{
    struct service_relay *relay = context;
    bool is_over = false;

    while (!is_over) {
        struct pollfd poll_of = { .fd = relay->listener, .events = POLLIN };
        struct timeval limit = { .tv_sec = READ_S };
        int from = poll(&poll_of, 1, WAIT_MS) > 0
                       ? accept4(relay->listener, NULL, NULL, SOCK_CLOEXEC)
                       : -1;

        if (from >= 0) {
            (void)setsockopt(from, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
            pass_on(relay, from);
            (void)close(from);
        }
        (void)pthread_mutex_lock(&relay->lock);
        is_over = relay->is_over;
        (void)pthread_mutex_unlock(&relay->lock);
    }
    return NULL;
}

struct service_relay *
service_relay_open(const char *service)
{
    struct service_relay *relay = heap_memory(sizeof(*relay));

    relay->service = service;
    relay->listener = relay_listen("http", relay->url);
    (void)pthread_mutex_init(&relay->lock, NULL);
    if (relay->listener < 0 || !call_prepare() ||
        pthread_create(&relay->thread, NULL, run, relay) != 0) {
        if (relay->listener >= 0) {
            (void)close(relay->listener);
        }
        (void)pthread_mutex_destroy(&relay->lock);
        free(relay);
        return NULL;
    }
    return relay;
}

void
service_relay_close(struct service_relay *relay)
{
    if (relay == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&relay->lock);
    relay->is_over = true;
    (void)pthread_mutex_unlock(&relay->lock);
    (void)pthread_join(relay->thread, NULL);
    (void)close(relay->listener);
    (void)pthread_mutex_destroy(&relay->lock);
    free(relay);
}

const char *
service_relay_url(const struct service_relay *relay)
{
    return relay->url;
}

void
service_relay_set_trick(struct service_relay *relay, enum relay_trick trick)
{
    (void)pthread_mutex_lock(&relay->lock);
    relay->trick = trick;
    (void)pthread_mutex_unlock(&relay->lock);
}
