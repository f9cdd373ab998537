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
#ifndef SK_HOST_ROOM_RESTORE_H
#define SK_HOST_ROOM_RESTORE_H

#include "server/host/room/room.h"

struct restoring {
    struct restoring *next; /* in the host's list */
    struct host *host;
    struct room room;
    struct store_job *job; /* the match's row and records */
    uint32_t at;           /* the next record */
    int64_t last_at_ms;    /* of the last record, wall clock */

    const char *trouble; /* why it cannot be, or NULL */
    bool needs_all;      /* with trouble: a load without a snapshot may do better */

    /* Set before restore_start, all but `done` may be NULL. */
    void (*done)(struct restoring *in);
    bool (*begins)(struct restoring *in); /* a piece of work begins; false = it is not wanted */
    void (*shown)(struct restoring *in, const struct store_record *record,
                  const struct pending_turn *turn); /* a public record; the room is as after it */
    uint32_t shown_after;                           /* only those of a later seq */
    bool is_kept;  /* after `done`: it is its owner's, who hands it more records */
    void *context; /* on the heap; freed if it never comes to `done` */
};

/* Takes over what a load brought, out of the job. */
struct restoring *restore_alloc(struct host *host, struct store_job *job);

/* Everything else happens in host_work. */
void restore_start(struct restoring *in);

/* The next records of a match that was restored as far as it was read. */
void restore_on(struct restoring *in, struct store_job *job);
void restore_free(struct restoring *in);

/* Works on the first of those that were started. */
void restore_some(struct host *host);
void restore_free_all(struct host *host);

#endif /* SK_HOST_ROOM_RESTORE_H */
