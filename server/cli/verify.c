/*
 * skirmish verify - proves stored matches: plays each again with its version of
 * the rules, and compares everything that was stored.
 *
 * Threads: each worker has a connection and working memory of its own; they share
 * the list of matches, from which each takes the next ones, and the result.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/cli/cli.h"
#include "server/cli/options.h"
#include "server/clock.h"
#include "server/memory.h"
#include "server/replay/playback.h"
#include "server/store/archive.h"
#include "server/store/audit.h"

#define WORKERS_MAX    64
#define LIST_AT_ONCE   1024u
#define PROGRESS_MS    200
#define PROGRESS_WIDTH 30
#define NO_MATCH       INT64_MIN /* before all numbers, also those that no server gives */

/* Matches that a worker plays at once, in the order in which their records are stored, and the
 * memory for their states and params. */
#define SHARE_MAX       1024u
#define SHARE_BYTES_MAX ((size_t)64 * 1024 * 1024)

struct verifying {
    const char *database;
    int64_t *ids;
    uint32_t count;
    bool *is_misrated; /* by place in `ids`; NULL: ratings are looked at with the tables */
    bool *is_proven;   /* by place in `ids`, by the worker that has taken it */
    uint32_t share;    /* how many a worker takes at once */
    bool is_quiet;
    bool is_all; /* skips pruned matches, and checks the tables too */

    atomic_uint next;
    atomic_uint done;
    atomic_ullong turns;
    atomic_uint failed;
    atomic_uint pruned;
    atomic_uint found;       /* differences in tables that belong to no single match */
    struct audit *audit;     /* of all tables, by one thread at a time */
    atomic_bool is_auditing; /* a worker checks the tables */
    atomic_bool has_broken_off;
    pthread_mutex_t print;
};

/* ---- what does not hold ------------------------------------------------------------------ */

static void
say(struct verifying *verifying, int64_t match, const char *what, const char *at, const char *words)
{
    char whose[32] = "the database";

    if (match != NO_MATCH) {
        (void)snprintf(whose, sizeof(whose), "match %lld", (long long)match);
    }
    pthread_mutex_lock(&verifying->print);
    if (isatty(STDERR_FILENO) && !verifying->is_quiet) {
        fprintf(stderr, "\r\033[K"); /* clears the progress line */
    }
    printf("%s %s%s%s: %s\n", whose, what, at[0] == '\0' ? "" : " at ", at, words);
    fflush(stdout);
    pthread_mutex_unlock(&verifying->print);
}

/* What an audit found; `match` 0: it belongs to no match. */
static void
say_found(struct verifying *verifying, int64_t match, const char *at, const char *what)
{
    say(verifying, match == 0 ? NO_MATCH : match, "does not hold: differs", at, what);
}

static void
found_in_tables(void *context, int64_t match, const char *at, const char *what)
{
    struct verifying *verifying = context;

    say_found(verifying, match, at, what);
    atomic_fetch_add(&verifying->found, 1);
}

static void
found_in_ratings(void *context, int64_t match, const char *at, const char *what)
{
    struct verifying *verifying = context;

    say_found(verifying, match, at, what);
    for (uint32_t i = 0; i < verifying->count; i++) {
        verifying->is_misrated[i] |= verifying->ids[i] == match;
    }
}

/* ---- one match --------------------------------------------------------------------------- */

/* One worker and its current match. */
struct working {
    struct verifying *verifying;
    struct archive *archive;
    struct playback *playback;
    struct audit *audit; /* of the rows of single matches; NULL with --all */
    uint32_t share;      /* where the taken matches begin ... */
    size_t share_bytes;  /* ... and what those take that are being played */
    int64_t match;
    bool is_failed;
};

static void
found_in_records(void *context, const struct sk_fault *fault)
{
    struct working *working = context;
    char what[64];

    working->is_failed = true;
    if (strcmp(fault->code, "pruned") == 0) {
        say(working->verifying, working->match, "cannot be proven", "", fault->message);
    } else {
        (void)snprintf(what, sizeof(what), "does not hold: %s", fault->code);
        say(working->verifying, working->match, what, fault->at, fault->message);
    }
}

static void
found_in_rows(void *context, int64_t match, const char *at, const char *what)
{
    struct working *working = context;

    working->is_failed = true;
    say_found(working->verifying, match, at, what);
}

