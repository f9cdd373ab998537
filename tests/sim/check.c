/*
 * What must hold after every step (outboxes, rooms, clocks), and what must
 * hold when nothing is under way.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/sim/sim.h"

#define LATE_MS    1500 /* the host checks its rooms at least once per second */
#define UNKNOWN_MS (INT64_MAX / 4)

/* ---- thinking ---------------------------------------------------------------------------- */

/* In a cycle the time of a ready seat continues to run. */
bool
check_thinks(const struct room_look *room, const struct stored_match *match, uint8_t seat)
{
    return room->seats[seat].owes && (match->is_cycle || !room->seats[seat].is_ready);
}

static bool
is_simulated(const struct room_look *room)
{
    return room->phase == ROOM_RUNNING && room->id <= STORE_MATCHES_MAX;
}

/* The account of the room's open turn; a new turn starts a new one. */
static struct thinking *
thinking_of(struct sim *sim, const struct room_look *room)
{
    struct thinking *thinking = &sim->thinking[room->id];
    bool is_restored = thinking->start != sim->starts && thinking->start != 0;

    if (thinking->start != sim->starts || thinking->turn != room->turn) {
        *thinking = (struct thinking){ .start = sim->starts, .turn = room->turn };
        for (uint8_t seat = 0; is_restored && seat < SK_SEATS_MAX; seat++) {
            thinking->unsure_ms[seat] = UNKNOWN_MS;
        }
    }
    return thinking;
}

/* A process starts: the time used in open turns is not known exactly. */
void
check_forget_clocks(struct sim *sim)
{
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        if (fake_store_match(&sim->store, id)->row.status == MATCH_RUNNING) {
            sim->thinking[id].start = UINT32_MAX;
        }
    }
}

static void
think(struct sim *sim, const struct room_look *room, int64_t ms)
{
    struct thinking *thinking = thinking_of(sim, room);
    const struct stored_match *match = fake_store_match(&sim->store, room->id);

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (!room->seats[seat].owes) {
            continue;
        }
        if (room->is_busy) { /* what is under way may fail, and then it never counted */
            thinking->unsure_ms[seat] += ms;
        } else if (check_thinks(room, match, seat)) {
            thinking->sure_ms[seat] += ms;
        }
    }
}

void
check_think(struct sim *sim, int64_t ms)
{
    for (int64_t id = 1; sim->host != NULL && id <= (int64_t)sim->store.match_count; id++) {
        struct room_look room;

        if (look_at(sim->host, id, &room) && is_simulated(&room)) {
            think(sim, &room, ms);
        }
    }
}

/* Otherwise a clock may continue from one turn to the next, which this account does not cover. */
static bool
has_own_clock(const struct room_look *room)
{
    return room->is_simultaneous;
}

