/*
 * Applies records to a match.  This is the only place where a match changes.
 *
 * A fact is a decoded record.  Live play creates a fact and hands it in when
 * the record is sent to the store.  From then on it counts: the seat's clock
 * stops, the turn is closed, an open offer blocks the next one.  Live play
 * applies the fact when the store reports success; if the store fails,
 * match_fall_back undoes what was handed in.  Code that reads stored records
 * hands in and applies each fact at once.
 *
 * Owner:   submissions are counted references.  A pending turn belongs to the
 *          match from handing in until it is applied, which takes it out for
 *          the caller to free, or until it falls back.
 */
#ifndef SK_MATCH_APPLY_H
#define SK_MATCH_APPLY_H

#include "server/host/store_port.h"
#include "server/match/match.h"

struct fact_joined {
    int64_t player; /* 0: the player leaves the seat */
    char name[FRAME_PLAYER_NAME_MAX + 1];
    bool is_bot;
    bool is_unrated; /* the player did not ask for a private match to be rated */
    bool starts;
};

struct fact {
    enum store_record_kind kind;
    uint32_t turn;
    uint8_t seat;
    int64_t used_ms; /* submission, withdrawal: how long the seat had thought */
    struct fact_joined joined;
    struct submission *submission;
    struct pending_turn *pending; /* turn: its result ... */
    bool is_as_stored;            /* ... and whether it matches its record, if it was read */
    int64_t shift_ms;             /* clock: how far the start of running clocks moves */
    bool is_declined;             /* offer: it was declined */
    const uint8_t *head;          /* end: the record's hash */
};

/* Whether the record has a sequence number on the wire. */
bool fact_is_public(enum store_record_kind kind);

void match_hand_in(struct match *match, const struct fact *fact, int64_t at_ms);
void match_apply(struct work *work, struct match *match, const struct fact *fact, int64_t at_ms);

/* Both at once, for a fact that was read. */
void match_take(struct work *work, struct match *match, const struct fact *fact, int64_t at_ms);

/* Returns to what is stored: the turn is open again, stored commands stay. */
void match_fall_back(struct match *match, int64_t now_ms);

/* The player is back: no deadline was missed in a row. */
void match_came(struct match *match, uint8_t seat);

/* Ends reading: clocks continue where they stopped, on the clock of `now_ms`. */
void match_go_on(struct match *match, int64_t stopped_ms, int64_t now_ms);

#endif /* SK_MATCH_APPLY_H */
