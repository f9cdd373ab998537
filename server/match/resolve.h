/*
 * Resolves commands into turns, on scratch memory.  The match is not changed.
 *
 * A simultaneous ruleset makes one turn of all seats' commands.  In an
 * alternating one each accepted command is its own turn, so a list makes
 * several turns, which are stored together.
 *
 * Owner:   the caller gets the turns, and frees them by pending_free or hands
 *          them in.
 */
#ifndef SK_MATCH_RESOLVE_H
#define SK_MATCH_RESOLVE_H

#include "server/match/match.h"

/* Input that is not part of the match. */
struct play_in {
    uint8_t seat; /* whose submission is played; SK_SPECTATOR: the turn closes */
    int64_t now_ms;
    uint32_t here;         /* connected seats, as bits */
    const uint32_t *given; /* per seat: 1 + a shared command given by the host, or 0 */
};

/* A resolution in progress, and its turns so far. */
struct playing {
    struct play_in in;
    struct work *work;
    const struct match *match;
    struct sk_turn turn;
    struct pending_turn *first;
    struct pending_turn *last;
};

/* Begins from the match's state.  The caller sets the commands, then calls match_play. */
void match_play_begin(struct work *work, const struct match *match, const struct play_in *in,
                      struct playing *ret_playing);
void match_play(struct playing *playing);

/* Closes the turn with what was submitted.  Returns NULL if the rules allow no turn. */
struct pending_turn *match_close(struct work *work, const struct match *match,
                                 const struct play_in *in);

/* The results of a turn that was resolved, as JSON for each audience. */
void pending_keep_texts(struct work *work, const struct match *match, const struct sk_turn *turn,
                        struct pending_turn *pending);

#endif /* SK_MATCH_RESOLVE_H */