static int64_t
between(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* A turn takes from a seat's bank the time used beyond the turn's limit. */
static void
check_bank(struct sim *sim, const struct room_look *room, const struct stored_match *match,
           uint8_t seat, int64_t after_ms)
{
    const struct thinking *thinking = thinking_of(sim, room);
    int64_t before_ms = match->bank_ms[seat];
    int64_t most_ms = thinking->sure_ms[seat] + thinking->unsure_ms[seat] - match->turn_ms;
    int64_t least_ms = thinking->sure_ms[seat] - match->turn_ms;

    if (before_ms - after_ms < between(least_ms, 0, before_ms) ||
        before_ms - after_ms > between(most_ms, 0, before_ms)) {
        sim_broken(sim, PROMISE_CLOCK,
                   "match %lld, turn %u, seat %d: bank %lld -> %lld, but it thought %lld ms "
                   "(perhaps %lld more)",
                   (long long)room->id, room->turn, seat, (long long)before_ms, (long long)after_ms,
                   (long long)thinking->sure_ms[seat], (long long)thinking->unsure_ms[seat]);
    }
}

/* A connected player misses no deadline; a claim is against a seat that the match waits for. */
static void
check_absent(struct sim *sim, const struct room_look *room, const struct stored_match *match,
             struct sk_text turn)
{
    struct sk_text counts = scan_member(turn, "missed");
    struct sk_text lists = scan_member(turn, "commands");
    struct sk_text count;
    struct sk_text list;

    for (uint8_t seat = 0; scan_item(&counts, &count); seat++) {
        if (scan_number(count, 0) > room->seats[seat].missed && room->seats[seat].here > 0) {
            sim_broken(sim, PROMISE_CLOCK, "match %lld: seat %d is here and missed a deadline",
                       (long long)room->id, seat);
        }
    }
    for (uint8_t seat = 0; scan_item(&lists, &list); seat++) {
        struct sk_text command = { 0 };

        while (scan_item(&list, &command)) {
            if (scan_is(scan_member(command, "kind"), "abandon") && !match->has_clock &&
                !check_thinks(room, match, seat)) {
                sim_broken(sim, PROMISE_CLOCK, "match %lld: it did not wait for seat %d",
                           (long long)room->id, seat);
            }
        }
    }
}

void
sim_handed_over(struct sim *sim, const struct store_job *job)
{
    const struct stored_match *match = fake_store_match(&sim->store, job->match_id);
    struct room_look room;

    if (job->kind != JOB_MATCH_APPEND || match == NULL || sim->host == NULL ||
        !look_at(sim->host, job->match_id, &room) || !is_simulated(&room)) {
        return;
    }
    for (uint32_t i = 0; i < job->record_count; i++) {
        struct sk_text turn = sk_text_of(job->records[i].body);
        struct sk_text banks = scan_member(turn, "bank_ms");
        struct sk_text bank;

        if (job->records[i].kind != RECORD_TURN) {
            continue;
        }
        check_absent(sim, &room, match, turn);
        for (uint8_t seat = 0; has_own_clock(&room) && scan_item(&banks, &bank); seat++) {
            check_bank(sim, &room, match, seat, scan_number(bank, -1));
        }
        return; /* further commands of the list take no time */
    }
}

/* ---- clocks over a restart --------------------------------------------------------------- */

/* When the turn opened, by the wall clock. */
static int64_t
opened_at(const struct stored_match *match)
{
    int64_t at_ms = 0;

    for (uint32_t i = 0; i < match->record_count; i++) {
        if (match->records[i].kind == RECORD_TURN || match->records[i].kind == RECORD_JOINED) {
            at_ms = match->records[i].at_ms;
        }
    }
    return at_ms;
}

static void
remember_clock(struct sim *sim, const struct room_look *room)
{
    struct remembered_clock *clock = &sim->clocks[room->id];
    const struct stored_match *match = fake_store_match(&sim->store, room->id);
    int64_t at_ms = opened_at(match);
    int64_t stopped_ms = match->stopped_at_ms != 0 ? match->stopped_at_ms : sim->store.beat_ms;
    int64_t beat_ms = stopped_ms > at_ms ? stopped_ms : at_ms;
    bool is_restored = thinking_of(sim, room)->unsure_ms[0] >= UNKNOWN_MS;
    int64_t late_ms = is_restored ? 0 : sim->wall_ms - (sim->now_ms - room->opened_ms) - at_ms;

    *clock = (struct remembered_clock){
        .is_there = match->has_clock && match->turn_count == room->turn,
        .turn = room->turn,
        .slack_ms = (late_ms > 0 ? late_ms : 0) + sim->skew_ms,
        .since_beat_ms = sim->wall_ms - beat_ms,
    };
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        clock->slack_ms += thinking_of(sim, room)->unsure_ms[seat] % UNKNOWN_MS;
        clock->left_ms[seat] = room->seats[seat].left_ms;
        clock->is_thinking[seat] = room->seats[seat].owes && !room->seats[seat].has_latest;
    }
}

/* The match is this node's, and the room is not older than that. */
static bool
is_current(struct sim *sim, int64_t id)
{
    const struct stored_match *match = fake_store_match(&sim->store, id);

    return match->owner == OWNER_THIS && !match->is_stale;
}

