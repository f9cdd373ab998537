/*
 * Scenes: a few operations that must come close together for a fault.  Which
 * clients take part and what the store does is random; the story says how
 * often each scene is played.
 */
#include "tests/sim/choose.h"

/* ---- all at once ------------------------------------------------------------------------- */

/* Delivers what was sent, lets the store work, and reads the answers. */
static void
flush(struct sim *sim)
{
    for (int i = 0; i < SIM_CONNECTIONS; i++) {
        while (sim->connections[i].session != NULL && sim->connections[i].up != NULL) {
            act(sim, OP_UP, i, 0);
        }
    }
    for (int i = 0; i < 3 && sim->store.waiting_count > 0; i++) { /* one may lead to the next */
        act(sim, OP_WORK, 64, 0);
        act(sim, OP_DELIVER, 64, 0);
    }
    for (int i = 0; i < SIM_CONNECTIONS; i++) {
        if (sim->connections[i].session != NULL &&
            host_next_message(sim->connections[i].session) != NULL) {
            act(sim, OP_DOWN, i, 64);
        }
    }
}

/* The first device of a second player, or -1. */
static int
find_opponent(const struct sim *sim)
{
    for (int i = 1; i < sim->device_count; i++) {
        if (sim->devices[i].partner != sim->devices[0].partner) {
            return i;
        }
    }
    return -1;
}

void
begin_match(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int opponent = find_opponent(sim);

    for (int i = 0; i < sim->device_count; i++) {
        act(sim, OP_CONNECT, i, 0);
        say_hello(sim, i);
        flush(sim); /* a partner needs the token */
    }
    say_create(chooser, 0);
    flush(sim);
    for (int i = 1; i < sim->device_count; i++) {
        if (i == opponent) {
            say_join(sim, i, 1);
        } else if (happens(sim, 800)) {
            say_of_match(sim, i, "watch", 1);
        }
    }
    flush(sim);
}

static bool
can_play(const struct device *device, int64_t match)
{
    const struct known_match *known = &device->matches[match];

    return device->connection >= 0 && device->is_greeted && known->seat >= 0 && known->is_running &&
           device->asked_count < SIM_ASKED / 2;
}

/* Prefers a match with something that could not be stored and will be retried. */
static int64_t
draw_match(struct sim *sim)
{
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count && happens(sim, 700); id++) {
        struct room_look room;

        if (look_at(sim->host, id, &room) && room.phase == ROOM_RUNNING && room.retry_ms != 0) {
            return id;
        }
    }
    return 1 + below(sim, sim->store.match_count + 1);
}

bool
play_turn(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int64_t match = draw_match(sim);
    bool has_asked = false;
    bool has_played = false;

    for (int i = 0; i < sim->device_count && match <= STORE_MATCHES_MAX; i++) {
        if (can_play(&sim->devices[i], match) && needs_hints(&sim->devices[i].matches[match])) {
            say_hints(sim, i, match);
            has_asked = true;
        }
    }
    if (has_asked) {
        flush(sim);
    }
    for (int i = 0; i < sim->device_count && match <= STORE_MATCHES_MAX; i++) {
        if (can_play(&sim->devices[i], match)) {
            say_submit(sim, i, match, ",\"ready\":true");
            has_played = true;
        }
    }
    if (has_played && happens(sim, 800)) {
        flush(sim);
    }
    return has_played;
}

/* A match that the device knows and does not follow, or 0. */
static int64_t
find_unfollowed(const struct device *device)
{
    for (int64_t id = 1; id <= STORE_MATCHES_MAX; id++) {
        if (device->matches[id].is_known && !device->matches[id].follows) {
            return id;
        }
    }
    return 0;
}

bool
come_back(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    bool has_said = false;

    for (int i = 0; i < sim->device_count; i++) {
        struct device *device = &sim->devices[i];

        if (device->connection < 0) {
            act(sim, OP_CONNECT, i, below(sim, SIM_SLOTS));
        }
        if (device->connection < 0 || device->asked_count > 0) {
            continue;
        }
        if (!device->is_greeted) {
            say_hello(sim, i);
            has_said = true;
        } else if (find_unfollowed(device) != 0) {
            say_resume(sim, i, find_unfollowed(device));
            has_said = true;
        }
    }
    return has_said;
}

/* ---- what goes wrong together ------------------------------------------------------------- */

/* Delivers what the device has sent. */
static void
hear(struct sim *sim, int number)
{
    int connection = sim->devices[number].connection;

    while (connection >= 0 && sim->connections[connection].session != NULL &&
           sim->connections[connection].up != NULL) {
        act(sim, OP_UP, connection, 0);
    }
}

/* The store commits all its jobs, or fails all. */
static void
store_all(struct sim *sim, uint32_t fail)
{
    if (sim->store.waiting_count > 0) {
        act(sim, happens(sim, fail) ? OP_FAIL : OP_WORK, 64, 0);
        act(sim, OP_DELIVER, 64, 0);
    }
}

/* Two devices that play against each other in the match. */
static bool
find_players(struct sim *sim, int64_t match, int ret_players[2])
{
    int count = 0;

    for (int i = 0; i < sim->device_count && match <= STORE_MATCHES_MAX && count < 2; i++) {
        const struct device *device = &sim->devices[i];

        if (can_play(device, match) &&
            (count == 0 ||
             sim->devices[ret_players[0]].matches[match].seat != device->matches[match].seat)) {
            ret_players[count++] = i;
        }
    }
    return count == 2;
}

