#include "server/host/room/restore.h"

#include <stdlib.h>

#include "server/match/resolve.h"
#include "server/match/row.h"
#include "server/match/snapshot.h"

/*
 * Builds a room from what is stored.
 *
 * The match is replayed from its newest snapshot, or from its first state,
 * through every stored turn.  If a hash differs from the stored one, the match
 * is quarantined.
 */

#define PIECE_RECORDS 16 /* records per match before the next match is worked on */

static bool
restore_trouble(struct restoring *in, const char *what)
{
    in->trouble = what;
    return false;
}

/* ---- records ----------------------------------------------------------------------------- */

/* The public record being restored. */
static bool
is_shown(const struct restoring *in)
{
    return in->shown != NULL && in->room.match.seq + 1 > in->shown_after;
}

/* Hands in and applies the record, by the same code as live play. */
static bool
restore_record(struct restoring *in)
{
    const struct store_record *record = &in->job->records[in->at];
    struct work *work = &in->host->work;
    struct match *match = &in->room.match;
    bool tells = is_shown(in) && fact_is_public(record->kind);
    struct sk_turn turn;
    struct fact fact;
    const char *trouble = match_read(work, match, in->job, record, &turn, &fact);

    if (trouble == NULL && record->kind == RECORD_CREATED) {
        trouble = in->at != 0 ? "it was created twice"
                              : match_check_created(work, match, &in->job->match, record);
    }
    if (trouble == NULL && fact.pending != NULL && !fact.is_as_stored) {
        trouble = "a turn does not come to its stored hash";
    }
    if (trouble == NULL) {
        if (tells && fact.pending != NULL) {
            pending_keep_texts(work, match, &turn, fact.pending);
        }
        match_take(work, match, &fact, record->at_ms);
        in->last_at_ms = record->at_ms;
        in->at++;
        if (tells) {
            in->shown(in, record, fact.pending);
        }
    }
    fact_fini(&fact);
    return trouble == NULL || restore_trouble(in, trouble);
}

/* ---- one after the other ------------------------------------------------------------------ */

static bool
restore_head(struct restoring *in)
{
    const struct store_match *row = &in->job->match;
    const char *trouble = match_begin(&in->host->work, row, &in->room.match);

    in->room.code = row->code == NULL ? NULL : heap_text(sk_text_of(row->code));
    if (trouble == NULL &&
        (in->job->record_count == 0 || in->job->records[0].kind != RECORD_CREATED)) {
        trouble = "the first record is not that of this match";
    }
    return trouble == NULL || restore_trouble(in, trouble);
}

/* The next record; the first may be followed by a turn and its snapshot. */
static bool
restore_next(struct restoring *in)
{
    const struct store_record *records = in->job->records;
    const char *trouble;

    if (in->room.match.config == NULL && !restore_head(in)) {
        return false;
    }
    if (in->at != 1 || !store_job_has_snapshot(in->job)) {
        return restore_record(in);
    }
    trouble = in->job->record_count < 3
                  ? "a snapshot is missing"
                  : match_from_snapshot(&in->host->work, &in->room.match, in->job, &records[1],
                                        &records[2], &in->last_at_ms);
    in->at = 3;
    return trouble == NULL || restore_trouble(in, trouble);
}

/* Returns true at the end, or on a fault. */
static bool
restore_piece(struct restoring *in)
{
    uint32_t count = in->job->record_count;

    if (in->begins != NULL && !in->begins(in)) {
        return true;
    }
    for (int i = 0; i < PIECE_RECORDS && in->trouble == NULL && in->at < count; i++) {
        (void)restore_next(in);
    }
    if (in->trouble == NULL && in->at < count) {
        return false;
    }
    if (in->trouble == NULL && !in->job->load.has_turn_end) {
        in->trouble = match_check_row(&in->room.match, in->job);
    }
    if (in->trouble == NULL) {
        in->room.log.handed_seq =
            count == 0 ? in->room.log.handed_seq : in->job->records[count - 1].seq;
        in->room.log.stored_seq = in->room.log.handed_seq;
        match_set_rated(&in->room.match, in->job->match.is_rated);
    } else {
        in->needs_all = store_job_has_snapshot(in->job);
    }
    return true;
}

/* ---- all of them -------------------------------------------------------------------------- */

struct restoring *
restore_alloc(struct host *host, struct store_job *job)
{
    struct restoring *in = heap_memory(sizeof(*in));

    in->host = host;
    in->job = store_job_take(job);
    in->room.host = host;
    match_init(&in->room.match, in->job->match_id);
    return in;
}

void
restore_on(struct restoring *in, struct store_job *job)
{
    store_job_free(in->job);
    in->job = store_job_take(job);
    in->at = 0;
    restore_start(in);
}

void
restore_free(struct restoring *in)
{
    match_fini(&in->host->work, &in->room.match);
    free(in->room.code);
    store_job_free(in->job);
    free(in);
}

void
restore_start(struct restoring *in)
{
    struct restoring **at = &in->host->restorings;

    while (*at != NULL) {
        at = &(*at)->next;
    }
    in->next = NULL;
    *at = in;
}

void
restore_some(struct host *host)
{
    struct restoring *in = host->restorings;

    host->restorings = in->next;
    if (restore_piece(in)) {
        bool is_kept = in->is_kept;

        in->done(in);
        if (!is_kept) {
            restore_free(in);
        }
    } else {
        restore_start(in);
    }
}

void
restore_free_all(struct host *host)
{
    while (host->restorings != NULL) {
        struct restoring *in = host->restorings;

        host->restorings = in->next;
        if (!in->is_kept) {
            free(in->context);
            restore_free(in);
        }
    }
}
