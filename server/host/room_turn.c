/*
 * Turns: closed, resolved on scratch, stored, and only then shown.
 *
 * From closing until the store has answered, room->pending is there and the
 * turn takes no more commands.  If the store fails, pending is dropped and
 * the same inputs are resolved again later.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "server/host/room.h"
#include "server/kill_point.h"

#define MISSED_MAX 3 /* deadlines in a row while away: then the seat has abandoned the match */

void
pending_free(struct pending_turn *pending)
{
    if (pending == NULL) {
        return;
    }
    free(pending->state);
    free(pending->all_events);
    for (size_t i = 0; i < SK_COUNT_OF(pending->events); i++) {
        free(pending->events[i]);
    }
    for (size_t i = 0; i < SK_COUNT_OF(pending->verdicts); i++) {
        free(pending->verdicts[i]);
        free(pending->commands[i]);
    }
    free(pending);
}

void
room_open_turn(struct room *room)
{
    struct host *host = room->host;

    room->opened_ms = host->world.now_ms(host->world.context);
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        room->seats[seat].ready_ms = 0;
    }
    room_set_deadline(room);
}

/* ---- the inputs -------------------------------------------------------------------------- */

/* What a seat does in this turn: its submission, and what the host has to say for it. */
static struct sk_commands
gather(struct room *room, uint8_t seat, int64_t now_ms)
{
    const struct submission *latest = room->seats[seat].latest;
    uint32_t size = room->ruleset->command->size;
    uint32_t count = latest == NULL ? 0 : latest->count;
    uint8_t *commands = sk_arena_take_items(&room->host->scratch, count + 2, size);
    uint32_t given = room->given[seat];

    SK_ASSERT(commands != NULL);
    if (count > 0) {
        memcpy(commands, latest->at, (size_t)count * size);
    }
    if (given != 0 && count < SK_COMMANDS_MAX) {
        ((struct sk_command *)(void *)(commands + (size_t)count++ * size))->kind =
            (uint8_t)(given - 1);
    } else if (room_is_out_of_time(room, seat, now_ms) && count < SK_COMMANDS_MAX) {
        ((struct sk_command *)(void *)(commands + (size_t)count++ * size))->kind =
            SK_COMMAND_TIMEOUT;
    }
    return (struct sk_commands){ commands, count };
}

/* ---- texts of the turn ------------------------------------------------------------------- */

struct turn_part {
    const struct sk_turn *turn;
    uint8_t seat;
};

static void
write_commands(struct sk_json_out *out, const void *what)
{
    const struct turn_part *part = what;
    struct sk_commands commands = part->turn->commands[part->seat];

    sk_variants_write(out, part->turn->ruleset->command, commands.at, commands.count);
}

static void
write_verdicts(struct sk_json_out *out, const void *what)
{
    const struct turn_part *part = what;

    sk_verdicts_write(out, part->turn, part->seat);
}

static void
write_events(struct sk_json_out *out, const void *what)
{
    const struct turn_part *part = what;

    sk_events_write_for(out, part->turn, part->seat);
}

static void
write_all_events(struct sk_json_out *out, const void *what)
{
    const struct turn_part *part = what;

    sk_events_write(out, part->turn);
}

void
room_keep_texts(struct room *room, const struct sk_turn *turn, struct pending_turn *pending)
{
    struct host *host = room->host;
    struct turn_part part = { turn, SK_SPECTATOR };

    pending->all_events = host_json(host, write_all_events, &part);
    if (room->ruleset->event_is_shown != NULL) {
        pending->events[SK_SEATS_MAX] = host_json(host, write_events, &part);
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        part.seat = seat;
        if (room->ruleset->event_is_shown != NULL) {
            pending->events[seat] = host_json(host, write_events, &part);
        }
        pending->verdicts[seat] = host_json(host, write_verdicts, &part);
        pending->commands[seat] = host_json(host, write_commands, &part);
    }
}

/* ---- clocks ------------------------------------------------------------------------------ */