bool
quarrel(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int64_t match = draw_match(sim);
    uint32_t first = below(sim, 2);
    int players[2];

    if (!find_players(sim, match, players)) {
        return false;
    }
    say_of_match(sim, players[first], "offer_draw", match);
    hear(sim, players[first]);
    if (happens(sim, 600)) {
        store_all(sim, 100);
    }
    say_of_match(sim, players[1 - first], "offer_draw", match); /* both want it */
    hear(sim, players[1 - first]);
    if (happens(sim, 600)) {
        store_all(sim, 700);
    }
    for (uint32_t left = below(sim, 3); left > 0; left--) {
        int number = players[below(sim, 2)];

        if (happens(sim, 500)) {
            say_resign(sim, number, match);
        } else {
            say_submit(sim, number, match, ",\"ready\":true");
        }
        hear(sim, number);
    }
    if (happens(sim, 500)) {
        store_all(sim, 500);
    }
    return true;
}

/* The process dies.  Of the first jobs of the next one, this many are done; one fails. */
static void
die_and_fail(struct sim *sim, int64_t done)
{
    act(sim, OP_CRASH, below(sim, 20000), happens(sim, 300));
    if (done > 0) {
        act(sim, OP_WORK, done, 0);
        act(sim, OP_DELIVER, done, 0);
    }
    act(sim, OP_FAIL, 1, 0);
    act(sim, OP_DELIVER, 1, 0);
    for (int i = 0; i < sim->device_count; i++) {
        act(sim, OP_CONNECT, i, below(sim, SIM_SLOTS));
        say_hello(sim, i);
    }
    flush(sim);
}

bool
start_badly(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;

    die_and_fail(sim, 0);
    act(sim, OP_TIME, 1000 + below(sim, 30), 0); /* it asks again */
    for (int i = 0; i < sim->device_count; i++) {
        if (sim->devices[i].is_greeted && find_unfollowed(&sim->devices[i]) != 0) {
            say_resume(sim, i, find_unfollowed(&sim->devices[i]));
            hear(sim, i);
        }
    }
    return true;
}

bool
break_while_busy(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int64_t match = draw_match(sim);
    int players[2];

    if (!find_players(sim, match, players)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        say_submit(sim, players[i], match, ",\"ready\":true");
        say_resume(sim, players[i], match);
        hear(sim, players[i]);
    }
    act(sim, happens(sim, 500) ? OP_CORRUPT : OP_BREAK, match, 0);
    return true;
}

bool
look_back(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int number = (int)below(sim, (uint32_t)sim->device_count);
    struct device *device = &sim->devices[number];
    int64_t match = any_match(sim);

    if (device->connection < 0 || !device->is_greeted || device->asked_count > 0 ||
        !device->matches[match].is_known) {
        return false;
    }
    say_resume_from(sim, number, match, (int32_t)below(sim, 4));
    return true;
}

/* ---- seats ------------------------------------------------------------------------------- */

bool
leave_with_full_list(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int64_t match = draw_match(sim);
    int players[2];

    if (!find_players(sim, match, players)) {
        return false;
    }
    say_hints(sim, players[0], match);
    flush(sim);
    say_full_list(sim, players[0], match);
    hear(sim, players[0]);
    if (happens(sim, 500)) {
        store_all(sim, 100);
    }
    say_resign(sim, players[0], match);
    hear(sim, players[0]);
    return true;
}

bool
ask_again_while_loading(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int64_t match = any_match(sim);

    die_and_fail(sim, 1);
    for (int i = 0; i < sim->device_count; i++) {
        if (sim->devices[i].is_greeted && sim->devices[i].matches[match].is_over) {
            say_of_match(sim, i, "rematch", match);
            hear(sim, i);
        }
    }
    return true;
}

/* The next device that has said hello and has no seat in the match, or -1. */
static int
find_seatless(struct sim *sim, int64_t match, int from)
{
    const struct stored_match *stored = fake_store_match(&sim->store, match);

    for (int i = from; i < sim->device_count; i++) {
        if (sim->devices[i].is_greeted && sim->devices[i].asked_count == 0 &&
            stored_seat_of(stored, sim->devices[i].player) < 0) {
            return i;
        }
    }
    return -1;
}

/* A match that waits for more than one, or 0. */
static int64_t
find_waiting(struct sim *sim)
{
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        struct room_look room;
        uint32_t seats = 0; /* that are free */

        if (look_at(sim->host, id, &room) && room.phase == ROOM_WAITING) {
            for (uint8_t seat = 0; seat < room.seat_count; seat++) {
                seats += room.seats[seat].player == 0;
            }
        }
        if (seats > 1) {
            return id;
        }
    }
    return 0;
}

bool
sit_and_leave(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int64_t match = find_waiting(sim);
    int watcher = match == 0 ? -1 : find_seatless(sim, match, 0);
    int sitter = watcher < 0 ? -1 : find_seatless(sim, match, watcher + 1);

    if (sitter < 0 || sim->devices[sitter].player == sim->devices[watcher].player) {
        return false;
    }
    say_of_match(sim, watcher, "watch", match);
    flush(sim);
    say_join(sim, sitter, match);
    flush(sim);
    say_of_match(sim, sitter, "leave", match);
    flush(sim);
    say_resume_from(sim, watcher, match, 1 + (int32_t)below(sim, 3));
    return true;
}
