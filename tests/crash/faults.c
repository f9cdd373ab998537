/*
 * The disk fails: nothing is acknowledged that is not stored, nothing that
 * was refused is stored, and the store continues when the cause is gone.
 *
 *   faults [--seed N] [--samples COUNT]
 *
 * In each case one system call fails, once or for a while: the first open, the
 * second open and so on.  If there are many calls of a kind, the first ones and
 * COUNT others are tried.  The store runs in its own process, because a failed
 * sync ends it; its results are in shared memory.  Then the file is opened
 * again and read.
 */
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/exit.h"
#include "server/store/store.h"
#include "tests/crash/chance.h"
#include "tests/crash/disk.h"
#include "tests/crash/image.h"
#include "tests/support/temp.h"

#define PATH_SIZE     512
#define MATCH_COUNT   3
#define STEP_COUNT    75
#define BODY_BYTES    40000 /* so that the log is brought into the database meanwhile */
#define FIRST_ALL     8     /* the first calls of a kind are all tried */
#define TRIES_MAX     5     /* jobs after the cause is gone */
#define EXIT_WRONG    9
#define EXIT_NO_STORE 8

/* Results that the child got; in shared memory. */
struct told {
    uint32_t stored[MATCH_COUNT][STEP_COUNT * 2]; /* attempts, by seq - 2 */
    uint32_t count[MATCH_COUNT];
    uint32_t sent[MATCH_COUNT]; /* the attempt that was sent and not answered, or 0 */
    uint32_t refused;
    uint32_t matched; /* calls of the kind, until it recovers */
    uint32_t failed;  /* of these */
    char wrong[256];
};

/* Possible effects of a fault, besides jobs that are refused for a while. */
enum end {
    END_NOT,     /* nothing; opening may fail */
    END_PROCESS, /* ends the process when it serves */
    END_OPENING  /* opening must fail */
};

struct plan {
    const char *label;
    struct disk_fault fault;
    enum end end;
};

struct suite {
    char folder[PATH_SIZE / 2];
    char path[PATH_SIZE];
    struct told *told;
    struct chance chance;
    uint32_t samples;
    uint32_t passed;
    uint32_t failed;
    uint32_t wrong;    /* cases */
    uint32_t hits;     /* calls that failed */
    uint32_t ended;    /* children that ended to recover */
    uint32_t unopened; /* children whose store did not open */
};

/* ---- the child --------------------------------------------------------------------------- */

static void __attribute__((noreturn, format(printf, 2, 3)))
wrong(struct suite *suite, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(suite->told->wrong, sizeof(suite->told->wrong), format, arguments);
    va_end(arguments);
    _exit(EXIT_WRONG);
}

static struct store_job *
run_job(struct store *store, struct store_job *job)
{
    struct store_port *port = store_port(store);
    struct store_job *done;

    if (!port->submit(port, job)) {
        abort();
    }
    while ((done = store_take_done(store)) == NULL) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
    }
    return done;
}

static char *
body_of(uint32_t attempt)
{
    char *body = malloc(BODY_BYTES + 64);

    if (body == NULL) {
        abort();
    }
    (void)snprintf(body, BODY_BYTES + 64, "{\"attempt\":%u,\"pad\":\"%0*d\"}", attempt, BODY_BYTES,
                   0);
    return body;
}

static char *
copy(const char *text)
{
    char *made = malloc(strlen(text) + 1);

    if (made == NULL) {
        abort();
    }
    return strcpy(made, text);
}

static void
add_record(struct store_job *job, uint32_t seq, enum store_record_kind kind, uint32_t attempt)
{
    struct store_record *record = store_job_add_record(job);

    record->seq = seq;
    record->kind = kind;
    record->turn = STORE_NO_TURN;
    record->seat = STORE_NO_SEAT;
    record->body = body_of(attempt);
    record->body_length = strlen(record->body);
}

static struct store_job *
make_create(void)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_CREATE);

    job->match.ruleset = copy("tactics");
    job->match.version = 1;
    job->match.params = copy("{}");
    job->match.settings = copy("{}");
    job->match.seat_count = 2;
    job->match.winner = STORE_NOBODY;
    add_record(job, 1, RECORD_CREATED, 0);
    return job;
}

