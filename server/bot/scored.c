/*
 * greedy for any ruleset that scores its states: tries each hint alone, and
 * takes the one after which its side stands best against the best of the others.
 */
#include "common/core/rules.h"
#include "server/bot/mind.h"

#define DECIDED (INT32_MAX / 2) /* more than any difference of scores that is compared */

static int32_t
clamped(int64_t number)
{
    return number > DECIDED ? DECIDED : number < -DECIDED ? -DECIDED : (int32_t)number;
}

static int32_t
worth_of(const struct bot_mind *mind, const struct sk_state *state)
{
    int64_t best_other = INT32_MIN;

    if (state->outcome.is_over && state->outcome.winner != SK_NOBODY) {
        return state->outcome.winner == mind->seat ? DECIDED : -DECIDED;
    }
    for (uint8_t seat = 0; seat < sk_rules_seat_count(mind->ruleset, mind->config); seat++) {
        int64_t score = mind->ruleset->score(mind->config, state, seat);

        if (seat != mind->seat && score > best_other) {
            best_other = score;
        }
    }
    return clamped(mind->ruleset->score(mind->config, state, mind->seat) -
                   (best_other == INT32_MIN ? 0 : best_other));
}

void
bot_choose_by_score(struct bot_mind *mind)
{
    struct bot_least best = BOT_LEAST;
    struct bot_trial trial;

    bot_trial_init(&trial, mind);
    for (uint32_t i = 0; i < mind->hints.count && (i == 0 || !bot_is_late(mind)); i++) {
        const struct sk_state *after =
            bot_try(&trial, mind->state, mind->seat, (struct sk_commands){ bot_hint(mind, i), 1 });

        bot_least_take(&best, &mind->rng, -worth_of(mind, after), i);
    }
    bot_trial_fini(&trial);
    bot_choose(mind, bot_hint(mind, best.index));
}
