/*
 * upkeep - what an admin does to a database as a whole: copy it, bring it up
 * to date.
 *
 * Threads: the caller's; every call has connections of its own.
 */
#ifndef SK_STORE_UPKEEP_H
#define SK_STORE_UPKEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"

/* Told now and then; false ends it. */
typedef bool upkeep_progress(void *context, int64_t done, int64_t of);

/*
 * A consistent copy of a database that may be in use, as one file that is its
 * own: no log beside it.  The copy has its name only when it is whole and on
 * disk; a file that is there already is not touched.  Faults: cannot_open,
 * exists, cannot_write, ended.
 */
enum sk_status upkeep_backup(const char *path, const char *to, upkeep_progress *progress,
                             void *context, struct sk_fault *ret_fault);

/* How far a database is: migrations applied, and known to this program. */
struct upkeep_steps {
    int32_t applied;
    int32_t known;
};

enum sk_status upkeep_look(const char *path, struct upkeep_steps *ret_steps,
                           struct sk_fault *ret_fault);
const char *upkeep_step_name(int32_t number); /* from 1; NULL past the last */

/* Applies what is missing, after a copy, as the daemon does at its start.  Not while it runs. */
enum sk_status upkeep_migrate(const char *path, struct sk_fault *ret_fault);

struct upkeep_ratings {
    int64_t matches;   /* that count */
    int64_t standings; /* a ruleset and a player each */
    int64_t different; /* of them, from what was stored */
};

/* Counts all rated matches again; with is_only_look nothing is stored.  Not while a daemon runs. */
enum sk_status upkeep_recount(const char *path, bool is_only_look,
                              struct upkeep_ratings *ret_ratings, struct sk_fault *ret_fault);

#define UPKEEP_TOKEN_DIGITS 64

/*
 * Gives the player of that name another token, also while a daemon runs: from
 * now on `hello` with the old one is refused.  Connections that are open stay
 * open.  The token is nowhere but in `ret_token`.  Faults: those of
 * upkeep_look, unknown_player, cannot_write.
 */
enum sk_status upkeep_reset_token(const char *path, const char *name,
                                  char ret_token[UPKEEP_TOKEN_DIGITS + 1],
                                  struct sk_fault *ret_fault);

#endif /* SK_STORE_UPKEEP_H */
