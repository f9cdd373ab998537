/*
 * Pruning on PostgreSQL: a match is one statement, as its records are found by
 * their key and nobody waits for a lock on them.
 */
#include <stdlib.h>
#include <unistd.h>

#include "server/clock.h"
#include "server/store/prune.h"
#include "server/store/sql.h"

#define MATCHES_AHEAD 256

#define FINISHED_BEFORE                                             \
    "m.status = 'over' AND m.ended_at < ?1::bigint AND NOT EXISTS " \
    "(SELECT 1 FROM pruned d WHERE d.match = m.id)"

static const struct sql_text look_sql = {
    "SELECT count(DISTINCT m.id), count(*), coalesce(sum(octet_length(r.body::text)), 0) "
    "FROM match m JOIN record r ON r.match = m.id WHERE " FINISHED_BEFORE,
    NULL
};
static const struct sql_text next_sql = { "SELECT m.id FROM match m WHERE " FINISHED_BEFORE
                                          " AND m.id > ?2 ORDER BY m.id LIMIT ?3",
                                          NULL };

/* Marks the match and drops its records at once. */
static const struct sql_text prune_sql = {
    "WITH dropped AS (DELETE FROM record WHERE match = ?1::bigint RETURNING kind) "
    "INSERT INTO pruned (match, pruned_at, records, turns) "
    "SELECT ?1::bigint, ?2::bigint, count(*), count(*) FILTER (WHERE kind = 'turn') FROM dropped",
    NULL
};
static const struct sql_text note_sql = {
    "INSERT INTO admin_log (at, uid, command, detail) VALUES (?1::bigint, ?2::bigint, 'prune', "
    "'{\"before\":' || ?3::bigint || ',\"matches\":' || ?4::bigint || ',\"records\":' || "
    "?5::bigint || '}')",
    NULL
};

struct pruning {
    struct sql *sql;
    int64_t before_ms;
    int64_t now_ms;
    struct prune_count count;
    struct sk_fault *fault;
};

static enum sk_status
refuse(const struct pruning *pruning, const char *code)
{
    return sk_fault_set(pruning->fault, code, pruning->sql->calls->error(pruning->sql));
}

static void
bind(struct pruning *pruning, const struct sql_text *text, const int64_t *numbers, int count,
     struct row *ret_row)
{
    (void)pruning->sql->calls->prepare(pruning->sql, text, ret_row);
    for (int i = 0; i < count; i++) {
        row_put_number(ret_row, numbers[i]);
    }
}

static enum sk_status
run(struct pruning *pruning, const struct sql_text *text, const int64_t *numbers, int count)
{
    struct row row;

    bind(pruning, text, numbers, count, &row);
    (void)row_step(&row);
    return pruning->sql->calls->finish(&row) ? SK_OK : refuse(pruning, "cannot_write");
}

static enum sk_status
count_all(struct pruning *pruning)
{
    struct row row;

    bind(pruning, &look_sql, &pruning->before_ms, 1, &row);
    if (row_step(&row)) {
        pruning->count.matches = row_take_number(&row);
        pruning->count.records = row_take_number(&row);
        pruning->count.bytes = row_take_number(&row);
    }
    return pruning->sql->calls->finish(&row) ? SK_OK : refuse(pruning, "cannot_read");
}

static enum sk_status
next_matches(struct pruning *pruning, int64_t after, int64_t ret_ids[MATCHES_AHEAD], int *ret_count)
{
    const int64_t numbers[] = { pruning->before_ms, after, MATCHES_AHEAD };
    struct row row;

    bind(pruning, &next_sql, numbers, 3, &row);
    *ret_count = 0;
    while (*ret_count < MATCHES_AHEAD && row_step(&row)) {
        ret_ids[(*ret_count)++] = row_take_number(&row);
    }
    return pruning->sql->calls->finish(&row) ? SK_OK : refuse(pruning, "cannot_read");
}

static enum sk_status
prune_all(struct pruning *pruning, database_progress *progress, void *context)
{
    enum sk_status status = SK_OK;
    int64_t ids[MATCHES_AHEAD];
    int64_t after = 0;
    int64_t done = 0;
    int count = MATCHES_AHEAD;

    while (status == SK_OK && count == MATCHES_AHEAD) {
        status = next_matches(pruning, after, ids, &count);
        for (int i = 0; status == SK_OK && i < count; i++) {
            const int64_t numbers[] = { ids[i], pruning->now_ms };

            status = run(pruning, &prune_sql, numbers, 2);
            after = ids[i];
            done++;
            if (status == SK_OK && progress != NULL &&
                !progress(context, done, pruning->count.matches)) {
                status = sk_fault_set(pruning->fault, "ended", "pruning was interrupted");
            }
        }
    }
    return status;
}

enum sk_status
prune_shared_look(const char *path, int64_t before_ms, struct prune_count *ret_count,
                  struct sk_fault *ret_fault)
{
    struct pruning pruning = { .before_ms = before_ms, .fault = ret_fault };
    struct store_options options;
    struct backend *backend = NULL;
    enum sk_status status;

    store_options_init(&options);
    status = backend_open_read_only(path, &options, &backend, ret_fault);
    if (status == SK_OK) {
        pruning.sql = (struct sql *)backend;
        status = count_all(&pruning);
        *ret_count = pruning.count;
        backend->close(backend);
    }
    return status;
}

enum sk_status
prune_shared_run(const char *path, int64_t before_ms, database_progress *progress, void *context,
                 struct prune_count *ret_count, struct sk_fault *ret_fault)
{
    struct pruning pruning = { .before_ms = before_ms, .fault = ret_fault };
    struct store_options options;
    struct backend *backend = NULL;
    enum sk_status status;

    store_options_init(&options);
    status = backend_open_beside(path, &options, &backend, ret_fault);
    if (status != SK_OK) {
        return status;
    }
    pruning.sql = (struct sql *)backend;
    pruning.now_ms = clock_ms(CLOCK_REALTIME);
    status = count_all(&pruning);
    if (status == SK_OK) {
        const int64_t numbers[] = { pruning.now_ms, (int64_t)geteuid(), before_ms,
                                    pruning.count.matches, pruning.count.records };

        status = run(&pruning, &note_sql, numbers, 5);
    }
    if (status == SK_OK) {
        status = prune_all(&pruning, progress, context);
    }
    backend->close(backend);
    *ret_count = pruning.count;
    return status;
}
