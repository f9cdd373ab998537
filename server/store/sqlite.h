/*
 * The SQLite backend: what sql.h leaves to each database.
 *
 *   sqlite.c          the connection, transactions, kinds of failure
 *   sqlite_row.c      binding and reading values
 *   sqlite_match.c    creating matches and appending to them
 *   sqlite_walk.c     finding and reading the records of a match
 *   sqlite_stream.c   reading the records of many matches
 *   sqlite_lock.c     one store per file
 *
 * Internal to server/store.
 *
 * Owner:   the backend.
 * Threads: one at a time, as backend.h says.
 */
#ifndef SK_STORE_SQLITE_H
#define SK_STORE_SQLITE_H

#include <sqlite3.h>

#include "server/store/sql.h"

struct sqlite {
    struct sql sql; /* must be first */
    sqlite3 *db;
    sqlite3_stmt *statements[SQL_COUNT];
    int lock_file;   /* -1 = none */
    char *lock_name; /* removed on close; NULL = we do not hold the lock */
    struct backend_pages pages;
    int64_t free_pages_at_us;       /* when they were last counted */
    uint64_t checkpoint_pages;      /* in the log, or else ... */
    int64_t checkpoint_from_us;     /* ... this time: before, a reader probably holds it back */
    int64_t moved[STORE_BATCH_MAX]; /* matches whose chain ends are not written yet; may repeat */
    uint32_t moved_count;
    int64_t first_of_job; /* id of the first record inserted by this job; 0 = none */
};

/* ---- rows -------------------------------------------------------------------------------- */

extern const struct row_calls sqlite_row_calls;

/* The calls of sql.h. */
struct row sqlite_row(struct sql *sql, enum sql_number number);
bool sqlite_prepare(struct sql *sql, const struct sql_text *text, struct row *ret_row);
bool sqlite_finish(struct row *row);

/* ---- matches ----------------------------------------------------------------------------- */

enum outcome sqlite_match_create(struct sql *sql, struct store_job *job);
enum outcome sqlite_match_append(struct sql *sql, struct store_job *job);
bool sqlite_match_insert(struct sql *sql, struct store_match *match);
bool sqlite_records_insert(struct sql *sql, const struct store_job *job);

/* Writes the chain ends that appends have deferred. */
enum outcome sqlite_chains_settle(struct sqlite *sqlite);

/* Drops the deferred chain ends after a rollback: heads are read again. */
void sqlite_chains_forget(struct sqlite *sqlite);

bool sqlite_records_read(struct sql *sql, struct reading *reading, const struct load_end *end);
bool sqlite_records_read_from(struct sql *sql, struct reading *reading, int64_t first,
                              int64_t last_seq, int64_t limit);
void sqlite_stream(struct sql *sql, const int64_t *ids, uint32_t count,
                   const struct archive_taker *taker);

/* ---- the lock ---------------------------------------------------------------------------- */

/* Takes the file `.lock`.  Two stores on one database would each extend their own chains. */
enum sk_status sqlite_lock(struct sqlite *sqlite, const char *path, struct sk_fault *ret_fault);
void sqlite_unlock(struct sqlite *sqlite);

#endif /* SK_STORE_SQLITE_H */
