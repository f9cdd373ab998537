/*
 * Rooms: finding, loading, following, records and freeing.
 */
#include "server/host/room.h"

#include <stdlib.h>
#include <string.h>

#include "proto/schema_write.h"

/* A message that came while its room was being loaded. */
struct parked {
    struct parked *next;
    uint64_t session;
    size_t length;
    char text[];
};

static struct room **
bucket_of(struct host *host, int64_t id)
{
    return &host->rooms[(uint64_t)id % HOST_BUCKETS];
}

struct room *
room_find(struct host *host, int64_t id)
{
    struct room *room = *bucket_of(host, id);

    while (room != NULL && room->id != id) {
        room = room->next;
    }
    return room;
}

struct room *
room_add(struct host *host, int64_t id)
{
    struct room *room = host_memory(sizeof(*room));

    room->host = host;
    room->id = id;
    room->phase = ROOM_LOADING;
    room->offer = -1;
    room->offer_next = -1;
    room->generation = ++host->generation;
    room->created_ms = host->world.now_ms(host->world.context);
    room->timer = (struct timer){ .fire = room_tick, .due_ms = TIMER_NEVER };
    room->next = *bucket_of(host, id);
    *bucket_of(host, id) = room;
    host->room_count++;
    return room;
}

/* ---- freeing ----------------------------------------------------------------------------- */

static void
free_delayed(struct room *room)
{
    while (room->delayed != NULL) {
        struct delayed *delayed = room->delayed;

        room->delayed = delayed->next;
        message_free(delayed->message);
        free(delayed);
    }
    for (uint32_t i = 0; i < room->past_count; i++) {
        free(room->past[i]);
    }
    free(room->past);
}

static void
free_parked(struct room *room)
{
    while (room->parked != NULL) {
        struct parked *parked = room->parked;

        room->parked = parked->next;
        free(parked);
    }
}

void
room_clear(struct room *room)
{
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        submission_free(room->seats[seat].latest);
        submission_free(room->seats[seat].stored);
    }
    pending_free(room->pending);
    free_delayed(room);
    free_parked(room);
    room_forget_askers(room);
    config_release(room->host, room->config);
    free(room->command_ids);
    free(room->state);
    free(room->code);
    free(room->reason);
}

void
room_free(struct room *room)
{
    struct host *host = room->host;
    struct room **at = bucket_of(host, room->id);

    while (room->follows != NULL) {
        room_unfollow(room->follows);
    }
    timers_clear(&host->timers, &room->timer);
    while (*at != room) {
        at = &(*at)->next;
    }
    *at = room->next;
    host->room_count--;
    host->quarantined_count -= room->phase == ROOM_QUARANTINED ? 1 : 0;
    room_clear(room);
    free(room);
}

/* A match that is over and that nobody looks at lives on in the store alone. */
void
room_release(struct room *room)
{
    if (room->phase == ROOM_OVER && room->follows == NULL && room->jobs == 0 &&
        room->parked == NULL) {
        room_free(room);
    }
}

/* ---- following --------------------------------------------------------------------------- */

uint8_t
room_seat_of(const struct room *room, const struct session *session)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (session->player != NULL && room->seats[seat].player == session->player->id) {
            return seat;
        }
    }
    return SK_SPECTATOR;
}

struct follow *
room_follow_of(const struct room *room, const struct session *session)
{
    struct follow *follow = session->follows;

    while (follow != NULL && follow->room != room) {
        follow = follow->next_of_session;
    }
    return follow;
}

static void
come(struct room *room, uint8_t seat)
{
    if (seat != SK_SPECTATOR && room->seats[seat].here++ == 0) {
        room->seats[seat].away_since_ms = 0;
        room->seats[seat].missed = 0;
        room->seats[seat].is_warned = false;
        room_show_presence(room, seat);
        room_schedule(room);
    }
}

static void
go(struct room *room, uint8_t seat)
{
    struct host *host = room->host;

    if (seat != SK_SPECTATOR && --room->seats[seat].here == 0) {
        room->seats[seat].away_since_ms = host->world.now_ms(host->world.context);
        room_show_presence(room, seat);
        room_schedule(room);
    }
}

struct follow *
room_follow(struct room *room, struct session *session)
{
    struct follow *follow = room_follow_of(room, session);
    uint8_t seat = room_seat_of(room, session);

    if (follow != NULL && follow->seat == seat) {
        return follow;
    }
    if (follow == NULL) {
        follow = host_memory(sizeof(*follow));
        follow->room = room;
        follow->session = session;
        follow->seat = SK_SPECTATOR;
        follow->next_of_room = room->follows;
        room->follows = follow;
        follow->next_of_session = session->follows;
        session->follows = follow;
    }
    go(room, follow->seat);
    follow->seat = seat;
    come(room, seat);
    return follow;
}

