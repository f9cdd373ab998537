/*
 * Reads the records of many matches in the order in which they are stored.
 *
 * A match's records lie between those of the matches that were played at the
 * same time.  Reading one match after the other therefore reads a page again
 * for each match that has a record in it.  Here a page is read once for all
 * given matches, and records are handed on without being copied.
 *
 * A match is whole if its rows, from the chain's first to its last, are linked
 * to one another, numbered without gaps, and have the hashes of the chain.  That
 * is what sqlite_walk.c would read.  Everything unusual is left to it: the match
 * is left out, without saying why.
 */
#include <stdlib.h>
#include <string.h>

#include "server/memory.h"
#include "server/store/archive.h"
#include "server/store/sql_load.h"
#include "server/store/sqlite.h"

/* Each block is a short transaction.  If several in a row have fewer records of the given matches
 * than that, reading the rest match by match is faster. */
#define BLOCK_RECORDS 2048
#define BLOCK_WANTED  128
#define BLOCKS_POOR   8

static const struct sql_text first_sql = {
    "SELECT min(first_record) FROM chain WHERE match BETWEEN ? AND ? "
    "AND match NOT IN (SELECT match FROM pruned)",
    NULL,
};

/* With `+` SQLite reads the table itself in order, instead of its index. */
static const struct sql_text block_sql = {
    "SELECT id, match, previous, seq, epoch, turn, seat, command_id, kind, at, hash, body "
    "FROM record WHERE id BETWEEN ? AND ? AND +match BETWEEN ? AND ? ORDER BY id",
    NULL,
};

/* A match on its way through the stream. */
struct flow {
    struct store_job *job; /* NULL: it has not begun, or it is over */
    bool is_over;
    struct load_end end;
    int64_t last_record;    /* where the chain ends */
    int64_t id;             /* of the record before; 0: none */
    struct reading reading; /* the chain so far */
    uint64_t *keys;         /* of all command ids */
    uint32_t key_count;
    void *it; /* the taker's own */
};

struct stream {
    struct sql *sql;
    const struct archive_taker *taker;
    const int64_t *ids;
    struct flow *flows; /* one per id */
    uint32_t count;
};

/* ---- one match --------------------------------------------------------------------------- */

static void
flow_end(struct stream *stream, struct flow *flow, bool is_whole)
{
    if (flow->it != NULL) {
        stream->taker->end(flow->it, flow->job, is_whole);
    }
    store_job_free(flow->job);
    free(flow->keys);
    flow->job = NULL;
    flow->keys = NULL;
    flow->it = NULL;
    flow->is_over = true;
}

static bool
chain_load(struct stream *stream, struct flow *flow)
{
    struct row row = sqlite_row(stream->sql, SQL_CHAIN_LAST);
    bool is_there;

    row_put_number(&row, flow->job->match_id);
    is_there = row_step(&row);
    if (is_there) {
        flow->last_record = row_take_number(&row);
        flow->reading.number = row_take_number(&row);
    }
    return row_end(&row) && is_there;
}

static bool
flow_begin(struct stream *stream, struct flow *flow, int64_t id)
{
    uint32_t index = (uint32_t)(flow - stream->flows);

    flow->job = store_job_alloc(JOB_MATCH_LOAD);
    flow->job->match_id = stream->ids[index];
    flow->reading = (struct reading){ .job = flow->job, .next = 1 };
    if (sql_match_row_load(stream->sql, flow->job, &flow->end) != OUTCOME_OK ||
        flow->end.first_record != id || !chain_load(stream, flow)) {
        return false;
    }
    flow->it = stream->taker->begin(stream->taker->context, index, flow->job);
    return flow->it != NULL;
}

/* Also for ids, which are positive. */
static int
compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

static void
keep_key(struct flow *flow, const struct store_record *record)
{
    uint32_t count = flow->key_count;

    if (record->command_id == NULL) {
        return;
    }
    if ((count & (count - 1)) == 0) {
        flow->keys = heap_grow(flow->keys, (count == 0 ? 1 : 2 * count) * sizeof(*flow->keys));
    }
    flow->keys[flow->key_count++] =
        store_command_key(record->seat, record->command_id, strlen(record->command_id));
}

