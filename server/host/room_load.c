/*
 * Loading: a match that is not in memory is asked of the store, and frames
 * for it wait until it is there.
 *
 * What the store brings is restored beside the room (restore.h), which stays
 * ROOM_LOADING for everybody until the result is put in its place.
 */
#include <stdlib.h>
#include <string.h>

#include "server/host/restore.h"
#include "server/host/room_bot.h"

/* ---- messages that came while their room was being loaded -------------------------------- */

struct parked {
    struct parked *next;
    uint64_t session;
    int64_t code_match; /* the session's: what its code has led to */
    size_t length;
    char text[];
};

void
room_park(struct room *room, struct session *session, const char *text, size_t length)
{
    struct parked *parked = host_memory(sizeof(*parked) + length);
    struct parked **at = &room->parked;

    parked->session = session->number;
    parked->code_match = session->code_match;
    parked->length = length;
    memcpy(parked->text, text, length);
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = parked;
}

void
room_forget_parked(struct room *room)
{
    while (room->parked != NULL) {
        struct parked *parked = room->parked;

        room->parked = parked->next;
        free(parked);
    }
}

/* The list is taken first: a handler may park again, or free the room. */
static void
unpark(struct room *room)
{
    struct host *host = room->host;
    struct parked *list = room->parked;

    room->parked = NULL;
    while (list != NULL) {
        struct parked *parked = list;
        struct session *session = session_find(host, parked->session);

        list = parked->next;
        if (session != NULL) {
            session->code_match = parked->code_match;
            host_unpark(session, parked->text, parked->length);
            session->code_match = 0;
        }
        free(parked);
    }
}

void
room_unpark(struct room *room, bool is_available)
{
    struct host *host = room->host;
    int64_t id = room->id;

    room->is_unavailable = !is_available;
    unpark(room);
    room = room_find(host, id); /* a handler may have freed it */
    if (room != NULL) {
        room->is_unavailable = false;
        room_release(room);
    }
}

/* ---- set aside --------------------------------------------------------------------------- */

static void
set_aside(struct room *room, const char *reason)
{
    if (room->phase == ROOM_WAITING || room->phase == ROOM_RUNNING) {
        room_uncount(room);
    }
    room->phase = ROOM_QUARANTINED;
    room_forget_shift(room);
    room_schedule(room);
    room->reason = host_text(sk_text_of(reason));
    room_refuse_askers(room, ERROR_QUARANTINED);
    room_error_all(room, ERROR_QUARANTINED);
}

void
room_quarantine(struct room *room, const char *reason)
{
    struct host *host = room->host;
    struct store_job *job;

    if (room->phase == ROOM_QUARANTINED) {
        return; /* a read found it while this was on its way to the store */
    }
    host_log(host, HOST_LOG_ERROR, "match %lld is quarantined: %s", (long long)room->id, reason);
    host->quarantined_count++;
    set_aside(room, reason);
    job = room_append(room, NULL);
    job->match.id = room->id;
    job->change.is_quarantined = true;
    job->change.reason = host_text(sk_text_of(reason));
    (void)host_submit(host, job); /* at the next start it is found again */
}

bool
room_is_corrupt(struct room *room, const struct store_job *job)
{
    if (job->result == STORE_CORRUPT) {
        room_quarantine(room, job->message);
    }
    return job->result == STORE_CORRUPT;
}

/* ---- loading ----------------------------------------------------------------------------- */

/* What is known of a load while it is under way. */
struct loading {
    struct loading *next; /* in the host's list of those that are too early */
    int64_t match;
};

/* The room is as it will be: whoever waited is heard now. */
static void
loading_done(struct host *host, struct loading *loading, bool is_available)
{
    struct room *room = room_find(host, loading->match);
    bool is_of_start = room->is_of_start;

    room->jobs--;
    room->is_of_start = false;
    room_unpark(room, is_available);
    if (is_of_start) {
        host_load_done(host, !is_available);
    }
    free(loading);
}

/* The store did not bring it.  The phase is that in which rooms are freed. */
static void
loading_failed(struct host *host, struct loading *loading, bool is_missing)
{
    struct room *room = room_find(host, loading->match);

    if (room->phase != ROOM_LOADING) { /* it was created meanwhile */
        loading_done(host, loading, true);
        return;
    }
    room->phase = ROOM_OVER;
    room->is_missing = is_missing;
    loading_done(host, loading, is_missing);
}

/* Puts what was restored in the room's place; pointers to the room stay good. */
static void
take_over(struct room *room, struct restoring *in)
{
    struct room made = in->room;

    made.next = room->next;
    made.parked = room->parked;
    made.jobs = room->jobs;
    made.generation = room->generation;
    made.expires_ms = room_is_deserted(&made) ? 0 : room->expires_ms;
    made.timer = room->timer;
    made.is_of_start = room->is_of_start;
    *room = made;
    in->room = (struct room){ .host = in->host };
    for (uint32_t i = 0; i < in->job->key_count; i++) {
        id_set_add(&room->command_ids, in->job->keys[i]);
    }
    if (room->phase == ROOM_RUNNING) {
        restore_clocks(room, in);
    }
    room_schedule(room);
}

