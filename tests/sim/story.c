/*
 * What a run is about.
 *
 * With everything equally likely, what has to come together for a fault
 * seldom does.  So a seed first draws a story, in which a few things happen
 * often and others hardly: each story alone sees less, all of them together
 * see more.
 */
#include "tests/sim/choose.h"

/* ---- stories ----------------------------------------------------------------------------- */

/* Everything a little. */
static struct taste
draw_anything(struct sim *sim)
{
    return (struct taste){
        .op_count = 120 + below(sim, 600),
        .is_begun = happens(sim, 300),
        .fail = happens(sim, 500) ? below(sim, 250) : 0,
        .full = happens(sim, 300) ? 3 : 0,
        .crash = happens(sim, 600) ? 1 + below(sim, 6) : 0,
        .drop = 1 + below(sim, 10),
        .vanish = happens(sim, 300) ? 30 : 0,
        .down = happens(sim, 200) ? 20 : 120,
        .hurry = 50 + below(sim, 400),
        .days = 25,
        .damage = happens(sim, 50) ? 3 : 0,
        .malformed = happens(sim, 300) ? 60 : 3,
        .small = 300,
        .matches = 10,
        .delayed = 500,
        .cycles = 60,
        .others = 150,
        .hidden = 200,
        .clocks = 800,
        .lobby = 200,
        .watches = 150,
        .turns = happens(sim, 500) ? 20 : 0,
        .returns = happens(sim, 300) ? 60 : 0,
        .withdraws = 10,
        .draws = 10,
        .ends = 3,
        .claims = 10,
        .leaves = 10,
        .rematches = 100,
        .resumes = 10,
        .full_lists = 3,
        .asides = 10,
    };
}

/* Two play, the others watch from behind. */
static void
tell_of_spectators(struct sim *sim, struct taste *taste)
{
    taste->delayed = 950;
    taste->watches = 500;
    taste->draws = 60;
    taste->turns = 40 + below(sim, 60);
    taste->ends = 5;
}

/* Who wants to end a match meets a store that does not store it. */
static void
tell_of_endings(struct sim *sim, struct taste *taste)
{
    taste->fail = below(sim, 150);
    taste->fail_ends = 300 + below(sim, 500);
    taste->by_turns = 600;
    taste->clocks = 600;
    taste->days = 120;
    taste->draws = 80;
    taste->ends = 100;
    taste->claims = 60;
    taste->full_lists = 40;
    taste->turns = 60;
}

/* The process dies again and again, clocks are short. */
static void
tell_of_restarts(struct sim *sim, struct taste *taste)
{
    taste->crash = 8 + below(sim, 16);
    taste->fail = happens(sim, 700) ? below(sim, 300) : 0;
    taste->fail_ends = happens(sim, 700) ? 600 : 0;
    taste->fail_start = happens(sim, 700) ? 600 : 0;
    taste->returns = 100;
    taste->cycles = 400;
    taste->clocks = 950;
    taste->withdraws = 40;
    taste->draws = 30;
    taste->turns = 60;
}

/* Connections break, and what was missed is asked for while the match goes on. */
static void
tell_of_coming_back(struct sim *sim, struct taste *taste)
{
    taste->drop = 15 + below(sim, 30);
    taste->down = 20 + below(sim, 60);
    taste->small = 500;
    taste->resumes = 80;
    taste->turns = 80 + below(sim, 80);
    taste->returns = 60;
    taste->leaves = 30;
}

/* Seats are taken and left, matches joined by code, played again, queued for. */
static void
tell_of_seats(struct sim *sim, struct taste *taste)
{
    taste->is_begun = false;
    taste->op_count += 150;
    taste->matches = 1 + below(sim, happens(sim, 500) ? 2 : 8);
    taste->clocks = 500;
    taste->vanish = 40;
    taste->hidden = 300;
    taste->lobby = 600;
    taste->leaves = 120;
    taste->ends = 100;
    taste->rematches = 500;
    taste->drop = 10 + below(sim, 20);
    taste->crash = happens(sim, 600) ? 12 : 0;
    taste->fail = happens(sim, 500) ? below(sim, 300) : 0;
    taste->fail_start = happens(sim, 500) ? 600 : 0;
    taste->returns = 60;
}

/* What is over is played again, by everybody at once and over restarts. */
static void
tell_of_rematches(struct sim *sim, struct taste *taste)
{
    taste->matches = 1;
    taste->ends = 300;
    taste->rematches = 700;
    taste->crash = 10 + below(sim, 20);
    taste->fail_start = 500;
    taste->hurry = 50;
    taste->returns = 150;
}

/* Clients talk nonsense or too much, while the store is slow. */
static void
tell_of_the_clumsy(struct sim *sim, struct taste *taste)
{
    taste->is_begun = happens(sim, 500);
    taste->malformed = 150 + below(sim, 200);
    taste->drop = 30;
    taste->small = 800;
    taste->down = 10 + below(sim, 60);
    taste->returns = 150;
}

struct taste
draw_taste(struct sim *sim)
{
    static void (*const stories[])(struct sim * sim, struct taste * taste) = {
        tell_of_spectators, tell_of_endings,    tell_of_endings,     tell_of_restarts,
        tell_of_restarts,   tell_of_rematches,  tell_of_coming_back, tell_of_seats,
        tell_of_seats,      tell_of_the_clumsy,
    };
    struct taste taste = draw_anything(sim);

    if (happens(sim, 750)) {
        taste.op_count = 200 + below(sim, 400);
        taste.is_begun = true;
        taste.matches = 1 + below(sim, 3);
        taste.malformed = 2;
        stories[below(sim, SK_COUNT_OF(stories))](sim, &taste);
    }
    return taste;
}

/* ---- all at once ------------------------------------------------------------------------- */

/* What was sent arrives, is stored and answered; the answers are read. */
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

/* The first device of another player than the first one's; or -1. */
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

/* Most interesting is one of which something could not be stored and is to be tried again. */
static int64_t
draw_match(struct sim *sim)
{
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count && happens(sim, 700); id++) {
        const struct room *room = room_find(sim->host, id);

        if (room != NULL && room->phase == ROOM_RUNNING && room->retry_ms != 0) {
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
