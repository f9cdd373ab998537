#include "server/host/room/commit.h"

#include <stdlib.h>

#include "proto/records.h"
#include "server/host/room/aside.h"
#include "server/host/room/asks.h"
#include "server/host/room/behind.h"
#include "server/host/room/tell.h"
#include "server/match/clock.h"

#define RETRY_MS 1000

/* ---- drafts ------------------------------------------------------------------------------ */

static void commit_answered(struct log_entry *entry, enum log_answer answer);

struct commit *
commit_draft(struct room *room, const struct commit_kind *kind, enum store_record_kind what,
             uint8_t seat)
{
    struct commit *commit = heap_memory(sizeof(*commit));

    commit->entry = (struct log_entry){ .kind = what, .answered = commit_answered };
    commit->room = room;
    commit->kind = kind;
    commit->fact.kind = what;
    commit->fact.seat = seat;
    commit->fact.turn = room->match.state == NULL ? 0 : room->match.state->turn;
    commit->job = store_job_alloc(JOB_MATCH_APPEND);
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
    struct sk_text text = work_form(&host->work, schema, body);

    record->kind = kind;
    record->turn = room->match.state == NULL ? STORE_NO_TURN : (int32_t)room->match.state->turn;
    record->seat = seat;
    record->at_ms = host_wall_ms(host);
    record->body = heap_text(text);
    record->body_length = text.length;
    return record;
}

/* ---- downtime ---------------------------------------------------------------------------- */

void
room_retry_later(struct room *room)
{
    room->retry_ms = host_now_ms(room->host) + RETRY_MS;
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
    return room->shift_ms != 0 && !room_log_has(&room->log, RECORD_CLOCK);
}

/* The clocks were moved when the match was loaded: the fact has nothing to shift. */
void
room_store_shift(struct room *room)
{
    struct record_clock body = { .shift_ms = ms_of_record(room->shift_ms) };
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
    room->shift_ms = shift_ms;
    room->host->shifts++;
    room_store_shift(room);
}

/* ---- handing over ------------------------------------------------------------------------ */

size_t
commit_bytes(const struct commit *commit)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < commit->job->record_count; i++) {
        bytes += commit->job->records[i].body_length;
    }
    return bytes;
}

/* The record of a downtime comes before everything else. */
static bool
hand_over(struct commit *commit)
{
    struct room *room = commit->room;

    if (commit->fact.kind != RECORD_CLOCK) {
        room_store_shift(room);
        if (owes_shift(room)) {
            store_job_free(commit->job);
            return false;
        }
    }
    return room_log_hand_over(&room->log, room->host, &commit->entry, commit->job);
}

bool
room_commit(struct commit *commit)
{
    struct room *room = commit->room;

    if (!hand_over(commit)) {
        commit_free(commit);
        return false;
    }
    match_hand_in(&room->match, &commit->fact, host_now_ms(room->host));
    room_touch(room, ROOM_TOUCHED);
    return true;
}

bool
room_commits_id(const struct room *room, uint8_t seat, struct sk_text id)
{
    for (const struct log_entry *entry = room->log.entries; entry != NULL; entry = entry->next) {
        const struct commit *commit = (const struct commit *)entry;

        if (commit->fact.seat == seat && sk_text_same(id, sk_text_of(commit->command_id))) {
            return true;
        }
    }
    return false;
}

/* ---- answers ----------------------------------------------------------------------------- */

/* Stored commands stay.  If nothing can be appended any more, a retry is useless.  A lost match
 * is read again: only the store knows what of it is stored. */
static void
fall_back(struct room *room, const struct store_job *job)
{
    if (job->result == STORE_CORRUPT || job->result == STORE_NOT_FOUND) {
        room_quarantine(room, job->message);
    } else if (job->result == STORE_LOST) {
        room_lose(room);
    }
    match_fall_back(&room->match, host_now_ms(room->host));
    room_asks_fall_back(room);
    if (room_phase(room) != ROOM_QUARANTINED && room_phase(room) != ROOM_LOST) {
        room_retry_later(room);
    }
}

static void
not_stored(struct room *room, const struct commit *commit, bool is_first)
{
    enum error_code code;

    if (is_first) {
        fall_back(room, commit->job);
    }
    code = room_phase(room) == ROOM_QUARANTINED ? ERROR_QUARANTINED : ERROR_STORE_UNAVAILABLE;
    if (commit->kind->failed != NULL) {
        commit->kind->failed(room, commit, code, is_first);
    }
    room_refuse(room, &commit->reply, code);
}

bool
commit_has_ended(const struct commit *commit)
{
    return commit->job->result == STORE_OK && commit->job->append.change.ended_at_ms != 0;
}

static void
commit_answered(struct log_entry *entry, enum log_answer answer)
{
    struct commit *commit = (struct commit *)entry;
    struct room *room = commit->room;

    if (answer != LOG_STORED || room_phase(room) == ROOM_LOST) {
        not_stored(room, commit, answer == LOG_FAILED);
        if (commit_has_ended(commit)) {
            room_uncount(room);
        }
    } else if (commit->kind->stored != NULL) {
        commit->kind->stored(room, commit);
    }
    if (commit->kind->unparks) {
        room_unpark(room, true);
    } else {
        room_touch(room, ROOM_TOUCHED);
    }
    commit_free(commit);
}
