/* server/store: failures of the disk, the file system and other processes, and recovery. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/support/cases.h"
#include "tests/unit/store_fixture.h"

/* ---- a disk that fails ------------------------------------------------------------------- */

/* 0, or the error that every write of SQLite gets. */
static atomic_int write_error;

/* NULL, or the suffix of the file that cannot be synced. */
static _Atomic(const char *) unsyncable;

static ssize_t
failing_write(int file, const void *bytes, size_t size)
{
    int error = atomic_load(&write_error);

    if (error != 0) {
        errno = error;
        return -1;
    }
    return write(file, bytes, size);
}

static ssize_t
failing_pwrite(int file, const void *bytes, size_t size, off_t at)
{
    int error = atomic_load(&write_error);

    if (error != 0) {
        errno = error;
        return -1;
    }
    return pwrite(file, bytes, size, at);
}

static void
make_writes_fail(int error)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

    (void)vfs->xSetSystemCall(vfs, "write", (sqlite3_syscall_ptr)failing_write);
    (void)vfs->xSetSystemCall(vfs, "pwrite", (sqlite3_syscall_ptr)failing_pwrite);
    (void)vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)failing_pwrite);
    atomic_store(&write_error, error);
}

/* How often the store has tried to copy the log. */
static atomic_uint checkpoints;

/* Replaces the function of the library. */
int
sqlite3_wal_checkpoint_v2(sqlite3 *db, const char *schema, int mode, int *logged, int *copied)
{
    int (*real)(sqlite3 *, const char *, int, int *, int *) = NULL;

    *(void **)&real = dlsym(RTLD_NEXT, "sqlite3_wal_checkpoint_v2");
    atomic_fetch_add(&checkpoints, 1);
    return real(db, schema, mode, logged, copied);
}

/* Replaces the C library's function: SQLite calls this. */
int
fdatasync(int file)
{
    const char *end = atomic_load(&unsyncable);
    char link[64];
    char name[2 * FIXTURE_PATH];
    ssize_t length;

    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
    length = readlink(link, name, sizeof(name));
    if (end != NULL && length >= (ssize_t)strlen(end) &&
        memcmp(name + length - strlen(end), end, strlen(end)) == 0) {
        errno = EIO;
        return -1;
    }
    return fsync(file);
}

static void
make_matches(struct fixture *fixture)
{
    fixture_init(fixture);
    fixture_open(fixture);
    (void)fixture_player(fixture, "Ann", 1);
    (void)fixture_match(fixture, 1);
    (void)fixture_match(fixture, 1);
}

struct error_case {
    const char *label;
    int error;
    const char *message;
};

static const struct error_case error_cases[] = {
    { "the disk is full", ENOSPC, "full" },
    { "the file system became read-only", EROFS, "I/O" },
    { "the disk fails", EIO, "I/O" },
};

/* They wait together, so they share a transaction. */
Test(store_failure, of_writing_does_not_affect_reads)
{
    struct fixture fixture;
    struct store_job *jobs;
    sqlite3 *other;

    make_matches(&fixture);
    other = fixture_connect(&fixture);
    cr_assert_eq(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    fixture_submit(&fixture, job_submission(1, 0, 2, "a"));
    fixture_submit(&fixture, job_submission(1, 0, 3, "b"));
    fixture_submit(&fixture, job_load(1));
    fixture_submit(&fixture, job_player(JOB_PLAYER_LOGIN, NULL, 1));
    fixture_submit(&fixture, job_submission(2, 0, 2, "c"));
    jobs = fixture_collect(&fixture, 5);
    for (struct store_job *job = jobs; job != NULL; job = job->next) {
        bool only_asks = job->kind != JOB_MATCH_APPEND;

        cr_expect_eq(job->result, only_asks ? STORE_OK : STORE_UNAVAILABLE, "%s", job->message);
        if (job->kind == JOB_MATCH_LOAD) {
            cr_expect_eq(job->record_count, 1, "nothing of what failed");
        }
    }
    fixture_free_all(jobs);
    cr_assert_eq(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(other);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 1, 2, "a")), STORE_OK);
    fixture_close(&fixture);
}

