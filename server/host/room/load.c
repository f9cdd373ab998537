#include "server/host/room/load.h"

#include <stdlib.h>

#include "common/core/registry.h"
#include "server/host/room/aside.h"
#include "server/host/room/bot.h"
#include "server/host/room/lease.h"
#include "server/host/room/restore.h"
#include "server/host/room/turn.h"
#include "server/host/session/reads.h"

/* ---- loading ----------------------------------------------------------------------------- */

/* A load that is under way. */
struct loading {
    struct loading *next; /* in the host's list of loads that must wait */
    int64_t match;
    uint64_t session;   /* the session that asked first, or 0 */
    uint32_t life;      /* the node's, when the store was asked */
    bool is_unplayable; /* here: it waits for a node that has its ruleset's version */
};

static void load_done(struct host *host, bool has_failed);

/* The room is complete: handles the frames that waited. */
static void
loading_done(struct host *host, struct loading *loading, bool is_available)
{
    struct room *room = room_find(host, loading->match);
    bool is_of_start = room->is_of_start;
    /* It may be this node's by now.  Others find an unplayable one, or the next touch does. */
    bool is_wanted = !is_available && !loading->is_unplayable;

    room_let_go(room);
    room->is_of_start = false;
    room_unpark(room, is_available);
    if (is_wanted && host->world.store->is_shared) {
        wanted_add(&host->wanted, loading->match, room->stopped_ms);
    }
    if (is_of_start) {
        load_done(host, is_wanted);
    }
    free(loading);
}

/* The store could not load it. */
static void
loading_failed(struct host *host, struct loading *loading, enum room_phase aside)
{
    struct room *room = room_find(host, loading->match);

    if (room_phase(room) != ROOM_LOADING) { /* it was created meanwhile */
        loading_done(host, loading, true);
        return;
    }
    room->aside = aside;
    loading_done(host, loading, aside != ROOM_UNAVAILABLE);
}

/* Matches with a person count by their seats; addresses are not stored. */
static void
count_restored(struct room *room)
{
    room->made_by = room->match.created_by;
    for (uint8_t seat = 0; seat < room->match.seat_count && room->made_by == 0; seat++) {
        room->made_by = room->bots[seat] == NULL ? room->match.seats[seat].player : 0;
    }
    if (room_phase(room) == ROOM_RUNNING && room_is_of_bots(room)) {
        room->maker = maker_restored(room->host, room->made_by);
    }
}

/* Until when the clocks ran, as far as another node or the last process knows. */
static int64_t
stopped_ms_of(const struct room *room, const struct restoring *in)
{
    return in->job->match.stopped_at_ms != 0 ? in->job->match.stopped_at_ms
           : room->stopped_ms != 0           ? room->stopped_ms
                                             : room->host->last_beat_ms;
}

/* Clocks continue from the last beat or record: the time since then is not charged. */
static void
start_clocks(struct room *room, const struct restoring *in)
{
    struct host *host = room->host;
    int64_t now_ms = host_now_ms(host);
    int64_t wall_ms = host_wall_ms(host);
    int64_t beat_ms = stopped_ms_of(room, in);
    int64_t stopped_ms = beat_ms > in->last_at_ms ? beat_ms : in->last_at_ms;
    int64_t shift_ms = wall_ms - stopped_ms;

    match_go_on(&room->match, stopped_ms, now_ms);
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        room->audience.presence[seat].away_since_ms = now_ms;
    }
    room->stopped_ms = stopped_ms;
    if (room->match.clock.has_turn && shift_ms > 0) {
        room_shift(room, shift_ms);
    }
    room_go_on(room);
}

/* Moves what was restored into the room; pointers to the room stay valid. */
static void
take_over(struct room *room, struct restoring *in)
{
    struct room made = in->room;

    for (uint8_t seat = 0; seat < made.match.seat_count; seat++) {
        room_set_bot(&made, seat, in->job->seats[seat].bot);
    }
    made.next = room->next;
    made.parked = room->parked;
    made.next_touched = room->next_touched;
    made.todo = room->todo;
    made.holds = room->holds;
    made.log.generation = ++room->host->generation; /* younger than the load */
    made.expires_ms = room_is_deserted(&made) ? 0 : room->expires_ms;
    made.timer = room->timer;
    made.is_of_start = room->is_of_start;
    made.stopped_ms = room->stopped_ms;
    made.audience.unwatched_ms = room->audience.unwatched_ms;
    *room = made;
    in->room = (struct room){ .host = in->host };
    for (uint32_t i = 0; i < in->job->load.key_count; i++) {
        id_set_add(&room->command_ids, in->job->load.keys[i]);
    }
    count_restored(room);
    room->host->counters.claims += in->job->load.was_claimed ? 1 : 0;
    if (in->job->match.stopped_at_ms != 0) {
        metrics_durations_add(&room->host->counters.takeover,
                              1000 * (host_wall_ms(room->host) - in->job->match.stopped_at_ms));
    }
    if (room_phase(room) == ROOM_RUNNING) {
        start_clocks(room, in);
    }
}

