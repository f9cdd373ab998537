/*
 * The end of a run: no more faults, all clients are gone, and every match must
 * still end.
 */
#include <stdio.h>

#include "tests/sim/sim.h"

#define FINISH_STEPS 4000
#define HOUR_MS      (60 * 60 * 1000)
#define DAY_MS       (24 * HOUR_MS)

/* A match without a clock ends when a player claims it or resigns. */
static bool
can_claim(const struct sim *sim, const struct stored_match *match, const struct device *device)
{
    return match->row.status == MATCH_RUNNING && !match->has_clock && !match->is_corrupt &&
           sim->devices[device->partner].has_token && stored_seat_of(match, device->player) >= 0;
}

/* The other seats that the match waits for, as bits. */
static uint32_t
waited_for(struct sim *sim, int64_t id, const struct device *device)
{
    const struct stored_match *match = fake_store_match(&sim->store, id);
    int own = device->is_greeted ? stored_seat_of(match, device->player) : -1;
    uint32_t seats = 0;
    struct room_look room;

    if (own < 0 || !look_at(sim->host, id, &room) || room.phase != ROOM_RUNNING) {
        return 0;
    }
    for (uint8_t seat = 0; seat < room.seat_count; seat++) {
        if (seat != own && !room.seats[seat].is_played && check_thinks(&room, match, seat)) {
            seats |= 1u << seat;
        }
    }
    return seats;
}

/*
 * The others were away for a day: a claim against a seat that the match waits
 * for succeeds.  With three seats it may then wait for the next one.  The
 * device may have lost its token meanwhile, or have become another player.
 */
static void
check_claimed(struct sim *sim, int64_t id, const struct device *device, uint32_t before)
{
    uint32_t seats = before & waited_for(sim, id, device);

    if (seats != 0) {
        sim_broken(sim, PROMISE_ENDS, "match %lld waits for seats %#x and cannot be claimed",
                   (long long)id, seats);
    }
}

static void
claim(struct sim *sim)
{
    char text[160];
    uint32_t before;

    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        const struct stored_match *match = fake_store_match(&sim->store, id);

        for (int i = 0; i < sim->device_count; i++) {
            if (can_claim(sim, match, &sim->devices[i])) {
                sim_connect_device(sim, i, 0);
                snprintf(text, sizeof(text),
                         "{\"type\":\"hello\",\"protocol\":1,\"token\":\"$token%d\"}",
                         sim->devices[i].partner);
                sim_send_text(sim, i, text);
                sim_settle(sim);
                before = waited_for(sim, id, &sim->devices[i]);
                sim_pass_time(sim, DAY_MS + HOUR_MS);
                snprintf(text, sizeof(text), "{\"type\":\"claim\",\"match\":%lld}", (long long)id);
                sim_send_text(sim, i, text);
                sim_settle(sim);
                check_claimed(sim, id, &sim->devices[i], before);
                snprintf(text, sizeof(text),
                         "{\"type\":\"resign\",\"match\":%lld,\"command_id\":\"end-%d-%u\"}",
                         (long long)id, i, ++sim->devices[i].commands);
                sim_send_text(sim, i, text); /* if the match waited for the claiming player */
                sim_settle(sim);
                sim_end_connection(sim, &sim->connections[connection_of(i, 0)]);
            }
        }
    }
}

/* Without a clock, and if no player has a token any more, nothing can end it. */
static bool
must_end(const struct sim *sim, const struct stored_match *match)
{
    bool can_end = match->has_clock || match->row.status != MATCH_RUNNING;

    for (int i = 0; i < sim->device_count; i++) {
        can_end = can_end || can_claim(sim, match, &sim->devices[i]);
    }
    return match->row.status != MATCH_OVER && !match->is_corrupt && can_end;
}

static bool
all_are_over(struct sim *sim)
{
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        if (must_end(sim, fake_store_match(&sim->store, id))) {
            return false;
        }
    }
    return true;
}

/* All clients are gone: clocks run out, open matches expire. */
static void
wait_for_ends(struct sim *sim)
{
    for (int i = 0; i < FINISH_STEPS && !all_are_over(sim); i++) {
        int64_t next_ms = timers_next_ms(&sim->host->timers);

        next_ms = next_ms == TIMER_NEVER ? sim->now_ms + HOUR_MS : next_ms;
        next_ms = next_ms < sim->next_tick_ms ? sim->next_tick_ms : next_ms;
        sim_pass_time(sim, next_ms < sim->now_ms ? 1 : next_ms - sim->now_ms + 1);
        check_step(sim);
        sim_work_off(sim);
        if (i % 100 == 50) {
            claim(sim);
        }
    }
}

static void
check_ends(struct sim *sim)
{
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        const struct stored_match *match = fake_store_match(&sim->store, id);

        if (must_end(sim, match)) {
            sim_broken(sim, PROMISE_ENDS, "match %lld did not end (turn %u, %s)", (long long)id,
                       match->turn_count,
                       match->row.status == MATCH_RUNNING ? "running" : "not running");
        }
    }
}

void
sim_finish(struct sim *sim)
{
    sim->is_finishing = true;
    if (sim->host == NULL) {
        return;
    }
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        fake_store_give_back(fake_store_match(&sim->store, id));
    }
    sim_settle(sim);
    for (int i = 0; i < SIM_CONNECTIONS; i++) {
        sim_end_connection(sim, &sim->connections[i]);
    }
    wait_for_ends(sim);
    check_ends(sim);
    host_drain(sim->host);
    sim_work_off(sim);
    if (!host_is_drained(sim->host)) {
        sim_broken(sim, PROMISE_ENDS, "all jobs are done and the host is not drained");
    }
}
