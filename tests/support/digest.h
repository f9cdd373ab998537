/*
 * digest - one number for what a turn came to: state, verdicts, events.
 *
 * Events hold pointers, so they are followed by their member tables; the
 * number is the same on every machine.
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

/* The events of the turn that was resolved last. */
void digest_events(struct digest *digest, const struct sk_turn *turn);

/* The verdicts of a seat, in the order of its commands. */
void digest_verdicts(struct digest *digest, const struct sk_turn *turn, uint8_t seat);

#endif /* SK_TEST_DIGEST_H */