void
check_remember_clocks(struct sim *sim)
{
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        struct room_look room;

        sim->clocks[id].is_moving = false;
        if (look_at(sim->host, id, &room) && is_simulated(&room) && is_current(sim, id)) {
            remember_clock(sim, &room);
        }
    }
}

void
check_remember_move(struct sim *sim)
{
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        struct room_look room;

        if (look_at(sim->host, id, &room) && is_simulated(&room) && is_current(sim, id)) {
            remember_clock(sim, &room);
            sim->clocks[id].is_moving = sim->clocks[id].is_there;
        }
    }
}

/* A match of which this node has no room: nobody knows for how long the seats have thought. */
static void
forget_moved(struct sim *sim, int64_t id, bool is_lost)
{
    if (sim->store.port.is_shared) {
        sim->clocks[id].is_moving = false;
        if (fake_store_match(&sim->store, id)->row.status == MATCH_RUNNING &&
            (is_lost || sim->thinking[id].start != 0 ||
             fake_store_match(&sim->store, id)->is_stale)) {
            sim->thinking[id].start = UINT32_MAX;
        }
    }
}

/* Downtime is not charged, and time used before it is not given back. */
static void
compare_clock(struct sim *sim, const struct room_look *room)
{
    struct remembered_clock *clock = &sim->clocks[room->id];

    if (!clock->is_there || clock->is_moving || room->phase == ROOM_LOADING) {
        return;
    }
    clock->is_there = false;
    if (room->phase != ROOM_RUNNING || room->turn != clock->turn) {
        return;
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        int64_t left_ms = room->seats[seat].left_ms;

        if (clock->is_thinking[seat] && !room->seats[seat].has_latest &&
            (left_ms < clock->left_ms[seat] - clock->slack_ms ||
             left_ms > clock->left_ms[seat] + clock->since_beat_ms + clock->slack_ms)) {
            sim_broken(sim, PROMISE_CLOCK,
                       "match %lld, seat %d had %lld ms left, and %lld after the restart "
                       "(slack %lld, beat %lld ms before)",
                       (long long)room->id, seat, (long long)clock->left_ms[seat],
                       (long long)left_ms, (long long)clock->slack_ms,
                       (long long)clock->since_beat_ms);
        }
    }
}

/* ---- rooms ------------------------------------------------------------------------------- */

/* The turn ends when the last seat whose clock runs has used up its time. */
static void
check_deadline(struct sim *sim, const struct room_look *room, const struct stored_match *match)
{
    const struct thinking *thinking = thinking_of(sim, room);
    int64_t first_ms = 0;
    int64_t last_ms = 0;
    bool is_anybody = false;

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        int64_t end_ms =
            sim->now_ms + match->turn_ms + room->seats[seat].bank_ms - thinking->sure_ms[seat];

        if (check_thinks(room, match, seat)) {
            int64_t early_ms = end_ms - thinking->unsure_ms[seat];

            first_ms = !is_anybody || early_ms > first_ms ? early_ms : first_ms;
            last_ms = !is_anybody || end_ms > last_ms ? end_ms : last_ms;
            is_anybody = true;
        }
    }
    if (is_anybody
            ? room->deadline_ms == 0 || room->deadline_ms < first_ms || room->deadline_ms > last_ms
            : room->deadline_ms != 0) {
        sim_broken(sim, PROMISE_CLOCK,
                   "match %lld, turn %u: the deadline is %lld, between %lld and %lld is right",
                   (long long)room->id, room->turn, (long long)room->deadline_ms,
                   (long long)first_ms, (long long)last_ms);
    }
}

/* What is due is done at the next tick, which comes within a second. */
static void
check_overdue(struct sim *sim, const struct room_look *room)
{
    struct thinking *thinking = thinking_of(sim, room);
    int64_t due_ms = room->retry_ms != 0 ? room->retry_ms : room->deadline_ms;

    if (due_ms == 0 || due_ms > sim->now_ms) {
        thinking->overdue_ms = 0;
    } else if (thinking->overdue_ms == 0) {
        thinking->overdue_ms = sim->now_ms;
    } else if (sim->now_ms > thinking->overdue_ms + LATE_MS) {
        sim_broken(sim, PROMISE_CLOSES, "match %lld, turn %u: it was due at %lld, and it is %lld",
                   (long long)room->id, room->turn, (long long)due_ms, (long long)sim->now_ms);
    }
}

