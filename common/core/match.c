#include "common/core/match.h"

#include <string.h>

#include "common/base/status.h"

void
sk_match_begin(struct sk_match *match, struct sk_turn *turn, const struct sk_seed *seed,
               struct sk_state *state)
{
    sk_match_continue(match, turn->ruleset, turn->config, seed, state);
    turn->seed = &match->seed;
    sk_turn_setup(turn);
    memcpy(match->state, turn->after, turn->sizes.state);
}

void
sk_match_continue(struct sk_match *match, const struct sk_ruleset *ruleset, const void *config,
                  const struct sk_seed *seed, struct sk_state *state)
{
    *match = (struct sk_match){
        .ruleset = ruleset,
        .config = config,
        .seed = *seed,
        .state = state,
    };
}

void
sk_match_submit(struct sk_match *match, struct sk_turn *turn, uint8_t seat,
                struct sk_commands commands)
{
    turn->before = match->state;
    turn->seed = &match->seed;
    turn->commands[seat] = commands;
    sk_turn_check(turn, seat);
    match->commands[seat] = commands;
    match->submitted |= 1u << seat;
}

void
sk_match_withdraw(struct sk_match *match, uint8_t seat)
{
    match->commands[seat] = (struct sk_commands){ NULL, 0 };
    match->submitted &= ~(1u << seat);
}

uint32_t
sk_match_waiting(const struct sk_match *match)
{
    return sk_turn_owing(match->ruleset, match->config, match->state) & ~match->submitted;
}

bool
sk_match_resolve(const struct sk_match *match, struct sk_turn *turn)
{
    SK_ASSERT(turn->config == match->config && turn->ruleset == match->ruleset);
    turn->before = match->state;
    turn->seed = &match->seed;
    memcpy(turn->commands, match->commands, sizeof(turn->commands));
    return sk_turn_resolve(turn);
}

bool
sk_match_resolve_next(struct sk_match *match, struct sk_turn *turn)
{
    memcpy(match->state, turn->after, turn->sizes.state);
    turn->before = match->state;
    return sk_turn_resolve_next(turn);
}

void
sk_match_commit(struct sk_match *match, const struct sk_turn *turn)
{
    memcpy(match->state, turn->after, turn->sizes.state);
    match->submitted = 0;
    memset(match->commands, 0, sizeof(match->commands));
}
