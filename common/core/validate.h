/*
 * The validator: runs a ruleset's check table over one seat's commands.
 *
 * Each command gets the first refusal, with the name of the check that failed.
 * The checks see only the seat's view and its own commands, so a verdict can be
 * sent at once and reveals nothing hidden.
 *
 * Threads: any; all memory is the caller's.
 */
#ifndef SK_VALIDATE_H
#define SK_VALIDATE_H

#include "common/core/ruleset.h"

/* Runs the whole table.  `in->judgements` is overwritten. */
void sk_validate(const struct sk_check_in *in);

/* Runs one check alone; all commands count as ok so far. */
void sk_validate_alone(const struct sk_check_in *in, const struct sk_check *check);

/*
 * Runs the named checks (NULL ends the list) in the given order as one
 * pipeline: a command that one refuses is skipped by the next.  An unknown name
 * gives SK_ERR_UNKNOWN, and nothing is judged.
 */
enum sk_status sk_validate_some(const struct sk_check_in *in, const char *const *names);

/* ---- for checks -------------------------------------------------------------------------- */

/* Whether the command is one of the ruleset's own and not refused yet. */
static inline bool
sk_command_stands(const struct sk_check_in *in, uint32_t index)
{
    return (in->standing[index] & SK_OWN_KINDS) != 0;
}

/* The command that is judged. */
static inline const void *
sk_check_command(const struct sk_check_in *in, uint32_t index)
{
    return sk_command_at(in->ruleset, in->commands, index);
}

/*
 * Calls `judge` for each command that concerns the running check.  Inlined with
 * its judge, so a check is one loop and not a call per command.
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

/* Defines the function of a check that judges each command by itself. */
#define SK_CHECK_EACH(check, judge)                 \
    static void check(const struct sk_check_in *in) \
    {                                               \
        sk_judge_each(in, judge);                   \
    }

#endif /* SK_VALIDATE_H */
