/*
 * sk_match - one running match: collect, resolve on scratch memory, commit.
 *
 *   submit/withdraw   a seat's commands for the current turn (a new
 *                     submission replaces the previous one)
 *   resolve           computes the next state beside the current one
 *   commit            the next state becomes the current one
 *
 * Between resolve and commit the host stores the turn.  Until then the match is
 * unchanged, so a failed store loses nothing and reveals nothing.
 *
 * Owner:   the caller owns the memory of the state and of the turn, and the
 *          submitted commands, which must live until commit or withdraw.
 * Threads: one at a time.
 */
#ifndef SK_MATCH_H
#define SK_MATCH_H

#include "common/core/turn.h"

struct sk_match {
    const struct sk_ruleset *ruleset;
    const void *config;
    struct sk_seed seed;
    struct sk_state *state; /* sizes.state bytes */
    uint32_t submitted;     /* seats with a submission, as bits */
    struct sk_commands commands[SK_SEATS_MAX];
};

/* Begins a new match: makes its first state in `state`, using `turn`'s memory. */
void sk_match_begin(struct sk_match *match, struct sk_turn *turn, const struct sk_seed *seed,
                    struct sk_state *state);

/* Continues a match whose state was read from a snapshot or a form. */
void sk_match_continue(struct sk_match *match, const struct sk_ruleset *ruleset, const void *config,
                       const struct sk_seed *seed, struct sk_state *state);

/* Takes a seat's commands for this turn; the verdicts are in turn->judgements[seat]. */
void sk_match_submit(struct sk_match *match, struct sk_turn *turn, uint8_t seat,
                     struct sk_commands commands);
void sk_match_withdraw(struct sk_match *match, uint8_t seat);

/* The seats that owe commands and have not submitted any, as bits. */
uint32_t sk_match_waiting(const struct sk_match *match);

/* Resolves what was submitted: one turn, or none (false).  The results are in `turn`; the match is
 * unchanged. */
bool sk_match_resolve(const struct sk_match *match, struct sk_turn *turn);

/* Takes over that turn and resolves the next command of an alternating ruleset's list, if it can be
 * played (see sk_turn_resolve).  After the last one the caller commits. */
bool sk_match_resolve_next(struct sk_match *match, struct sk_turn *turn);

/* Takes over turn->after and forgets the submissions. */
void sk_match_commit(struct sk_match *match, const struct sk_turn *turn);

#endif /* SK_MATCH_H */
