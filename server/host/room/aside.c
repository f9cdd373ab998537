#include "server/host/room/aside.h"

#include "server/host/room/asks.h"
#include "server/host/room/audience.h"
#include "server/host/room/wanted.h"
#include "server/host/session/player.h"

void
room_uncount(struct room *room)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        player_left(room->host, room->match.seats[seat].player);
    }
    maker_release(room->host, &room->maker);
}

/* Its clocks ran until the last stored beat, or until a downtime not yet stored. */
void
room_lose(struct room *room)
{
    struct host *host = room->host;
    struct frame_head none = { 0 };

    if (room_phase(room) != ROOM_WAITING && room_phase(room) != ROOM_RUNNING) {
        return;
    }
    host->counters.lost++;
    wanted_add(&host->wanted, room->match.id,
               room->shift_ms != 0 ? room->stopped_ms : host->last_beat_ms);
    room->aside = ROOM_LOST;
    room_forget_shift(room);
    maker_release(host, &room->maker);
    room_refuse_askers(room, ERROR_STORE_UNAVAILABLE);
    while (room->audience.follows != NULL) {
        session_moved(room->audience.follows->session, &none, room->match.id, ROOM_PATH_ANYWHERE);
        room_unfollow(room->audience.follows);
    }
    room_touch(room, ROOM_TOUCHED);
}

void
room_set_aside(struct room *room, const char *reason)
{
    if (room_phase(room) == ROOM_WAITING || room_phase(room) == ROOM_RUNNING) {
        room_uncount(room);
    }
    room->aside = ROOM_QUARANTINED;
    room_forget_shift(room);
    room_touch(room, ROOM_TOUCHED);
    room->reason = heap_text(sk_text_of(reason));
    room_refuse_askers(room, ERROR_QUARANTINED);
    room_error_all(room, ERROR_QUARANTINED);
}

void
room_quarantine(struct room *room, const char *reason)
{
    struct host *host = room->host;
    struct store_job *job;

    if (room_phase(room) == ROOM_QUARANTINED) {
        return; /* a read found the fault while this was being stored */
    }
    if (room_phase(room) == ROOM_LOST) {
        return; /* its node finds the fault */
    }
    host_log(host, HOST_LOG_ERROR, "match %lld is quarantined: %s", (long long)room->match.id,
             reason);
    host->quarantined_count++;
    room_set_aside(room, reason);
    job = store_job_alloc(JOB_MATCH_APPEND);
    job->match_id = room->match.id;
    job->append.change.is_quarantined = true;
    job->append.change.reason = heap_text(sk_text_of(reason));
    (void)host_submit(host, job); /* the next start finds it again */
}

bool
room_is_corrupt(struct room *room, const struct store_job *job)
{
    if (job->result == STORE_CORRUPT) {
        room_quarantine(room, job->message);
    }
    return job->result == STORE_CORRUPT;
}
