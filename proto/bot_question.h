/*
 * The request to a web service that plays a seat, and its answer, in all rulesets
 * except halma, which has forms of its own.
 *
 * Described by member tables; the table in PROTOCOL.md comes from them.
 *
 * Owner:   what was read points into the arena and into the document that it
 *          was read from; what is written belongs to the caller.
 */
#ifndef SK_BOT_QUESTION_H
#define SK_BOT_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/core/schema.h"

struct bot_http_last {
    struct sk_json verdicts;
    int32_t latency_ms;
    bool has_error;
    struct sk_text error;
};

struct bot_http_question {
    int64_t match;
    int32_t turn;
    int32_t seat;
    struct sk_json view;
    struct sk_json hints;
    int32_t deadline_ms;
    struct bot_http_last last;
};

struct bot_http_answer {
    struct sk_json commands;
};

extern const struct sk_schema sk_bot_question;
extern const struct sk_schema sk_bot_answer;

#endif /* SK_BOT_QUESTION_H */
