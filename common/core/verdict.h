/*
 * Verdicts and outcomes: the words that every ruleset shares.
 *
 * A verdict is `ok` or the first reason for a refusal; an outcome is a winner
 * or nobody, with a reason.  Both are small numbers: the shared words come
 * first, a ruleset's own continue at SK_VERDICT_OWN and SK_REASON_OWN.  Names
 * are looked up through the ruleset.
 */
#ifndef SK_VERDICT_H
#define SK_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

/* The shared words; enum, names and documents come from these lists. */
#define SK_SHARED_VERDICTS(X)                    \
    X(SK_VERDICT_OK, "ok")                       \
    X(SK_MATCH_OVER, "match_over")               \
    X(SK_WRONG_TURN, "wrong_turn")               \
    X(SK_NOT_YOUR_TURN, "not_your_turn")         \
    X(SK_UNKNOWN_UNIT, "unknown_unit")           \
    X(SK_NOT_YOUR_UNIT, "not_your_unit")         \
    X(SK_MULTIPLE_COMMANDS, "multiple_commands") \
    X(SK_OUT_OF_BOUNDS, "out_of_bounds")         \
    X(SK_OCCUPIED, "occupied")

#define SK_SHARED_REASONS(X)             \
    X(SK_REASON_NONE, "")                \
    X(SK_RESIGNATION, "resignation")     \
    X(SK_ABANDONED, "abandoned")         \
    X(SK_DRAW_AGREED, "draw_agreed")     \
    X(SK_DRAW_RESIGNED, "draw_resigned") \
    X(SK_DRAW_TURN_LIMIT, "draw_turn_limit")

/* No tag: a ruleset's enum continues the numbers, and both may be mixed. */
#define SK_WORD_NUMBER(number, word) number,
enum {
    SK_SHARED_VERDICTS(SK_WORD_NUMBER) SK_VERDICT_OWN
};
enum {
    SK_SHARED_REASONS(SK_WORD_NUMBER) SK_REASON_OWN
};
#undef SK_WORD_NUMBER

typedef uint8_t sk_verdict;

/* A verdict with the check that gave it. */
struct sk_judgement {
    sk_verdict verdict;
    uint8_t check; /* SK_CHECK_NONE, a check's index, or SK_CHECK_IS_STAGE + a stage's index */
};

#define SK_CHECK_NONE     0xff
#define SK_CHECK_IS_STAGE 0x80

#define SK_NOBODY (-1)

struct sk_outcome {
    bool is_over;
    uint8_t reason;
    int8_t winner; /* a seat or SK_NOBODY */
};

/* Returns true, so that a function which decides a match can return it. */
static inline bool
sk_outcome_end(struct sk_outcome *ret_outcome, int winner, uint8_t reason)
{
    *ret_outcome = (struct sk_outcome){ true, reason, (int8_t)winner };
    return true;
}

#endif /* SK_VERDICT_H */
