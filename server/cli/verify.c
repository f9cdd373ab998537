/*
 * skirmish verify - proves stored matches: plays each again with its version of
 * the rules, and compares everything that was stored.
 *
 * Threads: each worker has a connection and a playback of its own; they share
 * the list of matches, from which each takes the next, and the result.
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

#define WORKERS_MAX     64
#define LIST_AT_ONCE    1024u
#define PROGRESS_MS     200
#define PROGRESS_WIDTH  30
#define LISTED_FIRST_ID 0

struct verifying {
    const char *database;
    int64_t *ids;
    uint32_t count;
    bool *is_misrated; /* by place in `ids`; NULL: ratings are looked at with the tables */
    bool is_quiet;
    bool is_all; /* skips pruned matches, and checks the tables too */

    atomic_uint next;
    atomic_uint done;
    atomic_ullong turns;
    atomic_uint failed;
    atomic_uint pruned;
    atomic_uint found;       /* differences in tables that belong to no single match */
    atomic_bool is_auditing; /* a worker checks the tables */
    atomic_bool has_broken_off;
    pthread_mutex_t print;
};

/* ---- what does not hold ------------------------------------------------------------------ */

/* `match` 0: it belongs to no match. */
static void
say(struct verifying *verifying, int64_t match, const char *what, const char *at, const char *words)
{
    char whose[32] = "the database";

    if (match != 0) {
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

static void
found_in_tables(void *context, int64_t match, const char *at, const char *what)
{
    struct verifying *verifying = context;

    say(verifying, match, "does not hold: differs", at, what);
    atomic_fetch_add(&verifying->found, 1);
}

static void
found_in_ratings(void *context, int64_t match, const char *at, const char *what)
{
    struct verifying *verifying = context;

    say(verifying, match, "does not hold: differs", at, what);
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
    say(working->verifying, match, "does not hold: differs", at, what);
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

/* ---- workers ----------------------------------------------------------------------------- */

/* One worker checks the tables while the others continue with the matches. */
static bool
look_at_tables(struct verifying *verifying, struct sk_fault *ret_fault)
{
    struct audit *audit = NULL;
    enum sk_status status;

    if (!verifying->is_all || atomic_exchange(&verifying->is_auditing, true)) {
        return true;
    }
    status = audit_open(verifying->database, found_in_tables, verifying, &audit, ret_fault);
    if (status == SK_OK) {
        status = audit_all(audit, ret_fault);
    }
    audit_close(audit);
    return status == SK_OK;
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
        while ((at = atomic_fetch_add(&verifying->next, 1)) < verifying->count) {
            verify_match(&working, at);
            atomic_fetch_add(&verifying->done, 1);
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

/* ---- before the matches ------------------------------------------------------------------ */

/* The schema, because nothing else can be checked if a table is missing; or once for all given
 * matches the ratings, because they depend on the matches before. */
static bool
look_first(struct verifying *verifying)
{
    bool is_all = verifying->is_all;
    struct audit *audit = NULL;
    struct sk_fault fault;
    enum sk_status status =
        audit_open(verifying->database, is_all ? found_in_tables : found_in_ratings, verifying,
                   &audit, &fault);

    if (status == SK_OK) {
        status = is_all ? audit_schema(audit, &fault)
                        : audit_ratings(audit, verifying->ids, verifying->count, &fault);
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
        int64_t after =
            verifying->count == 0 ? LISTED_FIRST_ID : verifying->ids[verifying->count - 1];

        verifying->ids = heap_grow(verifying->ids, space * sizeof(verifying->ids[0]));
        status = archive_list(archive, after, LIST_AT_ONCE, verifying->ids + verifying->count,
                              &count, &fault);
        verifying->count += status == SK_OK ? count : 0;
    }
    archive_close(archive);
    return status == SK_OK || cli_fail("verify", &fault) == CLI_OK;
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

static int
verify(struct verifying *verifying, uint32_t worker_count)
{
    int64_t began_us = clock_us(CLOCK_MONOTONIC);

    if (verifying->count < worker_count) {
        worker_count = verifying->count == 0 ? 1 : verifying->count;
    }
    if (!run_workers(verifying, worker_count)) {
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
    } else if (!look_first(&verifying) || (is_all && !list_all(&verifying))) {
        status = CLI_FAILED;
    } else {
        status = verify(&verifying, jobs < 1             ? 1
                                    : jobs > WORKERS_MAX ? WORKERS_MAX
                                                         : (uint32_t)jobs);
    }
    free(verifying.is_misrated);
    free(verifying.ids);
    return status;
}
