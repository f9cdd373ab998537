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
#include "server/host/room_bot.h"

#define MISSED_MAX 3 /* deadlines in a row while away: then the seat has abandoned the match */

/* ---- records ----------------------------------------------------------------------------- */

static int32_t
int_of(int64_t ms)
{
    return (int32_t)(ms > INT32_MAX ? INT32_MAX : ms);
}

static void
add_turn_record(struct room *room, struct store_job *job, const struct pending_turn *pending)
{
    struct sk_json commands[SK_SEATS_MAX] = { 0 };
    struct sk_json verdicts[SK_SEATS_MAX] = { 0 };
    int32_t used_ms[SK_SEATS_MAX];
    int32_t bank_ms[SK_SEATS_MAX];
    int32_t going_ms[SK_SEATS_MAX];
    int32_t missed[SK_SEATS_MAX];
    uint32_t count = room->clock.has_turn ? room->seat_count : 0;
    struct record_turn body = {
        .commands = { commands, room->seat_count },
        .verdicts = { verdicts, room->seat_count },
        .events = { .text = sk_text_of(pending->all_events) },
        .hash = sk_text_of(pending->hash),
        .used_ms = { used_ms, count },
        .bank_ms = { bank_ms, count },
        .missed = { missed, count },
        .going_ms = { going_ms, pending->clock_goes_on ? count : 0 },
        .failures = { .text = sk_text_of(pending->failures == NULL ? "" : pending->failures) },
    };

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct clock_step *step = &pending->clocks[seat];

        commands[seat].text = sk_text_of(pending->commands[seat]);
        verdicts[seat].text = sk_text_of(pending->verdicts[seat]);
        used_ms[seat] = int_of(step->used_ms);
        bank_ms[seat] = int_of(step->bank_ms);
        going_ms[seat] = int_of(step->going_ms);
        missed[seat] = int_of(step->missed);
    }
    room_record(room, job, RECORD_TURN, STORE_NO_SEAT, &sk_record_turn, &body)->turn =
        (int32_t)pending->turn;
}

static void
add_ended(struct room *room, struct store_job *job, const struct sk_outcome *outcome,
          const char *reason, const char *hash)
{
    const struct store_record *record;
    char seed[FRAME_SEED_DIGITS + 1];
    char salt[FRAME_SEED_DIGITS + 1];
    struct record_ended body = {
        .has_winner = outcome->winner != SK_NOBODY,
        .winner = outcome->winner == SK_NOBODY ? 0 : outcome->winner,
        .reason = sk_text_of(reason),
        .hash = sk_text_of(hash),
    };

    hex_encode(room->seed.bytes, SK_SEED_BYTES, seed);
    hex_encode(room->salt.bytes, SK_SEED_BYTES, salt);
    body.seed = sk_text_of(seed);
    body.salt = sk_text_of(salt);
    record = room_record(room, job, RECORD_ENDED, STORE_NO_SEAT, &sk_record_ended, &body);
    job->change.has_ended = true;
    job->change.ended_at_ms = record->at_ms;
    job->change.winner = outcome->winner;
    job->change.reason = host_text(sk_text_of(reason));
}

void
room_add_turns(struct room *room, struct store_job *job, const struct pending_turn *pending)
{
    const struct pending_turn *last = pending;

    for (; pending != NULL; pending = pending->next) {
        add_turn_record(room, job, pending);
        last = pending;
    }
    if (last->state->outcome.is_over) {
        const struct sk_outcome *outcome = &last->state->outcome;

        add_ended(room, job, outcome, sk_reason_name(room->ruleset, outcome->reason), last->hash);
        job->records[job->record_count - 1].turn = (int32_t)last->turn;
    }
}

/* ---- taking turns over ------------------------------------------------------------------- */

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
        it->sent = 0;
        it->bank_ms = pending->clocks[seat].bank_ms;
        it->going_ms = pending->clocks[seat].going_ms;
        it->missed = pending->clocks[seat].missed;
        if (room->given[seat] == pending->given[seat] && !room_is_asked_again(room, seat)) {
            room->given[seat] = 0; /* else it came later and is for the next turn */
        }
    }
    room_offer_end(room);
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
    room_forget_shift(room);
    room_set_deadline(room);
    room_uncount(room);
}

static void
take_turn_over(struct room *room, const struct store_job *job, const struct pending_turn *pending)
{
    room_remember_past(room);
    memcpy(room->state, pending->state, room->state_size);
    memcpy(room->last_hash, pending->hash, sizeof(room->last_hash));
    clear_slots(room, pending);
    room_forget_shift(room); /* its clocks begin anew */
    if (room->state->outcome.is_over) {
        finish(room, job);
    } else {
        room_open_turn(room);
    }
    room->seq++;
    room->host->counters.turns++;
    room_show_turn(room, pending);
}

