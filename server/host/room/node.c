#include "server/host/room/node.h"

#include <stdlib.h>

#include "server/host/room/aside.h"
#include "server/host/room/load.h"
#include "server/kill_point.h"

#define WANTED_MAX 64    /* no claims while more matches wait to be loaded */
#define SWEEP_MS   10000 /* between two lists of what this node owns */
#define APART_MS   500   /* clocks that differ by less are the same */

/* ---- the beat ---------------------------------------------------------------------------- */

/* Matches that are being loaded are read again. */
static void
lose_all(struct host *host)
{
    host->node.life++;
    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        for (struct room *room = host->rooms[i]; room != NULL; room = room->next) {
            room_lose(room);
        }
    }
}

/* Timers that fired without a lease are gone. */
static void
set_timers(struct host *host)
{
    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        for (struct room *room = host->rooms[i]; room != NULL; room = room->next) {
            room_touch(room, ROOM_TOUCHED);
        }
    }
}

/* The beat was answered at some moment since it was made.  Returns how far the clock is set. */
static int64_t
follow_clock(struct host *host, const struct store_job *job)
{
    int64_t wall_ms = host_wall_ms(host);
    int64_t set_ms = 0;

    if (job->beat.now_ms != 0 &&
        (job->beat.now_ms < job->at_ms - APART_MS || job->beat.now_ms > wall_ms + APART_MS)) {
        set_ms = job->beat.now_ms - (job->at_ms + wall_ms) / 2;
        host->node.ahead_ms += set_ms;
        host_log(host, HOST_LOG_WARNING, "the database's clock is %lld ms %s this machine's",
                 llabs(host->node.ahead_ms), host->node.ahead_ms < 0 ? "behind" : "ahead of");
    }
    return set_ms;
}

/* Nobody who follows a match is kept waiting: proxies lead clients to nodes that are ready. */
static void
lose_name(struct host *host, const char *message)
{
    if (host->node.is_name_taken) {
        return;
    }
    host->node.is_name_taken = true;
    host_log(host, HOST_LOG_ERROR, "%s", message);
    host->node.leased_until_ms = host_now_ms(host);
    lose_all(host);
}

/*
 * After a beat that came too late every room is loaded anew, even if no other
 * node has claimed its match: nobody could play meanwhile, and nobody is charged
 * for it.
 */
static void
beaten(struct store_job *job, struct host *host)
{
    struct node *node = &host->node;
    bool was_fenced = node_is_fenced(host);
    bool is_first = node->leased_until_ms == 0; /* what was created before is this node's */

    node->is_beating = false;
    if (job->result == STORE_TAKEN) {
        lose_name(host, job->message);
        return;
    }
    if (job->result != STORE_OK && job->result != STORE_LOST) {
        return;
    }
    if ((job->result == STORE_LOST || (was_fenced && !is_first)) &&
        !SK_TEST_FAULT_IS(FAULT_NO_FENCE)) {
        host_log(host, HOST_LOG_WARNING, "this node had no lease: all matches are loaded anew");
        node->claims_from_ms = host_now_ms(host) + STORE_LEASE_MS;
        lose_all(host);
    }
    node->is_name_taken = false;
    node->has_paused = was_fenced && job->result == STORE_OK && !job->beat.has_paused;
    if (node->has_paused) {
        host->next_beat_ms = 0;
    }
    node->leased_until_ms = job->context_number + STORE_LEASE_MS;
    if (is_first) {
        set_timers(host);
    }
    host->last_beat_ms = job->at_ms + follow_clock(host, job);
    if (job->result == STORE_OK) {
        host->hear_notices(host, &job->beat);
    }
}

/*
 * The beat stores until when clocks ran: the time between the last beat and
 * the next start is not charged to anybody.  While matches are still being
 * loaded not all clocks run, so there is no beat.  On a shared database each
 * match says when its clocks stopped, and the lease must not wait.
 */
static bool
may_beat(const struct host *host)
{
    return host->world.store->is_shared ? !host->node.is_beating
                                        : !loads_are_under_way(host) && host->shifts == 0;
}

/* Looks again at rooms that waited for their rematch. */
static uint32_t
count_matches(struct host *host)
{
    uint32_t count = 0;

    for (uint32_t i = 0; host->world.store->is_shared && i < HOST_BUCKETS; i++) {
        for (struct room *room = host->rooms[i]; room != NULL; room = room->next) {
            if (room_is_past(room) && room->rematch.match != 0) {
                room_touch(room, ROOM_TOUCHED);
            }
            count += room_phase(room) == ROOM_WAITING || room_phase(room) == ROOM_RUNNING ? 1 : 0;
        }
    }
    return count;
}

