/*
 * Reading the records of a match in order: each database finds and fetches
 * them in its own way, and gives them to a struct reading.
 *
 * Internal to server/store.
 *
 * Owner:   the job that is being worked on.
 * Threads: the backend's.
 */
#ifndef SK_STORE_SQL_LOAD_H
#define SK_STORE_SQL_LOAD_H

#include "server/store/sql.h"

/* Where the chain must end. */
struct load_end {
    int64_t last_seq;
    int64_t first_record; /* the id of record 1, where records have ids */
    bool has_head;
    bool is_pruned; /* none of its records is left */
    uint8_t head[STORE_HASH_BYTES];
};

struct reading {
    struct store_job *job;
    int64_t number;                 /* of the match, as its hashes have it */
    int64_t next;                   /* seq expected next */
    uint8_t head[STORE_HASH_BYTES]; /* hash of the previous record */
    const char *fault;              /* what is wrong with record `next`, or NULL */
};

/* Loads the match's row and its seats, without records. */
enum outcome sql_match_row_load(struct sql *sql, struct store_job *job, struct load_end *ret_end);

/* Fills in a zeroed record from a row that continues with epoch, turn, seat, command_id, kind, at,
 * hash and body.  Returns NULL, or what is wrong
 * with it: then it cannot be verified. */
const char *record_take(struct row *row, struct store_record *record);

/* The same, but its texts are the row's own. */
const char *record_look(struct row *row, struct store_record *record);

/* Whether the chain ends with the record that was verified last. */
bool reading_is_at_end(const struct reading *reading, const struct load_end *end);

/* Verifies the next record, or notes a fault; `wrong` is what record_take returned. */
void reading_verify(struct reading *reading, const struct store_record *record, const char *wrong);

/* Whether neither this record nor those after it are wanted. */
bool record_is_beyond(const struct store_job *job, const struct store_record *record);

/* Adds the record of this row to the job, or notes a fault.  The row has the match's number as the
 * hashes have it, seq, and then as record_take says. */
void reading_take(struct reading *reading, struct row *row);

/* Whether another record is wanted after the one that was taken. */
bool reading_goes_on(struct reading *reading);

/*
 * The calls of struct sql_calls, which return false on an error of the
 * database:
 *
 *   records_read       the first record, and all from the newest snapshot on
 *                      that is not later than load.from_turn, preceded by its
 *                      turn; without such a snapshot all records
 *   records_read_from  at most `limit` from record `first` on; the hash of the
 *                      one before is read first
 */

#endif /* SK_STORE_SQL_LOAD_H */
