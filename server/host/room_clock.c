/*
 * Clocks: a limit for each turn and a bank for what goes beyond it.
 *
 * Only seats that owe and are not ready have a running clock.  The turn
 * closes when each of them has run out of time; being connected or not
 * makes no difference.  Where a ruleset says so, a clock goes on through
 * several turns, which are then one turn of a player's.
 */
#include "proto/records.h"
#include "server/host/room_bot.h"

#define RETRY_MS 1000

/* ---- one seat's -------------------------------------------------------------------------- */

int64_t
seat_used_ms(const struct seat *seat, int64_t now_ms)
{
    return seat->used_ms + (seat->is_running ? now_ms - seat->since_ms : 0);
}

void
seat_clock_run(struct seat *seat, int64_t now_ms)
{
    if (!seat->is_running) {
        seat->is_running = true;
        seat->since_ms = now_ms;
        seat->is_warned = false;
    }
}

void
seat_clock_stop(struct seat *seat, int64_t now_ms)
{
    seat->used_ms = seat_used_ms(seat, now_ms);
    seat->is_running = false;
}

/* Milliseconds the seat has left in this turn, its bank included; 0 at the least. */
int64_t
room_left_ms(const struct room *room, uint8_t seat, int64_t now_ms)
{
    const struct seat *it = &room->seats[seat];
    int64_t left_ms = room->clock.turn_ms + it->bank_ms - it->going_ms - seat_used_ms(it, now_ms);

    return left_ms < 0 ? 0 : left_ms;
}

bool
room_is_out_of_time(const struct room *room, uint8_t seat, int64_t now_ms)
{
    return room->clock.has_turn && room->seats[seat].is_running &&
           room_left_ms(room, seat, now_ms) == 0;
}

/* ---- the room's -------------------------------------------------------------------------- */

void
room_open_turn(struct room *room)
{
    struct host *host = room->host;
    uint32_t owing = sk_turn_owing(room->ruleset, room->config->config, room->state);

    room->opened_ms = host->world.now_ms(host->world.context);
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct seat *it = &room->seats[seat];

        it->used_ms = 0;
        it->is_running = false;
        if ((owing >> seat & 1) != 0) {
            seat_clock_run(it, room->opened_ms);
        }
    }
    room_set_deadline(room);
}

/* The turn ends when the last of those who still think has run out of time. */
void
room_set_deadline(struct room *room)
{
    bool has_clock = room->clock.has_turn && room->phase == ROOM_RUNNING;

    room->deadline_ms = 0;
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct seat *it = &room->seats[seat];
        int64_t end_ms = it->since_ms + room_left_ms(room, seat, it->since_ms);

        if (has_clock && it->is_running && end_ms > room->deadline_ms) {
            room->deadline_ms = end_ms;
        }
    }
    room_schedule(room);
}

/* ---- claims: a match without a clock that somebody left --------------------------------- */

#define CLAIM_WARNING_MS (60 * 60 * 1000)

/* When the seat may be claimed against, or INT64_MAX: not while the match does not wait for it. */
static int64_t
claimable_ms(const struct room *room, uint8_t seat)
{
    const struct seat *it = &room->seats[seat];
    int64_t from_ms = it->since_ms > it->away_since_ms ? it->since_ms : it->away_since_ms;

    if (room->clock.has_turn || room->phase != ROOM_RUNNING || it->here > 0 || !it->is_running) {
        return INT64_MAX;
    }
    return from_ms + room->host->options.claim_after_ms;
}

int64_t
room_claim_ms(const struct room *room, uint8_t seat)
{
    const struct host *host = room->host;
    int64_t at_ms = claimable_ms(room, seat);
    int64_t left_ms = at_ms - host->world.now_ms(host->world.context);

    return at_ms == INT64_MAX ? INT64_MAX : left_ms < 0 ? 0 : left_ms;
}

/* When the others are to be warned that they may claim soon, or INT64_MAX. */
static int64_t
warning_ms(const struct room *room, uint8_t seat)
{
    int64_t at_ms = room->seats[seat].is_warned ? INT64_MAX : claimable_ms(room, seat);

    return at_ms == INT64_MAX ? INT64_MAX : at_ms - CLAIM_WARNING_MS;
}

