#include "server/host/room/turn.h"

#include <stdlib.h>

#include "common/core/snapshot.h"
#include "proto/records.h"
#include "server/hex.h"
#include "server/host/room/aside.h"
#include "server/host/room/asks.h"
#include "server/host/room/audience.h"
#include "server/host/room/behind.h"
#include "server/host/room/bot.h"
#include "server/host/room/tell.h"
#include "server/kill_point.h"
#include "server/match/clock.h"

#define MISSED_MAX 3 /* deadlines in a row while away: then the seat has abandoned the match */

/* ---- records ----------------------------------------------------------------------------- */

static void
add_turn_record(struct commit *commit, const struct pending_turn *pending)
{
    const struct room *room = commit->room;
    struct sk_json commands[SK_SEATS_MAX] = { 0 };
    struct sk_json verdicts[SK_SEATS_MAX] = { 0 };
    int32_t used_ms[SK_SEATS_MAX];
    int32_t bank_ms[SK_SEATS_MAX];
    int32_t going_ms[SK_SEATS_MAX];
    int32_t missed[SK_SEATS_MAX];
    uint32_t count = room->match.clock.has_turn ? room->match.seat_count : 0;
    struct record_turn body = {
        .commands = { commands, room->match.seat_count },
        .verdicts = { verdicts, room->match.seat_count },
        .events = { .text = pending->all_events },
        .hash = sk_text_of(pending->hash),
        .used_ms = { used_ms, count },
        .bank_ms = { bank_ms, count },
        .missed = { missed, count },
        .going_ms = { going_ms, pending->clock_goes_on ? count : 0 },
        .failures = { .text = sk_text_of(pending->failures == NULL ? "" : pending->failures) },
    };

    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        const struct clock_step *step = &pending->clocks[seat];

        commands[seat].text = pending->commands[seat];
        verdicts[seat].text = pending->verdicts[seat];
        used_ms[seat] = ms_of_record(step->used_ms);
        bank_ms[seat] = ms_of_record(step->bank_ms);
        going_ms[seat] = ms_of_record(step->going_ms);
        missed[seat] = ms_of_record(step->missed);
    }
    commit_record(commit, RECORD_TURN, STORE_NO_SEAT, &sk_record_turn, &body)->turn =
        (int32_t)pending->turn;
}

static void
add_ended(struct commit *commit, const struct sk_outcome *outcome, const char *reason,
          const char *hash)
{
    const struct room *room = commit->room;
    struct store_job *job = commit->job;
    const struct store_record *record;
    char seed[FRAME_SEED_DIGITS + 1];
    char salt[FRAME_SEED_DIGITS + 1];
    struct record_ended body = {
        .has_winner = outcome->winner != SK_NOBODY,
        .winner = outcome->winner == SK_NOBODY ? 0 : outcome->winner,
        .reason = sk_text_of(reason),
        .hash = sk_text_of(hash),
    };

    hex_encode(room->match.seed.bytes, SK_SEED_BYTES, seed);
    hex_encode(room->match.salt.bytes, SK_SEED_BYTES, salt);
    body.seed = sk_text_of(seed);
    body.salt = sk_text_of(salt);
    record = commit_record(commit, RECORD_ENDED, STORE_NO_SEAT, &sk_record_ended, &body);
    job->append.change.has_ended = true;
    job->append.change.ended_at_ms = record->at_ms;
    job->append.change.winner = outcome->winner;
    job->append.change.reason = heap_text(sk_text_of(reason));
}

/* The command id is stored with the turn that the resignation makes. */
static void
add_resignations(struct commit *commit, const struct pending_turn *pending)
{
    for (const struct asker *asker = commit->room->asks.askers; asker != NULL;
         asker = asker->next) {
        if (asker->command_id[0] != '\0' && !asker->is_repeat && asker_is_given(pending, asker)) {
            commit_record(commit, RECORD_RESIGNED, asker->seat, &sk_record_nothing, asker)
                ->command_id = heap_text(sk_text_of(asker->command_id));
        }
    }
}

void
room_add_turns(struct commit *commit, const struct pending_turn *pending)
{
    const struct pending_turn *last = pending;

    for (; pending != NULL; pending = pending->next) {
        add_turn_record(commit, pending);
        last = pending;
    }
    if (last->state->outcome.is_over) {
        const struct sk_outcome *outcome = &last->state->outcome;

        add_ended(commit, outcome, sk_reason_name(commit->room->match.ruleset, outcome->reason),
                  last->hash);
        commit->job->records[commit->job->record_count - 1].turn = (int32_t)last->turn;
    }
}

/* ---- snapshots: neither a load nor a resume has to begin with the first turn --------------- */