/* The clocks as the turn's record tells of them. */
struct turn_clocks {
    int32_t used_ms[SK_SEATS_MAX];
    int32_t bank_ms[SK_SEATS_MAX];
    int32_t missed[SK_SEATS_MAX];
};

static void
settle_clocks(struct room *room, int64_t now_ms, struct pending_turn *pending,
              struct turn_clocks *ret_clocks)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct seat *it = &room->seats[seat];
        int64_t end_ms = it->ready_ms != 0 ? it->ready_ms : now_ms;
        int64_t used = end_ms - room->opened_ms;
        int64_t over = used - room->clock.turn_ms;

        pending->bank_ms[seat] = !room->clock.has_turn || over <= 0 ? it->bank_ms
                                 : over >= it->bank_ms              ? 0
                                                                    : it->bank_ms - over;
        pending->missed[seat] =
            it->latest == NULL && it->here == 0 && room_is_out_of_time(room, seat, now_ms)
                ? it->missed + 1
                : 0;
        ret_clocks->used_ms[seat] = (int32_t)(used > INT32_MAX ? INT32_MAX : used);
        ret_clocks->bank_ms[seat] = (int32_t)pending->bank_ms[seat];
        ret_clocks->missed[seat] = (int32_t)pending->missed[seat];
    }
}

/* ---- storing ----------------------------------------------------------------------------- */

static void
add_turn_record(struct room *room, struct store_job *job, int64_t now_ms,
                struct pending_turn *pending)
{
    struct sk_json commands[SK_SEATS_MAX] = { 0 };
    struct sk_json verdicts[SK_SEATS_MAX] = { 0 };
    uint32_t clock_count = room->clock.has_turn ? room->seat_count : 0;
    struct turn_clocks clocks;
    struct record_turn body = {
        .commands = { commands, room->seat_count },
        .verdicts = { verdicts, room->seat_count },
        .events = { .text = sk_text_of(pending->all_events) },
        .hash = sk_text_of(pending->hash),
        .used_ms = { clocks.used_ms, clock_count },
        .bank_ms = { clocks.bank_ms, clock_count },
        .missed = { clocks.missed, clock_count },
    };

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        commands[seat].text = sk_text_of(pending->commands[seat]);
        verdicts[seat].text = sk_text_of(pending->verdicts[seat]);
    }
    settle_clocks(room, now_ms, pending, &clocks);
    room_record(room, job, RECORD_TURN, STORE_NO_SEAT, &sk_record_turn, &body);
}

static void
add_ended_record(struct room *room, struct store_job *job, struct sk_outcome outcome,
                 const char *hash)
{
    struct host *host = room->host;
    char seed[FRAME_SEED_DIGITS + 1];
    char salt[FRAME_SEED_DIGITS + 1];
    const char *reason = sk_reason_name(room->ruleset, outcome.reason);
    struct record_ended body = {
        .has_winner = outcome.winner != SK_NOBODY,
        .winner = outcome.winner == SK_NOBODY ? 0 : outcome.winner,
        .reason = sk_text_of(reason),
        .hash = sk_text_of(hash),
    };

    hex_encode(room->seed.bytes, SK_SEED_BYTES, seed);
    hex_encode(room->salt.bytes, SK_SEED_BYTES, salt);
    body.seed = sk_text_of(seed);
    body.salt = sk_text_of(salt);
    room_record(room, job, RECORD_ENDED, STORE_NO_SEAT, &sk_record_ended, &body);
    job->change.has_ended = true;
    job->change.ended_at_ms = host->world.wall_ms(host->world.context);
    job->change.winner = outcome.winner;
    job->change.reason = host_text(sk_text_of(reason));
}

