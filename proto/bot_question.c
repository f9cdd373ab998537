#include "proto/bot_question.h"

#include "common/base/limits.h"
#include "proto/frames.h"
#include "proto/frames_parts.h"

static const struct sk_member last_members[] = {
    SK_JSON(struct bot_http_last, verdicts, "verdicts",
            .doc = "One per command of the last answer that could be read."),
    SK_INT(struct bot_http_last, latency_ms, "latency_ms", COUNT,
           .doc = "How long the last answer took; 0 before the first."),
    SK_TEXT_OF(struct bot_http_last, error, "error", .min = 1, .max = FRAME_REASON_MAX,
               MAY_BE_NULL(struct bot_http_last, has_error),
               .doc = "Why it did not count; null: it did, or this is the first."),
};
static const struct sk_schema last_schema =
    SK_SCHEMA("last", NULL, last_members, struct bot_http_last);

static const struct sk_member question_members[] = {
    SK_LONG(struct bot_http_question, match, "match", .min = 1, .doc = "The match."),
    SK_INT(struct bot_http_question, turn, "turn", .min = 0, .max = SK_TURN_MAX,
           .doc = "The open turn."),
    SEAT_OF(struct bot_http_question, .doc = "The seat that is asked."),
    SK_JSON(struct bot_http_question, view, "view", .doc = "What the seat sees, as in `state`."),
    SK_JSON(struct bot_http_question, hints, "hints", .doc = "Commands that would be ok alone."),
    SK_INT(struct bot_http_question, deadline_ms, "deadline_ms", COUNT,
           .doc = "An answer that takes longer does not count."),
    SK_OBJECT(struct bot_http_question, last, "last", &last_schema,
              .doc = "What became of its last answer in this match."),
};
const struct sk_schema sk_bot_question =
    SK_SCHEMA("question", NULL, question_members, struct bot_http_question);

static const struct sk_member answer_members[] = {
    SK_JSON(struct bot_http_answer, commands, "commands", .doc = "A list as `submit` takes it."),
};
const struct sk_schema sk_bot_answer =
    SK_SCHEMA("answer", NULL, answer_members, struct bot_http_answer);