static void
beat(struct host *host, int64_t now_ms)
{
    struct store_job *job = store_job_alloc(JOB_BEAT);

    host->next_beat_ms = now_ms + STORE_BEAT_MS;
    host->node.match_count = count_matches(host);
    job->at_ms = host_wall_ms(host);
    job->beat.seen = (struct store_ids){ host->seen, host->seen_count };
    host->seen = NULL;
    host->seen_count = 0;
    host->seen_capacity = 0;
    if (host->world.store->is_shared) {
        job->place = STORE_ASIDE;
        job->done = beaten;
        job->context_number = now_ms;
        job->beat.has_paused = node_is_fenced(host) || host->node.has_paused;
        job->beat.notices_after = host->node.notice_last - STORE_NOTICES_AGAIN;
    }
    /* If it fails the next one will do. */
    host->node.is_beating = host_submit(host, job) && host->world.store->is_shared;
}

/* ---- claims ------------------------------------------------------------------------------ */

static int
compare_ids(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a;
    int64_t second = *(const int64_t *)b;

    return (first > second) - (first < second);
}

/* Whether this part of the list has the match, which is in order, or another part may have it. */
static bool
may_be_listed(const struct store_claim *claim, int64_t id)
{
    const struct store_ids *owned = &claim->owned;

    if (owned->count == 0) {
        return id <= claim->owned_after;
    }
    return id <= claim->owned_after ||
           (owned->count == STORE_OWNED_MAX && id > owned->at[owned->count - 1]) ||
           bsearch(&id, owned->at, owned->count, sizeof(id), compare_ids) != NULL;
}

/* Another node has the match of such a room and nothing has told this one, which it may have
 * claimed while this node's lease was renewed.  The list is older than rooms that were added since,
 * and may be newer than what a job that is under way changes. */
static void
lose_others(struct host *host, const struct store_job *job)
{
    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        for (struct room *room = host->rooms[i]; room != NULL; room = room->next) {
            if (room->log.entries == NULL && room->log.generation <= job->context_number &&
                !may_be_listed(&job->claim, room->match.id)) {
                room_lose(room);
            }
        }
    }
}

/* Loads what this node owns without a room: the answer to an earlier claim or create was lost. */
static void
sweep(struct host *host, const struct store_job *job)
{
    struct node *node = &host->node;
    const struct store_ids *owned = &job->claim.owned;

    if (!SK_TEST_FAULT_IS(FAULT_NO_FENCE)) {
        lose_others(host, job);
    }
    for (uint32_t i = 0; i < owned->count; i++) {
        if (room_find(host, owned->at[i]) == NULL) {
            wanted_add(&host->wanted, owned->at[i], 0);
        }
    }
    node->swept = owned->count < STORE_OWNED_MAX ? 0 : owned->at[owned->count - 1];
    node->sweep_ms = node->swept != 0 ? 0 : host_now_ms(host) + SWEEP_MS;
}

/* A room of such a match would be older than the claim. */
static void
claimed(struct store_job *job, struct host *host)
{
    host->node.is_claiming = false;
    if (job->result == STORE_LOST) {
        host->next_beat_ms = 0; /* which says the same, and renews the lease */
    }
    if (job->result != STORE_OK) {
        host->node.sweep_ms = 0; /* some may have been claimed */
    } else if (job->claim.lists_owned) {
        sweep(host, job);
    }
    for (uint32_t i = 0; job->result == STORE_OK && i < job->claim.ids.count; i++) {
        struct room *room = room_find(host, job->claim.ids.at[i]);

        if (room != NULL) {
            room_lose(room);
        }
        wanted_add(&host->wanted, job->claim.ids.at[i], 0);
        host->counters.claims++;
    }
    load_wanted(host);
}

static bool
may_claim(const struct host *host)
{
    return host->world.store->is_shared && host->is_started && !host->node.is_claiming &&
           !host->is_draining && !host->is_closed_to_new && node_may_claim(host) &&
           host->wanted.count <= WANTED_MAX;
}

static void
claim(struct host *host, int64_t now_ms)
{
    struct store_job *job = host_job(JOB_CLAIM, claimed, NULL);

    job->claim.limit = STORE_CLAIM_MAX;
    job->claim.lists_owned = now_ms >= host->node.sweep_ms;
    job->claim.owned_after = host->node.swept;
    job->context_number = host->generation;
    job->place = STORE_ASIDE;
    host->node.is_claiming = host_submit(host, job);
}

void
node_tick(struct host *host, int64_t now_ms)
{
    if (now_ms < host->next_beat_ms || !may_beat(host)) {
        return;
    }
    beat(host, now_ms);
    if (may_claim(host)) {
        claim(host, now_ms);
    }
    load_wanted(host);
}
