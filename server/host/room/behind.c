#include "server/host/room/behind.h"

#include <stdlib.h>

#include "server/host/room/aside.h"
#include "server/host/room/restore.h"
#include "server/host/room/tell.h"

#define RECORDS_AT_ONCE 64
#define RETRY_MS        1000

struct behind {
    struct room *of;
    struct restoring *in; /* the delayed room; NULL until the first records are read */
    struct timer timer;   /* retries after the store did not answer */
    bool has_bad_snapshot;
    int32_t turn_end; /* the last turn that was read */
    bool is_begun;    /* the first records are applied: it can be shown */
    bool is_reading;  /* waiting for the store, or applying what was read */
    bool has_news;    /* something changed since the last read */
};

/* The last turn that spectators may see. */
static int32_t
horizon_of(const struct room *room)
{
    int32_t turn = (int32_t)room->match.state->turn;

    return room_phase(room) == ROOM_OVER        ? INT32_MAX
           : turn > room->match.spectator_delay ? turn - room->match.spectator_delay
                                                : 0;
}

static bool
has_watchers(const struct room *room)
{
    const struct follow *follow = room->audience.follows;

    while (follow != NULL && follow->seat != SK_SPECTATOR) {
        follow = follow->next_of_room;
    }
    return follow != NULL || room->audience.resumings != NULL || room->parked != NULL;
}

void
behind_free(struct room *room)
{
    struct behind *behind = room->audience.behind;

    if (behind != NULL) {
        timers_clear(&room->host->timers, &behind->timer);
        if (behind->in != NULL) {
            restore_free(behind->in);
        }
        free(behind);
        room->audience.behind = NULL;
        room->audience.known = NULL;
    }
}

void
behind_release(struct room *room)
{
    if (room->audience.behind != NULL && !room->audience.behind->is_reading &&
        !has_watchers(room)) {
        behind_free(room);
    }
}

/* ---- reading ----------------------------------------------------------------------------- */

static void records_read(struct store_job *job, struct host *host);

/*
 * Returns false if the store is full.  The first read ends at the turn that spectators could
 * see when it was requested, however late it comes: that is their first state, and all later
 * turns are sent to them.
 */
static bool
read_on(struct behind *behind)
{
    struct room *room = behind->of;
    struct store_job *job = host_job(JOB_MATCH_LOAD, records_read, behind);
    int32_t turn_end = behind->is_begun ? horizon_of(room) : behind->turn_end;

    job->match_id = room->match.id;
    job->load.has_turn_end = true;
    job->load.turn_end = turn_end;
    if (behind->is_begun) {
        job->load.first_seq = behind->in->room.log.handed_seq + 1;
        job->load.limit = RECORDS_AT_ONCE;
    } else {
        job->load.from_turn = behind->has_bad_snapshot ? STORE_FROM_START : turn_end;
    }
    job->place = STORE_FOR_PLAYERS; /* what spectators may see is on disk */
    if (!host_submit(room->host, job)) {
        return false;
    }
    behind->turn_end = turn_end;
    behind->has_news = turn_end != horizon_of(room);
    behind->is_reading = true;
    room_hold(room); /* until the records are applied */
    return true;
}

static void
read_later(struct behind *behind)
{
    struct host *host = behind->of->host;

    timers_set(&host->timers, &behind->timer, host_now_ms(host) + RETRY_MS);
}

static void
read_again(struct timer *timer, int64_t now_ms)
{
    struct behind *behind = TIMER_OWNER(timer, struct behind, timer);

    (void)now_ms;
    if (!behind->is_reading && !read_on(behind)) {
        read_later(behind);
    }
}

/* Sends a frame for spectators to all of them. */
static void
tell(struct restoring *in, const struct store_record *record, const struct pending_turn *turn)
{
    in->room.audience.follows = room_find(in->host, in->room.match.id)->audience.follows;
    room_show_record(&in->room, record, turn);
    in->room.audience.follows = NULL;
}

