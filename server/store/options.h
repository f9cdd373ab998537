/*
 * The store's limits and options, and the texts that it answers with.
 *
 * Owner:   the caller of store_open keeps its options as long as the store is open.
 * Threads: constant while the store is open.
 */
#ifndef SK_STORE_OPTIONS_H
#define SK_STORE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define STORE_JOBS_MAX        8192u /* jobs inside the store at once, including done ones */
#define STORE_APART_MAX       4096u /* the same for each desk of read-only jobs */
#define STORE_BATCH_MAX       512u  /* jobs per transaction; more would only add delay */
#define STORE_BUSY_TIMEOUT_MS 1000  /* how long to wait for another process's lock */

/*
 * Results of JOB_TEXT.  `limit` is 1 to its maximum below; 0 or less means the default.  A query
 * that uses more than STORE_TEXT_MAX_MS of its thread's processor time, or takes four times as long
 * on a shared database, is cancelled.
 *
 * QUERY_MATCHES, newest first.  `player` = 0: all open matches.  Otherwise the matches in which the
 * player has a seat, including private ones (so only the player may ask).  `after` is 0 or the
 * `next` of the answer before.
 *
 *   {"matches":[ROW, ...],"next":7}                       next is null in the last answer
 *                                                         (and 0 in job->text.after)
 *   ROW = {"id":7,"ruleset":"tactics","version":1,"status":"running","open":true,"rated":true,
 *          "players":["Ann",null],"ratings":[{"rating":1612,"provisional":false,"change":4},null],
 *          "turn":12,"created_at":ms,"started_at":ms,"ended_at":null,"winner":null,"reason":null,
 *          "settings":{...}}                              turn: the last resolved, or null
 *                                                         ratings: null without a rated match;
 *                                                         once a match has counted, after it
 *
 * QUERY_MATCH: one ROW with "params":{...} and, once it is over, "seed", "salt" and "head" (hex).
 * STORE_NOT_FOUND also if it is private, `player` has no seat in it and `code` is not its code.
 * While it is not over, params are null if `hides` says so.  QUERY_CARD: the ROW alone.
 *
 * QUERY_REPLAY, NDJSON: a header, then a line per turn > `after` (STORE_NO_TURN: from turn 0).
 * Access is checked as for QUERY_MATCH.  While the match is running, as many turns as its
 * `spectator_delay` allows, and none if `hides` says so: commands and events are unfiltered.
 *
 *   the object of QUERY_MATCH, and "seats":[{"player":1,"name":"Ann","bot":false},null],
 *   "next":turn|null                                      `after` for the next turns
 *   {"turn":0,"at":ms,"commands":[[...],[...]],"verdicts":[[...],[...]],"events":[...],
 *    "clocks":{"used_ms":[...],"bank_ms":[...]},"hash":"16 hex"}
 *                                                         hash only once the match is over
 *
 * QUERY_LEADERBOARD, over finished rated matches.  `ruleset` = "": all rulesets together, without
 * ratings, which exist per ruleset.
 *
 *   {"leaderboard":[{"player":1,"name":"Ann","bot":false,"games":9,"wins":5,"draws":1,
 *    "losses":3,"rating":1612,"deviation":87,"provisional":false}, ...]}
 *
 * QUERY_PLAYER: `subject`, or if 0 `player`, over their newest STORE_PROFILE_MATCHES matches,
 * private ones too if both are the same.  `history` (the newest first) and `opponents` (the most
 * frequent first) are limited like lists.  STORE_NOT_FOUND if there is no such player.
 *
 *   {"id":1,"name":"Ann","bot":false,
 *    "standings":[{"ruleset":"tactics","games":9,"wins":5,"draws":1,"losses":3,"rating":1612,
 *                  "deviation":87,"provisional":false}, ...],
 *    "history":[{"match":7,"ruleset":"tactics","ended_at":ms,"rating":1612,"change":12}, ...],
 *    "opponents":[{"player":2,"name":"Bob","bot":false,"games":4,"won":2,"drawn":1,"lost":1}, ...]}
 *
 * QUERY_QUEUE: who waits, the longest first, at most STORE_LIST_DEFAULT.  On SQLite `text` is
 * [{"player":1,"seek":{"ruleset":"tactics",...}},...] from the host; PostgreSQL has it stored.
 *
 *   {"queue":[{"name":"Ann","bot":false,"rating":1612,"provisional":false,"seek":{...}}, ...]}
 *
 * QUERY_STATISTICS: counts over the newest finished matches (at most `newest`) as of `at`.  `days`
 * covers the last 30 days, in UTC, and includes unfinished matches.  `seats`, `models` and `cells`
 * are lists of rows; a model's games are those in which a seat had it.
 *
 *   {"at":ms,"newest":2000,
 *    "days":[{"day":"2026-01-31","ruleset":"tactics","matches":9,"finished":7}, ...],
 *    "refusals":[{"ruleset":"tactics","check":"occupied","verdict":"occupied","submitted":4,
 *                 "resolved":3}, ...],
 *    "seats":[{"ruleset":"tactics","seat":0,"games":7,"wins":3,"draws":1}, ...],
 *    "models":[{"ruleset":"tactics","model":"archer","games":14,"wins":6,"draws":2}, ...],
 *    "cells":[{"ruleset":"tactics","x":4,"y":4,"bounces":8,"matches":5}, ...]}
 */
#define STORE_TEXT_MAX_MS      1000
#define STORE_LIST_DEFAULT     50
#define STORE_LIST_MAX         200
#define STORE_PROFILE_MATCHES  2000
#define STORE_REPLAY_DEFAULT   100
#define STORE_REPLAY_MAX       1000
#define STORE_REPLAY_BYTES_MAX (4u * 1024u * 1024u) /* per answer; then it ends early ... */
#define STORE_REPLAY_MAX_MS    250                  /* ... as it does after this time */

/* This program as one of the nodes of a shared database. */
struct store_node {
    const char *name;     /* unique: a start under the same name ends the lease of the older one */
    const char *path;     /* where clients find it, such as /n/NAME/ */
    const char *rulesets; /* with their versions, such as "halma 1,snarl 2": it claims no others */
    _Atomic int64_t id;   /* set by the store: a number per start */
};

struct store_options {
    uint32_t jobs_max;
    int32_t busy_timeout_ms;
    bool collects;               /* jobs wait for store_hand_over, to share a transaction */
    void (*wake)(void *context); /* jobs are done; may be NULL */
    /* Called after a failed fsync.  NULL: print a line to standard error and _exit(70). */
    void (*fatal)(void *context, const char *message);
    void *context;

    /* Of a shared database.  NULL: a tool, which owns no matches. */
    struct store_node *node;
};

static inline void
store_options_init(struct store_options *options)
{
    *options = (struct store_options){
        .jobs_max = STORE_JOBS_MAX,
        .busy_timeout_ms = STORE_BUSY_TIMEOUT_MS,
    };
}

#endif /* SK_STORE_OPTIONS_H */