CASES(store_failure, of_writing_stores_nothing_and_passes, error_cases)
{
    const struct error_case *c = &error_cases[*index];
    struct fixture fixture;
    struct store_job *job;
    struct store_figures figures;

    make_matches(&fixture);
    cr_assert_eq(fixture_result(&fixture, job_submission(1, 0, 2, "a")), STORE_OK);
    make_writes_fail(c->error);
    for (int i = 0; i < 3; i++) {
        job = fixture_run(&fixture, job_submission(1, (uint32_t)i, 3, "b"));
        cr_expect_eq(job->result, STORE_UNAVAILABLE, "%s", c->label);
        cr_expect_not_null(strstr(job->message, c->message), "%s: %s", c->label, job->message);
        store_job_free(job);
    }
    job = fixture_run(&fixture, job_create(1));
    cr_expect_eq(job->result, STORE_UNAVAILABLE);
    cr_expect_eq(job->match_id, 0);
    store_job_free(job);
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_OK, "what is stored can be read");
    store_figures(fixture.store, &figures);
    cr_expect(figures.has_failed);
    cr_expect_eq(figures.failures, 4);

    make_writes_fail(0);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 3, 3, "b")), STORE_OK, "%s", c->label);
    job = fixture_run(&fixture, job_load(1));
    cr_expect_eq(job->result, STORE_OK);
    cr_expect_eq(job->record_count, 3);
    store_job_free(job);
    store_figures(fixture.store, &figures);
    cr_expect_not(figures.has_failed);
    fixture_close(&fixture);
}

/* ---- failed fsync ------------------------------------------------------------------------ */

static atomic_int fatal_count;

static void
count_fatal(void *context, const char *message)
{
    (void)context;
    cr_expect_not_null(message);
    (void)atomic_fetch_add(&fatal_count, 1);
}

Test(store_failure, of_an_fsync_is_fatal_and_never_an_acknowledgement)
{
    struct fixture fixture;

    fixture_init(&fixture);
    fixture.options.fatal = count_fatal;
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    atomic_store(&unsyncable, "-wal");
    cr_expect_eq(fixture_result(&fixture, job_player(JOB_PLAYER_CREATE, "Bob", 2)),
                 STORE_UNAVAILABLE);
    cr_expect_eq(atomic_load(&fatal_count), 1);
    atomic_store(&unsyncable, NULL);
    fixture_close(&fixture);
}

Test(store_failure, of_an_fsync_while_the_log_is_brought_in_is_fatal_too)
{
    struct fixture fixture;

    fixture_init(&fixture);
    fixture.options.fatal = count_fatal;
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    atomic_store(&unsyncable, "matches.db");
    for (uint32_t seq = 2; seq < 600; seq++) {
        cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, seq, NULL)), STORE_OK,
                     "the log itself is synced");
    }
    cr_expect(atomic_load(&fatal_count) > 0);
    atomic_store(&unsyncable, NULL);
    fixture_close(&fixture);
}

Test(store_failure, of_an_fsync_ends_the_process, .exit_code = 70)
{
    struct fixture fixture;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)nftw(fixture.folder, fixture_remove, 8, FTW_DEPTH | FTW_PHYS);
    atomic_store(&unsyncable, "-wal (deleted)");
    (void)fixture_run(&fixture, job_player(JOB_PLAYER_CREATE, "Bob", 2));
}

/* ---- somebody else's lock ---------------------------------------------------------------- */