static bool ask_store(struct host *host, struct loading *loading, int32_t from_turn);

static void
restored(struct restoring *in)
{
    struct host *host = in->host;
    struct loading *loading = in->context;
    struct room *room = room_find(host, loading->match);

    if (room_phase(room) != ROOM_LOADING) { /* it was created meanwhile */
        loading_done(host, loading, true);
        return;
    }
    if (loading->life != host->node.life || (in->trouble != NULL && in->needs_all)) {
        if (!ask_store(host, loading, in->needs_all ? STORE_FROM_START : STORE_FROM_NEWEST)) {
            loading_failed(host, loading, ROOM_UNAVAILABLE);
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

static void
restore(struct host *host, struct loading *loading, struct store_job *job)
{
    struct restoring *in = restore_alloc(host, job);

    in->done = restored;
    in->context = loading;
    restore_start(in);
}

/* A match that is over has no node.  While nodes are upgraded, some of them cannot play it: that is
 * no damage. */
static bool
is_for_others(const struct host *host, const struct store_match *match)
{
    return host->world.store->is_shared &&
           sk_registry_find(sk_text_of(match->ruleset), match->version) == NULL;
}

static void
loaded(struct store_job *job, struct host *host)
{
    struct loading *loading = job->context;
    struct room *room = room_find(host, loading->match);

    read_back(host, job);
    if (room_phase(room) != ROOM_LOADING) { /* it was created meanwhile */
        loading_done(host, loading, true);
        return;
    }
    if (job->result == STORE_OK && is_for_others(host, &job->match)) {
        loading->is_unplayable = true;
        loading_failed(host, loading, ROOM_UNAVAILABLE);
        return;
    }
    if (job->result == STORE_OK && job->match.status != MATCH_QUARANTINED) {
        restore(host, loading, job);
        return;
    }
    if (job->result == STORE_CORRUPT) {
        room_quarantine(room, job->message);
    } else if (job->result == STORE_OK) {
        room_set_aside(room, job->match.reason == NULL ? "?" : job->match.reason);
    } else {
        room->path = job->elsewhere;
        job->elsewhere = NULL; /* taken over */
        loading->is_unplayable = job->load.is_unplayable;
        loading_failed(host, loading,
                       job->result == STORE_PRUNED      ? ROOM_PRUNED
                       : job->result == STORE_NOT_FOUND ? ROOM_MISSING
                       : job->result == STORE_ELSEWHERE ? ROOM_ELSEWHERE
                                                        : ROOM_UNAVAILABLE);
        return;
    }
    loading_done(host, loading, true);
}

/* Returns false if the store is full. */
static bool
ask_store(struct host *host, struct loading *loading, int32_t from_turn)
{
    struct store_job *job = host_job(JOB_MATCH_LOAD, loaded, loading);
    struct session *session;

    job->match_id = loading->match;
    job->load.from_turn = from_turn;
    job->load.wants_keys = true;
    job->load.claims = true;
    job->load.awaits_leases = !node_may_claim(host);
    job->load.stopped_ms = room_find(host, loading->match)->stopped_ms;
    job->place = STORE_FOR_PLAYERS; /* a room that does not exist has no job under way */
    loading->life = host->node.life;
    session = loading->session == 0 ? NULL : session_find(host, loading->session);
    return session == NULL ? host_submit(host, job) : session_read(session, job);
}

/* Waits until it is known when the clocks stopped: no clock can continue before that. */
bool
room_load(struct host *host, int64_t id, uint64_t session)
{
    struct loading *loading;
    struct room *room;

    if (room_find(host, id) != NULL) {
        return true;
    }
    loading = heap_memory(sizeof(*loading));
    *loading = (struct loading){ .match = id, .session = session };
    room = room_add(host, id);
    room->stopped_ms = wanted_stopped_ms(&host->wanted, id);
    if (!host->is_started) {
        loading->next = host->early;
        host->early = loading;
    } else if (!ask_store(host, loading, STORE_FROM_NEWEST)) {
        room->aside = ROOM_UNAVAILABLE;
        room_touch(room, ROOM_TOUCHED);
        free(loading);
        return false;
    }
    room_hold(room); /* until it is restored */
    return true;
}

static void
load_early(struct host *host)
{
    struct loading *list = host->early;

    host->early = NULL;
    while (list != NULL) {
        struct loading *loading = list;

        list = loading->next;
        if (!host->is_started || !ask_store(host, loading, STORE_FROM_NEWEST)) {
            loading_failed(host, loading, ROOM_UNAVAILABLE);
        }
    }
}

void
loads_forget(struct host *host)
{
    free(host->load_ids);
    wanted_fini(&host->wanted);
    while (host->early != NULL) {
        struct loading *loading = host->early;

        host->early = loading->next;
        free(loading);
    }
}

/* A client may have requested it already: then the start waits for that load. */
static bool
load_at_start(struct host *host, int64_t id)
{
    struct room *room;

    if (!room_load(host, id, 0)) {
        return false;
    }
    room = room_find(host, id);
    if (room_phase(room) == ROOM_LOADING && !room->is_of_start) {
        room->is_of_start = true;
        host->loads++;
    }
    return room_phase(room) != ROOM_UNAVAILABLE; /* its load failed; freed soon */
}

/* ---- the start ------------------------------------------------------------------------------- */

#define RETRY_MS      1000
#define LOADS_AT_ONCE 16

#define UNFINISHED_AT_ONCE 256

/* Unfinished matches are loaded a few at a time, so that matches that players ask for do not
 * wait behind all others. */
static void
load_some(struct host *host)
{
    while (host->load_next < host->load_count && host->loads < LOADS_AT_ONCE &&
           !host->is_draining) {
        if (!load_at_start(host, host->load_ids[host->load_next++])) {
            host->has_failed_load = true;
        }
    }
}

/* Retries a match that could not be loaded, together with those that are listed with it. */
static void
go_on_loading(struct host *host)
{
    load_some(host);
    if (host->is_draining || host->loads > 0 || host->load_next < host->load_count) {
        return;
    }
    if (host->has_failed_load) {
        host->start_retry_ms = host_now_ms(host) + RETRY_MS;
    } else if (host->has_more_loads) {
        host->load_from = host->load_ids[host->load_count - 1];
        loads_begin(host);
    } else {
        host->is_loaded = true;
    }
}

static void
load_done(struct host *host, bool has_failed)
{
    host->loads--;
    if (host->world.store->is_shared) {
        host->wanted_retry_ms = has_failed ? host_now_ms(host) + RETRY_MS : 0;
        load_wanted(host);
        return;
    }
    host->has_failed_load = host->has_failed_load || has_failed;
    go_on_loading(host);
}

/* A lost room must go first: then its jobs are back. */
void
load_wanted(struct host *host)
{
    for (uint32_t i = host->wanted.count;
         i > 0 && host->loads < LOADS_AT_ONCE && !host->is_draining && host->is_started &&
         !node_is_fenced(host) && host_now_ms(host) >= host->wanted_retry_ms;
         i--) {
        int64_t id = host->wanted.first->id;
        const struct room *room = room_find(host, id);

        if ((room == NULL || room_phase(room) != ROOM_LOST) && load_at_start(host, id)) {
            wanted_drop(&host->wanted);
        } else {
            wanted_put_off(&host->wanted);
        }
    }
}

bool
loads_are_under_way(const struct host *host)
{
    return !host->is_loaded;
}

static void
unfinished_listed(struct store_job *job, struct host *host)
{
    if (job->result != STORE_OK) {
        host->start_retry_ms = host_now_ms(host) + RETRY_MS;
        load_early(host);
        return;
    }
    if (!host->is_started) {
        if (!host->world.store->is_shared) { /* there, each node notes its own */
            host->last_beat_ms = job->unfinished.last_beat_ms;
        }
        /* Some may be newer than the start. */
        if (host->quarantined_count < job->unfinished.quarantined_count) {
            host->quarantined_count = job->unfinished.quarantined_count;
        }
        host->is_started = true;
        load_early(host);
    }
    if (host->world.store->is_shared) { /* this node's matches are claimed */
        host->is_loaded = true;
        load_wanted(host);
        return;
    }
    free(host->load_ids);
    host->load_ids = job->unfinished.ids.at;
    host->load_count = job->unfinished.ids.count;
    host->load_next = 0;
    host->has_more_loads = job->unfinished.ids.count == UNFINISHED_AT_ONCE;
    host->has_failed_load = false;
    job->unfinished.ids.at = NULL; /* taken over */
    go_on_loading(host);
}

void
loads_begin(struct host *host)
{
    struct store_job *job = host_job(JOB_UNFINISHED, unfinished_listed, NULL);

    host->start_retry_ms = 0;
    job->unfinished.after = host->load_from;
    job->unfinished.limit = host->world.store->is_shared ? 0 : UNFINISHED_AT_ONCE;
    if (!host_submit(host, job)) {
        host->start_retry_ms = host_now_ms(host) + RETRY_MS;
    }
}