static void
snapshot_stored(struct room *room, struct commit *commit)
{
    room_apply(room, &commit->fact);
}

static const struct commit_kind snapshot_kind = { .stored = snapshot_stored };

static void
store_snapshot(struct room *room, const struct record_snapshot *body)
{
    struct commit *commit = commit_draft(room, &snapshot_kind, RECORD_SNAPSHOT, 0);

    (void)commit_record(commit, RECORD_SNAPSHOT, STORE_NO_SEAT, &sk_record_snapshot, body);
    SK_KILL_POINT(KILL_SNAPSHOT);
    (void)room_commit(commit);
}

/* Stores a snapshot if enough turns were played since the last one. */
static void
snapshot_if_due(struct room *room)
{
    struct host *host = room->host;
    int64_t open_ms = host_now_ms(host) - room->match.opened_ms;
    struct record_seat seats[SK_SEATS_MAX];
    struct record_snapshot body = {
        .seq = (int32_t)room->match.seq,
        .open_ms = ms_of_record(open_ms),
        .seats = { seats, room->match.seat_count },
    };
    struct sk_turn turn;
    size_t length;
    char *digits;

    if (room->match.state->turn - room->match.snapshot_turn <
            (uint32_t)host->options.snapshot_every ||
        room_log_has(&room->log, RECORD_SNAPSHOT)) {
        return;
    }
    work_turn(&host->work, room->match.ruleset, room->match.config->config, &turn);
    length = sk_snapshot_write(room->match.ruleset, room->match.config->config, room->match.state,
                               turn.snapshot, turn.sizes.snapshot);
    if (2 * length > RECORD_STATE_DIGITS_MAX) {
        return; /* too large: a load replays it from its first turn */
    }
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        seats[seat] =
            (struct record_seat){ room->match.seats[seat].player, room->match.seats[seat].is_bot };
    }
    digits = heap_memory(2 * length + 1);
    hex_encode(turn.snapshot, length, digits);
    body.state = sk_text_of(digits);
    store_snapshot(room, &body);
    free(digits);
}

/* ---- taking turns over ------------------------------------------------------------------- */

/* It is over, and its end is stored. */
static void
apply_end(struct room *room, const struct commit *commit)
{
    const struct store_job *job = commit->job;
    struct fact end = { .kind = RECORD_ENDED, .head = job->records[job->record_count - 1].hash };

    room_apply(room, &end);
}

static void
finish(struct room *room)
{
    room_forget_shift(room);
    room_uncount(room);
}

static void
take_turn_over(struct room *room)
{
    struct pending_turn *pending = room->match.pending;

    room_apply(room, &(struct fact){ .kind = RECORD_TURN, .pending = pending });
    room_clear_given(room, pending);
    room_forget_shift(room); /* the clocks start again */
    if (room->match.status == MATCH_ENDED) {
        finish(room);
    }
    room->host->counters.turns++;
    room_show_turn(room, pending);
    pending_free(pending);
}

void
room_give(struct room *room, uint8_t seat, uint8_t kind)
{
    room_set_given(room, seat, kind);
    room_close_if_ready(room);
}

void
room_go_on(struct room *room)
{
    if (room->host->is_draining) {
        return;
    }
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (room->match.seats[seat].missed >= MISSED_MAX) {
            room_give(room, seat, SK_COMMAND_ABANDON);
            return;
        }
    }
    room_close_if_ready(room);
    room_touch(room, ROOM_ASKS_BOTS);
}

void
room_turns_stored(struct room *room, const struct commit *commit)
{
    if (room_phase(room) == ROOM_QUARANTINED) {
        return; /* quarantined meanwhile: the turns are not shown */
    }
    while (room->match.pending != NULL) {
        take_turn_over(room);
    }
    room_answer_askers(room);
    if (room_phase(room) == ROOM_OVER) {
        apply_end(room, commit);
        room_show_over(room);
        return;
    }
    snapshot_if_due(room);
    room_go_on(room);
}

static void
turns_stored(struct room *room, struct commit *commit)
{
    room_turns_stored(room, commit);
}

static void
turns_not_stored(struct room *room, const struct commit *commit, enum error_code code,
                 bool is_first)
{
    (void)commit;
    if (is_first && code != ERROR_QUARANTINED) { /* everybody knows that already */
        room_error_all(room, code);
    }
}

/* ---- an end without a turn --------------------------------------------------------------- */

static void
ended_alone(struct room *room, struct commit *commit)
{
    if (room_phase(room) != ROOM_QUARANTINED) { /* not if quarantined meanwhile */
        apply_end(room, commit);
        finish(room);
        room_show_over(room);
    }
}

