/*
 * moments - the states of a stored match, one after the other, for one audience:
 * as a form, and as JSON.
 *
 * Owner:   the caller; moments_close frees.
 * Threads: one at a time.
 */
#ifndef SK_REPLAY_MOMENTS_H
#define SK_REPLAY_MOMENTS_H

#include "common/base/arena.h"
#include "server/replay/playback.h"

/* The audience: a seat, SK_SPECTATOR, or this one, which sees everything. */
#define MOMENTS_EVERYTHING REVIEW_EVERYTHING

struct moments {
    struct playback *playback;
    uint8_t audience;
    struct sk_arena forms;
    void *view;
};

/* Returns false, with a fault, if the match cannot be played; call moments_close in any case. */
bool moments_open(struct moments *moments, const struct store_match *match, uint8_t audience,
                  struct sk_fault *ret_fault);
void moments_close(struct moments *moments);

/*
 * The form of the state if the audience sees everything, else of its view;
 * NULL if it does not fit.  Valid until the next call.
 */
const void *moments_form(struct moments *moments, const struct sk_state *state);

/* Bots whose answers did not count; NULL: none, or the turn is not one of the match. */
const struct sk_value *moments_failures(const struct moments *moments, const struct sk_turn *turn);

/* Whether the audience may see this seat's commands. */
bool moments_sees_commands(const struct moments *moments, uint8_t seat);

/*
 * {"turn","resolved","commands","verdicts","events","failures","state" or "view",
 * "outcome","hash"}: a state and the turn that led to it, or NULL.  In the
 * playback's work: valid until it writes another text.
 */
struct sk_text moments_json(struct moments *moments, const struct sk_state *state,
                            const struct sk_turn *turn);

/* Whether the record just played is a moment: a turn, or the start.  `had_begun`: before it. */
bool moments_is_one(const struct moments *moments, bool had_begun);

#endif /* SK_REPLAY_MOMENTS_H */