/* The only results allowed while the disk fails. */
static bool
is_stored(struct suite *suite, const struct store_job *job, const char *what)
{
    if (job->result != STORE_OK && job->result != STORE_UNAVAILABLE) {
        wrong(suite, "%s came to %d: %s", what, (int)job->result, job->message);
    }
    suite->told->refused += job->result != STORE_OK;
    return job->result == STORE_OK;
}

static void
create_matches(struct suite *suite, struct store *store)
{
    for (int64_t id = 1; id <= MATCH_COUNT;) {
        struct store_job *job = run_job(store, make_create());

        if (is_stored(suite, job, "a creation") && job->match_id != id++) {
            wrong(suite, "a match has another id than the next");
        }
        store_job_free(job);
        if (suite->told->refused > 1000) {
            wrong(suite, "no match can be created any more");
        }
    }
}

/* The generation is the attempt, so earlier failures have no effect. */
static bool
append(struct suite *suite, struct store *store, uint32_t match, uint32_t attempt)
{
    struct told *told = suite->told;
    struct store_job *job = store_job_alloc(JOB_MATCH_APPEND);
    bool is_fine;

    job->match_id = (int64_t)match + 1;
    job->append.generation = attempt;
    add_record(job, told->count[match] + 2, RECORD_TURN, attempt);
    told->sent[match] = attempt;
    job = run_job(store, job);
    is_fine = is_stored(suite, job, "an append");
    if (is_fine) {
        told->stored[match][told->count[match]++] = attempt;
    }
    told->sent[match] = 0;
    store_job_free(job);
    return is_fine;
}

static void
load(struct suite *suite, struct store *store, uint32_t match)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);

    job->match_id = (int64_t)match + 1;
    job = run_job(store, job);
    if (is_stored(suite, job, "a load") && job->record_count != suite->told->count[match] + 1) {
        wrong(suite, "match %u has %u records instead of %u", match + 1, job->record_count,
              suite->told->count[match] + 1);
    }
    store_job_free(job);
}

static void
recover(struct suite *suite, struct store *store)
{
    bool is_fine = false;

    suite->told->matched = disk_matched();
    suite->told->failed = disk_failed();
    disk_fail(NULL);
    disk_quota(0);
    for (uint32_t i = 0; i < TRIES_MAX && !is_fine; i++) {
        is_fine = append(suite, store, i % MATCH_COUNT, STEP_COUNT + 1 + i);
    }
    if (!is_fine) {
        wrong(suite, "the cause is gone and nothing can be stored");
    }
    suite->told->refused = 0;
    for (uint32_t i = 0; i < MATCH_COUNT; i++) {
        load(suite, store, i);
    }
    if (suite->told->refused > 0) {
        wrong(suite, "the cause is gone and not all can be read");
    }
}

static struct store *
open_store(struct suite *suite)
{
    struct store_options options;
    struct store *store;
    struct sk_fault fault;

    store_options_init(&options);
    if (store_open(suite->path, &options, &store, &fault) != SK_OK) {
        return NULL;
    }
    return store;
}

static void __attribute__((noreturn))
be_child(struct suite *suite, const struct disk_fault *fault, uint64_t quota)
{
    struct store *store;

    if (freopen("/dev/null", "w", stderr) == NULL) { /* the store's message when it ends */
        abort();
    }
    disk_begin(suite->folder);
    disk_fail(fault);
    store = open_store(suite);
    if (store == NULL && disk_failed() == 0) {
        wrong(suite, "the store does not open, and no call has failed");
    }
    if (store == NULL) {
        _exit(EXIT_NO_STORE);
    }
    create_matches(suite, store);
    disk_quota(quota == 0 ? 0 : disk_used() + quota);
    for (uint32_t i = 1; i <= STEP_COUNT; i++) {
        (void)append(suite, store, i % MATCH_COUNT, i);
        if (i % 8 == 0) {
            load(suite, store, i / 8 % MATCH_COUNT);
        }
    }
    recover(suite, store);
    store_close(store);
    _exit(0);
}

/* ---- the parent -------------------------------------------------------------------------- */

