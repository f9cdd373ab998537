#include "server/match/apply.h"

#include <stdlib.h>
#include <string.h>

#include "server/hex.h"
#include "server/match/clock.h"
#include "server/memory.h"

bool
fact_is_public(enum store_record_kind kind)
{
    return kind != RECORD_SUBMISSION && kind != RECORD_WITHDRAWN && kind != RECORD_RESIGNED &&
           kind != RECORD_SNAPSHOT;
}

/* ---- submissions ------------------------------------------------------------------------- */

static void
set_submission(struct submission **place, struct submission *submission)
{
    if (submission != NULL) {
        submission->references++;
    }
    submission_free(*place);
    *place = submission;
}

/* The seat's clock runs unless the seat is ready. */
static void
set_latest(struct match *match, uint8_t seat, struct submission *submission, int64_t used_ms,
           int64_t at_ms)
{
    struct seat *it = &match->seats[seat];

    set_submission(&it->latest, submission);
    if (match->status == MATCH_RUNS && match_owes(match, seat)) {
        it->used_ms = used_ms;
        it->since_ms = at_ms;
        it->is_running = submission == NULL || !submission->is_ready || match->clock.is_cycle;
    }
}

/* ---- the first state, and the next ones -------------------------------------------------- */

static void
begin(struct work *work, struct match *match)
{
    struct sk_turn turn;

    work_turn(work, match->ruleset, match->config->config, &turn);
    turn.seed = &match->seed;
    sk_turn_setup(&turn);
    match->state_size = turn.sizes.state;
    free(match->state);
    match->state = heap_memory(match->state_size);
    memcpy(match->state, turn.after, match->state_size);
    hash_text(sk_turn_hash(&turn), match->last_hash);
    match->status = MATCH_RUNS;
    match->is_rated = match->is_rated && !match_is_unrated(match);
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        match->seats[seat].bank_ms = match->clock.bank_ms;
    }
}

/* Empties the seats' slots: the turn's record holds what was stored in them. */
static void
apply_turn(struct match *match, const struct pending_turn *pending, int64_t at_ms)
{
    memcpy(match->state, pending->state, match->state_size);
    memcpy(match->last_hash, pending->hash, sizeof(match->last_hash));
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        struct seat *it = &match->seats[seat];

        set_submission(&it->latest, NULL);
        set_submission(&it->stored, NULL);
        it->sent = 0;
        it->offers = 0;
        it->offers_next = 0;
        it->bank_ms = pending->clocks[seat].bank_ms;
        it->going_ms = pending->clocks[seat].going_ms;
        it->missed = pending->clocks[seat].missed;
    }
    match->offer = -1;
    match->offer_next = -1;
    if (match->state->outcome.is_over) {
        match->status = MATCH_ENDED;
        match_set_deadline(match);
    } else {
        match_open_turn(match, at_ms);
    }
}

/* ---- any record -------------------------------------------------------------------------- */

void
match_hand_in(struct match *match, const struct fact *fact, int64_t at_ms)
{
    switch (fact->kind) {
    case RECORD_SUBMISSION:
    case RECORD_WITHDRAWN:
        match->seats[fact->seat].sent++;
        set_latest(match, fact->seat, fact->submission, fact->used_ms, at_ms);
        match->pending = fact->pending;
        match_set_deadline(match);
        break;
    case RECORD_TURN:
        match->pending = fact->pending;
        break;
    case RECORD_CLOCK:
        for (uint8_t seat = 0; seat < match->seat_count; seat++) {
            match->seats[seat].since_ms += fact->shift_ms;
        }
        break;
    case RECORD_OFFER:
        match->offer_next = fact->is_declined ? -1 : fact->seat;
        match->seats[fact->seat].offers_next += fact->is_declined ? 0 : 1;
        break;
    default:
        break;
    }
}

void
match_apply(struct work *work, struct match *match, const struct fact *fact, int64_t at_ms)
{
    switch (fact->kind) {
    case RECORD_JOINED:
        seat_set(&match->seats[fact->seat], fact->joined.player, fact->joined.name,
                 fact->joined.is_bot);
        match->seats[fact->seat].is_unrated = fact->joined.is_unrated;
        if (fact->joined.starts) {
            begin(work, match);
            match_open_turn(match, at_ms);
        }
        break;
    case RECORD_SUBMISSION:
    case RECORD_WITHDRAWN:
        if (match->state->turn == fact->turn) {
            set_submission(&match->seats[fact->seat].stored, fact->submission);
        }
        break;
    case RECORD_TURN:
        match->pending = fact->pending->next;
        fact->pending->next = NULL;
        apply_turn(match, fact->pending, at_ms);
        break;
    case RECORD_OFFER:
        match->offer = fact->is_declined ? -1 : fact->seat;
        match->seats[fact->seat].offers += fact->is_declined ? 0 : 1;
        break;
    case RECORD_SNAPSHOT:
        match->snapshot_turn = fact->turn;
        break;
    case RECORD_ENDED:
        match->status = MATCH_ENDED;
        memcpy(match->head, fact->head, sizeof(match->head));
        match_set_deadline(match);
        break;
    default:
        break;
    }
    match->seq += fact_is_public(fact->kind) ? 1 : 0;
}

void
match_take(struct work *work, struct match *match, const struct fact *fact, int64_t at_ms)
{
    match_hand_in(match, fact, at_ms);
    match_apply(work, match, fact, at_ms);
}

void
match_came(struct match *match, uint8_t seat)
{
    match->seats[seat].missed = 0;
}

/* Time spent waiting for the store is not charged: a clock that was stopped by a submission that is
 * not stored runs again from now. */
void
match_fall_back(struct match *match, int64_t now_ms)
{
    pending_free(match->pending);
    match->pending = NULL;
    for (uint8_t seat = 0; match->status == MATCH_RUNS && seat < match->seat_count; seat++) {
        struct seat *it = &match->seats[seat];
        int64_t used_ms = seat_used_ms(it, now_ms);

        if (it->latest != it->stored) {
            if (it->stored != NULL && it->stored->is_ready && !match->clock.is_cycle) {
                used_ms = it->stored->used_ms; /* the clock counts as stopped when the stored one
                                                * arrived */
            }
            set_latest(match, seat, it->stored, used_ms, now_ms);
        }
        it->offers_next = it->offers;
    }
    match->offer_next = match->offer;
    match_set_deadline(match);
}

void
match_go_on(struct match *match, int64_t stopped_ms, int64_t now_ms)
{
    match->opened_ms = now_ms;
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        struct seat *it = &match->seats[seat];
        int64_t ran_ms = stopped_ms - it->since_ms;

        it->used_ms += it->is_running && ran_ms > 0 ? ran_ms : 0;
        it->since_ms = now_ms;
        it->sent = 0;
    }
    match_set_deadline(match);
}
