/*
 * The bodies of stored records, as JSON.
 *
 * Described by member tables like everything else that is JSON, so writing
 * and reading cannot disagree.  Bodies hold player ids, never names: to
 * forget a person breaks no chain.
 *
 * Owner:   what was read points into the arena and into the parsed object.
 */
#ifndef SK_RECORDS_H
#define SK_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/core/schema.h"

struct record_created {
    struct sk_text ruleset;
    int32_t version;
    struct sk_json params;
    struct sk_text commitment; /* SHA-256 of salt and seed, hex */
    struct sk_json settings;
    bool has_rematch_of;
    int64_t rematch_of; /* the match that is played again */
};

/* What `create` asked for besides the params. */
struct record_settings {
    bool has_clock;
    bool has_turn_ms;
    int32_t turn_ms;
    int32_t bank_ms;
    bool is_open;
    bool is_rated;
    int32_t spectator_delay;
    bool is_cycle; /* every turn takes exactly turn_ms */
    bool has_rated_turns;
    int32_t rated_turns; /* a match of fewer turns does not count for ratings */
    bool has_rated_repeats;
    int32_t rated_repeats; /* nor does one of two players with this many within a day */
    bool has_created_by;
    int64_t created_by; /* the player who created a match that only bots play */
};

struct record_joined {
    bool has_player; /* null: the seat is free again */
    int64_t player;
    bool bot;
    bool has_unrated;
    bool unrated; /* the match is private, and this player did not ask to rate it */
    bool starts;  /* this was the last free seat: the match begins */
};

struct record_submission {
    struct sk_json commands;
    struct sk_json verdicts;
    bool ready;
    bool has_asked; /* the frame said whether it was ready ... */
    bool asked;     /* ... and this is what it said */
    int32_t used_ms;
};

/* The seat's clock continues from there. */
struct record_withdrawn {
    int32_t used_ms;
};

struct record_turn {
    struct sk_list commands; /* struct sk_json, one per seat */
    struct sk_list verdicts; /* likewise: the final ones, bounces included */
    struct sk_json events;
    struct sk_text hash;     /* of the state after it */
    struct sk_list used_ms;  /* int32_t, one per seat: how long it thought */
    struct sk_list bank_ms;  /* int32_t, one per seat: what it has left */
    struct sk_list missed;   /* int32_t, one per seat: deadlines missed in a row while away */
    struct sk_list going_ms; /* int32_t, one per seat: used of a clock that goes on; empty: none */
    struct sk_json failures; /* of bots, as in the frame `turn`; empty: none */
};

/* The members that follow from the match and the rules: commands, verdicts, events, hash. */
#define RECORD_TURN_PLAYED 4

/* The time the server was down is not charged. */
struct record_clock {
    int32_t shift_ms;
};

struct record_offer {
    bool is_declined;
};

struct record_ended {
    bool has_winner;
    int32_t winner;
    struct sk_text reason;
    struct sk_text seed;
    struct sk_text salt;
    struct sk_text hash;
};

struct record_seat {
    int64_t player;
    bool bot;
};

/*
 * Everything that a load needs and that is not in the record of the turn
 * before it, so earlier records need not be read.
 */
struct record_snapshot {
    int32_t seq;          /* of the last public record, as clients count */
    int32_t open_ms;      /* how long the turn had been open when this was written */
    struct sk_list seats; /* struct record_seat */
    struct sk_text state; /* the ruleset's snapshot, hex */
};

#define RECORD_STATE_DIGITS_MAX (2 * 65536)

extern const struct sk_schema sk_record_created;
extern const struct sk_schema sk_record_settings;
extern const struct sk_schema sk_record_joined;
extern const struct sk_schema sk_record_submission;
extern const struct sk_schema sk_record_withdrawn;
extern const struct sk_schema sk_record_turn;
extern const struct sk_schema sk_record_turn_rest; /* its members behind RECORD_TURN_PLAYED */
extern const struct sk_schema sk_record_clock;
extern const struct sk_schema sk_record_offer;
extern const struct sk_schema sk_record_ended;
extern const struct sk_schema sk_record_snapshot;
extern const struct sk_schema sk_record_nothing; /* {} */

#endif /* SK_RECORDS_H */