static void
check_waits(struct sim *sim, const struct room_look *room, const struct stored_match *match)
{
    bool waits = false;

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        waits = waits || check_thinks(room, match, seat);
        if (room->seats[seat].is_running != check_thinks(room, match, seat)) {
            sim_broken(sim, PROMISE_CLOCK, "match %lld, turn %u: the clock of seat %d %s",
                       (long long)room->id, room->turn, seat,
                       room->seats[seat].is_running ? "runs" : "stands");
        }
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        waits = waits && !room->seats[seat].is_given;
    }
    if (!waits && room->retry_ms == 0) {
        sim_broken(sim, PROMISE_CLOSES, "match %lld, turn %u waits for nobody", (long long)room->id,
                   room->turn);
    }
    check_overdue(sim, room);
}

/* The open offer is the stored one, and decides which frames are allowed. */
static void
check_offer(struct sim *sim, const struct room_look *room, const struct stored_match *match)
{
    int64_t offer = told_offer(match, (int32_t)room->seq);

    if (room->offer != offer || (!room->is_busy && room->offer_next != room->offer)) {
        sim_broken(sim, PROMISE_OFFERS,
                   "match %lld: seat %lld offers, the room takes %d for it (%d)",
                   (long long)room->id, (long long)offer, room->offer, room->offer_next);
    }
}

static void
check_here(struct sim *sim, const struct room_look *room)
{
    uint32_t here[SK_SEATS_MAX] = { 0 };
    uint8_t seat;

    for (int i = 0; i < SIM_CONNECTIONS; i++) {
        const struct session *session = sim->connections[i].session;

        if (session == NULL || !look_at_follow(sim->host, room->id, session, &seat)) {
            continue;
        }
        if (seat != SK_SPECTATOR) {
            here[seat]++;
        }
        if (seat != look_seat_of(room, session)) {
            sim_broken(sim, PROMISE_SESSIONS,
                       "match %lld: a session of seat %d's player follows as %d",
                       (long long)room->id, look_seat_of(room, session), seat);
        }
    }
    for (seat = 0; seat < room->seat_count; seat++) {
        here[seat] += room->seats[seat].is_played;
        if (here[seat] != room->seats[seat].here) {
            sim_broken(sim, PROMISE_SESSIONS, "match %lld: %u sessions of seat %d, counted as %u",
                       (long long)room->id, here[seat], seat, room->seats[seat].here);
        }
    }
}

static void
check_room(struct sim *sim, const struct room_look *room)
{
    const struct stored_match *match = fake_store_match(&sim->store, room->id);

    if (match->row.status == MATCH_QUARANTINED && !room->is_busy &&
        room->phase != ROOM_QUARANTINED) {
        sim_broken(sim, PROMISE_QUARANTINE, "match %lld is set aside, and goes on",
                   (long long)room->id);
    }
    if (room->phase == ROOM_QUARANTINED && !match->is_corrupt) {
        sim_broken(sim, PROMISE_QUARANTINE, "match %lld: %s", (long long)room->id, room->reason);
    }
    if (room->seq > match->public_count) {
        sim_broken(sim, PROMISE_STORED_FIRST, "match %lld is at %u, stored are %u",
                   (long long)room->id, room->seq, match->public_count);
    }
    check_here(sim, room);
    compare_clock(sim, room);
    if (!is_simulated(room)) {
        return;
    }
    (void)thinking_of(sim, room); /* from now on it is known to think */
    check_offer(sim, room, match);
    if (room->is_closing && !room->is_busy) {
        sim_broken(sim, PROMISE_CLOSES, "match %lld waits for a store that has nothing of it",
                   (long long)room->id);
    }
    if (room->is_decided) { /* decided by its params: only its end is not stored yet */
        if (!room->is_busy && room->retry_ms == 0 && !sim->host->is_draining &&
            !node_is_fenced(sim->host)) {
            sim_broken(sim, PROMISE_ENDS, "match %lld is decided and does not end",
                       (long long)room->id);
        }
    } else if (!room->is_closing && !sim->host->is_draining && !node_is_fenced(sim->host)) {
        check_waits(sim, room, match);
        if (match->has_clock && has_own_clock(room)) {
            check_deadline(sim, room, match);
        }
    }
}

