/*
 * Finds the records of a match, from the last one backwards along `previous`,
 * and reads them in order.
 */
#include <stdlib.h>

#include "server/memory.h"
#include "server/store/sql_load.h"
#include "server/store/sqlite.h"

struct walk {
    struct reading *reading;
    int64_t *ids; /* of the records, the newest first */
    uint32_t id_count;
    uint32_t id_capacity;
};

/* ---- reading ----------------------------------------------------------------------------- */

/* Reads the record with this id as the next one, or notes a fault.  False on a database error. */
static bool
record_read(struct sqlite *sqlite, struct walk *walk, int64_t id)
{
    struct row row = sqlite_row(&sqlite->sql, SQL_RECORD_LOAD);

    row_put_number(&row, id);
    row_put_number(&row, walk->reading->job->match_id);
    if (row_step(&row)) {
        reading_take(walk->reading, &row);
    } else {
        walk->reading->fault = "is missing";
    }
    return row_end(&row);
}

/* Reads at most `limit` of the records found, oldest first. */
static bool
records_read(struct sqlite *sqlite, struct walk *walk, int64_t limit)
{
    for (int64_t i = 0; i < limit && walk->reading->fault == NULL && walk->id_count > 0; i++) {
        if (!record_read(sqlite, walk, walk->ids[--walk->id_count])) {
            return false;
        }
        if (!reading_goes_on(walk->reading)) {
            break;
        }
        sql_look_up(&sqlite->sql);
    }
    return true;
}

/* The oldest record found is number `seq` and is not wanted itself: reads only its hash, for the
 * next record to follow from. */
static bool
hash_read(struct sqlite *sqlite, struct walk *walk, int64_t seq)
{
    struct row row = sqlite_row(&sqlite->sql, SQL_RECORD_HASH);

    row_put_number(&row, walk->ids[--walk->id_count]);
    walk->reading->next = seq;
    if (!row_step(&row) || !row_take_bytes(&row, walk->reading->head, STORE_HASH_BYTES)) {
        walk->reading->fault = "is missing";
    } else {
        walk->reading->next = seq + 1;
    }
    return row_end(&row);
}

/* ---- which records ----------------------------------------------------------------------- */

/* Where the walk back through a match's records ends. */
struct way {
    int64_t first;     /* seq of the oldest record needed */
    int64_t seq;       /* of the record visited last */
    int64_t turn_max;  /* a snapshot of this turn or an earlier one ends the walk ... */
    bool has_snapshot; /* ... and was found: two more records follow */
};

/* `row` continues with a record's turn and kind. */
static void
way_look_for_snapshot(struct way *way, struct row row)
{
    bool has_turn = !row_is_null(&row);
    int64_t turn = row_take_number(&row);
    struct sk_text kind = row_take_text(&row);

    if (has_turn && turn <= way->turn_max && way->seq > 3 &&
        sk_text_same(kind, sk_text_of(store_record_kind_names[RECORD_SNAPSHOT]))) {
        way->has_snapshot = true;
        way->first = way->seq - 2; /* the turn before it, and the record before that */
    }
}

/* Handles one row of SQL_RECORD_STEP; returns the id of the record before. */
static int64_t
way_go(struct walk *walk, struct way *way, struct row *row, int64_t id)
{
    int64_t previous = row_take_number(row);

    if (walk->id_count == walk->id_capacity) {
        walk->id_capacity = walk->id_capacity == 0 ? 64 : 2 * walk->id_capacity;
        walk->ids = heap_grow(walk->ids, walk->id_capacity * sizeof(*walk->ids));
    }
    walk->ids[walk->id_count++] = id;
    way->seq = row_take_number(row);
    if (!way->has_snapshot) {
        way_look_for_snapshot(way, *row);
    }
    return previous;
}

/* Finds the records from way->first on; stops there or at a missing record. */
static bool
way_find(struct sqlite *sqlite, struct walk *walk, struct way *way)
{
    struct row row = sqlite_row(&sqlite->sql, SQL_CHAIN_LAST);
    bool is_found;
    bool is_fine;
    int64_t id;

    row_put_number(&row, walk->reading->job->match_id);
    is_found = row_step(&row);
    id = is_found ? row_take_number(&row) : 0;
    is_fine = row_end(&row);
    way->seq = INT64_MAX;
    while (is_fine && is_found && way->seq > way->first) {
        row = sqlite_row(&sqlite->sql, SQL_RECORD_STEP);
        row_put_number(&row, id);
        row_put_number(&row, walk->reading->job->match_id);
        row_put_number(&row, way->seq);
        is_found = row_step(&row);
        id = is_found ? way_go(walk, way, &row, id) : 0;
        is_fine = row_end(&row);
    }
    return is_fine;
}

/* Returns false if a record is missing; the fault names the oldest missing one. */
static bool
way_is_whole(struct walk *walk, const struct way *way, int64_t last_seq)
{
    if (walk->id_count > 0 && way->seq == way->first) {
        return true;
    }
    walk->reading->next = walk->id_count == 0     ? last_seq
                          : way->seq < way->first ? way->first
                                                  : way->seq - 1;
    walk->reading->fault = "is missing";
    return false;
}

/* Reads from record `first` on. */
static bool
records_read_from(struct sqlite *sqlite, struct walk *walk, int64_t first, int64_t last_seq,
                  int64_t limit)
{
    struct way way = { .first = first - 1, .turn_max = STORE_FROM_START };

    if (!way_find(sqlite, walk, &way)) {
        return false;
    }
    return !way_is_whole(walk, &way, last_seq) ||
           (hash_read(sqlite, walk, way.first) &&
            (walk->reading->fault != NULL || records_read(sqlite, walk, limit)));
}

/* Reads the first record, and all from the turn before the snapshot on. */
static bool
records_read_all(struct sqlite *sqlite, struct walk *walk, const struct load_end *end)
{
    struct way way = { .first = 1, .turn_max = walk->reading->job->load.from_turn };

    if (!way_find(sqlite, walk, &way)) {
        return false;
    }
    if (!way_is_whole(walk, &way, end->last_seq)) {
        return true;
    }
    if (way.has_snapshot &&
        (!record_read(sqlite, walk, end->first_record) ||
         (walk->reading->fault == NULL && !hash_read(sqlite, walk, way.first)))) {
        return false;
    }
    return records_read(sqlite, walk, INT64_MAX);
}

bool
sqlite_records_read(struct sql *sql, struct reading *reading, const struct load_end *end)
{
    struct walk walk = { .reading = reading };
    bool is_read = records_read_all((struct sqlite *)sql, &walk, end);

    free(walk.ids);
    return is_read;
}

bool
sqlite_records_read_from(struct sql *sql, struct reading *reading, int64_t first, int64_t last_seq,
                         int64_t limit)
{
    struct walk walk = { .reading = reading };
    bool is_read = records_read_from((struct sqlite *)sql, &walk, first, last_seq, limit);

    free(walk.ids);
    return is_read;
}
