#include "server/match/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/core/snapshot.h"
#include "server/hex.h"
#include "server/match/clock.h"
#include "server/memory.h"

/* The turn's record has the hash of the state after it: the snapshot must be of that state. */
static const char *
read_state(struct work *work, struct match *match, struct sk_text digits, struct sk_text hash)
{
    char found[FRAME_HASH_DIGITS + 1];
    size_t length = digits.length / 2;
    struct sk_turn turn;

    work_turn(work, match->ruleset, match->config->config, &turn);
    if (length > turn.sizes.snapshot || !hex_decode(digits, turn.snapshot, length)) {
        return "a snapshot is not one of this match";
    }
    hash_text(sk_hash(turn.snapshot, length), found);
    if (!sk_text_same(sk_text_of(found), hash)) {
        return "a snapshot is not of the state after its turn";
    }
    match->state_size = turn.sizes.state;
    match->state = heap_memory(match->state_size);
    memcpy(match->last_hash, found, sizeof(found));
    if (sk_snapshot_read(match->ruleset, match->config->config, turn.snapshot, length,
                         match->state) != SK_OK) {
        return "the ruleset does not read a snapshot";
    }
    return NULL;
}

static const char *
read_turn(struct work *work, struct match *match, const struct store_record *record,
          struct sk_text digits)
{
    struct clock_step clocks[SK_SEATS_MAX];
    struct record_turn body;
    struct sk_value *json;
    const char *trouble = match_read_body(work, record, &sk_record_turn, &json, &body);

    if (trouble != NULL) {
        return trouble;
    }
    trouble = read_state(work, match, digits, body.hash);
    match_read_clocks(match, &body, clocks);
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        match->seats[seat].bank_ms = clocks[seat].bank_ms;
        match->seats[seat].missed = clocks[seat].missed;
        match->seats[seat].going_ms = clocks[seat].going_ms;
    }
    sk_json_free(json);
    return trouble;
}

const char *
match_from_snapshot(struct work *work, struct match *match, const struct store_job *people,
                    const struct store_record *turn, const struct store_record *record,
                    int64_t *ret_opened_ms)
{
    struct record_snapshot body;
    struct sk_value *json;
    const char *trouble;
    char *digits;

    if (turn->kind != RECORD_TURN || record->kind != RECORD_SNAPSHOT) {
        return "a snapshot does not follow a turn";
    }
    trouble = match_read_body(work, record, &sk_record_snapshot, &json, &body);
    if (trouble != NULL) {
        return trouble;
    }
    if (body.seats.count != match->seat_count) {
        sk_json_free(json);
        return "a snapshot has the wrong number of seats";
    }
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        const struct record_seat *it = sk_list_item(&body.seats, seat, sizeof(*it));

        struct fact_joined sitter = match_read_sitter(people, it->player, it->bot);

        seat_set(&match->seats[seat], sitter.player, sitter.name, sitter.is_bot);
        match->seats[seat].bank_ms = match->clock.bank_ms;
    }
    match->seq = (uint32_t)body.seq;
    digits = heap_text(body.state); /* the next body that is read uses the same memory */
    sk_json_free(json);
    trouble = read_turn(work, match, turn, sk_text_of(digits));
    free(digits);
    if (trouble != NULL) {
        return trouble;
    }
    if (record->turn != (int32_t)match->state->turn || match->state->outcome.is_over) {
        return "a snapshot has the wrong turn";
    }
    match->snapshot_turn = match->state->turn;
    match->status = MATCH_RUNS;
    *ret_opened_ms = record->at_ms - body.open_ms;
    match_open_turn(match, *ret_opened_ms);
    return NULL;
}
