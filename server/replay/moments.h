/*
 * moments - one moment of a stored match for one audience: the form of its
 * state or view, and the moment as JSON.
 *
 * Everything in it comes from the resolver, so it cannot differ from what
 * happened.
 *
 * Owner:   the caller; moments_close frees.
 * Threads: one at a time.
 */
#ifndef SK_REPLAY_MOMENTS_H
#define SK_REPLAY_MOMENTS_H

#include "common/base/arena.h"
#include "proto/json_buffer.h"
#include "server/replay/playback.h"

/* Who looks: a seat, SK_SPECTATOR, or somebody who sees everything. */
#define MOMENTS_EVERYTHING REVIEW_EVERYTHING

struct moments {
    struct playback *playback;
    uint8_t audience;
    uint8_t seat_count;
    struct sk_arena forms;
    void *view;
    struct sk_json_buffer buffer;
};

/* False with a fault when the match cannot be played; moments_close is needed in any case. */
bool moments_open(struct moments *moments, const struct store_match *match, uint8_t audience,
                  struct sk_fault *ret_fault);
void moments_close(struct moments *moments);

/*
 * Everything is the state's form, what a seat may know is its view's; NULL
 * when it does not fit.  Valid until the next call.
 */
const void *moments_form(struct moments *moments, const struct sk_state *state);

/* Bots whose answers did not count; NULL: none, or the turn is not one of the match. */
const struct sk_value *moments_failures(const struct moments *moments, const struct sk_turn *turn);

/* May the audience see this seat's commands? */
bool moments_sees_commands(const struct moments *moments, uint8_t seat);

/*
 * {"turn","resolved","commands","verdicts","events","failures","state" or "view",
 * "outcome","hash"}: a state and the turn that led to it, or NULL.  Valid
 * until the next call.
 */
struct sk_text moments_json(struct moments *moments, const struct sk_state *state,
                            const struct sk_turn *turn);

/* Is the record just played a moment: a turn, or the start?  `had_begun`: before that record. */
bool moments_is_one(const struct moments *moments, bool had_begun);

#endif /* SK_REPLAY_MOMENTS_H */
