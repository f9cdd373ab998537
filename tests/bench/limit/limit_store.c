#include "tests/bench/limit/limit_store.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "server/store/store.h"

#define CHECKPOINT_PAGES 1000 /* as the daemon */

static const char table_sql[] =
    "CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY, match INTEGER NOT NULL, "
    "seq INTEGER NOT NULL, epoch INTEGER NOT NULL, turn INTEGER, seat INTEGER, command_id TEXT, "
    "kind TEXT NOT NULL, at INTEGER NOT NULL, hash BLOB NOT NULL, body TEXT NOT NULL)";
static const char insert_sql[] =
    "INSERT INTO record (match, seq, epoch, turn, seat, command_id, kind, at, hash, body) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

struct list {
    struct canned_job *first;
    struct canned_job *last;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    struct list waiting;
    struct list done;
    int wake;
    sqlite3 *db;
    sqlite3_stmt *begin;
    sqlite3_stmt *commit;
    sqlite3_stmt *insert;
    int wal_pages;
    int file; /* plain, or -1 */
    char *bytes;
    size_t space;
} store = { .file = -1, .lock = PTHREAD_MUTEX_INITIALIZER, .has_work = PTHREAD_COND_INITIALIZER };

static const char *const kind_names[] = {
    [CANNED_CREATED] = "created", [CANNED_JOINED] = "joined", [CANNED_SUBMISSION] = "submission",
    [CANNED_TURN] = "turn",       [CANNED_ENDED] = "ended",
};

static void
fail(const char *doing)
{
    fprintf(stderr, "limit: %s: %s\n", doing, store.db == NULL ? "" : sqlite3_errmsg(store.db));
    exit(1);
}

/* ---- lists ------------------------------------------------------------------------------- */

static void
list_add(struct list *list, struct canned_job *first, struct canned_job *last)
{
    if (list->first == NULL) {
        list->first = first;
    } else {
        list->last->next = first;
    }
    list->last = last;
}

static struct list
list_take(struct list *list)
{
    struct list taken = *list;

    *list = (struct list){ NULL, NULL };
    return taken;
}

void
limit_store_hand_over(struct canned_job *first, struct canned_job *last)
{
    (void)pthread_mutex_lock(&store.lock);
    list_add(&store.waiting, first, last);
    (void)pthread_cond_signal(&store.has_work);
    (void)pthread_mutex_unlock(&store.lock);
}

struct canned_job *
limit_store_take_done(void)
{
    struct list taken;

    (void)pthread_mutex_lock(&store.lock);
    taken = list_take(&store.done);
    (void)pthread_mutex_unlock(&store.lock);
    return taken.first;
}

/* ---- the thread -------------------------------------------------------------------------- */

static void
run(sqlite3_stmt *statement, const char *doing)
{
    if (sqlite3_step(statement) != SQLITE_DONE) {
        fail(doing);
    }
    (void)sqlite3_reset(statement);
}

static void
put_or_null(int place, int64_t number)
{
    if (number < 0) {
        (void)sqlite3_bind_null(store.insert, place);
    } else {
        (void)sqlite3_bind_int64(store.insert, place, number);
    }
}