/* The attempt that a stored record belongs to. */
static uint32_t
attempt_of(const char *body)
{
    uint32_t attempt = 0;

    return body != NULL && sscanf(body, "{\"attempt\":%u", &attempt) == 1 ? attempt : UINT32_MAX;
}

/* Acknowledged attempts are stored; besides them, only the unanswered one. */
static const char *
compare(const struct told *told, sqlite3 *db)
{
    sqlite3_stmt *rows = NULL;
    uint32_t count[MATCH_COUNT] = { 0 };
    const char *fault = NULL;

    if (sqlite3_prepare_v2(db,
                           "SELECT match, seq, body FROM record WHERE seq > 1 "
                           "ORDER BY match, seq",
                           -1, &rows, NULL) != SQLITE_OK) {
        return "the records cannot be read";
    }
    while (fault == NULL && sqlite3_step(rows) == SQLITE_ROW) {
        uint32_t match = (uint32_t)sqlite3_column_int64(rows, 0) - 1;
        uint32_t attempt = attempt_of((const char *)sqlite3_column_text(rows, 2));
        uint32_t at = match < MATCH_COUNT ? count[match]++ : 0;

        if (match >= MATCH_COUNT || sqlite3_column_int64(rows, 1) != (int64_t)at + 2) {
            fault = "a record that cannot be";
        } else if (at < told->count[match] ? attempt != told->stored[match][at]
                                           : attempt != told->sent[match]) {
            fault = "a record that was refused, or never sent";
        }
    }
    for (int i = 0; i < MATCH_COUNT && fault == NULL; i++) {
        fault = count[i] < told->count[i] ? "LOST: acknowledged, and not stored" : NULL;
    }
    (void)sqlite3_finalize(rows);
    return fault;
}

static const char *
check_integrity(sqlite3 *db)
{
    sqlite3_stmt *row = NULL;
    const char *fault = "the integrity check fails";

    if (sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW &&
        strcmp((const char *)sqlite3_column_text(row, 0), "ok") == 0) {
        fault = NULL;
    }
    (void)sqlite3_finalize(row);
    return fault;
}

/* The next start. */
static const char *
start_again(struct suite *suite)
{
    struct store *store = open_store(suite);
    const char *fault = NULL;
    struct store_job *job;
    sqlite3 *db;

    if (store == NULL) {
        return "it does not open any more";
    }
    for (int64_t id = 1; id <= MATCH_COUNT && fault == NULL; id++) {
        job = store_job_alloc(JOB_MATCH_LOAD);
        job->match_id = id;
        job = run_job(store, job);
        fault = job->result == STORE_OK || job->result == STORE_NOT_FOUND
                    ? NULL
                    : "a match cannot be loaded any more";
        store_job_free(job);
    }
    store_close(store);
    if (fault == NULL && sqlite3_open(suite->path, &db) == SQLITE_OK) {
        fault = check_integrity(db);
        fault = fault == NULL ? compare(suite->told, db) : fault;
        (void)sqlite3_close(db);
    }
    return fault;
}

/* How the child must end: a failed sync ends it, and nothing else. */
static const char *
check_end(struct suite *suite, const struct plan *plan, int status)
{
    const struct told *told = suite->told;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

    switch (code) {
    case EXIT_WRONG:
        return told->wrong;
    case EXIT_NO_STORE:
        suite->unopened++;
        return NULL;
    case SERVER_EXIT_STORAGE:
        suite->ended++;
        return plan->end == END_PROCESS ? NULL : "it has ended though no sync failed";
    case 0:
        return plan->end == END_NOT || told->failed == 0 ? NULL : "a failed sync was passed over";
    default:
        return "it has crashed";
    }
}

static void
run_case(struct suite *suite, const struct plan *plan, uint32_t after, uint64_t quota)
{
    struct disk_fault fault = plan->fault;
    const char *trouble;
    int status;
    pid_t child;

    fault.after = after;
    memset(suite->told, 0, sizeof(*suite->told));
    image_clear(suite->folder);
    (void)fflush(stdout);
    child = fork();
    if (child == 0) {
        be_child(suite, &fault, quota);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("faults");
        exit(2);
    }
    trouble = check_end(suite, plan, status);
    if (trouble == NULL) {
        trouble = start_again(suite);
    }
    suite->hits += suite->told->failed;
    if (trouble != NULL) {
        suite->wrong++;
        (void)printf("%s, after %u, %" PRIu64 " bytes left: %s\n", plan->label, after, quota,
                     trouble);
    }
}

