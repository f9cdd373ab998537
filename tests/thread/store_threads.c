/*
 * The loop and the storage thread, for ThreadSanitizer and for measuring:
 *
 *   store_threads              20,000 random jobs; each must return in its order, with the result
 *                              that a model predicts
 *   store_threads --measure    records appended per second, by jobs in flight
 *
 * SEED=N repeats a run; TMPDIR is where the file is created.
 */
#include <ftw.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/store/store.h"
#include "tests/support/temp.h"

#define JOB_COUNT     20000
#define MATCH_COUNT   50
#define PLAYER_COUNT  200
#define IN_FLIGHT     300
#define APART_AT_ONCE 8

/* What the loop knows of a match, and what the store must contain. */
struct model_match {
    int64_t id;
    uint32_t generation;
    uint32_t next_seq;  /* the loop's: of the next record */
    uint32_t records;   /* the store's: its content once all jobs so far are done */
    uint32_t commands;  /* ids used: "0", "1" ... */
    bool has_failed;    /* storage's: jobs of this generation fail */
    uint32_t confirmed; /* the loop's: what was acknowledged as stored */
};

/* The expected result of a job; the job's context. */
struct expectation {
    int64_t number;
    enum store_result result;
    uint32_t records;
    struct model_match *match;
};

struct run {
    struct store *store;
    struct store_port *port;
    int wake_pipe[2];
    char folder[256];
    struct model_match matches[MATCH_COUNT];
    bool has_player[PLAYER_COUNT];
    uint64_t chance;
    int64_t submitted;
    int64_t collected;
    uint32_t apart; /* under way */
    uint32_t passed;
    uint32_t failed;
};

static uint32_t
draw(struct run *run, uint32_t bound)
{
    run->chance = run->chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(run->chance >> 33) % bound;
}

static void
check(struct run *run, bool is_fine, const char *what, int64_t number)
{
    if (is_fine) {
        run->passed++;
    } else {
        run->failed++;
        (void)printf("job %lld: %s\n", (long long)number, what);
    }
}

static void
die(const char *what)
{
    (void)fprintf(stderr, "store_threads: %s\n", what);
    exit(2);
}

static char *
text_of(const char *format, long long number)
{
    char *text = malloc(64);

    if (text == NULL) {
        die("no memory");
    }
    (void)snprintf(text, 64, format, number);
    return text;
}

/* ---- jobs -------------------------------------------------------------------------------- */

static void
add_record(struct store_job *job, uint32_t seq, enum store_record_kind kind, size_t size)
{
    struct store_record *record = store_job_add_record(job);

    record->seq = seq;
    record->kind = kind;
    record->turn = (int32_t)seq;
    record->seat = STORE_NO_SEAT;
    record->at_ms = 1700000000000 + seq;
    record->body = malloc(size + 1);
    if (record->body == NULL) {
        die("no memory");
    }
    (void)snprintf(record->body, size + 1, "{\"pad\":\"%0*u\"}", (int)size - 10, seq);
    record->body_length = strlen(record->body);
}

static struct store_job *
make_create(void)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_CREATE);

    job->match.ruleset = text_of("tactics", 0);
    job->match.version = 1;
    job->match.params = text_of("{}", 0);
    job->match.settings = text_of("{}", 0);
    job->match.is_open = true;
    job->match.seat_count = 2;
    job->match.winner = STORE_NOBODY;
    job->match.created_at_ms = 1;
    add_record(job, 1, RECORD_CREATED, 40);
    return job;
}

