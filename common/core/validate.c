#include "common/core/validate.h"

/*
 * While the checks run, each command is one bit: the bit of its kind while it
 * is ok, none once it is refused.  So a check skips the commands that it does
 * not concern in a few instructions, and is not run at all if no command has
 * one of its kinds.
 */
static void
begin(struct sk_check_in *in, uint32_t standing[SK_COMMANDS_MAX])
{
    const uint8_t *command = in->commands.at;
    uint32_t given = 0;

    in->standing = standing;
    for (uint32_t i = 0; i < in->commands.count; i++, command += in->ruleset->command->size) {
        in->judgements[i] = (struct sk_judgement){ SK_VERDICT_OK, SK_CHECK_NONE };
        standing[i] = SK_KIND_BIT(((const struct sk_command *)command)->kind);
        given |= standing[i];
    }
    in->given = given;
    if (in->ruleset->prepare != NULL) {
        in->ruleset->prepare(in);
    }
}

static void
run_check(struct sk_check_in *in, const struct sk_check *check)
{
    if ((check->kinds & in->given) != 0) {
        in->place = (uint8_t)(check - in->ruleset->checks);
        in->kinds = check->kinds;
        check->run(in);
    }
}

void
sk_validate(const struct sk_check_in *in)
{
    uint32_t standing[SK_COMMANDS_MAX];
    struct sk_check_in running = *in;

    begin(&running, standing);
    for (uint8_t i = 0; i < in->ruleset->check_count; i++) {
        run_check(&running, &in->ruleset->checks[i]);
    }
}

enum sk_status
sk_validate_some(const struct sk_check_in *in, const char *const *names)
{
    uint32_t standing[SK_COMMANDS_MAX];
    struct sk_check_in running = *in;

    for (uint32_t i = 0; names[i] != NULL; i++) {
        if (sk_check_find(in->ruleset, names[i]) == NULL) {
            return SK_ERR_UNKNOWN;
        }
    }
    begin(&running, standing);
    for (uint32_t i = 0; names[i] != NULL; i++) {
        run_check(&running, sk_check_find(in->ruleset, names[i]));
    }
    return SK_OK;
}

void
sk_validate_alone(const struct sk_check_in *in, const struct sk_check *check)
{
    uint32_t standing[SK_COMMANDS_MAX];
    struct sk_check_in running = *in;

    begin(&running, standing);
    run_check(&running, check);
}