static void
warn(struct room *room, int64_t now_ms)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (warning_ms(room, seat) <= now_ms) {
            room->seats[seat].is_warned = true;
            room_show_presence(room, seat);
        }
    }
}

/* ---- downtime ---------------------------------------------------------------------------- */

void
room_forget_shift(struct room *room)
{
    if (room->shift_ms != 0) {
        room->shift_ms = 0;
        room->host->shifts--;
    }
}

static void
shift_stored(struct store_job *job, void *context)
{
    struct room *room = job->context;

    (void)context;
    room->jobs--;
    room->is_shifting = false;
    if (job->result == STORE_OK) {
        room->stored_seq = job->records[0].seq;
        room->seq++;
        room_forget_shift(room);
        room_show_clock(room);
    } else {
        (void)room_fall_back(room, job);
    }
    room_release(room);
}

bool
room_owes_shift(const struct room *room)
{
    return room->shift_ms != 0 && !room->is_shifting;
}

void
room_store_shift(struct room *room)
{
    struct record_clock body = {
        .shift_ms = (int32_t)(room->shift_ms > INT32_MAX ? INT32_MAX : room->shift_ms),
    };
    struct store_job *job;

    if (!room_owes_shift(room)) {
        return;
    }
    room->is_shifting = true;
    job = room_append(room, shift_stored);
    room_record(room, job, RECORD_CLOCK, STORE_NO_SEAT, &sk_record_clock, &body);
    room->is_shifting = room_submit_job(room, job);
    if (!room->is_shifting) {
        room->record_seq--;
        room_retry_later(room);
    }
}

/*
 * The time the server was down, as a record: a second outage must not count
 * it again.  Until it is stored, or the turn is over, there is no beat, and
 * no other record of the match goes in front of it: either says that clocks
 * ran until then.
 */
void
room_shift(struct room *room, int64_t shift_ms)
{
    room->shift_ms = shift_ms;
    room->host->shifts++;
    room_store_shift(room);
}

/* ---- what is due ------------------------------------------------------------------------- */

int64_t
room_due_ms(const struct room *room)
{
    int64_t due_ms = INT64_MAX;

    if (room->phase == ROOM_WAITING && !room->is_ending_alone) {
        due_ms = room->expires_ms;
    } else if (room->phase == ROOM_RUNNING && room->pending == NULL && !room->is_ending_alone) {
        /* What failed is tried again later even if the deadline has passed, else all the time. */
        due_ms = room->retry_ms != 0      ? room->retry_ms
                 : room->deadline_ms != 0 ? room->deadline_ms
                                          : INT64_MAX;
        for (uint8_t seat = 0; seat < room->seat_count; seat++) {
            int64_t warn_ms = warning_ms(room, seat);

            due_ms = warn_ms < due_ms ? warn_ms : due_ms;
        }
        if (room_bots_due_ms(room) < due_ms) {
            due_ms = room_bots_due_ms(room);
        }
    }
    return due_ms;
}

void
room_schedule(struct room *room)
{
    if (!room->is_shadow) {
        timers_set(&room->host->timers, &room->timer, room_due_ms(room));
    }
}

void
room_tick(struct timer *timer, int64_t now_ms)
{
    struct room *room = TIMER_OWNER(timer, struct room, timer);

    if (room->host->is_draining) {
        return;
    }
    if (room->phase == ROOM_WAITING) {
        room->expires_ms = now_ms + RETRY_MS; /* if it is not stored now */
        room_expire(room);
    } else {
        warn(room, now_ms);
        room->retry_ms = 0;
        room_store_shift(room);
        if (room->deadline_ms != 0 && now_ms >= room->deadline_ms) {
            room_close(room);
        } else {
            room_close_if_ready(room);
        }
        room_ask_bots(room);
    }
    room_schedule(room);
}

void
room_retry_later(struct room *room)
{
    struct host *host = room->host;

    room->retry_ms = host->world.now_ms(host->world.context) + RETRY_MS;
    room_schedule(room);
}