/* Sometimes uses a command id again: the job and its generation must fail. */
static struct store_job *
make_append(struct run *run, struct expectation *expectation)
{
    struct model_match *match = &run->matches[draw(run, MATCH_COUNT)];
    struct store_job *job = store_job_alloc(JOB_MATCH_APPEND);
    bool is_wrong = draw(run, 40) == 0; /* the number of its last record leaves a gap */
    uint32_t count = 1 + draw(run, 3);

    job->match_id = match->id;
    job->append.generation = match->generation;
    for (uint32_t i = 0; i < count; i++) {
        add_record(job, match->next_seq++, RECORD_SUBMISSION, 60 + draw(run, 200));
    }
    job->records[count - 1].seat = 0;
    job->records[count - 1].seq += is_wrong ? 1 : 0;
    job->records[count - 1].command_id = text_of("%lld", match->commands);
    expectation->match = match;
    if (match->has_failed) {
        expectation->result = STORE_UNAVAILABLE;
    } else if (is_wrong) {
        expectation->result = STORE_CORRUPT;
        match->has_failed = true;
    } else {
        match->records += count;
        match->commands++;
    }
    return job;
}

static struct store_job *
make_load(struct run *run, struct expectation *expectation)
{
    struct model_match *match = &run->matches[draw(run, MATCH_COUNT)];
    struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);

    job->match_id = match->id;
    expectation->records = match->records;
    return job;
}

static struct store_job *
make_player(struct run *run, struct expectation *expectation)
{
    uint32_t number = draw(run, PLAYER_COUNT);
    bool creates = draw(run, 2) == 0;
    struct store_job *job = store_job_alloc(creates ? JOB_PLAYER_CREATE : JOB_PLAYER_LOGIN);

    memcpy(job->player.token_hash, &number, sizeof(number));
    if (creates) {
        job->player.name = text_of(draw(run, 2) == 0 ? "player-%lld" : "PLAYER-%lld", number);
        expectation->result = run->has_player[number] ? STORE_TAKEN : STORE_OK;
        run->has_player[number] = true;
    } else {
        expectation->result = run->has_player[number] ? STORE_OK : STORE_NOT_FOUND;
    }
    return job;
}

static struct store_job *
make_small(struct run *run)
{
    static const enum store_job_kind kinds[] = { JOB_BEAT, JOB_UNFINISHED, JOB_TEXT, JOB_FLUSH };
    uint32_t count = run->submitted < JOB_COUNT / 2 ? 3 : 4; /* after a flush nothing is apart */
    struct store_job *job = store_job_alloc(kinds[draw(run, count)]);

    job->at_ms = 1;
    if (job->kind == JOB_UNFINISHED) {
        job->unfinished.limit = 10;
    } else if (job->kind == JOB_TEXT) {
        job->query.kind = draw(run, 2) == 0 ? QUERY_MATCHES : QUERY_LEADERBOARD;
        job->query.limit = 5;
    }
    return job;
}

static struct store_job *
make_job(struct run *run, struct expectation *expectation)
{
    uint32_t kind = draw(run, 100);

    if (kind < 80) {
        return make_append(run, expectation);
    }
    if (kind < 85) {
        return make_load(run, expectation);
    }
    return kind < 95 ? make_player(run, expectation) : make_small(run);
}

/* ---- the loop ---------------------------------------------------------------------------- */

/* As lws_cancel_service: the only call from the storage thread to the loop. */
static void
wake(void *context)
{
    struct run *run = context;

    if (write(run->wake_pipe[1], "", 1) != 1) {
        die("the pipe is full");
    }
}

static struct store_job *
wait_for_done(struct run *run)
{
    struct store_job *done;
    char bytes[64];

    while ((done = store_take_done(run->store)) == NULL) {
        if (read(run->wake_pipe[0], bytes, sizeof(bytes)) <= 0) {
            die("the pipe is broken");
        }
    }
    return done;
}

/* As a room does: back to what is stored, then on with the next generation. */
static void
fall_back(struct model_match *match, uint32_t generation)
{
    if (generation == match->generation) {
        match->generation++;
        match->has_failed = false;
        match->next_seq = match->confirmed + 1;
    }
}

