/*
 * Why an answer of a seat's bot does not count: stable words for programs,
 * with a sentence for people each.
 *
 * One list, as proto/errors.h is: the enum, the frame `bot_failed`, the
 * `failures` of a turn, what a bot gets about its last answer, and the table
 * in PROTOCOL.md come from it.
 */
#ifndef SK_BOT_FAILURES_H
#define SK_BOT_FAILURES_H

#define SK_BOT_FAILURES(X)                                                                       \
    X(BOT_TOO_SLOW, "http_timeout", "No whole answer came in time.")                             \
    X(BOT_STATUS, "http_status", "The status of the answer was not 200.")                        \
    X(BOT_TOO_LARGE, "http_too_large", "The answer was longer than the server reads.")           \
    X(BOT_UNREACHABLE, "http_failed", "There was no connection, or it ended before the answer.") \
    X(BOT_FORBIDDEN, "http_forbidden", "The address is not one that the server may call.")       \
    X(BOT_PAUSED, "http_paused", "It failed too often and is left alone for a while.")           \
    X(BOT_NOT_JSON, "not_json", "The answer was not one JSON value.")                            \
    X(BOT_BAD_FORM, "bad_form", "The answer was JSON, but not of the form that was asked for.")  \
    X(BOT_NOT_ONE_MOVE, "not_one_move", "The answer was not exactly one move.")                  \
    X(BOT_REFUSED, "refused", "The rules refused a command of the answer.")

#define BOT_FAILURE_NUMBER(number, word, meaning) number,
enum bot_failure {
    BOT_ANSWERED, /* no failure */
    SK_BOT_FAILURES(BOT_FAILURE_NUMBER) BOT_FAILURE_COUNT
};
#undef BOT_FAILURE_NUMBER

/* Not for BOT_ANSWERED. */
const char *sk_bot_failure_word(enum bot_failure failure);
const char *sk_bot_failure_meaning(enum bot_failure failure);

#endif /* SK_BOT_FAILURES_H */