static bool
has_repeated_key(struct flow *flow)
{
    if (flow->key_count > 0) {
        qsort(flow->keys, flow->key_count, sizeof(*flow->keys), compare);
    }
    for (uint32_t i = 1; i < flow->key_count; i++) {
        if (flow->keys[i - 1] == flow->keys[i]) {
            return true;
        }
    }
    return false;
}

/* `row` continues with the record's `previous`. */
static void
flow_take(struct stream *stream, struct flow *flow, struct row *row, int64_t id)
{
    struct store_record record = { .seq = (uint32_t)flow->reading.next };
    bool is_next = row_take_number_or(row, 0) == flow->id;

    is_next = row_take_number(row) == flow->reading.next && is_next;
    reading_verify(&flow->reading, &record, record_look(row, &record));
    if (!is_next || flow->reading.fault != NULL || !stream->taker->record(flow->it, &record)) {
        flow_end(stream, flow, false);
        return;
    }
    keep_key(flow, &record);
    flow->id = id;
    if (id == flow->last_record) {
        flow_end(stream, flow,
                 reading_is_at_end(&flow->reading, &flow->end) && !has_repeated_key(flow));
    }
}

/* ---- all of them ------------------------------------------------------------------------- */

static void
row_take(struct stream *stream, struct row *row)
{
    int64_t id = row_take_number(row);
    int64_t match = row_take_number(row);
    const int64_t *place =
        bsearch(&match, stream->ids, stream->count, sizeof(*stream->ids), compare);
    struct flow *flow = place == NULL ? NULL : &stream->flows[place - stream->ids];

    if (flow == NULL || flow->is_over) {
        return;
    }
    if (flow->job == NULL && !flow_begin(stream, flow, id)) {
        flow_end(stream, flow, false);
        return;
    }
    flow_take(stream, flow, row, id);
}

static bool
first_read(struct stream *stream, int64_t *ret_id)
{
    struct row row;
    bool is_there = sqlite_prepare(stream->sql, &first_sql, &row);

    if (is_there) {
        row_put_number(&row, stream->ids[0]);
        row_put_number(&row, stream->ids[stream->count - 1]);
        is_there = row_step(&row) && !row_is_null(&row);
        *ret_id = is_there ? row_take_number(&row) : 0;
    }
    return sqlite_finish(&row) && is_there;
}

/* Counts the blocks in a row that have few records. */
static bool
block_read(struct stream *stream, struct row *row, int64_t from, uint32_t *poor)
{
    uint32_t taken = 0;

    row->next = 1;
    row_put_number(row, from);
    row_put_number(row, from + BLOCK_RECORDS - 1);
    row_put_number(row, stream->ids[0]);
    row_put_number(row, stream->ids[stream->count - 1]);
    while (row_step(row)) {
        row_take(stream, row);
        taken++;
    }
    *poor = taken < BLOCK_WANTED ? *poor + 1 : 0;
    return row_end(row) && *poor < BLOCKS_POOR;
}

void
sqlite_stream(struct sql *sql, const int64_t *ids, uint32_t count,
              const struct archive_taker *taker)
{
    struct stream stream = { .sql = sql, .taker = taker, .ids = ids, .count = count };
    uint32_t poor = 0;
    struct row row;
    int64_t from;

    stream.flows = heap_memory(count * sizeof(*stream.flows));
    if (first_read(&stream, &from)) {
        bool goes_on = sqlite_prepare(sql, &block_sql, &row);

        for (; goes_on && from <= INT64_MAX - BLOCK_RECORDS; from += BLOCK_RECORDS) {
            goes_on = block_read(&stream, &row, from, &poor);
        }
        (void)sqlite_finish(&row);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!stream.flows[i].is_over) {
            flow_end(&stream, &stream.flows[i], false);
        }
    }
    free(stream.flows);
}
