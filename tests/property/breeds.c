/* The rulesets with properties of their own. */
#include "tests/property/trial.h"

static const struct breed *const breeds[] = { &breed_halma, &breed_racers, &breed_snarl,
                                              &breed_tactics };

const struct breed *
breed_find(const struct sk_ruleset *ruleset)
{
    for (size_t i = 0; i < SK_COUNT_OF(breeds); i++) {
        if (breeds[i]->ruleset == ruleset) {
            return breeds[i];
        }
    }
    return NULL;
}
