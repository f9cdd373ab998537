/*
 * What-if: what commands would lead to, as JSON.
 *
 * Owner:   the caller owns the answer; what_if_fini frees it.
 */
#ifndef SK_MATCH_WHAT_IF_H
#define SK_MATCH_WHAT_IF_H

#include "server/host/store_port.h"
#include "server/match/work.h"

/*
 * Resolves the turn's commands.  Lists of alternating rulesets are played turn
 * by turn, so turn->before, which the caller owns, changes.  The audience is a
 * seat, or REVIEW_EVERYTHING: all events, and a spectator's view.
 */
void what_if_resolve(struct work *work, struct sk_turn *turn, uint8_t audience,
                     struct what_if *ret_answer);

#endif /* SK_MATCH_WHAT_IF_H */
