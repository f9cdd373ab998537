/*
 * The other nodes that share the database with the host, and what the database
 * knows about owners.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/sim.h"

/* Clocks stop at the last beat, or stopped earlier. */
static void
lose_owner(struct stored_match *match, int64_t stopped_at_ms)
{
    if (match->owner == OWNER_THIS) {
        match->owner = OWNER_NONE;
        match->is_stale = true;
        match->stopped_at_ms = match->stopped_at_ms != 0 ? match->stopped_at_ms : stopped_at_ms;
    }
}

void
fake_store_restart(struct fake_store *store)
{
    for (uint32_t id = 1; id <= store->match_count; id++) {
        if (store->port.is_shared) {
            lose_owner(&store->matches[id], store->beat_ms);
        }
        store->matches[id].has_failed = false; /* a new process counts its generations anew */
    }
    store->is_dead = false;
}

/* A node that takes a match over stores by how much its clocks have moved, as this one does. */
static void
store_shift(struct fake_store *store, struct stored_match *match)
{
    int64_t last_ms = match->records[match->record_count - 1].at_ms;
    int64_t stopped_ms = match->stopped_at_ms > last_ms ? match->stopped_at_ms : last_ms;
    int64_t wall_ms = store->sim->wall_ms;
    char body[64];
    struct store_record record = { .seq = match->record_count + 1,
                                   .kind = RECORD_CLOCK,
                                   .turn = (int32_t)match->turn_count,
                                   .seat = STORE_NO_SEAT,
                                   .body = body,
                                   .at_ms = wall_ms };

    if (match->row.status != MATCH_RUNNING || !match->has_clock || wall_ms <= stopped_ms ||
        wall_ms - stopped_ms > INT32_MAX) {
        return;
    }
    record.body_length = (size_t)snprintf(body, sizeof(body), "{\"shift_ms\":%lld}",
                                          (long long)(wall_ms - stopped_ms));
    stored_append(store, match, &record);
    match->stopped_at_ms = wall_ms;
    match->is_behind = true;
}

void
fake_store_take_away(struct fake_store *store, struct stored_match *match, bool stores)
{
    if (!store->port.is_shared || match->owner == OWNER_OTHER || match->is_corrupt ||
        !stored_is_unfinished(match)) {
        return;
    }
    store->is_dead = true;
    check_remember_move(store->sim);
    for (uint32_t id = 1; id <= store->match_count; id++) {
        lose_owner(&store->matches[id], store->beat_ms);
    }
    match->owner = OWNER_OTHER;
    if (stores) {
        store_shift(store, match);
    }
}

void
fake_store_give_back(struct stored_match *match)
{
    if (match->owner == OWNER_OTHER) {
        match->owner = OWNER_NONE;
    }
}

enum store_result
fake_store_claim(struct fake_store *store, struct store_job *job)
{
    if (store->is_dead) {
        return STORE_LOST;
    }
    job->claim.ids.at = calloc(STORE_MATCHES_MAX, sizeof(int64_t));
    job->claim.owned.at = calloc(STORE_MATCHES_MAX, sizeof(int64_t));
    for (uint32_t id = 1; id <= store->match_count; id++) {
        struct stored_match *match = &store->matches[id];

        if (match->owner == OWNER_THIS && stored_is_unfinished(match) && job->claim.lists_owned &&
            id > job->claim.owned_after) {
            job->claim.owned.at[job->claim.owned.count++] = id;
        }
        if (match->owner == OWNER_NONE && stored_is_unfinished(match) &&
            job->claim.ids.count < (uint32_t)job->claim.limit) {
            match->owner = OWNER_THIS;
            job->claim.ids.at[job->claim.ids.count++] = id;
        }
    }
    return STORE_OK;
}

enum store_result
fake_store_release(struct fake_store *store)
{
    for (uint32_t id = 1; id <= store->match_count; id++) {
        lose_owner(&store->matches[id], store->sim->wall_ms);
    }
    return STORE_OK;
}

/* The first waits with this one's key, as many as its match has seats; 0 if there are too few. */
static uint32_t
find_partners(const struct store_queue *queue, uint32_t from, uint32_t at[STORE_SEATS_MAX])
{
    const struct store_wait *first = &queue->waits[from];
    uint32_t count = 0;

    for (uint32_t i = from; first->ticket == 0 && first->key != NULL && i < queue->wait_count &&
                            count < (uint32_t)first->seats;
         i++) {
        if (queue->waits[i].key != NULL && strcmp(queue->waits[i].key, first->key) == 0) {
            at[count++] = i;
        }
    }
    return count == (uint32_t)first->seats ? count : 0;
}