static bool ask_store(struct host *host, struct loading *loading, int32_t tail_turns);

static void
restored(struct restoring *in)
{
    struct host *host = in->host;
    struct loading *loading = in->context;
    struct room *room = room_find(host, loading->match);

    if (in->trouble != NULL && in->again_turns != 0) {
        if (!ask_store(host, loading, in->again_turns)) {
            loading_failed(host, loading, false);
        }
        return;
    }
    if (in->trouble != NULL) {
        room_quarantine(room, in->trouble);
    } else {
        take_over(room, in);
    }
    loading_done(host, loading, true);
}

/* Nobody follows yet: this only fills what spectators will be shown later. */
static void
keep_for_spectators(struct restoring *in, const struct store_record *record,
                    const struct pending_turn *turn)
{
    if (in->room.spectator_delay > 0) {
        room_show_record(&in->room, record, turn);
    }
}

static void
restore(struct host *host, struct loading *loading, struct store_job *job)
{
    struct restoring *in = restore_alloc(host, job);

    in->done = restored;
    in->shown = keep_for_spectators;
    in->context = loading;
    restore_start(in);
}

static void
loaded(struct store_job *job, void *context)
{
    struct host *host = context;
    struct loading *loading = job->context;
    struct room *room = room_find(host, loading->match);

    if (room->phase != ROOM_LOADING) { /* it was created meanwhile */
        loading_done(host, loading, true);
        return;
    }
    if (job->result == STORE_OK && job->match.status != MATCH_QUARANTINED) {
        restore(host, loading, job);
        return;
    }
    if (job->result == STORE_CORRUPT) {
        room_quarantine(room, job->message);
    } else if (job->result == STORE_OK) {
        set_aside(room, job->match.reason == NULL ? "?" : job->match.reason);
    } else {
        room->is_pruned = job->result == STORE_PRUNED;
        loading_failed(host, loading, job->result == STORE_NOT_FOUND || room->is_pruned);
        return;
    }
    loading_done(host, loading, true);
}

/* False when the store takes no more. */
static bool
ask_store(struct host *host, struct loading *loading, int32_t tail_turns)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);

    job->match.id = loading->match;
    job->tail_turns = tail_turns;
    job->wants_keys = true;
    job->done = loaded;
    job->context = loading;
    return host_submit(host, job);
}

/* Until the store has said when clocks stopped, no clock can go on: then it waits. */
bool
room_load(struct host *host, int64_t id)
{
    struct loading *loading;
    struct room *room;

    if (room_find(host, id) != NULL) {
        return true;
    }
    loading = host_memory(sizeof(*loading));
    loading->match = id;
    room = room_add(host, id);
    if (!host->is_started) {
        loading->next = host->early;
        host->early = loading;
    } else if (!ask_store(host, loading, 0)) {
        room_free(room);
        free(loading);
        return false;
    }
    room->jobs++; /* until it is restored */
    return true;
}

void
room_load_early(struct host *host)
{
    struct loading *list = host->early;

    host->early = NULL;
    while (list != NULL) {
        struct loading *loading = list;

        list = loading->next;
        if (!host->is_started || !ask_store(host, loading, 0)) {
            loading_failed(host, loading, false);
        }
    }
}

void
room_forget_early(struct host *host)
{
    while (host->early != NULL) {
        struct loading *loading = host->early;

        host->early = loading->next;
        free(loading);
    }
}

/* Somebody may have asked for it already: then the start waits for that. */
bool
room_load_at_start(struct host *host, int64_t id)
{
    struct room *room;

    if (!room_load(host, id)) {
        return false;
    }
    room = room_find(host, id);
    if (room->phase == ROOM_LOADING && !room->is_of_start) {
        room->is_of_start = true;
        host->loads++;
    }
    return true;
}

/* The store could not say what there is; it is asked again soon, but nobody waits for that. */
static bool
start_has_failed(const struct host *host)
{
    return !host->is_started && host->start_retry_ms != 0;
}

struct room *
handler_room(struct session *session, const struct frame_head *head, int64_t match)
{
    struct host *host = session->host;
    struct room *room;

    if (room_find(host, match) == NULL && start_has_failed(host)) {
        session_error(session, head, ERROR_STORE_UNAVAILABLE, NULL);
        return NULL;
    }
    if (!room_load(host, match)) {
        session_error(session, head, ERROR_BUSY, NULL);
        return NULL;
    }
    room = room_find(host, match);
    if (room->phase == ROOM_LOADING) {
        host_park(session, room);
        return NULL;
    }
    if (room->is_missing || room->is_unavailable) {
        session_error(session, head,
                      room->is_pruned    ? ERROR_PRUNED
                      : room->is_missing ? ERROR_UNKNOWN_MATCH
                                         : ERROR_STORE_UNAVAILABLE,
                      NULL);
        room_release(room);
        return NULL;
    }
    if (room->phase == ROOM_QUARANTINED) {
        session_error(session, head, ERROR_QUARANTINED, NULL);
        return NULL;
    }
    return room;
}
