/*
 * The validator: runs a ruleset's check table over one seat's commands.
 *
 * Each command gets the first refusal, with the name of the check that spoke
 * it.  The checks see the seat's view and its own commands, nothing else, so
 * a verdict can be told at once and tells nothing hidden.
 *
 * Threads: none of its own; all memory is the caller's.
 */
#ifndef SK_VALIDATE_H
#define SK_VALIDATE_H

#include "common/core/ruleset.h"

/* Runs the whole table.  `in->judgements` is overwritten. */
void sk_validate(const struct sk_check_in *in);

/* Runs one check alone, on commands that are all taken as ok so far. */
void sk_validate_alone(const struct sk_check_in *in, const struct sk_check *check);

/* Is the command one of the ruleset's own that no check has refused yet? */
static inline bool
sk_command_stands(const struct sk_check_in *in, uint32_t index)
{
    return in->judgements[index].verdict == SK_VERDICT_OK &&
           sk_command_at(in->ruleset, in->commands, index)->kind >= SK_COMMAND_OWN;
}

#endif /* SK_VALIDATE_H */
