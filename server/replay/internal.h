/*
 * What the files of playback share.
 *
 *   playback.c          memory, the beginning, what was played
 *   playback_records.c  one function per kind of record
 *   playback_rows.c     what the records say of the match, compared with its rows
 */
#ifndef SK_REPLAY_INTERNAL_H
#define SK_REPLAY_INTERNAL_H

#include "proto/frames.h"
#include "proto/json_buffer.h"
#include "server/match/read.h"

/* What the records say that is also in rows of other tables. */
struct recorded {
    int64_t created_at_ms;
    int64_t started_at_ms; /* 0 = not yet */
    int64_t ended_at_ms;
    int64_t epoch;
    int64_t rematch_of;
    int32_t winner;
    char reason[SK_ID_MAX + 1];
};

struct playback {
    struct work work;
    struct sk_json_buffer buffer;
    const struct store_match *row;
    const char *settings_trouble; /* of the row, or NULL */
    struct match match;           /* as far as it was played */
    struct fact fact;             /* of the record that is being played */
    bool is_over;                 /* its end was played */

    struct sk_turn turn; /* of the record just played, if that was one: */
    bool has_turn;
    struct sk_state *before; /* the state before it */
    size_t before_size;
    struct sk_value *failures; /* of the turn just played; NULL: none */
    struct recorded recorded;
};

/* Keeps a copy, because the record is freed.  NULL: there are none. */
void playback_keep_failures(struct playback *playback, const struct sk_value *failures);

/* Sets the code `differs` and the position; returns SK_ERR_DIFFERS. */
enum sk_status playback_differs(struct sk_fault *fault, const char *member, const char *what);

#endif /* SK_REPLAY_INTERNAL_H */