/* Reads on another thread return when they are done, in any order. */
static void
collect_apart(struct run *run, struct store_job *job)
{
    check(run,
          job->result == STORE_ABANDONED || job->text.length > 0 ||
              (job->kind == JOB_MATCH_LOAD && job->record_count > 0),
          "a read returned nothing", job->result);
    run->apart--;
    store_job_free(job);
}

static void
collect_one(struct run *run, struct store_job *job)
{
    struct expectation *expectation = job->context;
    int64_t number;

    if (expectation == NULL) {
        collect_apart(run, job);
        return;
    }
    number = expectation->number;

    check(run, number == run->collected++, "a job returned out of order", number);
    check(run, job->result == expectation->result, "a job had another result", number);
    if (job->kind == JOB_MATCH_LOAD) {
        check(run, job->record_count == expectation->records, "loaded another number", number);
    }
    if (job->kind == JOB_MATCH_APPEND && job->result == STORE_OK) {
        expectation->match->confirmed += job->record_count;
    } else if (job->kind == JOB_MATCH_APPEND) {
        fall_back(expectation->match, job->append.generation);
    }
    free(expectation);
    store_job_free(job);
}

static void
collect(struct run *run)
{
    struct store_job *job = wait_for_done(run);

    while (job != NULL) {
        struct store_job *next = job->next;

        collect_one(run, job);
        job = next;
    }
}

/* Once there was a flush nothing is read apart any more. */
static void
submit_apart(struct run *run)
{
    static const enum store_query queries[] = { QUERY_STATISTICS, QUERY_MATCHES, QUERY_MATCH,
                                                QUERY_REPLAY, QUERY_LEADERBOARD };
    bool is_load = draw(run, 4) == 0;
    struct store_job *job = store_job_alloc(is_load ? JOB_MATCH_LOAD : JOB_TEXT);

    job->place = is_load ? STORE_FOR_PLAYERS : STORE_FOR_HTTP;
    job->match_id = run->matches[draw(run, MATCH_COUNT)].id;
    if (!is_load) {
        job->query.kind = queries[draw(run, sizeof(queries) / sizeof(queries[0]))];
        job->query.match_id = job->match_id;
        job->query.takes_gzip = draw(run, 2) == 0;
    }
    job->payer = draw(run, 2) == 0 ? run : NULL;
    if (!run->port->submit(run->port, job)) {
        store_job_free(job);
        return;
    }
    run->apart++;
    if (draw(run, 3) == 0) {
        run->port->cancel(run->port, job);
    }
}

static void
submit_one(struct run *run)
{
    struct expectation *expectation = calloc(1, sizeof(*expectation));
    struct store_job *job;

    if (run->apart < APART_AT_ONCE && draw(run, 10) == 0) {
        submit_apart(run);
    }

    if (expectation == NULL) {
        die("no memory");
    }
    job = make_job(run, expectation);
    expectation->number = run->submitted++;
    job->context = expectation;
    if (!run->port->submit(run->port, job)) {
        die("the queue is full");
    }
}

static void
open_store(struct run *run)
{
    struct store_options options;
    struct sk_fault fault;
    char path[512];

    temp_path(run->folder, sizeof(run->folder), "skirmish-threads");
    if (mkdtemp(run->folder) == NULL || pipe(run->wake_pipe) != 0) {
        die("no folder or no pipe");
    }
    (void)snprintf(path, sizeof(path), "%s/matches.db", run->folder);
    store_options_init(&options);
    options.wake = wake;
    options.context = run;
    if (store_open(path, &options, &run->store, &fault) != SK_OK) {
        die(fault.message);
    }
    run->port = store_port(run->store);
}