void
room_go_on(struct room *room)
{
    if (room->host->is_draining) {
        return;
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->seats[seat].missed >= MISSED_MAX) {
            room_give(room, seat, SK_COMMAND_ABANDON);
            return;
        }
    }
    room_close_if_ready(room);
    room_ask_bots(room);
}

void
room_turns_stored(struct room *room, const struct store_job *job)
{
    struct pending_turn *first = room->pending;

    room->pending = NULL;
    if (room->phase == ROOM_QUARANTINED) {
        pending_free(first); /* set aside meanwhile: nobody is shown what follows from it */
        return;
    }
    for (const struct pending_turn *it = first; it != NULL; it = it->next) {
        take_turn_over(room, job, it);
    }
    pending_free(first);
    room_answer_askers(room);
    if (room->phase == ROOM_OVER) {
        room->seq++;
        room_show_over(room);
        return;
    }
    room_snapshot_if_due(room);
    room_go_on(room);
}

static void
turns_stored(struct store_job *job, void *context)
{
    struct room *room = job->context;
    bool is_news = job->generation == room->generation;

    (void)context;
    room->jobs--;
    if (job->result == STORE_OK) {
        room->stored_seq = job->records[job->record_count - 1].seq;
        room_turns_stored(room, job);
    } else {
        enum error_code code = room_fall_back(room, job);

        if (is_news && code != ERROR_QUARANTINED) { /* of that everybody has heard */
            room_error_all(room, code);
        }
    }
    room_release(room);
}

/* ---- an end without a turn --------------------------------------------------------------- */

static void
ended_alone(struct store_job *job, void *context)
{
    struct room *room = job->context;

    (void)context;
    room->jobs--;
    room->is_ending_alone = false;
    if (job->result == STORE_OK) {
        room->stored_seq = job->records[0].seq;
        room->seq++;
        finish(room, job);
        room_show_over(room);
    } else {
        (void)room_fall_back(room, job);
    }
    room_unpark(room, true);
}

static void
end_alone(struct room *room, const struct sk_outcome *outcome, const char *reason, const char *hash)
{
    struct store_job *job = room_append(room, ended_alone);

    add_ended(room, job, outcome, reason, hash);
    if (!room_submit_job(room, job)) {
        room->record_seq--;
        room_retry_later(room);
        return;
    }
    room->is_ending_alone = true;
    room_schedule(room);
}

/* Nobody came within the time that an open seat is kept. */
void
room_expire(struct room *room)
{
    static const struct sk_outcome nobody = { .is_over = true, .winner = SK_NOBODY };

    if (!room->is_seating) {                                        /* somebody comes just now */
        end_alone(room, &nobody, ROOM_EXPIRED, "0000000000000000"); /* there was no state */
    }
}

/* Params may decide a match before its first turn. */
static void
end_at_once(struct room *room)
{
    const struct sk_outcome *outcome = &room->state->outcome;
    struct sk_turn turn;

    host_turn(room->host, room->ruleset, room->config->config, &turn);
    memcpy(turn.after, room->state, room->state_size);
    hash_text(sk_turn_hash(&turn), room->last_hash);
    end_alone(room, outcome, sk_reason_name(room->ruleset, outcome->reason), room->last_hash);
}

/* ---- closing ----------------------------------------------------------------------------- */

void
room_close(struct room *room)
{
    struct pending_turn *pending;
    struct store_job *job;
    uint32_t record_count;

    if (room->phase != ROOM_RUNNING || room->pending != NULL || room->is_ending_alone ||
        room->host->is_draining) {
        return;
    }
    if (room->state->outcome.is_over) {
        end_at_once(room);
        return;
    }
    pending = room_play_in(room);
    if (pending == NULL) {
        room_take_back_all(room); /* the rules make nothing of it */
        return;
    }
    room_note_late_bots(room);
    pending->failures = room_failures_text(room);
    job = room_append(room, turns_stored);
    room_add_resignations(room, job, pending);
    room_add_turns(room, job, pending);
    record_count = job->record_count;
    if (!room_submit_job(room, job)) {
        room->record_seq -= record_count;
        pending_free(pending);
        room_retry_later(room);
        return;
    }
    room_serve_askers(room, pending);
    room->pending = pending;
    room_schedule(room);
}

void
room_close_if_ready(struct room *room)
{
    uint32_t owing;

    if (room->phase != ROOM_RUNNING || room->pending != NULL ||
        (room->clock.is_cycle && !room_is_ending(room))) {
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
