/*
 * digest - one number for the result of a turn: state, verdicts, events.
 *
 * Events contain pointers, which are followed by the member tables; the number
 * is the same on every machine.
 */
#ifndef SK_TEST_DIGEST_H
#define SK_TEST_DIGEST_H

#include "common/core/turn.h"

struct digest {
    uint64_t value;
};

void digest_number(struct digest *digest, uint64_t number);
void digest_form(struct digest *digest, const struct sk_schema *schema, const void *form);
void digest_variant(struct digest *digest, const struct sk_variants *variants, const void *form);

/* The events of the last resolved turn. */
void digest_events(struct digest *digest, const struct sk_turn *turn);

/* The verdicts of a seat, in the order of its commands. */
void digest_verdicts(struct digest *digest, const struct sk_turn *turn, uint8_t seat);

#endif /* SK_TEST_DIGEST_H */
