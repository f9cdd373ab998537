/*
 * Draws a run: who is there, how bad the world is, and what happens next.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/sim/choose.h"

uint32_t
below(struct sim *sim, uint32_t bound)
{
    return sk_rng_below(&sim->chance, bound);
}

bool
happens(struct sim *sim, uint32_t of_thousand)
{
    return below(sim, 1000) < of_thousand;
}

const char *
one_of(struct sim *sim, const char *const *texts, size_t count)
{
    return texts[below(sim, (uint32_t)count)];
}

size_t
draw_weight(struct sim *sim, const uint32_t *weights, size_t count)
{
    uint32_t total = 0;
    uint32_t drawn;
    size_t i = 0;

    for (size_t j = 0; j < count; j++) {
        total += weights[j];
    }
    drawn = below(sim, total);
    while (drawn >= weights[i]) {
        drawn -= weights[i++];
    }
    return i;
}

int64_t
any_match(struct sim *sim)
{
    return happens(sim, 30) || sim->store.match_count == 0 ? STORE_MATCHES_MAX - 1
                                                           : 1 + below(sim, sim->store.match_count);
}

void
act(struct sim *sim, enum op_kind kind, int64_t a, int64_t b)
{
    sim_do(sim, (struct op){ .kind = kind, .a = a, .b = b });
}

/* ---- connections ------------------------------------------------------------------------- */

static bool
connect_one(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int number = (int)below(sim, (uint32_t)sim->device_count);

    if (sim->devices[number].connection >= 0) {
        return false;
    }
    act(sim, OP_CONNECT, number, below(sim, SIM_SLOTS));
    return true;
}

static bool
drop_one(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int number = (int)below(sim, (uint32_t)sim->device_count);

    if (sim->devices[number].connection < 0) {
        return false;
    }
    act(sim, OP_DROP, number, 0);
    return true;
}

/* A random connection for which this holds, or -1. */
static int
draw_connection(struct sim *sim, bool (*holds)(const struct connection *connection))
{
    uint32_t first = below(sim, SIM_CONNECTIONS);

    for (uint32_t i = 0; i < SIM_CONNECTIONS; i++) {
        uint32_t number = (first + i) % SIM_CONNECTIONS;

        if (sim->connections[number].session != NULL && holds(&sim->connections[number])) {
            return (int)number;
        }
    }
    return -1;
}

static bool
has_up(const struct connection *connection)
{
    return connection->up != NULL;
}

static bool
has_down(const struct connection *connection)
{
    return host_next_message(connection->session) != NULL;
}

static bool
has_ended(const struct connection *connection)
{
    return connection->device < 0 || connection->is_closing;
}

static bool
up_one(struct chooser *chooser)
{
    int number = draw_connection(chooser->sim, has_up);

    bool takes_all = happens(chooser->sim, 200);

    if (number >= 0) {
        do {
            act(chooser->sim, OP_UP, number, 0);
        } while (takes_all && chooser->sim->connections[number].up != NULL);
        if (happens(chooser->sim, chooser->taste.vanish)) {
            act(chooser->sim, OP_DROP, number / SIM_SLOTS, 0);
            act(chooser->sim, OP_GONE, number, 0);
        }
    }
    return number >= 0;
}

static bool
down_some(struct chooser *chooser)
{
    int number = draw_connection(chooser->sim, has_down);

    if (number >= 0) {
        act(chooser->sim, OP_DOWN, number, 1 + below(chooser->sim, 12));
    }
    return number >= 0;
}

static bool
end_one(struct chooser *chooser)
{
    int number = draw_connection(chooser->sim, has_ended);

    if (number >= 0) {
        act(chooser->sim, OP_GONE, number, 0);
    }
    return number >= 0;
}

/* ---- the store, time, the process -------------------------------------------------------- */

