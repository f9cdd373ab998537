/*
 * reader - connections that only read, and leave no file behind.
 *
 * SQLite makes a log and its index beside a file to read it, and a connection
 * that may not write cannot remove them.
 *
 * Owner:   the caller, who closes with reader_close.
 * Threads: the caller's.
 */
#ifndef SK_STORE_READER_H
#define SK_STORE_READER_H

#include "common/base/fault.h"
#include "common/base/status.h"

struct sqlite3;

/*
 * `flags` are SQLite's beside SQLITE_OPEN_READONLY.  In a folder that may not
 * be written, a file that nobody has open can be read too.  On failure the
 * fault is cannot_open, and `*ret_db` is still to be closed.
 */
enum sk_status reader_open(const char *path, int flags, struct sqlite3 **ret_db,
                           struct sk_fault *ret_fault);

/* Any connection, NULL too.  Removes an empty log that nobody has open any more. */
void reader_close(struct sqlite3 *db);

#endif /* SK_STORE_READER_H */
