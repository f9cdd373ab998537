/*
 * skirmish verify - proves stored matches: each is played again under its own
 * version of the rules, and everything that was stored is compared.
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
    bool is_quiet;
    bool is_all; /* then what was pruned is passed over, and the tables are looked at too */

    atomic_uint next;
    atomic_uint done;
    atomic_ullong turns;
    atomic_uint failed;
    atomic_uint pruned;
    atomic_uint found;       /* in tables, beside what matches fail by */
    atomic_bool is_auditing; /* somebody has begun to look at the tables */
    atomic_bool has_broken_off;
    pthread_mutex_t print;
};

/* ---- what does not hold ------------------------------------------------------------------ */

/* `match` is 0 for what is of no match. */
static void
say(struct verifying *verifying, int64_t match, const char *what, const char *at, const char *words)
{
    char whose[32] = "the database";

    if (match != 0) {
        (void)snprintf(whose, sizeof(whose), "match %lld", (long long)match);
    }
    pthread_mutex_lock(&verifying->print);
    if (isatty(STDERR_FILENO) && !verifying->is_quiet) {
        fprintf(stderr, "\r\033[K"); /* the line of the progress */
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

/* ---- one match --------------------------------------------------------------------------- */

/* What a worker has, and what it is at. */
struct working {
    struct verifying *verifying;
    struct archive *archive;
    struct playback *playback;
    struct audit *audit; /* of the rows of single matches; NULL: they are asked for all at once */
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
verify_match(struct working *working)
{
    struct verifying *verifying = working->verifying;
    struct store_job *job = NULL;
    struct sk_fault fault;
    uint64_t turns = 0;
    enum sk_status status = archive_load(working->archive, working->match, &job, &fault);

    working->is_failed = false;
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

/* The tables are work for one of the workers, while the others go on with the matches. */
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
    if (working->playback == NULL) {
        return sk_fault_set(ret_fault, "no_memory", "not enough memory") == SK_OK;
    }
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
            working.match = verifying->ids[at];
            verify_match(&working);
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

/* Until all are done, or nobody works any more. */
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

/* ---- the schema -------------------------------------------------------------------------- */

/* Before anything else: without a table nothing else can be asked. */
static bool
look_at_schema(struct verifying *verifying)
{
    struct audit *audit = NULL;
    struct sk_fault fault;
    enum sk_status status =
        audit_open(verifying->database, found_in_tables, verifying, &audit, &fault);

    if (status == SK_OK) {
        status = audit_schema(audit, &fault);
    }
    audit_close(audit);
    if (status != SK_OK) {
        fprintf(stderr, "skirmish verify: %s\n", fault.message);
    }
    return status == SK_OK;
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
        size_t room = (size_t)verifying->count + LIST_AT_ONCE;
        int64_t after =
            verifying->count == 0 ? LISTED_FIRST_ID : verifying->ids[verifying->count - 1];
        int64_t *ids = realloc(verifying->ids, room * sizeof(*ids));

        if (ids == NULL) {
            status = sk_fault_set(&fault, "no_memory", "not enough memory");
            break;
        }
        verifying->ids = ids;
        status = archive_list(archive, after, LIST_AT_ONCE, ids + verifying->count, &count, &fault);
        verifying->count += status == SK_OK ? count : 0;
    }
    archive_close(archive);
    if (status != SK_OK) {
        fprintf(stderr, "skirmish verify: %s\n", fault.message);
    }
    return status == SK_OK;
}

static bool
take_named(struct verifying *verifying, const struct cli_words *words)
{
    verifying->count = (uint32_t)words->count;
    return cli_ids_read("verify", words, &verifying->ids);
}

/* ---- the command ------------------------------------------------------------------------- */

static double
seconds_since(const struct timespec *began)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - began->tv_sec) + (double)(now.tv_nsec - began->tv_nsec) / 1e9;
}

static void
say_result(struct verifying *verifying, const struct timespec *began)
{
    double seconds = seconds_since(began);
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
        printf("; in the tables %u things do not hold", atomic_load(&verifying->found));
    }
    printf("\n");
}

static int
verify(struct verifying *verifying, uint32_t worker_count)
{
    struct timespec began;

    (void)clock_gettime(CLOCK_MONOTONIC, &began);
    if (verifying->count < worker_count) {
        worker_count = verifying->count == 0 ? 1 : verifying->count;
    }
    if (!run_workers(verifying, worker_count)) {
        return CLI_FAILED;
    }
    if (!verifying->is_quiet) {
        say_result(verifying, &began);
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
        { "jobs", CLI_NUMBER, &jobs, "N", "how many at a time (else one a processor)", 1,
          WORKERS_MAX },
        { "quiet", CLI_FLAG, &verifying.is_quiet, NULL, "print only what does not hold", 0, 0 },
    };
    const struct cli_usage usage = {
        .command = "verify",
        .arguments = "[ID...]",
        .about =
            "Proves that stored matches were played by the rules: each is played again from its\n"
            "params, seed and commands, under the version of the ruleset that it began with.\n"
            "Compared are the chain of hashes over all records, every verdict, event and state\n"
            "hash, the seed's commitment and the outcome; the first record that differs is named.\n"
            "Then every column that follows from the records is compared with them: seats, times,\n"
            "flags, result.  --all also looks for rows that nothing belongs to and for missing\n"
            "ones, counts all ratings again, compares the schema and lets SQLite check the file.\n"
            "What nothing proves is listed in migrations/README.md.  The database may be in use.\n"
            "\n"
            "exit status: 0 all hold, 1 one does not, 2 wrong usage\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
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
    if (is_all ? !look_at_schema(&verifying) || !list_all(&verifying)
               : !take_named(&verifying, &words)) {
        status = is_all ? CLI_FAILED : CLI_USAGE;
    } else {
        status = verify(&verifying, jobs < 1             ? 1
                                    : jobs > WORKERS_MAX ? WORKERS_MAX
                                                         : (uint32_t)jobs);
    }
    free(verifying.ids);
    return status;
}