/* The storage thread is blocked, so that all jobs of a test share one group. */
static sqlite3 *
lock_out(const struct fixture *fixture)
{
    sqlite3 *db = fixture_connect(fixture);

    cr_assert_eq(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    return db;
}

static void
let_in(sqlite3 *db)
{
    cr_assert_eq(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

static void
expect_results(struct store_job *jobs, const enum store_result *results)
{
    for (int i = 0; jobs != NULL; i++) {
        struct store_job *next = jobs->next;

        cr_expect_eq(jobs->result, results[i], "job %d: %d, %s", i, (int)jobs->result,
                     jobs->message != NULL ? jobs->message : "fine");
        store_job_free(jobs);
        jobs = next;
    }
}

Test(store_failure, of_a_group_is_told_to_all_its_jobs_and_to_later_ones_of_their_generation)
{
    static const enum store_result all_fail[] = { STORE_UNAVAILABLE, STORE_UNAVAILABLE,
                                                  STORE_UNAVAILABLE, STORE_UNAVAILABLE };
    static const enum store_result after[] = { STORE_UNAVAILABLE, STORE_OK, STORE_OK, STORE_OK,
                                               STORE_OK };
    struct fixture fixture;
    sqlite3 *db;

    make_matches(&fixture);
    db = lock_out(&fixture);
    fixture_submit(&fixture, job_submission(1, 0, 2, "a"));
    fixture_submit(&fixture, job_submission(1, 0, 3, "b"));
    fixture_submit(&fixture, job_player(JOB_PLAYER_CREATE, "Bob", 2));
    fixture_submit(&fixture, job_submission(1, 0, 4, "c"));
    expect_results(fixture_collect(&fixture, 4), all_fail);
    let_in(db);

    fixture_submit(&fixture, job_submission(1, 0, 2, "d"));
    fixture_submit(&fixture, job_submission(2, 0, 2, "a"));
    fixture_submit(&fixture, job_submission(1, 1, 2, "a"));
    fixture_submit(&fixture, job_submission(1, 1, 3, "b"));
    fixture_submit(&fixture, job_player(JOB_PLAYER_CREATE, "Bob", 2));
    expect_results(fixture_collect(&fixture, 5), after);
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_OK);
    fixture_close(&fixture);
}

/* Quarantining a match has no generation: it neither fails with other jobs nor makes them fail. */
Test(store_failure, does_not_end_when_the_match_is_set_aside)
{
    struct fixture fixture;
    sqlite3 *db;
    struct store_job *aside = job_append(1, 0);

    aside->append.change.is_quarantined = true;
    aside->append.change.reason = copy_of("damaged");
    make_matches(&fixture);
    db = lock_out(&fixture);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 7, 2, "a")), STORE_UNAVAILABLE);
    let_in(db);
    cr_expect_eq(fixture_result(&fixture, aside), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 7, 3, "b")), STORE_UNAVAILABLE,
                 "it was built on what failed");
    fixture_close(&fixture);
}

Test(store_failure, to_write_leaves_readers_served)
{
    struct fixture fixture;
    sqlite3 *db;

    make_matches(&fixture);
    db = lock_out(&fixture);
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_player(JOB_PLAYER_LOGIN, NULL, 1)), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_text(QUERY_MATCHES, 0)), STORE_OK);
    let_in(db);
    fixture_close(&fixture);
}

#define LOG_USUAL (1000u * 8192u) /* the checkpoint runs at this length */

