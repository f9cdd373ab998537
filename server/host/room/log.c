#include "server/host/room/log.h"

#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "server/host/room/aside.h"
#include "server/host/room/asks.h"
#include "server/host/room/behind.h"
#include "server/host/room/park.h"
#include "server/host/room/tell.h"
#include "server/match/clock.h"

#define RETRY_MS 1000

/* ---- drafts ------------------------------------------------------------------------------ */

static void log_answered(struct store_job *job, void *context);

struct commit *
commit_draft(struct room *room, const struct commit_kind *kind, enum store_record_kind what,
             uint8_t seat)
{
    struct commit *commit = heap_memory(sizeof(*commit));

    commit->room = room;
    commit->kind = kind;
    commit->fact.kind = what;
    commit->fact.seat = seat;
    commit->fact.turn = room->match.state == NULL ? 0 : room->match.state->turn;
    commit->job = store_job_alloc(JOB_MATCH_APPEND);
    commit->job->done = log_answered;
    commit->job->context = commit;
    commit->job->match_id = room->match.id;
    return commit;
}

static void
commit_free(struct commit *commit)
{
    submission_free(commit->fact.submission);
    free(commit);
}

struct store_record *
commit_record(struct commit *commit, enum store_record_kind kind, int32_t seat,
              const struct sk_schema *schema, const void *body)
{
    const struct room *room = commit->room;
    struct host *host = room->host;
    struct store_record *record = store_job_add_record(commit->job);

    record->kind = kind;
    record->turn = room->match.state == NULL ? STORE_NO_TURN : (int32_t)room->match.state->turn;
    record->seat = seat;
    record->at_ms = host_wall_ms(host);
    record->body = work_json_form(&host->work, schema, body);
    record->body_length = strlen(record->body);
    return record;
}

/* ---- downtime ---------------------------------------------------------------------------- */

void
room_retry_later(struct room *room)
{
    struct host *host = room->host;

    room->log.retry_ms = host_now_ms(host) + RETRY_MS;
    room_touch(room, ROOM_TOUCHED);
}

static void
shift_stored(struct room *room, struct commit *commit)
{
    room_apply(room, &commit->fact);
    room_forget_shift(room);
    room_show_clock(room);
}

static const struct commit_kind shift_kind = { .stored = shift_stored };

static bool
owes_shift(const struct room *room)
{
    return room->log.shift_ms != 0 && !room_commits(room, RECORD_CLOCK);
}

/* The clocks were moved when the match was loaded: the fact has nothing to shift. */
void
room_store_shift(struct room *room)
{
    struct record_clock body = { .shift_ms = ms_of_record(room->log.shift_ms) };
    struct commit *commit;

    if (!owes_shift(room)) {
        return;
    }
    commit = commit_draft(room, &shift_kind, RECORD_CLOCK, 0);
    (void)commit_record(commit, RECORD_CLOCK, STORE_NO_SEAT, &sk_record_clock, &body);
    if (!room_commit(commit)) {
        room_retry_later(room);
    }
}

/*
 * The downtime as a record, so that a second outage does not count it again.
 * Until it is stored, or the turn is over, there is no beat and no other
 * record of the match: both would say that clocks ran until then.
 */
void
room_shift(struct room *room, int64_t shift_ms)
{
    room->log.shift_ms = shift_ms;
    room->host->shifts++;
    room_store_shift(room);
}

/* ---- handing over ------------------------------------------------------------------------ */

/* The record of a downtime comes before everything else. */
static bool
hand_over(struct commit *commit)
{
    struct room *room = commit->room;
    struct store_job *job = commit->job;

    if (commit->fact.kind != RECORD_CLOCK) {
        room_store_shift(room);
        if (owes_shift(room)) {
            store_job_free(job);
            return false;
        }
    }
    for (uint32_t i = 0; i < job->record_count; i++) {
        job->records[i].seq = room->log.handed_seq + 1 + i;
    }
    job->append.generation = room->log.generation;
    return host_submit(room->host, job);
}

size_t
commit_bytes(const struct commit *commit)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < commit->job->record_count; i++) {
        bytes += commit->job->records[i].body_length;
    }
    return bytes;
}

bool
room_commit(struct commit *commit)
{
    struct room *room = commit->room;
    uint32_t record_count = commit->job->record_count;

    if (!hand_over(commit)) {
        commit_free(commit);
        return false;
    }
    room->log.handed_seq += record_count;
    room->jobs++;
    commit->next = room->log.commits;
    room->log.commits = commit;
    match_hand_in(&room->match, &commit->fact, host_now_ms(room->host));
    room_touch(room, ROOM_TOUCHED);
    return true;
}

bool
room_commits(const struct room *room, enum store_record_kind what)
{
    const struct commit *commit = room->log.commits;

    while (commit != NULL && commit->fact.kind != what) {
        commit = commit->next;
    }
    return commit != NULL;
}

/* ---- answers ----------------------------------------------------------------------------- */

/* Stored commands stay.  If nothing can be appended any more, a retry is useless. */
static void
fall_back(struct room *room, const struct store_job *job)
{
    room->log.generation = ++room->host->generation;
    room->log.handed_seq = room->log.stored_seq;
    if (job->result == STORE_CORRUPT || job->result == STORE_NOT_FOUND) {
        room_quarantine(room, job->message);
    }
    match_fall_back(&room->match, host_now_ms(room->host));
    room_asks_fall_back(room);
    if (room_phase(room) != ROOM_QUARANTINED) {
        room_retry_later(room);
    }
}

static void
not_stored(struct room *room, const struct commit *commit)
{
    const struct store_job *job = commit->job;
    bool is_first = job->append.generation == room->log.generation;
    enum error_code code;

    if (is_first) {
        fall_back(room, job);
    }
    code = room_phase(room) == ROOM_QUARANTINED ? ERROR_QUARANTINED : ERROR_STORE_UNAVAILABLE;
    if (commit->kind->failed != NULL) {
        commit->kind->failed(room, commit, code, is_first);
    }
    reply_error(room->host, &commit->reply, code);
}

static void
log_answered(struct store_job *job, void *context)
{
    struct commit *commit = job->context;
    struct room *room = commit->room;
    struct commit **at = &room->log.commits;

    (void)context;
    while (*at != commit) {
        at = &(*at)->next;
    }
    *at = commit->next;
    room->jobs--;
    if (job->result != STORE_OK) {
        not_stored(room, commit);
    } else {
        room->log.stored_seq = job->records[job->record_count - 1].seq;
        if (commit->kind->stored != NULL) {
            commit->kind->stored(room, commit);
        }
    }
    if (commit->kind->unparks) {
        room_unpark(room, true);
    } else {
        room_touch(room, ROOM_TOUCHED);
    }
    commit_free(commit);
}