static void
verify_match(struct working *working, uint32_t at)
{
    struct verifying *verifying = working->verifying;
    struct store_job *job = NULL;
    struct sk_fault fault;
    uint64_t turns = 0;
    enum sk_status status;

    working->match = verifying->ids[at];
    working->is_failed = verifying->is_misrated != NULL && verifying->is_misrated[at];
    status = archive_load(working->archive, working->match, &job, &fault);
    if (status != SK_OK && verifying->is_all && strcmp(fault.code, "pruned") == 0) {
        atomic_fetch_add(&verifying->pruned, 1);
        return;
    }
    if (status == SK_OK) {
        status = playback_play(working->playback, job, &turns, &fault);
    }
    if (status == SK_OK) {
        playback_compare(working->playback, job, found_in_records, working);
    } else {
        found_in_records(working, &fault);
    }
    if (working->audit != NULL && audit_match(working->audit, working->match, &fault) != SK_OK) {
        found_in_records(working, &fault);
    }
    atomic_fetch_add(&verifying->failed, working->is_failed);
    atomic_fetch_add(&verifying->turns, turns);
    store_job_free(job);
}

/* ---- many matches ------------------------------------------------------------------------- */

/* A match whose records come between those of others. */
struct streamed {
    struct working *working;
    struct playback *playback;
    uint32_t at;
    size_t bytes;
    uint64_t turns;
    bool is_different;
};

static void *
begin_streamed(void *context, uint32_t index, const struct store_job *job)
{
    struct working *working = context;
    struct playback *playback;
    struct streamed *streamed;
    struct sk_fault fault;

    if (working->share_bytes > SHARE_BYTES_MAX) {
        return NULL;
    }
    playback = playback_alloc_beside(working->playback);
    if (playback_begin(playback, &job->match, &fault) != SK_OK) {
        playback_free(playback);
        return NULL;
    }
    streamed = heap_memory(sizeof(*streamed));
    streamed->working = working;
    streamed->playback = playback;
    streamed->at = working->share + index;
    streamed->bytes = 2 * playback->before_size + strlen(job->match.params) +
                      playback->match.config->config_size / playback->match.config->references;
    working->share_bytes += streamed->bytes;
    return streamed;
}

static bool
play_streamed(void *it, const struct store_record *record)
{
    struct streamed *streamed = it;
    struct sk_fault fault;
    bool is_played = playback_record(streamed->playback, record, &fault) == SK_OK;

    streamed->turns += streamed->playback->has_turn ? 1 : 0;
    return is_played;
}

static void
note_difference(void *context, const struct sk_fault *fault)
{
    struct streamed *streamed = context;

    (void)fault;
    streamed->is_different = true;
}

static void
end_streamed(void *it, const struct store_job *job, bool is_whole)
{
    struct streamed *streamed = it;
    struct verifying *verifying = streamed->working->verifying;

    if (is_whole) {
        playback_compare(streamed->playback, job, note_difference, streamed);
    }
    if (is_whole && !streamed->is_different) {
        verifying->is_proven[streamed->at] = true;
        atomic_fetch_add(&verifying->turns, streamed->turns);
        atomic_fetch_add(&verifying->done, 1);
    }
    streamed->working->share_bytes -= streamed->bytes;
    playback_free(streamed->playback);
    free(streamed);
}

/* What the stream does not prove is looked at match by match, which says what is wrong. */
static void
verify_share(struct working *working, uint32_t share, uint32_t count)
{
    struct verifying *verifying = working->verifying;
    const struct archive_taker taker = { working, begin_streamed, play_streamed, end_streamed };

    working->share = share;
    if (verifying->is_all) {
        archive_stream(working->archive, verifying->ids + share, count, &taker);
    }
    for (uint32_t at = share; at < share + count; at++) {
        if (!verifying->is_proven[at]) {
            verify_match(working, at);
            atomic_fetch_add(&verifying->done, 1);
        }
    }
}

/* ---- workers ----------------------------------------------------------------------------- */

/* One worker checks the tables while the others continue with the matches. */
static bool
look_at_tables(struct verifying *verifying, struct sk_fault *ret_fault)
{
    if (!verifying->is_all || atomic_exchange(&verifying->is_auditing, true)) {
        return true;
    }
    return audit_schema(verifying->audit, ret_fault) == SK_OK &&
           audit_all(verifying->audit, ret_fault) == SK_OK;
}

static bool
working_begin(struct working *working, struct sk_fault *ret_fault)
{
    const char *database = working->verifying->database;

    working->playback = playback_alloc();
    return archive_open(database, &working->archive, ret_fault) == SK_OK &&
           (working->verifying->is_all ||
            audit_open(database, found_in_rows, working, &working->audit, ret_fault) == SK_OK) &&
           look_at_tables(working->verifying, ret_fault);
}

