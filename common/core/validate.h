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

/*
 * Runs the checks of these names (NULL ends the list) in the order given, as
 * one pipeline: what one refuses no longer counts for the next.  A name that
 * is no check of the ruleset is SK_ERR_UNKNOWN, and nothing is judged.
 */
enum sk_status sk_validate_some(const struct sk_check_in *in, const char *const *names);

/* ---- for checks -------------------------------------------------------------------------- */

/* Is the command one of the ruleset's own that no check has refused yet? */
static inline bool
sk_command_stands(const struct sk_check_in *in, uint32_t index)
{
    return (in->standing[index] & SK_OWN_KINDS) != 0;
}

/*
 * Asks `judge` of each command that the running check speaks of.  It is
 * inlined with its judge: a check is one loop, not a call for each command.
 */
static inline void
sk_judge_each(const struct sk_check_in *in,
              sk_verdict (*judge)(const struct sk_check_in *in, uint32_t index))
{
    for (uint32_t i = 0; i < in->commands.count; i++) {
        sk_verdict verdict;

        if ((in->standing[i] & in->kinds) == 0) {
            continue;
        }
        verdict = judge(in, i);
        if (verdict != SK_VERDICT_OK) {
            in->judgements[i] = (struct sk_judgement){ verdict, in->place };
            in->standing[i] = 0;
        }
    }
}

#endif /* SK_VALIDATE_H */
