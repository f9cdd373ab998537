/*
 * restore - builds a room from stored records, a few records at a time.
 *
 * Replaying a long match would block the loop for too long.  So the host works
 * on all restores in small pieces between other events.  The new room is
 * hidden until it is complete.
 *
 * Owner:   the host, from restore_start until `done`, which may take the
 *          room's contents; then it is freed.
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

    const char *trouble; /* why it failed, or NULL */
    bool needs_all;      /* with trouble: loading without a snapshot may succeed */

    /* Set before restore_start; all except `done` may be NULL. */
    void (*done)(struct restoring *in);
    bool (*begins)(struct restoring *in); /* a piece of work begins; false = cancelled */
    void (*shown)(struct restoring *in, const struct store_record *record,
                  const struct pending_turn *turn); /* a public record was applied */
    uint32_t shown_after;                           /* only for records after this seq */
    bool is_kept;  /* kept after `done` by its owner, who adds more records */
    void *context; /* on the heap; freed if `done` is never called */
};

/* Takes the loaded data out of the job. */
struct restoring *restore_alloc(struct host *host, struct store_job *job);

/* Queues it; the work is done in host_work. */
void restore_start(struct restoring *in);

/* Continues with more records of a match that was restored as far as it was read. */
void restore_on(struct restoring *in, struct store_job *job);
void restore_free(struct restoring *in);

/* Works on the first one that is queued. */
void restore_some(struct host *host);
void restore_free_all(struct host *host);

#endif /* SK_HOST_ROOM_RESTORE_H */
