/*
 * The log of a room: records on their way to the store.  Nobody else counts
 * jobs, numbers records, or decides what happens when the store fails.
 *
 * A commit is drafted, gets its records, and is handed over; then its fact
 * counts already.  It is answered once, in the order in which commits were
 * handed over.  When one fails, nothing that was handed over after what is
 * stored will come to be: the first failure takes the room back to what is
 * stored, with the next generation; those of the old generation only tell
 * who asked for them.
 *
 * Owner:   a commit belongs to its drafter until room_commit, then to the log.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_ROOM_LOG_H
#define SK_HOST_ROOM_LOG_H

#include "server/host/room/room.h"
#include "server/match/apply.h"

/* A constant in the file that makes such commits.  Either function may be NULL. */
struct commit_kind {
    void (*stored)(struct room *room, struct commit *commit);

    /* Not stored: `is_first` = by this one the room has learnt of it. */
    void (*failed)(struct room *room, const struct commit *commit, enum error_code code,
                   bool is_first);
    bool unparks; /* frames wait for its answer, whatever it is */
};

struct commit {
    struct commit *next; /* under way in the same room */
    struct room *room;
    const struct commit_kind *kind;
    struct store_job *job;
    struct fact fact;
    struct reply reply; /* who is told if it is not stored; zeroed: nobody */
    int64_t player;     /* whose seat it is about */
    char command_id[FRAME_COMMAND_ID_MAX + 1];
};

struct commit *commit_draft(struct room *room, const struct commit_kind *kind,
                            enum store_record_kind what, uint8_t seat);

/* Adds a record; `body` is written from the schema. */
struct store_record *commit_record(struct commit *commit, enum store_record_kind kind, int32_t seat,
                                   const struct sk_schema *schema, const void *body);

/* Numbers the records and hands them over.  False: it is freed, and nothing has changed. */
bool room_commit(struct commit *commit);

/* Of its records' bodies, before room_commit. */
size_t commit_bytes(const struct commit *commit);

/* The server stood still for so long: that is stored in front of everything else ... */
void room_shift(struct room *room, int64_t shift_ms);

/* ... unless it is stored already, or no matter any more; a second after it failed. */
void room_store_shift(struct room *room);
void room_retry_later(struct room *room);

/* Is one that began with such a record under way? */
bool room_commits(const struct room *room, enum store_record_kind what);

#endif /* SK_HOST_ROOM_LOG_H */