static const struct commit_kind ending_kind = { .stored = ended_alone, .unparks = true };

static void
end_alone(struct room *room, const struct sk_outcome *outcome, const char *reason, const char *hash)
{
    struct commit *commit = commit_draft(room, &ending_kind, RECORD_ENDED, 0);

    add_ended(commit, outcome, reason, hash);
    if (!room_commit(commit)) {
        room_retry_later(room);
    }
}

/* Nobody joined within the time for which an open seat is kept. */
void
room_expire(struct room *room)
{
    static const struct sk_outcome nobody = { .is_over = true, .winner = SK_NOBODY };

    /* Not while a player is joining, or while it is ending. */
    if (!room_log_has(&room->log, RECORD_JOINED) && !room_log_has(&room->log, RECORD_ENDED)) {
        end_alone(room, &nobody, MATCH_EXPIRED, "0000000000000000"); /* there was no state */
    }
}

/* Params may decide a match before its first turn. */
static void
end_at_once(struct room *room)
{
    const struct sk_outcome *outcome = &room->match.state->outcome;

    end_alone(room, outcome, sk_reason_name(room->match.ruleset, outcome->reason),
              room->match.last_hash);
}

/* ---- closing ----------------------------------------------------------------------------- */

struct play_in
room_play_in(const struct room *room, uint8_t seat)
{
    struct play_in in = {
        .seat = seat,
        .now_ms = host_now_ms(room->host),
        .given = room->asks.given,
    };

    for (uint8_t other = 0; other < room->match.seat_count; other++) {
        in.here |= room->audience.presence[other].here > 0 ? 1u << other : 0;
    }
    return in;
}

/* One of the player's connections; all of them share what it may send. */
static struct session *
session_of_seat(const struct room *room, uint8_t seat)
{
    struct follow *follow = room->audience.follows;

    while (follow != NULL && follow->seat != seat) {
        follow = follow->next_of_room;
    }
    return follow == NULL ? NULL : follow->session;
}

/* A few bytes of commands may make a long record. */
void
room_charge_turns(struct room *room, size_t bytes, int64_t cpu_us)
{
    uint32_t persons = 0;

    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        persons += room->bots[seat] == NULL ? 1 : 0;
    }
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        struct session *session = room->bots[seat] == NULL ? session_of_seat(room, seat) : NULL;

        if (session != NULL) {
            rate_charge(session, bytes / persons, cpu_us / persons);
        }
    }
    room->paced_ms =
        room_is_of_bots(room) ? maker_charge(room->host, &room->maker, bytes, cpu_us) : 0;
}

void
room_close(struct room *room)
{
    static const struct commit_kind kind = { .stored = turns_stored, .failed = turns_not_stored };
    struct pending_turn *pending;
    struct commit *commit;
    struct play_in in;
    int64_t cpu_us;
    size_t bytes;

    if (room_phase(room) != ROOM_RUNNING || room->match.pending != NULL ||
        room_log_has(&room->log, RECORD_ENDED) || room->host->is_draining || room_pauses(room)) {
        return;
    }
    if (room->match.state->outcome.is_over) {
        end_at_once(room);
        return;
    }
    in = room_play_in(room, SK_SPECTATOR);
    cpu_us = -host_cpu_us(room->host);
    pending = match_close(&room->host->work, &room->match, &in);
    cpu_us += host_cpu_us(room->host);
    if (pending == NULL) {
        room_take_back_all(room); /* the rules do not accept them */
        return;
    }
    room_note_late_bots(room);
    pending->failures = room_failures_text(room);
    commit = commit_draft(room, &kind, RECORD_TURN, 0);
    commit->fact.pending = pending;
    add_resignations(commit, pending);
    room_add_turns(commit, pending);
    bytes = commit_bytes(commit);
    if (!room_commit(commit)) {
        pending_free(pending);
        room_retry_later(room);
        return;
    }
    room_charge_turns(room, bytes, cpu_us);
    room_serve_askers(room, pending);
}

void
room_close_if_ready(struct room *room)
{
    uint32_t owing;

    if (room_phase(room) != ROOM_RUNNING || room->match.pending != NULL ||
        (room->match.clock.is_cycle && !room_is_ending(room) &&
         !room->match.state->outcome.is_over)) { /* decided by its params: store its end */
        return;
    }
    room_drop_claims(room);
    owing = room_is_ending(room) ? 0 : match_owing(&room->match);
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        const struct submission *latest = room->match.seats[seat].latest;

        if ((owing >> seat & 1) != 0 && (latest == NULL || !latest->is_ready)) {
            return;
        }
    }
    room_close(room);
}
