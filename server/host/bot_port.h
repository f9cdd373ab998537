/*
 * The port to the bots: questions, and their answers.
 *
 * The host fills in a question and passes it to the port.  It is answered
 * elsewhere, by a thread of the server's own bots or by a web service, and
 * comes back on the loop through host_bot_answered, exactly once, unless the
 * port ends first.  The answer goes through the same checks as a person's
 * commands.
 *
 * Owner:   a question and everything it points to moves with it: host -> port
 *          -> host.  bot_ask_free frees all of it.
 * Threads: only one side uses the fields at a time; the port's functions are
 *          called on the loop.
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
    int64_t maker;  /* the player who created the match: all creators get the same share */
    uint64_t round; /* the port's own: see ask_queue.h */
    uint32_t turn;
    uint8_t seat;
    const char *ruleset; /* its name: a constant */
    uint32_t version;
    char *params; /* JSON */
    char *view;
    char *hints;                  /* NULL for the server's own bots: they compute them */
    uint8_t seed[BOT_SEED_BYTES]; /* for its random choices; independent of the match's seed */
    int32_t limit_ms;             /* a later answer is ignored */
    int64_t asked_at_ms;          /* wall clock */
    int64_t handed_over_ms;       /* the port's own */

    char *last_verdicts; /* of its previous answer in this match; NULL: none */
    enum bot_failure last_failure;
    int32_t last_latency_ms;

    /* The answer: */
    enum bot_failure failure;
    char detail[BOT_DETAIL_MAX + 1]; /* details of what was wrong, if known */
    char *commands;                  /* the list as JSON, if it did not fail */
    size_t commands_length;
    int32_t latency_ms;

    /* For the log of web service calls: what was sent and received. */
    char *request; /* NULL: not called */
    char *reply;
    size_t reply_length;
    int32_t status; /* HTTP status; 0 = none */
};

struct bot_port {
    /* Returns NULL if a match may be created with this bot, else a sentence that says why not. */
    const char *(*refuses)(struct bot_port *port, const struct bot_who *who);

    /* Takes the question.  Returns false if there are too many; the caller keeps it. */
    bool (*ask)(struct bot_port *port, struct bot_ask *ask);
};

/* Zeroed; never NULL: if memory runs out, the process ends and recovers when restarted. */
struct bot_ask *bot_ask_alloc(void);

/* Describes a fault and its position in printable ASCII: names in an answer may be anything. */
void bot_ask_detail(char detail[BOT_DETAIL_MAX + 1], const struct sk_fault *fault);
void bot_ask_free(struct bot_ask *ask);

#endif /* SK_HOST_BOT_PORT_H */
