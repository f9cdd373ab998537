#include "tests/crash/work.h"

#include <fcntl.h>
#include <semaphore.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/store/migrate.h"
#include "server/store/store.h"
#include "tests/crash/disk.h"

#define PATH_SIZE     512
#define BURSTS_MAX    120 /* of a life */
#define BURST_MAX     12  /* steps */
#define BODY_LONG_MAX 12000
#define MATCHES_MAX   24
#define AT_MS         1700000000000

static bool is_quiet;

void
work_be_quiet(bool wish)
{
    is_quiet = wish;
}

bool
work_complain(const char *format, ...)
{
    va_list arguments;

    if (!is_quiet) {
        va_start(arguments, format);
        (void)vprintf(format, arguments);
        va_end(arguments);
        (void)printf("\n");
    }
    return false;
}

static void *
need(void *memory)
{
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static char *
copy(const char *text)
{
    return strcpy(need(malloc(strlen(text) + 1)), text);
}

/* ---- the model --------------------------------------------------------------------------- */

void
work_init(struct work *work)
{
    *work = (struct work){ 0 };
}

static void
match_cut(struct work_match *match, uint32_t count)
{
    while (match->count > count) {
        free(match->records[--match->count].body);
    }
}

void
work_fini(struct work *work)
{
    for (uint32_t i = 0; i < work->match_count; i++) {
        match_cut(&work->matches[i], 0);
        free(work->matches[i].records);
    }
    free(work->matches);
    free(work->steps);
}

static struct work_record *
match_add(struct work_match *match)
{
    if (match->count == match->space) {
        match->space = match->space == 0 ? 16 : 2 * match->space;
        match->records = need(realloc(match->records, match->space * sizeof(*match->records)));
    }
    match->records[match->count] = (struct work_record){ 0 };
    return &match->records[match->count++];
}

static struct work_step *
step_add(struct work *work)
{
    struct work_step *step;

    if (work->step_count == work->step_space) {
        work->step_space = work->step_space == 0 ? 256 : 2 * work->step_space;
        work->steps = need(realloc(work->steps, work->step_space * sizeof(*work->steps)));
    }
    step = &work->steps[work->step_count++];
    *step = (struct work_step){ .players = work->player_count, .matches = work->match_count };
    return step;
}

struct work_step
work_after(const struct work *work, uint32_t count, uint32_t *ret_records)
{
    for (uint32_t i = 0; i < work->match_count; i++) {
        ret_records[i] = work->matches[i].count_before;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (work->steps[i].records > 0) {
            ret_records[work->steps[i].match] = work->steps[i].records;
        }
    }
    return count == 0 ? work->before : work->steps[count - 1];
}

void
work_cut(struct work *work, uint32_t count)
{
    uint32_t *records = need(calloc(work->match_count + 1, sizeof(*records)));
    struct work_step last = work_after(work, count, records);

    for (uint32_t i = 0; i < work->match_count; i++) {
        match_cut(&work->matches[i], records[i]);
        work->matches[i].count_before = records[i];
        if (i >= last.matches) {
            free(work->matches[i].records);
        }
    }
    work->player_count = last.players;
    work->match_count = last.matches;
    work->before = (struct work_step){ .players = last.players, .matches = last.matches };
    work->step_count = 0;
    work->acknowledged = 0;
    free(records);
}

bool
work_has(const struct work_match *match, uint32_t count, enum store_record_kind kind)
{
    for (uint32_t i = 0; i < count; i++) {
        if (match->records[i].kind == kind) {
            return true;
        }
    }
    return false;
}

void
work_player(uint32_t number, char ret_name[24], uint8_t ret_token_hash[STORE_HASH_BYTES])
{
    (void)snprintf(ret_name, 24, "player-%u", number);
    memset(ret_token_hash, 0, STORE_HASH_BYTES);
    memcpy(ret_token_hash, &number, sizeof(number));
}

/* ---- steps ------------------------------------------------------------------------------- */

static char *
draw_body(struct chance *chance)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    uint64_t kind = chance_below(chance, 100);
    size_t length = (size_t)(kind < 70   ? chance_below(chance, 400)
                             : kind < 97 ? chance_below(chance, 3000)
                                         : chance_below(chance, BODY_LONG_MAX));
    char *body = need(malloc(length + 16));
    size_t used = (size_t)sprintf(body, "{\"pad\":\"");

    for (size_t i = 0; i < length; i++) {
        body[used++] = letters[chance_below(chance, sizeof(letters) - 1)];
    }
    (void)strcpy(body + used, "\"}");
    return body;
}