void
room_unfollow(struct follow *follow)
{
    struct room *room = follow->room;
    struct follow **at;

    for (at = &room->follows; *at != follow; at = &(*at)->next_of_room) {
    }
    *at = follow->next_of_room;
    for (at = &follow->session->follows; *at != follow; at = &(*at)->next_of_session) {
    }
    *at = follow->next_of_session;
    go(room, follow->seat);
    free(follow);
    room_release(room);
}

/* ---- records ----------------------------------------------------------------------------- */

bool
room_submit_job(struct room *room, struct store_job *job)
{
    job->match.id = room->id;
    job->generation = room->generation;
    if (!host_submit(room->host, job)) {
        return false;
    }
    room->jobs++;
    return true;
}

struct store_job *
room_append(struct room *room, void (*done)(struct store_job *, void *))
{
    struct store_job *job = store_job_alloc(JOB_MATCH_APPEND);

    job->done = done;
    job->context = room;
    return job;
}

struct store_record *
room_record(struct room *room, struct store_job *job, enum store_record_kind kind, int32_t seat,
            const struct sk_schema *schema, const void *body)
{
    struct host *host = room->host;
    struct store_record *record = store_job_add_record(job);

    record->seq = ++room->record_seq;
    record->kind = kind;
    record->turn = room->state == NULL ? STORE_NO_TURN : (int32_t)room->state->turn;
    record->seat = seat;
    record->at_ms = host->world.wall_ms(host->world.context);
    record->body = host_json_form(host, schema, body);
    record->body_length = strlen(record->body);
    return record;
}

/* ---- loading ----------------------------------------------------------------------------- */

void
room_park(struct room *room, struct session *session, const char *text, size_t length)
{
    struct parked *parked = host_memory(sizeof(*parked) + length);
    struct parked **at = &room->parked;

    parked->session = session->number;
    parked->length = length;
    memcpy(parked->text, text, length);
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = parked;
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
            host_unpark(session, parked->text, parked->length);
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

static void
loaded(struct store_job *job, void *context)
{
    struct host *host = context;
    struct room *room = job->context;
    bool is_of_start = job->context_number != 0;

    room->jobs--;
    if (job->result == STORE_OK) {
        room_restore(room, job);
        room_schedule(room);
    } else if (job->result == STORE_CORRUPT) {
        room_quarantine(room, job->message);
    } else {
        room->is_missing = job->result == STORE_NOT_FOUND;
        room->phase = ROOM_OVER; /* so that it is freed; told apart by is_missing */
    }
    room_unpark(room, job->result != STORE_UNAVAILABLE);
    if (is_of_start) {
        host->loads--;
        host_load_done(host);
    }
}

static void
load(struct host *host, int64_t id, bool is_of_start)
{
    struct room *room = room_add(host, id);
    struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);

    job->done = loaded;
    job->context = room;
    job->context_number = is_of_start ? 1 : 0;
    if (!room_submit_job(room, job)) {
        room_free(room);
    } else if (is_of_start) {
        host->loads++;
    }
}

void
room_load(struct host *host, int64_t id)
{
    if (room_find(host, id) == NULL) {
        load(host, id, true);
    }
}

struct room *
handler_room(struct session *session, const struct frame_head *head, int64_t match)
{
    struct host *host = session->host;
    struct room *room = room_find(host, match);

    if (room == NULL) {
        load(host, match, false);
        room = room_find(host, match);
    }
    if (room == NULL) {
        session_error(session, head, ERROR_BUSY, NULL);
        return NULL;
    }
    if (room->phase == ROOM_LOADING) {
        host_park(session, room);
        return NULL;
    }
    if (room->is_missing || room->is_unavailable) {
        session_error(session, head,
                      room->is_missing ? ERROR_UNKNOWN_MATCH : ERROR_STORE_UNAVAILABLE, NULL);
        room_release(room);
        return NULL;
    }
    if (room->phase == ROOM_QUARANTINED) {
        session_error(session, head, ERROR_QUARANTINED, NULL);
        return NULL;
    }
    return room;
}

void
room_quarantine(struct room *room, const char *reason)
{
    struct host *host = room->host;
    struct store_job *job;

    host_log(host, HOST_LOG_ERROR, "match %lld is quarantined: %s", (long long)room->id, reason);
    room->phase = ROOM_QUARANTINED;
    room_schedule(room);
    room->reason = host_text(sk_text_of(reason));
    host->quarantined_count++;
    room_error_all(room, ERROR_QUARANTINED);
    job = room_append(room, NULL);
    job->match.id = room->id;
    job->change.is_quarantined = true;
    job->change.reason = host_text(sk_text_of(reason));
    (void)host_submit(host, job); /* at the next start it is found again */
}
