#include "server/host/room/settle.h"

#include <stdlib.h>

#include "server/host/room/asks.h"
#include "server/host/room/audience.h"
#include "server/host/room/behind.h"
#include "server/host/room/bot.h"
#include "server/host/room/bots.h"
#include "server/host/room/node.h"
#include "server/host/room/turn.h"

#define RETRY_MS 1000

/* ---- when it is due ----------------------------------------------------------------------- */

static void
warn(struct room *room, int64_t now_ms)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (room_warning_ms(room, seat) <= now_ms) {
            room->audience.presence[seat].warned_ms = room_waited_from_ms(room, seat);
            room_show_presence(room, seat);
        }
    }
}

/* ---- bots among themselves ---------------------------------------------------------------- */

/* When a match that only bots play and nobody watches ends, or INT64_MAX. */
static int64_t
unwatched_end_ms(const struct room *room)
{
    return room->audience.follows != NULL || !room_is_of_bots(room) || room_is_ending(room)
               ? INT64_MAX
               : room->audience.unwatched_ms + room->host->options.bot_unwatched_ms;
}

/* ---- what is due ------------------------------------------------------------------------- */

int64_t
room_due_ms(const struct room *room)
{
    int64_t due_ms = INT64_MAX;

    if (room_phase(room) == ROOM_WAITING && !room_log_has(&room->log, RECORD_ENDED)) {
        due_ms = room->expires_ms;
    } else if (room_phase(room) == ROOM_RUNNING && room->match.pending == NULL &&
               !room_log_has(&room->log, RECORD_ENDED)) {
        /* A failure is retried later, even if the deadline has passed; otherwise it would be
         * retried all the time. */
        due_ms = room->retry_ms != 0            ? room->retry_ms
                 : room->match.deadline_ms != 0 ? room->match.deadline_ms
                                                : INT64_MAX;
        for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
            int64_t warn_ms = room_warning_ms(room, seat);

            due_ms = warn_ms < due_ms ? warn_ms : due_ms;
        }
        if (room_bots_due_ms(room) < due_ms) {
            due_ms = room_bots_due_ms(room);
        }
        if (unwatched_end_ms(room) < due_ms) {
            due_ms = unwatched_end_ms(room);
        }
        if (room_pauses(room)) {
            due_ms = room->paced_ms;
        }
    }
    return due_ms;
}

static void
room_free(struct room *room)
{
    struct host *host = room->host;
    struct room **at = &host->rooms[(uint64_t)room->match.id % HOST_BUCKETS];

    while (room->audience.follows != NULL) {
        room_unfollow(room->audience.follows);
    }
    timers_clear(&host->timers, &room->timer);
    while (*at != room) {
        at = &(*at)->next;
    }
    *at = room->next;
    host->room_count--;
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        room_forget_bot(room, seat);
    }
    behind_free(room);
    maker_release(host, &room->maker);
    room_forget_parked(room);
    room_forget_askers(room);
    room_forget_shift(room);
    match_fini(&host->work, &room->match);
    id_set_fini(&room->command_ids);
    free(room->code);
    free(room->reason);
    free(room->path);
    free(room);
}

void
rooms_free(struct host *host)
{
    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        while (host->rooms[i] != NULL) {
            room_free(host->rooms[i]);
        }
    }
}

/* Who wants the rematch waits until it is loaded, and then comes back here.  Alone, this node has
 * every rematch in memory. */
static bool
waits_for_rematch(const struct room *room)
{
    const struct room *next = !room->host->world.store->is_shared || room->rematch.match == 0
                                  ? NULL
                                  : room_find(room->host, room->rematch.match);

    return next != NULL && room_phase(next) == ROOM_LOADING;
}

/* A finished match that nobody follows needs no room. */
static bool
is_needed(const struct room *room)
{
    bool is_lost = room_phase(room) == ROOM_LOST;

    return (!room_is_past(room) && !is_lost) || room->audience.follows != NULL || room->holds > 0 ||
           room->log.entries != NULL || (room->parked != NULL && !is_lost) ||
           waits_for_rematch(room);
}

/* What waits for a lost match is handled again, which loads it. */
static void
leave(struct room *room)
{
    struct host *host = room->host;
    struct kept_message *parked = room->parked;

    room->parked = NULL;
    room_free(room);
    parked_handle(host, parked);
}

/* Work in a room may touch it or another one again: those are appended to the list. */
void
rooms_settle(struct host *host)
{
    while (host->touched != NULL) {
        struct room *room = host->touched;
        bool asks_bots = (room->todo & ROOM_ASKS_BOTS) != 0;

        host->touched = room->next_touched;
        room->todo = 0;
        if (asks_bots) {
            room_ask_bots(room);
        }
        timers_set(&host->timers, &room->timer, room_due_ms(room));
        behind_release(room);
        if (room->todo == 0 && !is_needed(room)) {
            leave(room);
        }
    }
}

void
room_tick(struct timer *timer, int64_t now_ms)
{
    struct room *room = TIMER_OWNER(timer, struct room, timer);

    if (room->host->is_draining || node_is_fenced(room->host)) {
        return; /* after a fence it is loaded anew */
    }
    if (room_phase(room) == ROOM_WAITING) {
        room->expires_ms = now_ms + RETRY_MS; /* in case it cannot be stored now */
        room_expire(room);
    } else {
        warn(room, now_ms);
        room->retry_ms = 0;
        room_store_shift(room);
        if (now_ms >= unwatched_end_ms(room)) {
            room->audience.unwatched_ms = now_ms; /* if the rules refuse it, do not retry at once */
            room->host->counters.limited[LIMIT_UNWATCHED]++;
            room_give(room, 0, SK_COMMAND_AGREE_DRAW);
        }
        if (room->match.deadline_ms != 0 && now_ms >= room->match.deadline_ms) {
            room_close(room);
        } else {
            room_close_if_ready(room);
        }
        room_touch(room, ROOM_ASKS_BOTS);
    }
    room_touch(room, ROOM_TOUCHED);
    rooms_settle(room->host);
}
