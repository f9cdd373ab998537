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
#include "proto/json_parse.h"
#include "server/replay/playback.h"

/* What a seat has sent for the turn that is open. */
struct waiting {
    bool is_there;
    char *commands; /* in our own words: see commands_text */
    uint32_t count;
};

/* What the records say that also stands in rows of other tables. */
struct told {
    int64_t created_at_ms;
    int64_t started_at_ms; /* 0 = not yet */
    int64_t ended_at_ms;
    int64_t epoch;
    int64_t rematch_of;
    bool is_open;
    bool is_rated; /* by the settings: a bot makes it unrated when it starts */
    int32_t winner;
    char reason[SK_ID_MAX + 1];
    int64_t players[SK_SEATS_MAX]; /* 0 = the seat is free */
    bool is_bot[SK_SEATS_MAX];
};

struct playback {
    struct sk_json_reader reader;
    struct sk_arena forms;
    struct sk_arena config_room;
    struct sk_arena scratch;
    struct sk_json_buffer buffer;

    /* Compiled params, kept for the next match: most have the same. */
    const struct sk_ruleset *ruleset;
    char *params;
    void *config;

    const struct store_match *match;
    struct sk_seed seed;
    struct sk_turn turn;
    void *turn_memory;
    size_t turn_memory_size;
    struct sk_state *state;
    struct sk_state *before;
    size_t state_room;
    uint8_t seat_count;
    uint32_t seated; /* as bits */
    bool is_begun;
    bool is_over;
    bool has_turn;
    struct waiting waiting[SK_SEATS_MAX];
    char *failures_text; /* of the turn just played; NULL: none */
    struct sk_value *failures;
    struct told told;
    char last_hash[FRAME_HASH_DIGITS + 1];
};

void playback_forget_waiting(struct playback *playback);

/* In a copy: the record goes.  NULL: there are none. */
void playback_keep_failures(struct playback *playback, const struct sk_value *failures);

/* Sets the code `differs` and the position; returns SK_ERR_DIFFERS. */
enum sk_status playback_differs(struct sk_fault *fault, const char *member, const char *what);

#endif /* SK_REPLAY_INTERNAL_H */