/* Whether these jobs contain an offer, an end or a downtime. */
static bool
is_of_end(const struct fake_store *store, uint32_t count)
{
    for (const struct store_job *job = store->waiting; job != NULL && count > 0;
         job = job->next, count--) {
        for (uint32_t i = 0; i < job->record_count; i++) {
            enum store_record_kind kind = job->records[i].kind;

            if (kind == RECORD_OFFER || kind == RECORD_RESIGNED || kind == RECORD_ENDED ||
                kind == RECORD_CLOCK) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the process is still loading what is stored. */
static bool
is_of_start(const struct sim *sim)
{
    enum store_job_kind kind = sim->store.waiting->kind;

    return kind == JOB_UNFINISHED || (kind == JOB_MATCH_LOAD && loads_are_under_way(sim->host));
}

static bool
work(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;

    uint32_t count = 1 + below(sim, 6);
    uint32_t fail = chooser->taste.fail;

    if (sim->store.waiting_count == 0) {
        return false;
    }
    if (chooser->taste.fail_ends > fail && is_of_end(&sim->store, count)) {
        fail = chooser->taste.fail_ends;
    }
    if (chooser->taste.fail_start > 0 && is_of_start(sim)) {
        fail = chooser->taste.fail_start;
        count = 1;
    }
    act(sim, happens(sim, fail) ? OP_FAIL : OP_WORK, count, 0);
    return true;
}

static bool
deliver_some(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;

    if (sim->store.done_count == 0) {
        return false;
    }
    act(sim, OP_DELIVER, 1 + below(sim, 6), 0);
    return true;
}

static bool
work_on_pieces(struct chooser *chooser)
{
    if (!host_has_work(chooser->sim->host)) {
        return false;
    }
    act(chooser->sim, OP_PIECE, 1 + below(chooser->sim, 3), 0);
    return true;
}

static bool
fill_queue(struct chooser *chooser)
{
    act(chooser->sim, OP_FULL, 1 + below(chooser->sim, 5), 0);
    return true;
}

/* When something is due or retried. */
static int64_t
next_deadline(struct sim *sim)
{
    int64_t retry_ms = sim->host->start_retry_ms;
    int64_t next_ms = retry_ms != 0 ? retry_ms : sim->now_ms + 1000;

    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        struct room_look room;

        if (look_at(sim->host, id, &room) && room.deadline_ms > sim->now_ms &&
            room.deadline_ms < next_ms) {
            next_ms = room.deadline_ms;
        }
    }
    return next_ms;
}

static bool
pass(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int64_t ms = below(sim, 40);

    if (happens(sim, chooser->taste.hurry)) {
        switch (happens(sim, chooser->taste.days) ? 0 : 1 + below(sim, 8)) {
        case 0:
            ms = 90000000;
            break;
        case 1:
            ms = below(sim, happens(sim, 500) ? 4000000 : 300000);
            break;
        case 2:
        case 3:
            ms = next_deadline(sim) - sim->now_ms + below(sim, 3) - 1;
            break;
        default:
            ms = below(sim, 2000);
            break;
        }
    }
    act(sim, OP_TIME, ms < 0 ? 0 : ms, 0);
    return true;
}

static bool
die(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;

    if (happens(sim, 250)) {
        act(sim, OP_STOP, below(sim, 5000), 0);
    } else {
        act(sim, OP_CRASH, happens(sim, 100) ? 100000000 : below(sim, 20000), happens(sim, 300));
    }
    return true;
}

static bool
ask_http(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    char path[64];

    snprintf(path, sizeof(path), "/api/v1/matches/%lld/replay", (long long)any_match(sim));
    sim_do(sim, (struct op){ .kind = OP_HTTP,
                             .a = below(sim, (uint32_t)sim->device_count),
                             .text = strdup(happens(sim, 200) ? "/api/v1/matches" : path) });
    return true;
}

static bool
answer_for_bot(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;

    if (sim->bots.count == 0) {
        return false;
    }
    act(sim, OP_ANSWER, below(sim, SIM_ASKS), below(sim, 64));
    return true;
}

static bool
do_rare(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;

    if (below(sim, 6) == 0) {
        act(sim, OP_WALL, (int64_t)below(sim, 4000) - 2000, 0);
    } else {
        act(sim, OP_SETTLE, 0, 0);
    }
    return true;
}

static bool
damage_one(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;

    if (sim->store.match_count == 0) {
        return false;
    }
    act(sim, happens(sim, 500) ? OP_CORRUPT : OP_BREAK, 1 + below(sim, sim->store.match_count), 0);
    return true;
}

/* A match goes to another node, or comes back; or this node cannot beat for a while. */
static bool
move_one(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int64_t id = 1 + below(sim, sim->store.match_count + 1);

    if (happens(sim, 150)) {
        act(sim, OP_STALL, 1000 + below(sim, 2 * STORE_LEASE_MS), 0);
    } else if (fake_store_match(&sim->store, id) == NULL) {
        return false;
    } else if (sim->store.matches[id].owner == OWNER_OTHER) {
        act(sim, OP_BACK, id, 0);
    } else {
        act(sim, OP_AWAY, id, happens(sim, 400));
    }
    return true;
}

/* ---- the whole --------------------------------------------------------------------------- */

static void
set_option(struct sim *sim, const char *name, int64_t value)
{
    sim_do(sim, (struct op){ .kind = OP_OPTION, .a = value, .text = strdup(name) });
}

static void
draw_world(struct sim *sim, const struct taste *taste)
{
    uint32_t devices = 2 + below(sim, 5);
    bool is_limited = !taste->is_begun && happens(sim, 150);

    set_option(sim, "seed", (int64_t)sim->seed);
    if (sim->has_nodes) {
        set_option(sim, "nodes", 2);
    }
    set_option(sim, "frames_per_second", is_limited ? 5 : 100000);
    set_option(sim, "frames_burst", is_limited ? 5 : 100000);
    set_option(sim, "http_burst", is_limited ? 200 : 0);
    set_option(sim, "outbox_bytes_max",
               happens(sim, taste->small) ? 6000 + below(sim, 20000) : 4194304);
    set_option(sim, "matches_per_player_max", 2 + below(sim, 6));
    set_option(sim, "chat_per_minute", 3);
    set_option(sim, "snapshot_every", 1 + below(sim, 8));
    for (uint32_t i = 0; i < devices; i++) {
        act(sim, OP_DEVICE, i, i > 0 && happens(sim, 350) ? below(sim, i) : i);
    }
}

struct choice {
    uint32_t weight;
    bool (*make)(struct chooser *chooser);
};

void
choose_run(struct sim *sim)
{
    struct chooser chooser = { .sim = sim, .taste = draw_taste(sim) };
    const struct taste *taste = &chooser.taste;
    const struct choice choices[] = {
        { 160, talk },
        { 140, up_one },
        { taste->down, down_some },
        { 140, work },
        { 140, deliver_some },
        { 100, work_on_pieces },
        { 60, pass },
        { 60, connect_one },
        { 25, end_one },
        { taste->drop, drop_one },
        { taste->full, fill_queue },
        { taste->crash, die },
        { taste->turns, play_turn },
        { taste->returns, come_back },
        { taste->quarrels, quarrel },
        { taste->bad_starts, start_badly },
        { taste->breaks, break_while_busy },
        { taste->looks_back, look_back },
        { taste->full_leaves, leave_with_full_list },
        { taste->bad_rematches, ask_again_while_loading },
        { taste->short_stays, sit_and_leave },
        { taste->damage, damage_one },
        { 40, answer_for_bot },
        { 6, ask_http },
        { 4, do_rare },
        { taste->moves, move_one },
    };
    uint32_t weights[SK_COUNT_OF(choices)];

    for (size_t i = 0; i < SK_COUNT_OF(choices); i++) {
        weights[i] = choices[i].weight;
    }
    draw_world(sim, taste);
    act(sim, OP_TIME, 1, 0); /* the first start */
    if (taste->is_begun) {
        begin_match(&chooser);
    }
    while (sim->ops.count < taste->op_count) {
        (void)choices[draw_weight(sim, weights, SK_COUNT_OF(weights))].make(&chooser);
    }
}