static void *
work(void *context)
{
    struct verifying *verifying = context;
    struct working working = { .verifying = verifying };
    struct sk_fault fault;
    uint32_t at;

    if (!working_begin(&working, &fault)) {
        fprintf(stderr, "skirmish verify: %s\n", fault.message);
        atomic_store(&verifying->has_broken_off, true);
    } else {
        while ((at = atomic_fetch_add(&verifying->next, verifying->share)) < verifying->count) {
            uint32_t left = verifying->count - at;

            verify_share(&working, at, left < verifying->share ? left : verifying->share);
        }
    }
    audit_close(working.audit);
    archive_close(working.archive);
    playback_free(working.playback);
    return NULL;
}

static void
show_progress(const struct verifying *verifying)
{
    uint32_t done = atomic_load(&verifying->done);
    uint32_t filled = (uint32_t)((uint64_t)done * PROGRESS_WIDTH / verifying->count);
    char bar[PROGRESS_WIDTH + 1];

    memset(bar, '.', PROGRESS_WIDTH);
    memset(bar, '#', filled);
    bar[PROGRESS_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %u of %u matches", bar, done, verifying->count);
    fflush(stderr);
}

/* Until all are done, or a worker has failed. */
static void
watch(const struct verifying *verifying)
{
    const struct timespec pause = { 0, PROGRESS_MS * 1000000L };

    while (atomic_load(&verifying->done) < verifying->count &&
           !atomic_load(&verifying->has_broken_off)) {
        show_progress(verifying);
        (void)nanosleep(&pause, NULL);
    }
    fprintf(stderr, "\r\033[K");
}

static bool
run_workers(struct verifying *verifying, uint32_t worker_count)
{
    pthread_t workers[WORKERS_MAX];
    uint32_t started = 0;

    while (started < worker_count &&
           pthread_create(&workers[started], NULL, work, verifying) == 0) {
        started++;
    }
    if (started > 0 && !verifying->is_quiet && isatty(STDERR_FILENO)) {
        watch(verifying);
    }
    for (uint32_t i = 0; i < started; i++) {
        pthread_join(workers[i], NULL);
    }
    return started > 0 && !atomic_load(&verifying->has_broken_off);
}

/* ---- the ratings of given matches --------------------------------------------------------- */

/* Once for all of them, because they depend on the matches before. */
static bool
look_at_ratings(struct verifying *verifying)
{
    struct audit *audit = NULL;
    struct sk_fault fault;
    enum sk_status status =
        audit_open(verifying->database, found_in_ratings, verifying, &audit, &fault);

    if (status == SK_OK) {
        status = audit_ratings(audit, verifying->ids, verifying->count, &fault);
    }
    audit_close(audit);
    return status == SK_OK || cli_fail("verify", &fault) == CLI_OK;
}

/* ---- which ------------------------------------------------------------------------------- */

static bool
list_all(struct verifying *verifying)
{
    struct archive *archive = NULL;
    struct sk_fault fault;
    uint32_t count = LIST_AT_ONCE;
    enum sk_status status = archive_open(verifying->database, &archive, &fault);

    while (status == SK_OK && count == LIST_AT_ONCE) {
        size_t space = (size_t)verifying->count + LIST_AT_ONCE;
        int64_t after = verifying->count == 0 ? NO_MATCH : verifying->ids[verifying->count - 1];

        verifying->ids = heap_grow(verifying->ids, space * sizeof(verifying->ids[0]));
        status = archive_list(archive, after, LIST_AT_ONCE, verifying->ids + verifying->count,
                              &count, &fault);
        verifying->count += status == SK_OK ? count : 0;
    }
    archive_close(archive);
    return status == SK_OK || cli_fail("verify", &fault) == CLI_OK;
}

/* If a table cannot be read, the schema says more about it. */
static bool
begin_all(struct verifying *verifying)
{
    struct sk_fault fault;
    enum sk_status status =
        audit_open(verifying->database, found_in_tables, verifying, &verifying->audit, &fault);

    if (status == SK_OK && list_all(verifying)) {
        return true;
    }
    if (status == SK_OK) {
        status = audit_schema(verifying->audit, &fault);
    }
    if (status != SK_OK) {
        (void)cli_fail("verify", &fault);
    }
    return false;
}

static bool
take_named(struct verifying *verifying, const struct cli_words *words)
{
    verifying->count = (uint32_t)words->count;
    verifying->is_misrated = heap_memory(verifying->count * sizeof(*verifying->is_misrated));
    return cli_ids_read("verify", words, &verifying->ids);
}

/* ---- the command ------------------------------------------------------------------------- */

static void
say_result(struct verifying *verifying, int64_t began_us)
{
    double seconds = (double)(clock_us(CLOCK_MONOTONIC) - began_us) / 1e6;
    unsigned long long turns = atomic_load(&verifying->turns);
    uint32_t failed = atomic_load(&verifying->failed);
    uint32_t pruned = atomic_load(&verifying->pruned);
    uint32_t count = verifying->count - pruned;

    printf("%u of %u %s, with %llu %s played again in %.2f s", count - failed, count,
           sk_plural(count, "match holds", "matches hold"), turns,
           sk_plural((int64_t)turns, "turn", "turns"), seconds);
    if (seconds > 0) {
        printf(" (per second: %.0f matches, %.0f turns)", count / seconds, (double)turns / seconds);
    }
    if (pruned > 0) {
        printf("; %u more cannot be proven, their records were pruned", pruned);
    }
    if (atomic_load(&verifying->found) > 0) {
        printf("; %u differences in the tables", atomic_load(&verifying->found));
    }
    printf("\n");
}

/* Some checks of the tables rely on proven matches. */
static bool
look_again(struct verifying *verifying)
{
    struct sk_fault fault;

    return !verifying->is_all || atomic_load(&verifying->failed) == 0 ||
           audit_records(verifying->audit, &fault) == SK_OK || cli_fail("verify", &fault) == CLI_OK;
}

/* One worker checks the tables first, which takes about 0.3 of the time for all matches. */
static uint32_t
share_of(const struct verifying *verifying, uint32_t worker_count)
{
    uint64_t share = (uint64_t)verifying->count * 13 / (10 * worker_count) + 1;

    return !verifying->is_all ? 1 : share < SHARE_MAX ? (uint32_t)share : SHARE_MAX;
}

static int
verify(struct verifying *verifying, uint32_t worker_count)
{
    int64_t began_us = clock_us(CLOCK_MONOTONIC);

    if (verifying->count < worker_count) {
        worker_count = verifying->count == 0 ? 1 : verifying->count;
    }
    verifying->is_proven = heap_memory((verifying->count + 1) * sizeof(*verifying->is_proven));
    verifying->share = share_of(verifying, worker_count);
    if (!run_workers(verifying, worker_count) || !look_again(verifying)) {
        return CLI_FAILED;
    }
    if (!verifying->is_quiet) {
        say_result(verifying, began_us);
    }
    return atomic_load(&verifying->failed) + atomic_load(&verifying->found) > 0 ? CLI_FAILED
                                                                                : CLI_OK;
}

int
cli_verify(int argc, char **argv)
{
    struct verifying verifying = { .print = PTHREAD_MUTEX_INITIALIZER };
    const char *database = NULL;
    bool is_all = false;
    int64_t jobs = sysconf(_SC_NPROCESSORS_ONLN);
    const struct cli_option options[] = {
        { "all", CLI_FLAG, &is_all, NULL, "every match of the database", 0, 0 },
        CLI_DATABASE_OPTION(&database),
        { "jobs", CLI_NUMBER, &jobs, "N", "how many at a time (else one per processor)", 1,
          WORKERS_MAX },
        { "quiet", CLI_FLAG, &verifying.is_quiet, NULL, "print only what does not hold", 0, 0 },
    };
    const struct cli_usage usage = {
        .command = "verify",
        .arguments = "[ID...]",
        .about =
            "Proves that stored matches were played by the rules: each is played again from its\n"
            "params, seed and commands, under the version of the ruleset that it began with.  It\n"
            "compares the chain of hashes over all records, every verdict, event and state hash,\n"
            "the seed's commitment and the outcome, and names the first record that differs.\n"
            "Then it compares every column that follows from the records: seats, times, flags,\n"
            "result, and the ratings, which are computed again up to the match.  --all also looks\n"
            "for orphaned and missing rows, computes all ratings and standings again, compares\n"
            "the schema and lets SQLite check the whole file.  migrations/README.md lists what\n"
            "cannot be proven.  The database may be in use.\n"
            "\n"
            "exit status: 0 all hold, 1 one does not, 2 wrong usage\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (is_all == (words.count > 0)) {
        return cli_usage_error("verify", "name matches by their numbers, or give --all", NULL);
    }
    verifying.database = cli_database(database);
    verifying.is_all = is_all;
    if (!is_all && !take_named(&verifying, &words)) {
        status = CLI_USAGE;
    } else if (is_all ? !begin_all(&verifying) : !look_at_ratings(&verifying)) {
        status = CLI_FAILED;
    } else {
        status = verify(&verifying, jobs < 1             ? 1
                                    : jobs > WORKERS_MAX ? WORKERS_MAX
                                                         : (uint32_t)jobs);
    }
    audit_close(verifying.audit);
    free(verifying.is_proven);
    free(verifying.is_misrated);
    free(verifying.ids);
    return status;
}
