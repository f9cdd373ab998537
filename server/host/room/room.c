#include "server/host/room/room.h"

#include <stdlib.h>

static struct room **
bucket_of(struct host *host, int64_t id)
{
    return &host->rooms[(uint64_t)id % HOST_BUCKETS];
}

struct room *
room_find(struct host *host, int64_t id)
{
    struct room *room = *bucket_of(host, id);

    while (room != NULL && room->match.id != id) {
        room = room->next;
    }
    return room;
}

void
room_wait_for_others(struct room *room)
{
    struct host *host = room->host;

    room->expires_ms = host_now_ms(host) + host->options.unjoined_expire_ms;
}

struct room *
room_add(struct host *host, int64_t id)
{
    struct room *room = heap_memory(sizeof(*room));

    room->host = host;
    match_init(&room->match, id);
    room->log.generation = ++host->generation;
    room_wait_for_others(room);
    room->audience.unwatched_ms = host_now_ms(host);
    room->timer = (struct timer){ .fire = host->tick, .due_ms = TIMER_NEVER };
    room->next = *bucket_of(host, id);
    *bucket_of(host, id) = room;
    host->room_count++;
    return room;
}

void
room_touch(struct room *room, enum room_todo todo)
{
    struct host *host = room->host;

    if (room->is_shadow) {
        return; /* no timer; its owner frees it */
    }
    if (room->todo == 0) {
        room->next_touched = NULL;
        *(host->touched == NULL ? &host->touched : host->touched_end) = room;
        host->touched_end = &room->next_touched;
    }
    room->todo |= todo;
}

void
room_hold(struct room *room)
{
    room->holds++;
}

void
room_let_go(struct room *room)
{
    room->holds--;
    room_touch(room, ROOM_TOUCHED);
}

bool
room_pauses(const struct room *room)
{
    return host_now_ms(room->host) < room->paced_ms;
}

uint8_t
room_seat_of(const struct room *room, const struct session *session)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (session->player != NULL && room->match.seats[seat].player == session->player->id) {
            return seat;
        }
    }
    return SK_SPECTATOR;
}

void
room_refuse(const struct room *room, const struct reply *reply, enum error_code code)
{
    if (room_phase(room) == ROOM_LOST) {
        reply_moved(room->host, reply, room->match.id, ROOM_PATH_ANYWHERE);
    } else {
        reply_error(room->host, reply, code);
    }
}

void
room_forget_shift(struct room *room)
{
    if (room->shift_ms != 0) {
        room->shift_ms = 0;
        room->host->shifts--;
    }
}

bool
room_code_fits(const struct room *room, struct sk_text code)
{
    return room->code == NULL || sk_text_same(code, sk_text_of(room->code));
}

/* ---- ids that were used ---------------------------------------------------------------------- */

static uint64_t
id_key(uint8_t seat, struct sk_text id)
{
    return store_command_key(seat, id.at, id.length);
}

bool
room_knows_id(const struct room *room, uint8_t seat, struct sk_text id)
{
    return id_set_has(&room->command_ids, id_key(seat, id));
}

void
room_note_id(struct room *room, uint8_t seat, struct sk_text id)
{
    id_set_add(&room->command_ids, id_key(seat, id));
}

void
room_forget_id(struct room *room, uint8_t seat, struct sk_text id)
{
    id_set_remove(&room->command_ids, id_key(seat, id));
}

/* ---- messages that came too early -------------------------------------------------------- */

void
room_park(struct room *room, const struct session *session)
{
    struct kept_message **at = &room->parked;

    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = message_keep(session, &(struct frame_head){ 0 });
}

void
room_forget_parked(struct room *room)
{
    while (room->parked != NULL) {
        struct kept_message *parked = room->parked;

        room->parked = parked->next;
        free(parked);
    }
}

void
parked_handle(struct host *host, struct kept_message *list)
{
    while (list != NULL) {
        struct kept_message *parked = list;

        list = parked->next;
        message_again(host, parked);
    }
}

/* Takes the list first: a handler may park again. */
void
room_unpark(struct room *room, bool is_available)
{
    struct kept_message *list = room->parked;

    room->parked = NULL;
    room->is_refusing = !is_available;
    room_hold(room);
    parked_handle(room->host, list);
    room->is_refusing = false;
    room_let_go(room);
}