/* A record of the model, and the same in the job. */
static void
add_record(struct store_job *job, struct work_match *match, enum store_record_kind kind,
           int32_t seat, bool has_id, struct chance *chance)
{
    struct work_record *mine = match_add(match);
    struct store_record *record = store_job_add_record(job);

    mine->kind = kind;
    mine->seat = seat;
    mine->turn = kind == RECORD_CREATED ? STORE_NO_TURN : (int32_t)match->count;
    mine->at_ms = AT_MS + (int64_t)chance_below(chance, 1000000);
    mine->body = draw_body(chance);
    if (has_id) {
        (void)snprintf(mine->command_id, sizeof(mine->command_id), "c%u", match->count);
        record->command_id = copy(mine->command_id);
    }
    record->seq = match->count;
    record->kind = kind;
    record->seat = seat;
    record->turn = mine->turn;
    record->at_ms = mine->at_ms;
    record->body = copy(mine->body);
    record->body_length = strlen(record->body);
}

static struct store_job *
make_player(struct work *work)
{
    struct store_job *job = store_job_alloc(JOB_PLAYER_CREATE);
    char name[24];

    work_player(work->player_count, name, job->player.token_hash);
    job->player.name = copy(name);
    work->player_count++;
    (void)step_add(work);
    return job;
}

static struct store_job *
make_match(struct work *work, struct chance *chance)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_CREATE);
    struct work_match *match;
    struct work_step *step;

    work->matches = need(realloc(work->matches, (work->match_count + 1) * sizeof(*work->matches)));
    match = &work->matches[work->match_count];
    *match = (struct work_match){ 0 };
    job->match.ruleset = copy("tactics");
    job->match.version = 1;
    job->match.params = draw_body(chance);
    job->match.settings = copy("{}");
    job->match.is_open = true;
    job->match.is_rated = true;
    job->match.seat_count = 2;
    job->match.winner = STORE_NOBODY;
    job->match.created_at_ms = AT_MS;
    add_record(job, match, RECORD_CREATED, STORE_NO_SEAT, false, chance);
    work->match_count++;
    step = step_add(work);
    step->match = work->match_count - 1;
    step->records = 1;
    return job;
}

/* The second record of a match joins, and starts it; some later one ends it. */
static struct store_job *
make_append(struct work *work, struct chance *chance)
{
    uint32_t number = (uint32_t)chance_below(chance, work->match_count);
    struct work_match *match = &work->matches[number];
    struct store_job *job = store_job_alloc(JOB_MATCH_APPEND);
    uint32_t count = 1 + (uint32_t)chance_below(chance, 3);
    struct work_step *step;

    job->match_id = (int64_t)number + 1;
    if (match->count == 1) {
        add_record(job, match, RECORD_JOINED, 1, false, chance);
        job->append.change.has_seat = true;
        job->append.change.seat = 1;
        job->append.change.player = 1;
        job->append.change.has_started = true;
        job->append.change.started_at_ms = AT_MS;
    } else if (!work_has(match, match->count, RECORD_ENDED) && chance_is(chance, 1)) {
        add_record(job, match, RECORD_ENDED, STORE_NO_SEAT, false, chance);
        job->append.change.has_ended = true;
        job->append.change.ended_at_ms = AT_MS + 1;
        job->append.change.winner = 1;
        job->append.change.reason = copy("eliminated");
    } else {
        for (uint32_t i = 0; i < count; i++) {
            bool is_turn = chance_is(chance, 30);

            add_record(job, match, is_turn ? RECORD_TURN : RECORD_SUBMISSION,
                       is_turn ? STORE_NO_SEAT : (int32_t)chance_below(chance, 2), !is_turn,
                       chance);
        }
    }
    step = step_add(work);
    step->match = number;
    step->records = match->count;
    return job;
}

/* Jobs that store nothing, between the others. */
static struct store_job *
make_other(struct work *work, struct chance *chance)
{
    static const enum store_job_kind kinds[] = { JOB_BEAT, JOB_FLUSH, JOB_MATCH_LOAD };
    struct store_job *job = store_job_alloc(kinds[chance_below(chance, 3)]);

    job->at_ms = AT_MS;
    job->match_id = 1 + (int64_t)chance_below(chance, work->match_count);
    (void)step_add(work);
    return job;
}

static struct store_job *
make_step(struct work *work, struct chance *chance)
{
    uint64_t kind = chance_below(chance, 100);

    if (work->player_count == 0 || kind < 5) {
        return make_player(work);
    }
    if (work->match_count == 0 || (kind < 15 && work->match_count < MATCHES_MAX)) {
        return make_match(work, chance);
    }
    return kind < 90 ? make_append(work, chance) : make_other(work, chance);
}

/* ---- a life ------------------------------------------------------------------------------ */

/* The storage thread stops here after each group, until the next burst is whole. */
struct gate {
    sem_t is_done;
    sem_t may_go_on;
};

static void
wait_at_gate(void *context)
{
    struct gate *gate = context;

    (void)sem_post(&gate->is_done);
    (void)sem_wait(&gate->may_go_on);
}

static bool
submit(struct store *store, struct store_job *job)
{
    struct store_port *port = store_port(store);

    return port->submit(port, job) || work_complain("the queue is full");
}