void
room_remember_past(struct room *room)
{
    uint32_t delay = (uint32_t)room->spectator_delay;
    struct sk_state *copy;

    if (delay == 0) {
        return;
    }
    if (room->past == NULL) {
        room->past = host_memory(delay * sizeof(struct sk_state *));
    }
    if (room->past_count == delay) {
        free(room->past[0]);
        memmove(room->past, room->past + 1, (delay - 1) * sizeof(struct sk_state *));
        room->past_count--;
    }
    copy = host_memory(room->state_size);
    memcpy(copy, room->state, room->state_size);
    room->past[room->past_count++] = copy;
}

/* The seats' slots are empty again; what was stored for this turn is in its record. */
static void
clear_slots(struct room *room, const struct pending_turn *pending)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct seat *it = &room->seats[seat];

        submission_free(it->latest);
        submission_free(it->stored);
        it->latest = NULL;
        it->stored = NULL;
        it->bank_ms = pending->bank_ms[seat];
        it->missed = it->here == 0 ? pending->missed[seat] : 0;
        if (room->given[seat] == pending->given[seat]) {
            room->given[seat] = 0; /* else it came later and is for the next turn */
        }
    }
    room->offer = -1;
    room->offer_next = -1;
}

void
room_uncount(struct room *room)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        player_left(room->host, room->seats[seat].player);
    }
}

static void
finish(struct room *room, const struct store_job *job)
{
    memcpy(room->head, job->records[job->record_count - 1].hash, STORE_HASH_BYTES);
    room->phase = ROOM_OVER;
    room_set_deadline(room);
    room_uncount(room);
}

static void
go_on(struct room *room)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->seats[seat].missed >= MISSED_MAX) {
            room_give(room, seat, SK_COMMAND_ABANDON);
            return;
        }
    }
    room_close_if_ready(room);
}

/* Who came while the turn was on its way waits for the next, if there is one. */
static void
answer_askers(struct room *room)
{
    struct asker **at = &room->askers;

    while (*at != NULL) {
        struct asker *asker = *at;
        struct session *session = reply_session(room->host, &asker->reply);
        struct frame_head head = reply_head(&asker->reply);

        if (!asker->is_served && room->phase == ROOM_RUNNING) {
            at = &asker->next;
            continue;
        }
        if (session != NULL && asker->is_served) {
            session_done(session, &head);
        } else if (session != NULL) {
            session_error(session, &head, ERROR_MATCH_OVER, NULL);
        }
        *at = asker->next;
        free(asker);
    }
}

static void
note_given(const struct room *room, struct pending_turn *pending)
{
    memcpy(pending->given, room->given, sizeof(pending->given));
    for (struct asker *asker = room->askers; asker != NULL; asker = asker->next) {
        asker->is_served = true;
    }
}

void
room_take_back(struct room *room, uint8_t kind)
{
    struct asker **at = &room->askers;

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->given[seat] == kind + 1u) {
            room->given[seat] = 0;
        }
    }
    while (*at != NULL) {
        struct asker *asker = *at;
        struct session *session = reply_session(room->host, &asker->reply);
        struct frame_head head = reply_head(&asker->reply);

        if (asker->kind != kind) {
            at = &asker->next;
            continue;
        }
        if (session != NULL) {
            session_error(session, &head, ERROR_STORE_UNAVAILABLE, NULL);
        }
        *at = asker->next;
        free(asker);
    }
}

void
room_refuse_askers(struct room *room, enum error_code code)
{
    for (struct asker *asker = room->askers; asker != NULL; asker = asker->next) {
        struct session *session = reply_session(room->host, &asker->reply);
        struct frame_head head = reply_head(&asker->reply);

        if (session != NULL) {
            session_error(session, &head, code, NULL);
        }
    }
    room_forget_askers(room);
}

void
room_forget_askers(struct room *room)
{
    while (room->askers != NULL) {
        struct asker *asker = room->askers;

        room->askers = asker->next;
        free(asker);
    }
}

