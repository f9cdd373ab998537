/*
 * restore - from stored records to a room, a few records at a time.
 *
 * A long match takes longer to play again than others should wait for, so a
 * restoring is handed to the host, which works on all of them in small
 * pieces between everything else.  The room that is being made belongs to
 * nobody and is found by nobody until it is whole.
 *
 * Owner:   the host, from restore_start until `done` is called, which may
 *          take the room's contents; then it is freed.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_RESTORE_H
#define SK_HOST_RESTORE_H

#include "server/host/room.h"

struct restoring {
    struct restoring *next; /* in the host's list */
    struct host *host;
    struct room room;
    struct store_job *job; /* the match's row and records */
    uint32_t at;           /* the next record */
    int64_t last_at_ms;    /* of the last record, wall clock */

    const char *trouble; /* why it cannot be, or NULL */
    int32_t
        again_turns; /* with trouble: a load with so many turns may do better; 0 = it will not */

    /* Set before restore_start, all but `done` may be NULL. */
    void (*done)(struct restoring *in);
    bool (*begins)(struct restoring *in); /* a piece of work begins; false = it is not wanted */
    void (*shown)(struct restoring *in, const struct store_record *record,
                  const struct pending_turn *turn); /* a public record; the room is as after it */
    uint32_t shown_after;                           /* only those of a later seq */
    void *context; /* on the heap; freed if it never comes to `done` */

    struct sk_fault fault;
    struct pending_turn *turn; /* the texts of the turn being told */
};

/* Takes over what a load brought, out of the job. */
struct restoring *restore_alloc(struct host *host, struct store_job *job);

/* Everything else happens in host_work. */
void restore_start(struct restoring *in);

/* Works for a while on those that were started. */
void restore_some(struct host *host);
void restore_free_all(struct host *host);

/* A turn opened then (wall clock), which the seats' clocks are counted in until they go on. */
void restore_open(struct restoring *in, int64_t at_ms);

/* Its clocks go on, once it is in its place. */
void restore_clocks(struct room *room, const struct restoring *in);

/* For the parts of a restoring: sets the trouble and returns false. */
bool restore_trouble(struct restoring *in, const char *what);

/* The record's body as a form; the caller frees the object. */
bool restore_body(struct restoring *in, const struct store_record *record,
                  const struct sk_schema *schema, struct sk_value **ret_json, void *ret_form);

/* The seat as a record names it; the store has added the names. */
void restore_seat(struct restoring *in, uint8_t seat, int64_t player, bool is_bot);

/* Banks and missed deadlines as they are after that turn. */
struct record_turn;
void restore_turn_clocks(struct room *room, const struct record_turn *body);

/* ---- room_snapshot.c --------------------------------------------------------------------- */

/* The state after `turn`, out of the snapshot that follows it. */
bool restore_snapshot(struct restoring *in, const struct store_record *turn,
                      const struct store_record *snapshot);

/* ---- room_verify.c ----------------------------------------------------------------------- */

/* Is the match's row what its first record says?  The record is in the chain, the row is not. */
bool restore_verify_created(struct restoring *in, const struct store_record *record);

/* Is the rest of the row, and are the seats, what the records came to? */
bool restore_verify_row(struct restoring *in);

#endif /* SK_HOST_RESTORE_H */