static int
remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static void
close_store(struct run *run)
{
    store_close(run->store);
    (void)close(run->wake_pipe[0]);
    (void)close(run->wake_pipe[1]);
    (void)nftw(run->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void
create_matches(struct run *run, int count)
{
    for (int i = 0; i < count; i++) {
        struct store_job *job = make_create();

        if (!run->port->submit(run->port, job) || wait_for_done(run) != job ||
            job->result != STORE_OK) {
            die("a match cannot be created");
        }
        if (i < MATCH_COUNT) {
            run->matches[i] = (struct model_match){
                .id = job->match_id, .next_seq = 2, .records = 1, .confirmed = 1
            };
        }
        store_job_free(job);
    }
}

static int
run_random(struct run *run)
{
    open_store(run);
    create_matches(run, MATCH_COUNT);
    while (run->collected < JOB_COUNT) {
        uint32_t burst = 1 + draw(run, 40);

        while (burst-- > 0 && run->submitted < JOB_COUNT &&
               run->submitted - run->collected < IN_FLIGHT) {
            submit_one(run);
        }
        if (run->submitted == JOB_COUNT || run->submitted - run->collected >= IN_FLIGHT ||
            draw(run, 3) == 0) {
            collect(run);
        }
    }
    close_store(run);
    (void)printf("%u answers as expected, %u not\n", run->passed, run->failed);
    (void)printf("%d passed, %d failed\n", run->failed == 0, run->failed != 0);
    return run->failed == 0 ? 0 : 1;
}

/* ---- measuring --------------------------------------------------------------------------- */

static double
now_s(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* CPU time of all threads, which depends less on other load than wall time. */
static double
cpu_s(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
append_next(struct run *run, uint32_t *seqs, uint32_t match, size_t size)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_APPEND);

    job->match_id = (int64_t)match + 1;
    job->context_number = match;
    add_record(job, ++seqs[match], RECORD_TURN, size);
    if (!run->port->submit(run->port, job)) {
        die("the queue is full");
    }
}

/* Keeps `count` records in flight, one per match, for this many seconds. */
static void
append_for(struct run *run, uint32_t count, size_t size, double seconds)
{
    uint32_t *seqs = calloc(count, sizeof(*seqs));
    double end_s = now_s() + seconds;

    if (seqs == NULL) {
        die("no memory");
    }
    for (uint32_t i = 0; i < count; i++) {
        seqs[i] = 1;
        append_next(run, seqs, i, size);
    }
    while (now_s() < end_s) {
        struct store_job *job = wait_for_done(run);

        while (job != NULL) {
            struct store_job *next = job->next;

            append_next(run, seqs, (uint32_t)job->context_number, size);
            store_job_free(job);
            job = next;
        }
    }
    free(seqs);
}

static void
measure(uint32_t count, size_t size, double seconds)
{
    struct run *run = calloc(1, sizeof(*run));
    struct store_figures before;
    struct store_figures after;
    double records;
    double commits;
    double began_cpu_s;

    if (run == NULL) {
        die("no memory");
    }
    open_store(run);
    create_matches(run, (int)count);
    store_figures(run->store, &before);
    began_cpu_s = cpu_s();
    append_for(run, count, size, seconds);
    store_figures(run->store, &after);
    records = (double)(after.records - before.records);
    commits = (double)(after.commits - before.commits);
    (void)printf("%5u in flight %5zu bytes %8.0f records/s %6.1f per commit %6.0f us per commit "
                 "%5.1f us CPU per record\n",
                 count, size, records / seconds, records / commits,
                 (double)(after.commit.sum_us - before.commit.sum_us) / commits,
                 (cpu_s() - began_cpu_s) * 1e6 / records);
    close_store(run);
    free(run);
}

int
main(int argc, char **argv)
{
    static const uint32_t counts[] = { 1, 20, 40, 200, 400, 1000 };
    static struct run run;
    const char *seed = getenv("SEED");

    if (argc == 2 && strcmp(argv[1], "--measure") == 0) {
        for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
            measure(counts[i], 200, 3);
            measure(counts[i], 600, 3);
        }
        return 0;
    }
    run.chance = seed != NULL ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    (void)printf("SEED=%llu\n", (unsigned long long)run.chance);
    return run_random(&run);
}