/* From now on it reads by itself, until the end of the match. */
static void
records_played(struct restoring *in)
{
    struct room *room = room_find(in->host, in->room.match.id);
    struct behind *behind = room->audience.behind;
    bool is_cut = behind->is_begun && in->job->record_count == RECORDS_AT_ONCE;

    room_let_go(room);
    behind->is_reading = false;
    if (in->trouble != NULL && in->needs_all && !behind->has_bad_snapshot) {
        behind->has_bad_snapshot = true;
        behind->in = NULL;
        restore_free(in);
        read_again(&behind->timer, 0);
        return;
    }
    if (in->trouble != NULL) {
        room_quarantine(room, in->trouble);
        behind_free(room);
    } else if (in->room.match.status == MATCH_ENDED && !is_cut) { /* its end was read too */
        behind_free(room);
    } else {
        behind->is_begun = true;
        room->audience.known = &in->room;
        in->shown = tell;
        if (is_cut || behind->has_news) {
            read_again(&behind->timer, 0);
        }
    }
    room_unpark(room, true);
}

static void
play(struct behind *behind, struct store_job *job)
{
    struct restoring *in;

    if (behind->in != NULL) {
        restore_on(behind->in, job);
        return;
    }
    in = restore_alloc(behind->of->host, job);
    in->room.is_shadow = true;
    in->room.is_behind = true;
    in->is_kept = true;
    in->done = records_played;
    behind->in = in;
    restore_start(in);
}

static void
records_read(struct store_job *job, struct host *host)
{
    struct behind *behind = job->context;
    struct room *room = behind->of;

    (void)host;
    if (job->result == STORE_OK) {
        play(behind, job);
        return;
    }
    room_let_go(room);
    behind->is_reading = false;
    if (room_is_corrupt(room, job)) {
        behind_free(room);
        room_unpark(room, true);
    } else {
        read_later(behind);
        room_unpark(room, behind->is_begun); /* waiting clients get store_unavailable */
    }
}

/* ---- from outside ------------------------------------------------------------------------ */

/* In the first turn and at the end, spectators may know everything. */
static bool
is_needed(const struct room *room)
{
    return room->match.spectator_delay > 0 && room_phase(room) == ROOM_RUNNING &&
           room->match.state->turn > 0 && !room->is_shadow;
}

static void
begin(struct room *room)
{
    struct behind *behind = heap_memory(sizeof(*behind));

    behind->of = room;
    behind->turn_end = horizon_of(room);
    behind->timer = (struct timer){ .fire = read_again, .due_ms = TIMER_NEVER };
    room->audience.behind = behind;
    if (!read_on(behind)) {
        read_later(behind);
    }
}

static void
go_on(struct room *room)
{
    struct behind *behind = room->audience.behind;

    if (behind == NULL && is_needed(room) && has_watchers(room)) {
        begin(room);
    } else if (behind != NULL && horizon_of(room) != behind->turn_end) {
        behind->has_news = true;
        if (!behind->is_reading && !read_on(behind)) {
            read_later(behind);
        }
    }
}

void
room_apply(struct room *room, const struct fact *fact)
{
    struct host *host = room->host;
    int64_t at_ms = host_now_ms(host);

    /* Where seats alternate, a bot is asked after the pause: its clock starts then. */
    if (fact->kind == RECORD_TURN && room_pauses(room) && !room->match.ruleset->is_simultaneous) {
        at_ms = room->paced_ms;
    }
    match_apply(&host->work, &room->match, fact, at_ms);
    if (fact_is_public(fact->kind)) {
        go_on(room);
    }
}

bool
behind_is_ready(struct session *session, struct room *room)
{
    if (room_seat_of(room, session) != SK_SPECTATOR ||
        (room->audience.behind == NULL ? !is_needed(room) : room->audience.behind->is_begun)) {
        return true;
    }
    if (room->audience.behind == NULL) {
        begin(room);
    }
    room_park(room, session);
    return false;
}

bool
behind_is_coming(const struct room *room)
{
    return room->audience.behind != NULL && !room->audience.behind->is_begun;
}