/* ---- sessions ---------------------------------------------------------------------------- */

/* The sentences of errors may change, everything else may not. */
static void
note_frame(struct sim *sim, struct sk_text frame)
{
    struct sk_text words = scan_member(frame, "message");
    const char *end = frame.at + frame.length;

    if (words.length == 0) {
        words = (struct sk_text){ end, 0 };
    }
    sim_note(sim, frame.at, (size_t)(words.at - frame.at));
    sim_note(sim, words.at + words.length, (size_t)(end - words.at - words.length));
}

static void
check_outbox(struct sim *sim, struct connection *connection)
{
    const struct session *session = connection->session;
    const struct outbox *outbox = &session->outbox;

    if (outbox->bytes > (uint32_t)sim->options.outbox_bytes_max) {
        sim_broken(sim, PROMISE_OUTBOX, "connection %td: %u bytes wait",
                   connection - sim->connections, outbox->bytes);
    }
    if (session->phase != SESSION_CLOSING && session->malformed >= sim->options.malformed_max) {
        sim_broken(sim, PROMISE_OUTBOX, "connection %td sent %d malformed messages and is open",
                   connection - sim->connections, session->malformed);
    }
    if (session->phase == SESSION_GREETING) {
        connection->since_ms = sim->now_ms; /* it waits for the store, not for a hello */
    }
    if (session->phase == SESSION_NEW &&
        sim->now_ms > connection->since_ms + sim->options.hello_timeout_ms + LATE_MS) {
        sim_broken(sim, PROMISE_OUTBOX, "connection %td has not said hello for %lld ms",
                   connection - sim->connections, (long long)(sim->now_ms - connection->since_ms));
    }
    for (; connection->checked < outbox->count; connection->checked++) {
        const struct message *message =
            outbox->items[(outbox->first + connection->checked) % outbox->size];

        check_told(sim, connection, (struct sk_text){ message->text, message->length });
        sim_note(sim, &(uint32_t){ (uint32_t)(connection - sim->connections) }, sizeof(uint32_t));
        note_frame(sim, (struct sk_text){ message->text, message->length });
    }
}

/* A quarantined match is counted once. */
static void
check_set_aside(struct sim *sim)
{
    uint32_t count = 0;

    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        count += fake_store_match(&sim->store, id)->is_corrupt;
    }
    if (sim->host->quarantined_count > count) {
        sim_broken(sim, PROMISE_QUARANTINE, "%u matches are damaged, %u are set aside", count,
                   sim->host->quarantined_count);
    }
}

void
check_step(struct sim *sim)
{
    if (sim->host == NULL) {
        return;
    }
    for (int i = 0; i < SIM_CONNECTIONS; i++) {
        if (sim->connections[i].session != NULL) {
            check_outbox(sim, &sim->connections[i]);
        }
    }
    check_accepted(sim);
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        struct room_look room;

        if (look_at(sim->host, id, &room)) {
            check_room(sim, &room);
        }
        if (!look_at(sim->host, id, &room)) {
            forget_moved(sim, id, false);
        } else if (room.phase == ROOM_LOADING || room.phase == ROOM_LOST) {
            forget_moved(sim, id, room.phase == ROOM_LOST);
        }
        check_twin(sim, id);
    }
    check_set_aside(sim);
    if (!sim->host->is_started && sim->host->start_retry_ms != 0 && sim->host->early != NULL) {
        sim_broken(sim, PROMISE_ANSWERS, "the start has failed, and somebody waits for it");
    }
    if (sim->host->jobs != sim->store.waiting_count + sim->store.done_count) {
        sim_broken(sim, PROMISE_STORE, "the host waits for %u jobs, the store has %u",
                   sim->host->jobs, sim->store.waiting_count + sim->store.done_count);
    }
}

