/*
 * The store: one storage thread, which owns the database, behind the host's
 * port.
 *
 * All jobs that wait are worked on in one transaction (group commit) and come
 * back in the order in which they were handed over, when the transaction is
 * on disk.  So the loop never waits for the disk, and one fsync serves many
 * matches.
 *
 * When the database refuses to write, everything of that transaction is taken
 * back and its jobs return STORE_UNAVAILABLE; later ones are tried again, so
 * storage recovers when the cause goes away.  Only a failed fsync is fatal:
 * after it nobody knows what is on disk, except whoever opens the file anew.
 *
 * Owner:   store_open's caller.  A submitted job is the store's until it is
 *          taken by store_take_done.
 * Threads: all functions are the loop's; `wake` and `fatal` are called by the
 *          storage thread.
 */
#ifndef SK_STORE_H
#define SK_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "server/host/store_port.h"
#include "server/metrics_page.h"

#define STORE_JOBS_MAX        8192u /* jobs that the store holds at once, done ones included */
#define STORE_BATCH_MAX       512u  /* jobs of one transaction: more is no faster, but later */
#define STORE_BUSY_TIMEOUT_MS 1000  /* how long somebody else may hold the database's lock */

/*
 * What JOB_TEXT gives.  `limit` is 1 to its maximum below; 0 or less means the default.  A text
 * query that takes longer than STORE_TEXT_MAX_MS is ended: turns wait behind it.
 *
 * QUERY_MATCHES, newest first.  `player` = 0: all that are open.  Else those in which the player
 * has a seat, private ones too (so let only the player ask).  `after` = 0 or the `next` before.
 *
 *   {"matches":[ROW, ...],"next":7}                       next is null on the last page
 *                                                         (and 0 in job->after)
 *   ROW = {"id":7,"ruleset":"tactics","version":1,"status":"running","open":true,"rated":true,
 *          "players":["Ann",null],"turn":12,"created_at":ms,"started_at":ms,"ended_at":null,
 *          "winner":null,"reason":null,"settings":{...}}  turn: the last one resolved, or null
 *
 * QUERY_MATCH: one ROW with "params":{...} and, when it is over, "seed", "salt" and "head" (hex).
 * STORE_NOT_FOUND also when it is private and `player` has no seat in it.
 *
 * QUERY_REPLAY, NDJSON: a header, then a line for each turn with `after` < turn < `turn_max`
 * (`after` = STORE_NO_TURN: from turn 0).  Who may see the match is as with QUERY_MATCH.  Commands
 * and events are the whole truth: what of a running match may be shown is the host's to decide.
 *
 *   the object of QUERY_MATCH, and "seats":[{"player":1,"name":"Ann","bot":false},null],
 *   "next":turn|null                                      the next page's `after`
 *   {"turn":0,"at":ms,"commands":[[...],[...]],"verdicts":[[...],[...]],"events":[...],
 *    "clocks":{"used_ms":[...],"bank_ms":[...]},"hash":"16 hex"}
 *                                                         hash only when the match is over
 *
 * QUERY_LEADERBOARD, of rated matches that are over; `ruleset` = "": all together, without
 * ratings, which are of one ruleset.
 *
 *   {"leaderboard":[{"player":1,"name":"Ann","bot":false,"games":9,"wins":5,"draws":1,
 *    "losses":3,"rating":1612,"deviation":87,"provisional":false}, ...]}
 *
 * QUERY_STATISTICS: counts over the newest matches (`newest` of them at most) that are finished,
 * as they were at `at`; `days` are of the last 30 days, in UTC, and count unfinished ones too.
 * `seats`, `models` and `cells` are lists of rows; a model's game is one in which a seat had it.
 *
 *   {"at":ms,"newest":2000,
 *    "days":[{"day":"2026-01-31","ruleset":"tactics","matches":9,"finished":7}, ...],
 *    "refusals":[{"ruleset":"tactics","check":"occupied","verdict":"occupied","submitted":4,
 *                 "resolved":3}, ...],
 *    "seats":[{"ruleset":"tactics","seat":0,"games":7,"wins":3,"draws":1}, ...],
 *    "models":[{"ruleset":"tactics","model":"archer","games":14,"wins":6,"draws":2}, ...],
 *    "cells":[{"ruleset":"tactics","x":4,"y":4,"bounces":8,"matches":5}, ...]}
 */
#define STORE_TEXT_MAX_MS      250
#define STORE_LIST_DEFAULT     50
#define STORE_LIST_MAX         200
#define STORE_REPLAY_DEFAULT   100
#define STORE_REPLAY_MAX       1000
#define STORE_REPLAY_BYTES_MAX (4u * 1024u * 1024u) /* of turns; then a page ends early */

struct store;

struct store_options {
    uint32_t jobs_max;
    int32_t busy_timeout_ms;
    bool collects; /* jobs lie until store_hand_over: they shall share a transaction */
    void (*wake)(void *context); /* jobs are done; may be NULL */
    /* A failed fsync.  NULL: a line to standard error and _exit(70). */
    void (*fatal)(void *context, const char *message);
    void *context;
};

void store_options_init(struct store_options *options);

/*
 * Opens or makes the database, brings it to this program's migrations and
 * starts the storage thread.  `path` is a file's name.  SK_ERR_REFUSED with a
 * fault that says what is wrong: cannot_open, in_use, not_ours, schema_newer,
 * schema_changed, migration_failed.
 */
enum sk_status store_open(const char *path, const struct store_options *options,
                          struct store **ret_store, struct sk_fault *ret_fault);

/* Works off what waits, then ends.  Jobs that are done but not taken are freed. */
void store_close(struct store *store);

struct store_port *store_port(struct store *store);

/* What was submitted since the last time is worked on; only with `collects` is there a need. */
void store_hand_over(struct store *store);

/* The jobs that are done, in order, linked by `next`; NULL when there is none.  They are the
 * caller's. */
struct store_job *store_take_done(struct store *store);

/* For /metrics; counted since the store was opened. */
struct store_figures {
    uint32_t jobs_waiting; /* not taken yet, done ones included */
    uint64_t jobs;         /* worked on, whatever became of them */
    uint64_t records;      /* appended and committed */
    uint64_t commits;      /* of transactions that wrote */
    uint64_t failures;     /* transactions taken back */
    struct metrics_durations commit;
    uint64_t wal_pages;  /* of 4096 bytes, after the last commit */
    uint64_t free_pages; /* of the database, as they were up to a second before that */
    bool has_failed;     /* the last transaction that wrote was taken back */
};

void store_figures(struct store *store, struct store_figures *ret_figures);

#endif /* SK_STORE_H */
