/*
 * What the host asks of bots, and how it hears of it.
 *
 * A question is filled in by the host, handed over, thought about elsewhere
 * (a thread of the server's own bots, or a web service) and handed back on
 * the loop through host_bot_answered, exactly once, unless the port ends
 * first.  What comes back goes through the same checks as a person's
 * commands: a bot is trusted with nothing.
 *
 * Owner:   a question and everything it points to moves with it: host -> port
 *          -> host.  bot_ask_free frees all of it.
 * Threads: fields are touched by one side at a time; the port's functions
 *          are called on the loop.
 */
#ifndef SK_HOST_BOT_PORT_H
#define SK_HOST_BOT_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "proto/bot_failures.h"

enum bot_kind {
    BOT_OF_LEVEL, /* one of the server's own: "random", "greedy", "search" */
    BOT_OF_HTTP,  /* a web service by its address */
    BOT_OF_NAME,  /* a web service that the configuration names */
};

struct bot_who {
    enum bot_kind kind;
    char *word;
};

#define BOT_SEED_BYTES 32
#define BOT_DETAIL_MAX 127

struct bot_ask {
    struct bot_ask *next; /* the port's and the host's lists */
    uint64_t number;
    struct bot_who who;
    int64_t match;
    int64_t maker;  /* the player whose match it is: all who made one have the same share */
    uint64_t round; /* the port's own: see ask_queue.h */
    uint32_t turn;
    uint8_t seat;
    const char *ruleset; /* its name: a constant */
    uint32_t version;
    char *params; /* JSON texts */
    char *view;
    char *hints;                  /* NULL for the server's own, who find out on their own threads */
    uint8_t seed[BOT_SEED_BYTES]; /* chance of its own; tells nothing of the match's */
    int32_t limit_ms;             /* an answer that takes longer is worth nothing */
    int64_t asked_at_ms;          /* wall clock */
    int64_t handed_over_ms;       /* the port's own */

    char *last_verdicts; /* of its answer before, in this match; NULL: it had none */
    enum bot_failure last_failure;
    int32_t last_latency_ms;

    /* The answer: */
    enum bot_failure failure;
    char detail[BOT_DETAIL_MAX + 1]; /* what exactly was wrong, where that is known */
    char *commands;                  /* JSON text of the list, when it did not fail */
    size_t commands_length;
    int32_t latency_ms;

    /* Of a web service, for the record: what was sent and what came, as it came. */
    char *request; /* NULL: it was not called */
    char *reply;
    size_t reply_length;
    int32_t status; /* of HTTP, 0 = none */
};

struct bot_port {
    /* NULL when a match may be created with it, else a sentence that says why not. */
    const char *(*refuses)(struct bot_port *port, const struct bot_who *who);

    /* Takes the question.  False when it can take no more now: the caller keeps it. */
    bool (*ask)(struct bot_port *port, struct bot_ask *ask);
};

/* Zeroed; never NULL: out of memory ends the process, which then recovers. */
struct bot_ask *bot_ask_alloc(void);

/* Where and what a fault was, in printable ASCII: an answer may have any names in it. */
void bot_ask_detail(char detail[BOT_DETAIL_MAX + 1], const struct sk_fault *fault);
void bot_ask_free(struct bot_ask *ask);

#endif /* SK_HOST_BOT_PORT_H */
