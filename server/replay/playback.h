/*
 * playback - a stored match, played again.
 *
 * Takes a match's row and its records one after the other, and resolves the
 * turns again by the rules.  Everything a record says is compared with the result:
 * verdicts, events, state hashes, the outcome, the seed's commitment.  A match that
 * plays through to its end is proven; else the first difference is reported.
 *
 * Knows the rules and JSON, nothing about databases: the caller passes the records,
 * from a database or a file.  The caller checks the chain of hashes.
 *
 * Owner:   the caller owns the match and the records; what the playback shows
 *          is its own and valid until the next record.
 * Threads: one at a time; several playbacks may run side by side.
 */
#ifndef SK_REPLAY_PLAYBACK_H
#define SK_REPLAY_PLAYBACK_H

#include <stdbool.h>
#include <stdint.h>

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

/* Others may only read it. */
struct playback {
    struct work *work;
    bool has_own_work;
    const struct store_match *row;
    const char *settings_trouble; /* of the row, or NULL */
    struct match match;           /* as far as it was played */
    struct fact fact;             /* of the record that is being played */
    bool is_over;                 /* its end was played */

    /* What the checks say about each seat's submission, if turns are simultaneous. */
    struct sk_judgement judged[SK_SEATS_MAX][SK_COMMANDS_MAX];

    struct sk_turn turn; /* of the record just played, if has_turn */
    bool has_turn;
    struct sk_state *before; /* the state before it */
    size_t before_size;
    struct sk_value *failures; /* of the turn just played; NULL: none */
    struct recorded recorded;
};

struct playback *playback_alloc(void);

/* Uses the other's working memory: records of both may be played in any order, by one thread.  What
 * one shows is valid until a record of either is played.  The other must live longer. */
struct playback *playback_alloc_beside(const struct playback *other);
void playback_free(struct playback *playback);

/*
 * Begins a match.  Faults, also of the functions below, have the code
 * unknown_ruleset, bad_params, bad_record (it cannot be read, or is in
 * the wrong place) or differs (the rules give another result), and a position like
 * /records/12/events.
 */
enum sk_status playback_begin(struct playback *playback, const struct store_match *match,
                              struct sk_fault *ret_fault);

/* Plays the next record.  After a fault only playback_begin may follow. */
enum sk_status playback_record(struct playback *playback, const struct store_record *record,
                               struct sk_fault *ret_fault);

/* Both for a match with all its records; also returns how many turns were played. */
enum sk_status playback_play(struct playback *playback, const struct store_job *job,
                             uint64_t *ret_turns, struct sk_fault *ret_fault);

/*
 * After the last record: calls `found` for each column of the match's row and of its seats' rows
 * that differs from the records.  The position is TABLE/COLUMN or seat/NUMBER/COLUMN.
 */
typedef void playback_found(void *context, const struct sk_fault *fault);
void playback_compare(const struct playback *playback, const struct store_job *job,
                      playback_found *found, void *context);

/* The first difference of playback_compare. */
enum sk_status playback_end(const struct playback *playback, const struct store_job *job,
                            struct sk_fault *ret_fault);

/* playback_play and playback_end. */
enum sk_status playback_match(struct playback *playback, const struct store_job *job,
                              uint64_t *ret_turns, struct sk_fault *ret_fault);

/* ---- what was played --------------------------------------------------------------------- */

/* The turn of the record just played, with its commands, verdicts and events; NULL if the record
 * is not a turn.  Its `before` is the state before it. */
const struct sk_turn *playback_turn(const struct playback *playback);

/* The hash of any state of the match. */
uint64_t playback_hash_of(struct playback *playback, const struct sk_state *state);

/*
 * For playback.c: reads the record of a turn that is what the seats submitted.
 * Sets the playback's turn and fact; the clocks of the latter are left to the
 * caller.  `*ret_body` gets the members behind RECORD_TURN_PLAYED.  False: the
 * record says something else.
 */
bool playback_turn_read(struct playback *playback, const struct store_record *record,
                        struct sk_value **ret_json, struct record_turn *ret_body);

/* Prepares resolving other commands, without changing the match: `before` is the current state, the
 * seed is the match's.  The results are valid until the next record. */
void playback_branch(struct playback *playback, struct sk_turn *ret_turn);

#endif /* SK_REPLAY_PLAYBACK_H */
