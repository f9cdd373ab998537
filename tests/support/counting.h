/*
 * counting - the smallest alternating ruleset, for tests.
 *
 * The seats count together, taking turns of `numbers` numbers each; the seat
 * that says the last one wins.  `count` says the next number, `stumble` is
 * refused, `pass` and a timeout end the seat's turn.  A seat's clock covers all
 * numbers of its turn.
 *
 * It is not in the registry: a test that needs it there includes
 * counting_registry.h instead.
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

/* Also the config. */
struct counting_params {
    int32_t seats;
    int32_t numbers;
    int32_t last;
};

/* Also the view: nothing is hidden. */
struct counting_state {
    struct sk_state head;
    uint8_t active;
    uint8_t left; /* numbers left for the active seat */
    uint32_t number;
};

struct counting_event {
    struct sk_event event;
    int32_t seat;
    int32_t number;
};

extern const struct sk_ruleset sk_ruleset_counting;

#endif /* SK_TEST_COUNTING_H */