/* Nobody waits elsewhere.  Only those who can play get a ticket, so the others send their keys
 * again. */
enum store_result
fake_store_queue(struct fake_store *store, struct store_job *job)
{
    struct store_queue *queue = &job->queue;

    for (uint32_t i = 0; i < queue->wait_count; i++) {
        queue->waits[i].ticket = 0;
    }
    for (uint32_t i = 0; i < queue->wait_count; i++) {
        uint32_t at[STORE_SEATS_MAX];
        uint32_t count = find_partners(queue, i, at);

        for (uint32_t j = 0; j < count; j++) {
            struct store_wait *wait = &queue->waits[at[j]];
            const struct stored_player *player = &store->players[wait->player - 1];
            struct store_partner *partner = store_queue_add_partner(queue);

            wait->ticket = (int64_t)wait->number;
            *partner = (struct store_partner){ .player = wait->player,
                                               .ticket = wait->ticket,
                                               .name = strdup(player->name),
                                               .is_bot = player->is_bot,
                                               .is_here = true,
                                               .seats = wait->seats };
            free(wait->key);
            wait->key = NULL;
        }
    }
    return STORE_OK;
}

bool
stored_claim(const struct fake_store *store, struct stored_match *match, struct store_job *job)
{
    if (match->owner == OWNER_OTHER && stored_is_unfinished(match)) {
        job->elsewhere = strdup("/n/other/");
        return false;
    }
    match->owner = OWNER_THIS;
    match->is_stale = false;
    match->is_behind = false;
    match->claimed_at_ms = store->sim->wall_ms;
    match->claimed_skew_ms = store->sim->skew_ms;
    if (match->stopped_at_ms == 0) {
        match->stopped_at_ms = job->load.stopped_ms;
    }
    return true;
}

void
stored_check_shifted(const struct fake_store *store, const struct stored_match *match,
                     const struct store_job *job)
{
    int64_t last_ms = match->records[match->record_count - 1].at_ms;
    int64_t stopped_ms = match->stopped_at_ms > last_ms ? match->stopped_at_ms : last_ms;

    if (match->stopped_at_ms != 0 && match->row.status == MATCH_RUNNING && match->has_clock &&
        match->claimed_at_ms > stopped_ms && match->claimed_skew_ms == store->sim->skew_ms &&
        job->records[0].kind != RECORD_CLOCK) {
        sim_broken(store->sim, PROMISE_CLOCK, "match %lld: a %s before the time that it stood",
                   (long long)match->row.id, store_record_kind_names[job->records[0].kind]);
    }
}

enum store_result
fake_store_beat(struct fake_store *store, const struct store_job *job)
{
    bool is_dead = store->is_dead;
    bool is_late = store->port.is_shared && store->sim->now_ms >= store->leased_until_ms;
    bool is_lost = is_dead || (is_late && !job->beat.has_paused);

    for (uint32_t id = 1; store->port.is_shared && id <= store->match_count; id++) {
        struct stored_match *match = &store->matches[id];

        if (is_dead) { /* what it has created since is not its own either */
            lose_owner(match, store->beat_ms);
        } else if ((job->beat.has_paused || is_late) && match->owner == OWNER_THIS &&
                   match->stopped_at_ms == 0) {
            match->stopped_at_ms = store->beat_ms;
        }
    }
    store->leased_until_ms = store->sim->now_ms + STORE_LEASE_MS;
    store->beat_ms = job->at_ms;
    store->is_dead = false;
    return is_lost ? STORE_LOST : STORE_OK;
}

/* ---- ops --------------------------------------------------------------------------------- */

/* However long it is, the node does not stop to beat, unless its lease has run out before. */
void
sim_beat_for(struct sim *sim, int64_t ms)
{
    if (sim->host != NULL && sim->store.port.is_shared && !node_is_fenced(sim->host) &&
        !sim->store.is_dead) {
        sim->host->node.leased_until_ms += ms;
        sim->host->last_beat_ms += ms;
        sim->store.beat_ms += ms;
        sim->store.leased_until_ms += ms;
    }
}

void
sim_move(struct sim *sim, const struct op *op)
{
    struct stored_match *match = fake_store_match(&sim->store, op->a);

    if (match != NULL && op->kind == OP_BACK) {
        fake_store_give_back(match);
    } else if (match != NULL) {
        fake_store_take_away(&sim->store, match, op->b != 0);
    }
}
