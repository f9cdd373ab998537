/*
 * Twins: a second copy of every match, built from stored records only.
 * Whenever nothing of a match is under way, it equals its twin.
 */
#include <string.h>

#include "common/core/snapshot.h"
#include "server/match/read.h"
#include "tests/sim/sim.h"

#define ARENA_SIZE ((size_t)4 * 1024 * 1024)

static struct work work; /* for all runs of the process */

struct twin {
    bool is_there;
    struct match match;
    uint32_t record_count; /* that were taken */
};

static struct twin twins[STORE_MATCHES_MAX + 1];

void
twins_fini(void)
{
    for (size_t i = 0; i < SK_COUNT_OF(twins); i++) {
        if (twins[i].is_there) {
            match_fini(&work, &twins[i].match);
        }
        twins[i] = (struct twin){ 0 };
    }
}

static void
begin(struct sim *sim, struct twin *twin, const struct stored_match *match)
{
    const char *trouble;

    if (work.arena.base == NULL) {
        work_init(&work, ARENA_SIZE);
    }
    twin->is_there = true;
    match_init(&twin->match, match->row.id);
    trouble = match_begin(&work, &match->row, &twin->match);
    if (trouble != NULL) {
        sim_broken(sim, PROMISE_TWIN, "match %lld: %s", (long long)match->row.id, trouble);
    }
}

static void
take(struct sim *sim, struct twin *twin, const struct store_record *record)
{
    struct sk_turn turn;
    struct fact fact;
    const char *trouble = match_read(&work, &twin->match, NULL, record, &turn, &fact);

    if (trouble == NULL && fact.pending != NULL && !fact.is_as_stored) {
        trouble = "a turn comes to another state";
    }
    if (trouble != NULL) {
        sim_broken(sim, PROMISE_TWIN, "match %lld, record %u: %s", (long long)twin->match.id,
                   record->seq, trouble);
    }
    match_take(&work, &twin->match, &fact, record->at_ms);
    fact_fini(&fact);
}

/* NULL, or what differs. */
static const char *
difference_of_seat(const struct seat *a, const struct seat *b, bool has_clock)
{
    if (a->player != b->player || a->is_bot != b->is_bot) {
        return "player";
    }
    if (a->is_running != b->is_running ||
        (has_clock && (a->bank_ms != b->bank_ms || a->going_ms != b->going_ms))) {
        return "clock";
    }
    if (a->latest != a->stored) {
        return "latest, which is not stored";
    }
    if ((a->stored == NULL) != (b->stored == NULL) ||
        (a->stored != NULL && (strcmp(a->stored->command_id, b->stored->command_id) != 0 ||
                               !sk_text_same(a->stored->commands, b->stored->commands) ||
                               !sk_text_same(a->stored->verdicts, b->stored->verdicts) ||
                               a->stored->is_ready != b->stored->is_ready))) {
        return "submission";
    }
    if (a->offers != b->offers || a->offers_next != b->offers_next) {
        return "count of offers";
    }
    return NULL;
}

/* Compares what a snapshot contains; the rest of a state is only a cache. */
static uint64_t
hash_of(const struct match *match)
{
    struct sk_turn turn;

    work_turn(&work, match->ruleset, match->config->config, &turn);
    return sk_snapshot_hash(match->ruleset, match->config->config, match->state, turn.snapshot,
                            turn.sizes.snapshot);
}

static const char *
difference(const struct match *a, const struct match *b)
{
    if (a->status != b->status || a->seq != b->seq) {
        return "status or seq";
    }
    if ((a->state == NULL) != (b->state == NULL) || strcmp(a->last_hash, b->last_hash) != 0) {
        return "hash";
    }
    if (a->state != NULL && memcmp(a->state, b->state, a->state_size) != 0 &&
        hash_of(a) != hash_of(b)) {
        return "state";
    }
    if (a->offer != b->offer || a->offer_next != b->offer_next) {
        return "offer";
    }
    if (a->snapshot_turn != b->snapshot_turn || a->is_rated != b->is_rated) {
        return "snapshot or rating";
    }
    for (uint8_t seat = 0; seat < a->seat_count && a->status != MATCH_ENDED; seat++) {
        const char *what = difference_of_seat(&a->seats[seat], &b->seats[seat], a->clock.has_turn);

        if (what != NULL) {
            return what;
        }
    }
    return NULL;
}

void
check_twin(struct sim *sim, int64_t id)
{
    const struct stored_match *match = fake_store_match(&sim->store, id);
    const struct match *live = look_at_rest(sim->host, id);
    struct twin *twin = &twins[id];
    const char *what;

    if (match->is_corrupt) {
        return;
    }
    if (!twin->is_there) {
        begin(sim, twin, match);
    }
    while (twin->record_count < match->record_count) {
        take(sim, twin, &match->records[twin->record_count++]);
    }
    what = live == NULL || match->is_behind ? NULL : difference(live, &twin->match);
    if (what != NULL) {
        sim_broken(sim, PROMISE_TWIN, "match %lld, live and by its records: another %s",
                   (long long)id, what);
    }
}
