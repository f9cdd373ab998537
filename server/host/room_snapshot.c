/*
 * Snapshots: every so many turns the state becomes a record, so that neither
 * a load nor a resume has to begin with the first turn.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/core/snapshot.h"
#include "proto/records.h"
#include "server/host/restore.h"
#include "server/kill_point.h"

/* ---- writing ----------------------------------------------------------------------------- */

static void
snapshot_stored(struct store_job *job, void *context)
{
    struct room *room = job->context;

    (void)context;
    room->jobs--;
    if (job->result == STORE_OK) {
        room->stored_seq = job->records[0].seq;
    } else {
        (void)room_fall_back(room, job);
    }
    room_release(room);
}

static void
store_snapshot(struct room *room, const struct record_snapshot *body)
{
    struct store_job *job = room_append(room, snapshot_stored);

    room_record(room, job, RECORD_SNAPSHOT, STORE_NO_SEAT, &sk_record_snapshot, body);
    SK_KILL_POINT(KILL_SNAPSHOT);
    if (!room_submit_job(room, job)) {
        room->record_seq--;
        return;
    }
    room->snapshot_turn = room->state->turn;
}

void
room_snapshot_if_due(struct room *room)
{
    struct host *host = room->host;
    int64_t open_ms = host->world.now_ms(host->world.context) - room->opened_ms;
    struct record_seat seats[SK_SEATS_MAX];
    struct record_snapshot body = {
        .seq = (int32_t)room->seq,
        .open_ms = (int32_t)(open_ms > INT32_MAX ? INT32_MAX : open_ms),
        .seats = { seats, room->seat_count },
    };
    struct sk_turn turn;
    size_t length;
    char *digits;

    if (room->state->turn - room->snapshot_turn < (uint32_t)host->options.snapshot_every) {
        return;
    }
    host_turn(host, room->ruleset, room->config->config, &turn);
    length = sk_snapshot_write(room->ruleset, room->config->config, room->state, turn.snapshot,
                               turn.sizes.snapshot);
    if (2 * length > RECORD_STATE_DIGITS_MAX) {
        return; /* it is played from its first turn then */
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        seats[seat] = (struct record_seat){ room->seats[seat].player, room->seats[seat].is_bot };
    }
    digits = host_memory(2 * length + 1);
    hex_encode(turn.snapshot, length, digits);
    body.state = sk_text_of(digits);
    store_snapshot(room, &body);
    free(digits);
}

/* ---- reading ----------------------------------------------------------------------------- */

/* The turn's record has the hash of the state after it: the snapshot must be of that state. */
static bool
read_state(struct restoring *in, struct sk_text digits, struct sk_text hash)
{
    struct room *room = &in->room;
    char found[FRAME_HASH_DIGITS + 1];
    size_t length = digits.length / 2;
    struct sk_turn turn;

    host_turn(in->host, room->ruleset, room->config->config, &turn);
    if (length > turn.sizes.snapshot || !hex_decode(digits, turn.snapshot, length)) {
        return restore_trouble(in, "a snapshot is not one of this match");
    }
    hash_text(sk_hash(turn.snapshot, length), found);
    if (!sk_text_same(sk_text_of(found), hash)) {
        return restore_trouble(in, "a snapshot is not of the state after its turn");
    }
    room->state_size = turn.sizes.state;
    room->state = host_memory(room->state_size);
    memcpy(room->last_hash, found, sizeof(found));
    if (sk_snapshot_read(room->ruleset, room->config->config, turn.snapshot, length, room->state) !=
        SK_OK) {
        return restore_trouble(in, "the ruleset does not read a snapshot");
    }
    return true;
}

static bool
read_turn(struct restoring *in, const struct store_record *record, struct sk_text digits)
{
    struct record_turn body;
    struct sk_value *json;
    bool is_fine;

    if (!restore_body(in, record, &sk_record_turn, &json, &body)) {
        return false;
    }
    is_fine = read_state(in, digits, body.hash);
    restore_turn_clocks(&in->room, &body);
    sk_json_free(json);
    return is_fine;
}

bool
restore_snapshot(struct restoring *in, const struct store_record *turn,
                 const struct store_record *record)
{
    struct room *room = &in->room;
    struct record_snapshot body;
    struct sk_value *json;
    char *digits;
    bool is_fine;

    if (turn->kind != RECORD_TURN || record->kind != RECORD_SNAPSHOT) {
        return restore_trouble(in, "a snapshot does not follow a turn");
    }
    if (!restore_body(in, record, &sk_record_snapshot, &json, &body)) {
        return false;
    }
    if (body.seats.count != room->seat_count) {
        sk_json_free(json);
        return restore_trouble(in, "a snapshot has another number of seats");
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct record_seat *it = sk_list_item(&body.seats, seat, sizeof(*it));

        restore_seat(in, seat, it->player, it->bot);
        room->seats[seat].bank_ms = room->clock.bank_ms;
    }
    room->seq = (uint32_t)body.seq;
    digits = host_text(body.state); /* the next body that is read uses the same memory */
    sk_json_free(json);
    is_fine = read_turn(in, turn, sk_text_of(digits));
    free(digits);
    if (!is_fine) {
        return false;
    }
    if (record->turn != (int32_t)room->state->turn || room->state->outcome.is_over) {
        return restore_trouble(in, "a snapshot is of another turn than it says");
    }
    room->snapshot_turn = room->state->turn;
    room->phase = ROOM_RUNNING;
    restore_open(in, record->at_ms - body.open_ms);
    return true;
}
