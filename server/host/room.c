/*
 * Rooms: finding, following, records and freeing.
 */
#include "server/host/room_bot.h"

#include <stdlib.h>
#include <string.h>

#include "proto/schema_write.h"

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

void
room_wait_for_others(struct room *room)
{
    struct host *host = room->host;

    room->expires_ms = host->world.now_ms(host->world.context) + host->options.unjoined_expire_ms;
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
    room_wait_for_others(room);
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

void
room_clear(struct room *room)
{
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        submission_free(room->seats[seat].latest);
        submission_free(room->seats[seat].stored);
        seat_forget_bot(&room->seats[seat]);
    }
    pending_free(room->pending);
    free_delayed(room);
    room_forget_parked(room);
    room_forget_askers(room);
    room_forget_shift(room);
    config_release(room->host, room->config);
    id_set_fini(&room->command_ids);
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

bool
room_has_bot(const struct room *room)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->seats[seat].is_bot) {
            return true;
        }
    }
    return false;
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
    if (job->kind == JOB_MATCH_APPEND && room_owes_shift(room)) {
        store_job_free(job);
        return false;
    }
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
    struct store_job *job;

    room_store_shift(room);
    job = store_job_alloc(JOB_MATCH_APPEND);
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