/* ---- plans ------------------------------------------------------------------------------- */

#define FOR_A_WHILE 40

static const struct plan plans[] = {
    { "open fails", { DISK_CALL_OPEN, 0, 1, EIO, "" }, END_NOT },
    { "too many files", { DISK_CALL_OPEN, 0, FOR_A_WHILE, EMFILE, "" }, END_NOT },
    { "read fails", { DISK_CALL_READ, 0, 1, EIO, "" }, END_NOT },
    { "read fails for a while", { DISK_CALL_READ, 0, FOR_A_WHILE, EIO, "" }, END_NOT },
    { "write fails", { DISK_CALL_WRITE, 0, 1, EIO, "" }, END_NOT },
    { "write fails for a while", { DISK_CALL_WRITE, 0, FOR_A_WHILE, EIO, "" }, END_NOT },
    { "no space for a while", { DISK_CALL_WRITE, 0, FOR_A_WHILE, ENOSPC, "" }, END_NOT },
    { "read-only for a while", { DISK_CALL_WRITE, 0, FOR_A_WHILE, EROFS, "" }, END_NOT },
    { "truncate fails", { DISK_CALL_TRUNCATE, 0, 1, EIO, "" }, END_NOT },
    { "remove fails", { DISK_CALL_REMOVE, 0, 1, EIO, "" }, END_NOT },
    { "the log cannot be synced", { DISK_CALL_SYNC, 0, 1, EIO, "-wal" }, END_PROCESS },
    { "the database cannot be synced", { DISK_CALL_SYNC, 0, 1, EIO, ".db" }, END_PROCESS },
    { "the folder cannot be synced once", { DISK_CALL_SYNC, 0, 1, EIO, "/" }, END_NOT },
    { "the folder can never be synced", { DISK_CALL_SYNC, 0, UINT32_MAX, EIO, "/" }, END_OPENING },
};

/* One test: a plan with all its cases. */
static void
judge(struct suite *suite, bool is_fine)
{
    suite->passed += is_fine;
    suite->failed += !is_fine;
}

/* How many calls there are to fail. */
static uint32_t
count_calls(struct suite *suite, const struct plan *plan)
{
    struct plan none = *plan;

    none.fault.times = 0;
    none.end = END_NOT;
    run_case(suite, &none, 0, 0);
    return suite->told->matched;
}

static void
run_plan(struct suite *suite, const struct plan *plan)
{
    uint32_t calls = plan->end == END_OPENING ? 1 : count_calls(suite, plan);
    uint32_t wrong = suite->wrong;
    uint32_t hits = suite->hits;
    uint32_t ended = suite->ended;
    uint32_t unopened = suite->unopened;
    uint32_t count = 0;

    for (uint32_t after = 0; after < calls && after < FIRST_ALL; after++, count++) {
        run_case(suite, plan, after, 0);
    }
    for (uint32_t i = 0; calls > FIRST_ALL && i < suite->samples; i++, count++) {
        run_case(suite, plan, (uint32_t)chance_below(&suite->chance, calls), 0);
    }
    (void)printf("%-32s %4u cases of %5u calls: %4u failed calls, %3u not opened, "
                 "%3u ended, %u wrong\n",
                 plan->label, count, calls, suite->hits - hits, suite->unopened - unopened,
                 suite->ended - ended, suite->wrong - wrong);
    judge(suite, suite->wrong == wrong);
}

/* ---- a full disk ------------------------------------------------------------------------- */

static void
run_full(struct suite *suite)
{
    static const struct plan full = { "the disk is full", { .name_end = "" }, END_NOT };
    uint32_t wrong = suite->wrong;
    uint32_t hits = suite->hits;

    for (uint32_t i = 0; i < suite->samples; i++) {
        run_case(suite, &full, 0, 1 + chance_below(&suite->chance, STEP_COUNT * BODY_BYTES));
    }
    (void)printf("%-32s %4u cases: %u calls found it full\n", full.label, suite->samples,
                 suite->hits - hits);
    judge(suite, suite->wrong == wrong && suite->hits > hits);
}

