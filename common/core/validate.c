#include "common/core/validate.h"

static void
begin(const struct sk_check_in *in)
{
    for (uint32_t i = 0; i < in->commands.count; i++) {
        in->judgements[i] = (struct sk_judgement){ SK_VERDICT_OK, SK_CHECK_NONE };
    }
    if (in->ruleset->prepare != NULL) {
        in->ruleset->prepare(in);
    }
}

static void
run_check(const struct sk_check_in *in, const struct sk_check *check)
{
    uint8_t place = (uint8_t)(check - in->ruleset->checks);
    const uint8_t *command = in->commands.at;
    uint32_t size = in->ruleset->command->size;

    if (check->prepare != NULL) {
        check->prepare(in);
    }
    for (uint32_t i = 0; i < in->commands.count; i++, command += size) {
        sk_verdict verdict;

        if (in->judgements[i].verdict != SK_VERDICT_OK ||
            (check->kinds & SK_KIND_BIT(((const struct sk_command *)command)->kind)) == 0) {
            continue;
        }
        verdict = check->judge(in, i);
        if (verdict != SK_VERDICT_OK) {
            in->judgements[i] = (struct sk_judgement){ verdict, place };
        }
    }
}

void
sk_validate(const struct sk_check_in *in)
{
    begin(in);
    for (uint8_t i = 0; i < in->ruleset->check_count; i++) {
        run_check(in, &in->ruleset->checks[i]);
    }
}

void
sk_validate_alone(const struct sk_check_in *in, const struct sk_check *check)
{
    begin(in);
    run_check(in, check);
}
