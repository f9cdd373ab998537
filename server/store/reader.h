/*
 * reader - connections that only read and leave no file behind.
 *
 * To read a file SQLite creates a log and an index beside it, which a read-only
 * connection cannot remove.
 *
 * Owner:   the caller, who closes with reader_close.
 * Threads: any.
 */
#ifndef SK_STORE_READER_H
#define SK_STORE_READER_H

#include "common/base/fault.h"
#include "common/base/status.h"

struct sqlite3;

/*
 * SQLite counts the bytes of every allocation under a lock that all threads
 * share.  Nobody reads those figures, so this turns them off.  It works only
 * before SQLite's first use, so every function that opens a file calls it;
 * a later call has no effect, which does no harm.
 */
void reader_count_no_memory(void);

/*
 * `flags` are SQLite's besides SQLITE_OPEN_READONLY.  In a read-only folder, a
 * file that nobody has open can be read too.  On failure the fault is
 * cannot_open, and the caller still closes `*ret_db`.
 */
enum sk_status reader_open(const char *path, int flags, struct sqlite3 **ret_db,
                           struct sk_fault *ret_fault);

/* For any connection, or NULL.  Removes an empty log that nobody else has open. */
void reader_close(struct sqlite3 *db);

#endif /* SK_STORE_READER_H */
