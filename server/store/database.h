/*
 * database - operations on a whole database: backup, migration, recounting, new
 * tokens.
 *
 * Threads: any; every call opens its own connections.
 */
#ifndef SK_STORE_DATABASE_H
#define SK_STORE_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"

/* Reports progress; returning false stops the operation. */
typedef bool database_progress(void *context, int64_t done, int64_t of);

/*
 * Copies a database that may be in use into one consistent file, without a log
 * beside it.  The copy gets its name only when it is complete and on disk; an
 * existing file is not touched.  Faults: cannot_open, exists, cannot_write,
 * ended.
 */
enum sk_status database_backup(const char *path, const char *to, database_progress *progress,
                               void *context, struct sk_fault *ret_fault);

/* Migrations applied, and known to this program. */
struct database_steps {
    int32_t applied;
    int32_t known;
};

enum sk_status database_look(const char *path, struct database_steps *ret_steps,
                             struct sk_fault *ret_fault);
const char *database_step_name(int32_t number); /* from 1; NULL past the last */

/* Applies missing migrations after a backup, as the daemon does on start.  No daemon may run. */
enum sk_status database_migrate(const char *path, struct sk_fault *ret_fault);

struct database_ratings {
    int64_t matches;   /* that count */
    int64_t standings; /* one per ruleset and player */
    int64_t different; /* of these, how many differ from what was stored */
};

/* Counts all rated matches again; with is_only_look nothing is stored.  No daemon may run. */
enum sk_status database_recount(const char *path, bool is_only_look,
                                struct database_ratings *ret_ratings, struct sk_fault *ret_fault);

#define DATABASE_TOKEN_DIGITS 64

/*
 * Gives the player a new token, also while a daemon runs: from now on `hello`
 * with the old one is refused.  Open connections stay open.  The token is
 * stored nowhere; only `ret_token` has it.  Faults: those of database_look,
 * unknown_player, cannot_write.
 */
enum sk_status database_reset_token(const char *path, const char *name,
                                    char ret_token[DATABASE_TOKEN_DIGITS + 1],
                                    struct sk_fault *ret_fault);

#endif /* SK_STORE_DATABASE_H */