static void
insert(const struct canned_job *job, int64_t now_ms)
{
    static const uint8_t hash[STORE_HASH_BYTES] = { 1 };
    const char *kind = kind_names[job->kind];

    (void)sqlite3_bind_int64(store.insert, 1, job->match->id);
    (void)sqlite3_bind_int64(store.insert, 2, job->seq);
    (void)sqlite3_bind_int(store.insert, 3, 1);
    put_or_null(4, job->turn);
    put_or_null(5, job->seat);
    if (job->command_id[0] == '\0') {
        (void)sqlite3_bind_null(store.insert, 6);
    } else {
        (void)sqlite3_bind_text(store.insert, 6, job->command_id, -1, SQLITE_STATIC);
    }
    (void)sqlite3_bind_text(store.insert, 7, kind, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(store.insert, 8, now_ms);
    (void)sqlite3_bind_blob(store.insert, 9, hash, sizeof(hash), SQLITE_STATIC);
    (void)sqlite3_bind_text(store.insert, 10, job->body, (int)job->body_length, SQLITE_STATIC);
    run(store.insert, "insert");
}

/* A record in a plain file: its columns, and its body. */
struct plain_record {
    int64_t match;
    int64_t seq;
    int64_t turn;
    int64_t at;
    int32_t seat;
    int32_t kind;
    uint64_t body_length;
    char command_id[CANNED_COMMAND_ID_MAX + 1];
    uint8_t hash[STORE_HASH_BYTES];
};

static size_t
gather(size_t used, const void *bytes, size_t size)
{
    if (used + size > store.space) {
        store.space = 2 * (used + size);
        store.bytes = realloc(store.bytes, store.space);
        if (store.bytes == NULL) {
            fail("memory");
        }
    }
    memcpy(store.bytes + used, bytes, size);
    return used + size;
}

static void
append(const struct list *group, int64_t now_ms)
{
    size_t used = 0;

    for (const struct canned_job *job = group->first; job != NULL; job = job->next) {
        struct plain_record record = {
            .match = job->match->id,
            .seq = job->seq,
            .turn = job->turn,
            .at = now_ms,
            .seat = job->seat,
            .kind = (int32_t)job->kind,
            .body_length = job->body_length,
        };

        memcpy(record.command_id, job->command_id, sizeof(record.command_id));
        used = gather(used, &record, sizeof(record));
        used = gather(used, job->body, job->body_length);
    }
    if (write(store.file, store.bytes, used) != (ssize_t)used || fdatasync(store.file) != 0) {
        fail("write");
    }
}

static void
work_on(const struct list *group)
{
    struct timespec now;
    int64_t now_ms;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (store.file >= 0) {
        append(group, now_ms);
        return;
    }
    run(store.begin, "begin");
    for (const struct canned_job *job = group->first; job != NULL; job = job->next) {
        insert(job, now_ms);
    }
    run(store.commit, "commit");
}

static void
put_done(const struct list *group)
{
    const uint64_t one = 1;
    bool was_empty;

    (void)pthread_mutex_lock(&store.lock);
    was_empty = store.done.first == NULL;
    list_add(&store.done, group->first, group->last);
    (void)pthread_mutex_unlock(&store.lock);
    if (was_empty && write(store.wake, &one, sizeof(one)) != sizeof(one)) {
        fail("wake");
    }
}

/* At most as many as the daemon puts into one transaction. */
static struct list
take_group(struct list *taken)
{
    struct list group = { taken->first, taken->first };

    for (uint32_t count = 1; count < STORE_BATCH_MAX && group.last->next != NULL; count++) {
        group.last = group.last->next;
    }
    taken->first = group.last->next;
    group.last->next = NULL;
    return group;
}

static void *
storage_thread(void *context)
{
    struct list taken;

    (void)context;
    for (;;) {
        (void)pthread_mutex_lock(&store.lock);
        while (store.waiting.first == NULL) {
            (void)pthread_cond_wait(&store.has_work, &store.lock);
        }
        taken = list_take(&store.waiting);
        (void)pthread_mutex_unlock(&store.lock);
        while (taken.first != NULL) {
            struct list group = take_group(&taken);

            work_on(&group);
            put_done(&group);
            if (store.wal_pages >= CHECKPOINT_PAGES) {
                (void)sqlite3_wal_checkpoint_v2(store.db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL,
                                                NULL);
            }
        }
    }
    return NULL;
}

/* ---- opening ----------------------------------------------------------------------------- */

static int
note_wal_pages(void *context, sqlite3 *db, const char *schema, int pages)
{
    (void)context;
    (void)db;
    (void)schema;
    store.wal_pages = pages;
    return SQLITE_OK;
}

/* The daemon's settings, without foreign keys: there are none here. */
static void
set_pragmas(void)
{
    static const char pragmas[] =
        "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;"
        "PRAGMA wal_autocheckpoint = 0";

    if (sqlite3_exec(store.db, pragmas, NULL, NULL, NULL) != SQLITE_OK) {
        fail("pragma");
    }
    (void)sqlite3_wal_hook(store.db, note_wal_pages, NULL);
}

static sqlite3_stmt *
prepare(const char *sql)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v3(store.db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) !=
        SQLITE_OK) {
        fail(sql);
    }
    return statement;
}

static void
open_database(const char *path)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* as the daemon */
    if (sqlite3_open_v2(path, &store.db, flags, NULL) != SQLITE_OK) {
        fail("open");
    }
    set_pragmas();
    if (sqlite3_exec(store.db, table_sql, NULL, NULL, NULL) != SQLITE_OK) {
        fail(table_sql);
    }
    store.begin = prepare("BEGIN IMMEDIATE");
    store.commit = prepare("COMMIT");
    store.insert = prepare(insert_sql);
}

int
limit_store_open(const char *path, bool is_plain_file)
{
    pthread_t thread;

    if (!is_plain_file) {
        open_database(path);
    } else {
        store.file = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
        if (store.file < 0) {
            fail("open");
        }
    }
    store.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (store.wake < 0 || pthread_create(&thread, NULL, storage_thread, NULL) != 0) {
        fail("thread");
    }
    return store.wake;
}