static bool
collect(struct store *store)
{
    struct store_job *job = store_take_done(store);
    bool is_fine = true;

    while (job != NULL) {
        struct store_job *next = job->next;

        if (job->result != STORE_OK) {
            is_fine = work_complain("job of kind %d for match %lld came to %d: %s", (int)job->kind,
                                    (long long)job->match_id, (int)job->result,
                                    job->message == NULL ? "" : job->message);
        }
        store_job_free(job);
        job = next;
    }
    return is_fine;
}

/* One burst is one group: the thread waits at the gate meanwhile. */
static bool
run_burst(struct work *work, struct chance *chance, struct store *store, struct gate *gate)
{
    uint64_t count = 1 + chance_below(chance, BURST_MAX);
    bool is_fine = true;

    for (uint64_t i = 0; i < count && is_fine; i++) {
        is_fine = submit(store, make_step(work, chance));
    }
    (void)sem_post(&gate->may_go_on);
    (void)sem_wait(&gate->is_done);
    is_fine = collect(store) && is_fine;
    work->acknowledged = work->step_count;
    disk_mark(work->acknowledged);
    return is_fine;
}

bool
work_live(struct work *work, struct chance *chance, const char *folder)
{
    /* Some lives are short: mostly opening and closing. */
    uint64_t bursts = chance_below(chance, chance_is(chance, 35) ? 4 : BURSTS_MAX);
    struct gate gate;
    struct store_options options;
    struct store *store;
    struct sk_fault fault;
    char path[PATH_SIZE];
    bool is_fine;

    (void)snprintf(path, sizeof(path), "%s/%s", folder, WORK_DATABASE);
    (void)sem_init(&gate.is_done, 0, 0);
    (void)sem_init(&gate.may_go_on, 0, 0);
    store_options_init(&options);
    options.wake = wait_at_gate;
    options.context = &gate;
    if (store_open(path, &options, &store, &fault) != SK_OK) {
        return work_complain("the store does not open: %s: %s", fault.code, fault.message);
    }
    is_fine = submit(store, store_job_alloc(JOB_FLUSH));
    (void)sem_wait(&gate.is_done);
    is_fine = collect(store) && is_fine;
    for (uint64_t i = 0; i < bursts && is_fine; i++) {
        is_fine = run_burst(work, chance, store, &gate);
    }
    for (int i = 0; i < 3; i++) { /* no jobs wait; the thread may end */
        (void)sem_post(&gate.may_go_on);
    }
    store_close(store);
    (void)sem_destroy(&gate.is_done);
    (void)sem_destroy(&gate.may_go_on);
    return is_fine;
}

/* ---- an older database ------------------------------------------------------------------- */

static void
copy_file(const char *from, const char *to)
{
    uint8_t bytes[65536];
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    ssize_t size = -1;

    while (in >= 0 && out >= 0 && (size = read(in, bytes, sizeof(bytes))) > 0) {
        if (write(out, bytes, (size_t)size) != size) {
            abort();
        }
    }
    if (size != 0 || close(in) != 0 || close(out) != 0) {
        abort();
    }
}

static void
fill_old(sqlite3 *db, struct work *work)
{
    sqlite3_stmt *insert = NULL;
    struct sk_fault fault;

    if (migrate_run(db, "older", migrations_sqlite, 1, &fault) != SK_OK ||
        sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "INSERT INTO player (name, token_hash, created_at) VALUES (?, ?, 0)",
                           -1, &insert, NULL) != SQLITE_OK) {
        abort();
    }
    for (uint32_t i = 0; i < WORK_OLD_PLAYERS; i++) {
        uint8_t token_hash[STORE_HASH_BYTES];
        char name[24];

        work_player(i, name, token_hash);
        (void)sqlite3_bind_text(insert, 1, name, -1, SQLITE_TRANSIENT);
        (void)sqlite3_bind_blob(insert, 2, token_hash, STORE_HASH_BYTES, SQLITE_TRANSIENT);
        if (sqlite3_step(insert) != SQLITE_DONE || sqlite3_reset(insert) != SQLITE_OK) {
            abort();
        }
    }
    (void)sqlite3_finalize(insert);
    work->player_count = work->before.players = WORK_OLD_PLAYERS;
}

/* The files are copied while in use, as a crash of the older program would leave them. */
void
work_make_old(struct work *work, const char *folder)
{
    static const char *const ends[] = { "", "-wal" };
    char from[2 * PATH_SIZE];
    char to[2 * PATH_SIZE];
    char old[PATH_SIZE];
    sqlite3 *db;

    (void)snprintf(old, sizeof(old), "%s/older.db", folder);
    if (sqlite3_open(old, &db) != SQLITE_OK) {
        abort();
    }
    fill_old(db, work);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        (void)snprintf(from, sizeof(from), "%s%s", old, ends[i]);
        (void)snprintf(to, sizeof(to), "%s/%s%s", folder, WORK_DATABASE, ends[i]);
        copy_file(from, to);
    }
    (void)sqlite3_close(db);
    (void)unlink(old);
}
