/*
 * A turn's results and a match's views as JSON: shared by the referee and
 * the daemon, so that both say the same.
 */
#ifndef SK_TURN_WRITE_H
#define SK_TURN_WRITE_H

#include "common/core/turn.h"
#include "proto/json_out.h"

/* [{"verdict":"ok"},{"verdict":"occupied","check":"occupied"}] of one seat's commands. */
void sk_verdicts_write(struct sk_json_out *out, const struct sk_turn *turn, uint8_t seat);

/* All events, or those that an audience may see; the first without the list around them. */
void sk_events_write_items(struct sk_json_out *out, const struct sk_turn *turn);
void sk_events_write(struct sk_json_out *out, const struct sk_turn *turn);
void sk_events_write_for(struct sk_json_out *out, const struct sk_turn *turn, uint8_t audience);

/* null, or {"winner":0,"reason":"..."}. */
void sk_outcome_write(struct sk_json_out *out, const struct sk_ruleset *ruleset,
                      struct sk_outcome outcome);

/* [0,1] of bits. */
void sk_seats_write(struct sk_json_out *out, uint32_t seats);

/* Fills in the outcome of a form's head. */
void sk_form_head_set(struct sk_form_head *head, const struct sk_ruleset *ruleset,
                      struct sk_outcome outcome);

/*
 * What `seat` (or SK_SPECTATOR) may know of the state.  `view` is
 * sizes.view bytes to work in; forms come from the arena, which is given
 * back.  SK_ERR_TOO_LONG when that is too small.
 */
enum sk_status sk_view_write(struct sk_json_out *out, const struct sk_ruleset *ruleset,
                             const void *config, const struct sk_state *state, uint8_t seat,
                             void *view, struct sk_arena *arena);

#endif /* SK_TURN_WRITE_H */