static void
turn_stored(struct store_job *job, void *context)
{
    struct host *host = context;
    struct room *room = job->context;
    struct pending_turn *pending = room->pending;

    room->jobs--;
    if (job->result != STORE_OK) {
        bool is_news = job->generation == room->generation;

        room_fall_back(room, job->generation);
        if (is_news) {
            room_error_all(room, ERROR_STORE_UNAVAILABLE);
        }
        room_release(room);
        return;
    }
    room->stored_seq = job->records[job->record_count - 1].seq;
    if (room->phase == ROOM_QUARANTINED) {
        return; /* set aside meanwhile: nobody is shown what follows from it */
    }
    room_remember_past(room);
    memcpy(room->state, pending->state, room->state_size);
    memcpy(room->last_hash, pending->hash, sizeof(room->last_hash));
    room->pending = NULL;
    clear_slots(room, pending);
    if (room->state->outcome.is_over) {
        finish(room, job);
    } else {
        room_open_turn(room);
    }
    room->seq++;
    host->counters.turns++;
    room_show_turn(room, pending);
    pending_free(pending);
    answer_askers(room);
    if (room->phase == ROOM_OVER) {
        room->seq++;
        room_show_over(room);
    } else if (!host->is_draining) {
        room_snapshot_if_due(room);
        go_on(room);
    }
    room_release(room);
}

/* ---- resolving --------------------------------------------------------------------------- */

static void
resolve(struct room *room, int64_t now_ms, struct sk_turn *turn)
{
    struct host *host = room->host;

    host_turn(host, room->ruleset, room->config->config, turn);
    turn->before = room->state;
    turn->seed = &room->seed;
    host->scratch.used = 0;
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        turn->commands[seat] = gather(room, seat, now_ms);
    }
    sk_turn_resolve(turn);
}

void
room_close(struct room *room)
{
    struct host *host = room->host;
    int64_t now_ms = host->world.now_ms(host->world.context);
    struct pending_turn *pending;
    struct store_job *job;
    struct sk_turn turn;
    uint32_t record_count;

    if (room->phase != ROOM_RUNNING || room->pending != NULL || host->is_draining) {
        return;
    }
    resolve(room, now_ms, &turn);
    pending = host_memory(sizeof(*pending));
    pending->state = host_memory(room->state_size);
    memcpy(pending->state, turn.after, room->state_size);
    hash_text(sk_turn_hash(&turn), pending->hash);
    room_keep_texts(room, &turn, pending);
    SK_KILL_POINT(KILL_RESOLVING);
    job = room_append(room, turn_stored);
    add_turn_record(room, job, now_ms, pending);
    if (turn.after->outcome.is_over) {
        add_ended_record(room, job, turn.after->outcome, pending->hash);
    }
    record_count = job->record_count;
    if (!room_submit_job(room, job)) {
        room->record_seq -= record_count;
        pending_free(pending);
        room_retry_later(room);
        return;
    }
    note_given(room, pending);
    room->pending = pending;
    room_schedule(room);
}

/* Somebody leaves, or both agree: that waits for nobody. */
bool
room_is_ending(const struct room *room)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->given[seat] != 0) {
            return true;
        }
    }
    return false;
}

void
room_close_if_ready(struct room *room)
{
    uint32_t owing;

    if (room->phase != ROOM_RUNNING || room->pending != NULL) {
        return;
    }
    owing =
        room_is_ending(room) ? 0 : sk_turn_owing(room->ruleset, room->config->config, room->state);
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct submission *latest = room->seats[seat].latest;

        if ((owing >> seat & 1) != 0 && (latest == NULL || !latest->is_ready)) {
            return;
        }
    }
    room_close(room);
}

/* While a turn is on its way to the store this waits for the next one. */
void
room_give(struct room *room, uint8_t seat, uint8_t kind)
{
    room->given[seat] = kind + 1u;
    room_close_if_ready(room);
}

void
room_give_for(struct room *room, uint8_t seat, uint8_t kind, const struct session *session,
              const struct frame_head *head)
{
    struct asker *asker = host_memory(sizeof(*asker));

    asker->reply = reply_to(session, head);
    asker->kind = kind;
    asker->next = room->askers;
    room->askers = asker;
    room_give(room, seat, kind);
}