/* ---- a long reader ----------------------------------------------------------------------- */

#define LOG_LIMIT_BYTES (64 * 1024 * 1024)
#define LONG_BODY_BYTES 500000

static int64_t
log_bytes(const struct suite *suite)
{
    char path[PATH_SIZE + 8];
    struct stat about;

    (void)snprintf(path, sizeof(path), "%s-wal", suite->path);
    return stat(path, &about) == 0 ? about.st_size : -1;
}

static void
append_long(struct store *store, uint32_t seq)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_APPEND);
    struct store_record *record;

    job->match_id = 1;
    add_record(job, seq, RECORD_TURN, seq);
    record = &job->records[0];
    free(record->body);
    record->body = malloc(LONG_BODY_BYTES + 16);
    if (record->body == NULL) {
        abort();
    }
    record->body_length = (size_t)sprintf(record->body, "{\"pad\":\"%0*d\"}", LONG_BODY_BYTES, 0);
    job = run_job(store, job);
    if (job->result != STORE_OK) {
        (void)printf("a reader stops a turn: %s\n", job->message);
        exit(1);
    }
    store_job_free(job);
}

static uint64_t
reported_bytes(struct store *store)
{
    struct store_figures figures;

    store_figures(store, &figures);
    return figures.wal_bytes;
}

/* Readers never block a turn; the log grows, which the metrics show, and shrinks when the reader
 * is gone. */
static void
run_long_reader(struct suite *suite)
{
    struct store *store;
    sqlite3_stmt *rows = NULL;
    sqlite3 *db = NULL;
    uint64_t reported;
    int64_t grown;
    uint32_t seq = 1;

    image_clear(suite->folder);
    store = open_store(suite);
    store_job_free(run_job(store, make_create()));
    if (sqlite3_open(suite->path, &db) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT * FROM record", -1, &rows, NULL) != SQLITE_OK ||
        sqlite3_step(rows) != SQLITE_ROW) {
        abort();
    }
    while (log_bytes(suite) < LOG_LIMIT_BYTES + LOG_LIMIT_BYTES / 8) {
        append_long(store, ++seq);
    }
    grown = log_bytes(suite);
    reported = reported_bytes(store);
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(db);
    for (int i = 0; i < 3; i++) {
        append_long(store, ++seq);
    }
    (void)printf("a reader that stays: the log grew to %.1f MiB (reported %.1f), and is %.1f MiB "
                 "(reported %.1f) when the reader is gone\n",
                 (double)grown / 1048576, (double)reported / 1048576,
                 (double)log_bytes(suite) / 1048576, (double)reported_bytes(store) / 1048576);
    judge(suite, reported <= (uint64_t)grown && reported >= (uint64_t)grown * 9 / 10 &&
                     log_bytes(suite) <= LOG_LIMIT_BYTES &&
                     reported_bytes(store) <= LOG_LIMIT_BYTES);
    store_close(store);
}

/* ---- all of it --------------------------------------------------------------------------- */

static int
remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static void
suite_open(struct suite *suite)
{
    temp_path(suite->folder, sizeof(suite->folder), "skirmish-faults");
    suite->told =
        mmap(NULL, sizeof(*suite->told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mkdtemp(suite->folder) == NULL || suite->told == MAP_FAILED) {
        perror("faults");
        exit(2);
    }
    (void)snprintf(suite->path, sizeof(suite->path), "%s/matches.db", suite->folder);
}

int
main(int argc, char **argv)
{
    static struct suite suite = { .chance = { 1 }, .samples = 10 };

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0) {
            suite.chance.state = strtoull(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--samples") == 0) {
            suite.samples = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        } else {
            (void)fprintf(stderr, "usage: faults [--seed N] [--samples COUNT]\n");
            return 2;
        }
    }
    suite_open(&suite);
    disk_install();
    (void)printf("faults: seed %" PRIu64 "\n", suite.chance.state);
    for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
        run_plan(&suite, &plans[i]);
    }
    run_full(&suite);
    run_long_reader(&suite);
    (void)nftw(suite.folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    (void)printf("%u passed, %u failed\n", suite.passed, suite.failed);
    return suite.failed == 0 ? 0 : 1;
}
