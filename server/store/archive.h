/*
 * archive - access to a database that may be in use, for command-line tools.
 *
 * Most tools only read; a WAL reader never blocks a writer.  Each call is one
 * short transaction, so it does not make the log grow.  Everything returned is
 * verified: each record's hash is computed from its columns and the previous
 * hash.
 *
 * Owner:   the caller of archive_open.
 * Threads: one at a time; each thread opens its own.
 */
#ifndef SK_STORE_ARCHIVE_H
#define SK_STORE_ARCHIVE_H

#include <stdatomic.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "server/host/store_port.h"

struct archive;

/*
 * Returns SK_ERR_REFUSED with a fault: cannot_open, not_ours, schema_newer,
 * schema_changed, schema_older (the daemon or skirmish migrate upgrades it).
 * Writes nothing, not even a lock file.
 */
enum sk_status archive_open(const char *path, struct archive **ret_archive,
                            struct sk_fault *ret_fault);
void archive_close(struct archive *archive);

/* Once the flag is true, reads end early with cannot_read. */
void archive_end_when(struct archive *archive, const atomic_bool *is_unwanted);

/* The same for a tool that also writes.  A running daemon waits for each of its transactions, so
 * they should be short. */
enum sk_status archive_open_to_write(const char *path, struct archive **ret_archive,
                                     struct sk_fault *ret_fault);

/* Lists matches with an id larger than `after`, in order.  Fewer than `max` ids means the end. */
enum sk_status archive_list(struct archive *archive, int64_t after, uint32_t max, int64_t *ret_ids,
                            uint32_t *ret_count, struct sk_fault *ret_fault);

/* The same for the matches of one player, by name; NULL: all players. */
enum sk_status archive_list_of(struct archive *archive, const char *player, int64_t after,
                               uint32_t max, int64_t *ret_ids, uint32_t *ret_count,
                               struct sk_fault *ret_fault);

/*
 * Loads a match with its seats and all its records, as a job that the caller
 * frees.  Faults: unknown_match, corrupt (the chain or the match's row is not
 * as written; the message says where), pruned (its records were dropped),
 * cannot_read.
 */
enum sk_status archive_load(struct archive *archive, int64_t match, struct store_job **ret_job,
                            struct sk_fault *ret_fault);

/* Who takes the matches of archive_stream. */
struct archive_taker {
    void *context;

    /* Match ids[index] begins, with its row and its seats.  Returns what the others get as `it`;
     * NULL: it is not taken.  The job is valid until the match's end. */
    void *(*begin)(void *context, uint32_t index, const struct store_job *job);

    /* Its next record, verified, valid during the call.  False: the rest is not taken. */
    bool (*record)(void *it, const struct store_record *record);

    /* Follows each begin.  `is_whole`: all its records were taken, and its chain is as written. */
    void (*end)(void *it, const struct store_job *job, bool is_whole);
};

/*
 * Reads these matches, whose ids ascend, all at once and in the order in which
 * their records are stored, which is faster than loading each.  Matches that
 * are damaged, or cannot be read fast in this way, are left out or not whole:
 * archive_load says what is wrong with them.
 */
void archive_stream(struct archive *archive, const int64_t *ids, uint32_t count,
                    const struct archive_taker *taker);

/*
 * Stores a match that match_file_reader has read and the playback has proven.
 * Sets job->match_id to its id in this database.  Faults: exists (job->match_id
 * is the id it already has), cannot_read (the database refuses it).
 */
enum sk_status archive_import(struct archive *archive, struct store_job *job,
                              struct sk_fault *ret_fault);

/* Erases the player of that name, as JOB_ADMIN does, on behalf of the system user `uid`.  For a
 * database that no daemon uses.  Faults: unknown_player, cannot_read. */
enum sk_status archive_forget(struct archive *archive, const char *name, int64_t uid,
                              struct sk_fault *ret_fault);

#endif /* SK_STORE_ARCHIVE_H */