Test(store_failure, is_not_caused_by_a_long_reader)
{
    struct fixture fixture;
    sqlite3 *db;
    sqlite3_stmt *statement;
    struct store_figures figures;

    make_matches(&fixture);
    db = fixture_connect(&fixture);
    cr_assert_eq(sqlite3_prepare_v2(db, "SELECT * FROM record", -1, &statement, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    for (uint32_t seq = 2; seq < 800; seq++) {
        cr_assert_eq(fixture_result(&fixture, job_submission(1, 0, seq, NULL)), STORE_OK);
    }
    store_figures(fixture.store, &figures);
    cr_expect(figures.wal_bytes > LOG_USUAL, "the log grows: %d", (int)figures.wal_bytes);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    for (uint32_t seq = 800; seq < 804; seq++) {
        cr_assert_eq(fixture_result(&fixture, job_submission(1, 0, seq, NULL)), STORE_OK);
    }
    store_figures(fixture.store, &figures);
    cr_expect(figures.wal_bytes < LOG_USUAL, "and is used anew: %d", (int)figures.wal_bytes);
    fixture_close(&fixture);
}

/* Each attempt sorts the whole log, so there must not be one per commit. */
Test(store_failure, is_not_caused_by_a_reader_that_holds_the_whole_log_back)
{
    struct fixture fixture;
    sqlite3 *db;
    sqlite3_stmt *statement;
    struct store_figures figures;
    unsigned before;
    unsigned attempts;
    const uint32_t commits = 500;

    make_matches(&fixture);
    db = fixture_connect(&fixture);
    cr_assert_eq(sqlite3_exec(db, "PRAGMA wal_checkpoint(RESTART)", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, "SELECT * FROM record", -1, &statement, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    for (uint32_t seq = 2; seq < 800; seq++) {
        cr_assert_eq(fixture_result(&fixture, job_submission(1, 0, seq, NULL)), STORE_OK);
    }
    store_figures(fixture.store, &figures);
    cr_expect(figures.wal_bytes > LOG_USUAL, "the log grows: %d", (int)figures.wal_bytes);
    before = atomic_load(&checkpoints);
    for (uint32_t i = 0; i < commits; i++) {
        cr_assert_eq(fixture_result(&fixture, job_submission(1, 0, 800 + i, NULL)), STORE_OK);
    }
    attempts = atomic_load(&checkpoints) - before;
    cr_expect(attempts > 0 && attempts < commits / 4, "%u attempts in %u commits", attempts,
              commits);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    fixture_close(&fixture);
}

/* ---- opening ----------------------------------------------------------------------------- */

static void
expect_not_opened(struct fixture *fixture, const char *code, const char *words)
{
    struct sk_fault fault = { 0 };

    cr_assert_eq(store_open(fixture->path, &fixture->options, &fixture->store, &fault),
                 SK_ERR_REFUSED);
    cr_expect_str_eq(fault.code, code);
    cr_expect_not_null(strstr(fault.message, words), "%s", fault.message);
    cr_expect_null(fixture->store);
}

Test(store_open, refuses_a_folder_that_is_not_there)
{
    struct fixture fixture;

    fixture_init(&fixture);
    (void)snprintf(fixture.path, sizeof(fixture.path), "%.200s/no/matches.db", fixture.folder);
    expect_not_opened(&fixture, "cannot_open", "No such file or directory; create");
    fixture_close(&fixture);
}

/* Root may write everything, so this runs as another user. */
Test(store_open, refuses_a_file_that_may_not_be_written)
{
    struct fixture fixture;

    fixture_init(&fixture);
    fixture_open(&fixture);
    store_close(fixture.store);
    fixture.store = NULL;
    cr_assert_eq(chmod(fixture.path, 0444), 0);
    cr_assert_eq(chmod(fixture.folder, 0777), 0);
    cr_assert(geteuid() != 0 || seteuid(65534) == 0);
    expect_not_opened(&fixture, "cannot_open", "is not writable");
    cr_assert(getuid() != 0 || seteuid(0) == 0);
    fixture_close(&fixture);
}

Test(store_open, makes_files_that_others_cannot_read)
{
    static const char *const ends[] = { "", "-wal", "-shm", ".lock" };
    struct fixture fixture;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    for (size_t i = 0; i < SK_COUNT_OF(ends); i++) {
        char path[2 * FIXTURE_PATH];
        struct stat about;

        (void)snprintf(path, sizeof(path), "%s%s", fixture.path, ends[i]);
        cr_assert_eq(stat(path, &about), 0, "%s", path);
        cr_expect_eq(about.st_mode & 0777, 0600, "%s", path);
    }
    fixture_close(&fixture);
}

/* Locks belong to processes, so this needs another process. */
Test(store_open, refuses_a_file_that_another_process_has_open)
{
    struct fixture fixture;
    struct sk_fault fault;
    pid_t other;
    int status;

    fixture_init(&fixture);
    fixture_open(&fixture);
    other = fork();
    if (other == 0) {
        struct store *store = NULL;
        enum sk_status opened = store_open(fixture.path, &fixture.options, &store, &fault);

        _exit(opened == SK_ERR_REFUSED && strcmp(fault.code, "in_use") == 0 ? 0 : 1);
    }
    cr_assert_eq(waitpid(other, &status, 0), other);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    fixture_close(&fixture);
}
