/*
 * archive - a database that may be in use: for the command line's tools.
 *
 * Most only read: readers of a WAL never stop a writer.  Every
 * call is a transaction of its own and short, so the log does not grow
 * because of it.  What is handed out was verified: every record's hash from
 * its columns and the hash before.
 *
 * Owner:   archive_open's caller.
 * Threads: one at a time; a thread that reads beside another opens its own.
 */
#ifndef SK_STORE_ARCHIVE_H
#define SK_STORE_ARCHIVE_H

#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "server/host/store_port.h"

struct archive;

/*
 * SK_ERR_REFUSED with a fault: cannot_open, not_ours, schema_newer,
 * schema_changed, schema_older (the daemon, or skirmish migrate, brings it up
 * to date).  Nothing is written, not even a lock file.
 */
enum sk_status archive_open(const char *path, struct archive **ret_archive,
                            struct sk_fault *ret_fault);
void archive_close(struct archive *archive);

/* The same for a tool that also writes.  A running daemon waits while it does: for what is written
 * at once, so that should be little. */
enum sk_status archive_open_to_write(const char *path, struct archive **ret_archive,
                                     struct sk_fault *ret_fault);

/* Matches with a larger id than `after`, in order; fewer than `room` = that was all. */
enum sk_status archive_list(struct archive *archive, int64_t after, uint32_t room, int64_t *ret_ids,
                            uint32_t *ret_count, struct sk_fault *ret_fault);

/* The same of the player of that name only; NULL: of everybody. */
enum sk_status archive_list_of(struct archive *archive, const char *player, int64_t after,
                               uint32_t room, int64_t *ret_ids, uint32_t *ret_count,
                               struct sk_fault *ret_fault);

/*
 * A match with its seats and all its records, as a job that the caller frees.
 * Faults: unknown_match, corrupt (its chain does not hold, or its row is not
 * as written; the message says where), pruned (its records were dropped),
 * cannot_read.
 */
enum sk_status archive_load(struct archive *archive, int64_t match, struct store_job **ret_job,
                            struct sk_fault *ret_fault);

/*
 * Stores a match that a match_file_reader has read and the playback has proven;
 * its number here is then job->match.id.  Faults: exists (job->match.id says
 * as which), cannot_read (the database does not take it).
 */
enum sk_status archive_import(struct archive *archive, struct store_job *job,
                              struct sk_fault *ret_fault);

/* Erases the person of that name, as JOB_ADMIN does, for the system's user `uid`.  For a database
 * that no daemon uses.  Faults: unknown_player, cannot_read. */
enum sk_status archive_forget(struct archive *archive, const char *name, int64_t uid,
                              struct sk_fault *ret_fault);

#endif /* SK_STORE_ARCHIVE_H */