/* ---- nothing is under way ---------------------------------------------------------------- */

/* A player has one place in the queue, for the connection that asked last, perhaps of another
 * device. */
static bool
is_shared(const struct sim *sim, const struct device *device)
{
    for (int i = 0; i < sim->device_count; i++) {
        if (&sim->devices[i] != device && &sim->devices[sim->devices[i].partner] == device) {
            return true;
        }
    }
    return &sim->devices[device->partner] != device;
}

static bool
is_waiting(const struct sim *sim, const struct device *device)
{
    const struct waiting_player *it = sim->host->waiting;

    while (it != NULL && it->player != device->player) {
        it = it->next;
    }
    return it != NULL;
}

static void
check_device(struct sim *sim, const struct device *device)
{
    if (device->asked_count > 0) {
        sim_broken(sim, PROMISE_ANSWERS, "device %td still waits for the answer to %s %s",
                   device - sim->devices, device->asked[0].type, device->asked[0].id);
    }
    if (device->is_queued && !is_shared(sim, device) && !is_waiting(sim, device)) {
        sim_broken(sim, PROMISE_ANSWERS, "device %td was queued and is not", device - sim->devices);
    }
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        const struct known_match *known = &device->matches[id];
        const struct stored_match *match = fake_store_match(&sim->store, id);
        int32_t visible = told_visible(match, stored_seat_of(match, device->player) < 0);

        if (known->follows && known->next_seq != 0 && known->next_seq - 1 != visible &&
            !match->is_corrupt && !device_is_resuming(device, id)) {
            sim_broken(sim, PROMISE_SEQ, "device %td, match %lld: it has %d of %d frames",
                       device - sim->devices, (long long)id, known->next_seq - 1, visible);
        }
    }
}

/* The matches that count for a player's limit are those they play. */
static void
check_count(struct sim *sim, const struct player *player)
{
    uint32_t count = 0;

    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        const struct stored_match *match = fake_store_match(&sim->store, id);

        if (stored_seat_of(match, player->id) >= 0) {
            if (match->is_corrupt) {
                return; /* counted until it is known */
            }
            count += match->row.status == MATCH_WAITING || match->row.status == MATCH_RUNNING;
        }
    }
    if (player->match_count != count || player->joining != 0) {
        sim_broken(sim, PROMISE_SESSIONS, "player %lld plays %u matches, counted are %u and %u",
                   (long long)player->id, count, player->match_count, player->joining);
    }
}

static void
check_host(struct sim *sim)
{
    for (uint32_t i = 0; i < HOST_BUCKETS && !loads_are_under_way(sim->host); i++) {
        for (const struct player *it = sim->host->players[i]; it != NULL; it = it->next) {
            check_count(sim, it);
        }
    }
    for (int64_t id = 1; id <= (int64_t)sim->store.match_count; id++) {
        struct room_look room;

        if (look_at(sim->host, id, &room) && fake_store_match(&sim->store, id)->was_refused &&
            (room.phase == ROOM_WAITING || room.phase == ROOM_RUNNING)) {
            sim_broken(sim, PROMISE_QUARANTINE, "match %lld cannot be stored and is tried again",
                       (long long)id);
        }
    }
}

void
check_settled(struct sim *sim)
{
    check_host(sim);
    for (int i = 0; i < sim->device_count; i++) {
        if (sim->devices[i].connection >= 0) {
            check_device(sim, &sim->devices[i]);
        }
    }
    for (int i = 0; i < SIM_REQUESTS; i++) {
        if (sim->is_asking[i]) {
            sim_broken(sim, PROMISE_ANSWERS, "an HTTP request is not answered");
        }
    }
}
