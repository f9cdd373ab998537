/*
 * A turn's results and a match's views as JSON: shared by the referee and
 * the daemon, so that both write the same.
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

/* {"error":{"code","message","at"}} of a struct sk_fault. */
void sk_fault_write(struct sk_json_out *out, const void *fault);

/* [0,1] of bits. */
void sk_seats_write(struct sk_json_out *out, uint32_t seats);

/* Fills in the outcome of a form's head. */
void sk_form_head_set(struct sk_form_head *head, const struct sk_ruleset *ruleset,
                      struct sk_outcome outcome);

/*
 * What `seat` (or SK_SPECTATOR) may know of the state, as a form in the
 * arena.  `view` is sizes.view bytes to work in.  SK_ERR_TOO_LONG when the
 * arena is too small.
 */
enum sk_status sk_view_form_make(const struct sk_ruleset *ruleset, const void *config,
                                 const struct sk_state *state, uint8_t seat, void *view,
                                 struct sk_arena *arena, const void **ret_form);

/* The same as JSON; the arena is as before. */
enum sk_status sk_view_write(struct sk_json_out *out, const struct sk_ruleset *ruleset,
                             const void *config, const struct sk_state *state, uint8_t seat,
                             void *view, struct sk_arena *arena);

/* A view and its text, of the same config. */
struct sk_view_text {
    const void *view;    /* NULL: there is none */
    struct sk_text text; /* begins with its value */
    uint32_t own_length; /* of what precedes turn, seat, owing and outcome */
};

/*
 * The same again, for one audience after the other.  A ruleset makes the
 * members of its own from the view alone, so where this view is the same as
 * the last one they are copied, and only what follows them is written.
 */
enum sk_status sk_view_write_after(struct sk_json_out *out, const struct sk_ruleset *ruleset,
                                   const void *config, const struct sk_state *state, uint8_t seat,
                                   void *view, struct sk_arena *arena,
                                   const struct sk_view_text *last, uint32_t *ret_own_length);

#endif /* SK_TURN_WRITE_H */
