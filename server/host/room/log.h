/*
 * The log of a match: records on their way to the store.
 *
 * Numbers the records, knows which jobs are under way, and says of each whether
 * it was stored.  What a record means is up to the code that hands it over
 * (room/commit.h).
 *
 * Jobs are answered in the order of handing over.  When one fails, all later
 * ones of its generation fail too: the first failure takes the log back to the
 * last stored number and starts the next generation.
 *
 * Owner:   an entry belongs to its maker again when it is answered.
 */
#ifndef SK_HOST_ROOM_LOG_H
#define SK_HOST_ROOM_LOG_H

#include "server/host/world.h"

enum log_answer {
    LOG_STORED,
    LOG_FAILED,      /* what was handed over and is not stored is lost */
    LOG_FAILED_LATER /* an earlier entry has failed already */
};

/* A job of one or more records. */
struct log_entry {
    struct log_entry *next; /* under way in the same log */
    struct room_log *log;
    enum store_record_kind kind; /* of what it is about */
    void (*answered)(struct log_entry *entry, enum log_answer answer);
};

struct room_log {
    uint32_t generation;
    uint32_t handed_seq; /* of the last record handed to the store ... */
    uint32_t stored_seq; /* ... and of the last one stored */
    struct log_entry *entries;
};

/* Returns false, and frees the job, if the store is full: then nothing has changed. */
bool room_log_hand_over(struct room_log *log, struct host *host, struct log_entry *entry,
                        struct store_job *job);

/* Whether an entry of this kind is under way. */
bool room_log_has(const struct room_log *log, enum store_record_kind kind);

#endif /* SK_HOST_ROOM_LOG_H */
