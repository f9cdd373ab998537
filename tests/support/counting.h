/*
 * counting - the smallest alternating ruleset there is, for tests.
 *
 * The seats count together, one after the other, `numbers` numbers each;
 * whoever says the last one wins.  `count` says the next number, `stumble` is
 * refused, `pass` and a timeout end the seat's turn.  A seat's clock covers
 * all its numbers.
 *
 * It is in no registry: a test that wants it there wraps the registry's
 * functions, as unit_host_alternating.c does.
 */
#ifndef SK_TEST_COUNTING_H
#define SK_TEST_COUNTING_H

#include "common/core/ruleset.h"

enum {
    COUNTING_COUNT = SK_COMMAND_OWN,
    COUNTING_STUMBLE,
    COUNTING_PASS
};

enum {
    COUNTING_STUMBLED = SK_VERDICT_OWN
};

/* Also what a config is. */
struct counting_params {
    int32_t seats;
    int32_t numbers;
    int32_t last;
};

/* Also what a view is: nothing is hidden. */
struct counting_state {
    struct sk_state head;
    uint8_t active;
    uint8_t left; /* numbers of the active seat */
    uint32_t number;
};

struct counting_event {
    struct sk_event event;
    int32_t seat;
    int32_t number;
};

extern const struct sk_ruleset sk_ruleset_counting;

#endif /* SK_TEST_COUNTING_H */
