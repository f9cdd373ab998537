/*
 * The host as a whole: memory, start, time, jobs, drain.
 */
#include "server/host/host.h"

#include <stdlib.h>
#include <string.h>

#include "server/host/restore.h"
#include "server/host/room_bot.h"

#define FORMS_SIZE         (8u * (size_t)FRAME_CREATE_BYTES_MAX + 65536u)
#define BEAT_MS            1000
#define TICK_MAX_MS        1000
#define LOADS_AT_ONCE      16
#define UNFINISHED_AT_ONCE 256
#define PIECE_MS           2 /* for how long loading may keep the loop from everything else */

void
host_options_init(struct host_options *options)
{
    *options = (struct host_options){
        .hello_timeout_ms = 10000,
        .frames_per_second = 50,
        .frames_burst = 100,
        .account_factor = 2,
        .address_factor = 20,
        .frame_work_us = 100,
        .outbox_bytes_max = 4 * 1024 * 1024,
        .jobs_max = 8192,
        .matches_per_player_max = 50,
        .submissions_per_turn_max = 100,
        .chat_per_minute = 30,
        .malformed_max = 5,
        .unjoined_expire_ms = 60 * 60 * 1000,
        .claim_after_ms = 24 * 60 * 60 * 1000,
        .snapshot_every = 64,
        .bot_answer_ms = 10000,
        .bot_matches_max = 500,
        .bot_calls_kept = 20000,
    };
}

/* ---- memory ------------------------------------------------------------------------------ */

static void
arenas_init(struct host *host)
{
    size_t config_size = 0;
    size_t scratch_size = 0;

    for (size_t i = 0; i < sk_registry_count(); i++) {
        const struct sk_ruleset *ruleset = sk_registry_at(i);

        if (ruleset->config_size_max > config_size) {
            config_size = ruleset->config_size_max;
        }
        if (ruleset->scratch_size_max > scratch_size) {
            scratch_size = ruleset->scratch_size_max;
        }
    }
    sk_arena_init(&host->arena, host_memory(FORMS_SIZE), FORMS_SIZE);
    sk_arena_init(&host->config, host_memory(config_size), config_size);
    sk_arena_init(&host->scratch, host_memory(scratch_size), scratch_size);
}

struct host *
host_alloc(const struct host_options *options, const struct host_world *world)
{
    struct host *host = calloc(1, sizeof(*host));

    if (host == NULL) {
        return NULL;
    }
    if (!sk_json_reader_init(&host->reader)) {
        free(host);
        return NULL;
    }
    host->options = *options;
    host->world = *world;
    host->piece_ms = PIECE_MS;
    arenas_init(host);
    return host;
}

static void
rooms_free(struct host *host)
{
    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        while (host->rooms[i] != NULL) {
            room_free(host->rooms[i]);
        }
    }
}

void
host_free(struct host *host)
{
    if (host == NULL) {
        return;
    }
    for (uint32_t i = 0; i < host->slot_count; i++) {
        if (host->slots[i] != NULL) {
            host_disconnect(host, host->slots[i]);
        }
    }
    restore_free_all(host);
    queue_free(host, host->waiting);
    rooms_free(host);
    bots_forget(host);
    sk_json_reader_fini(&host->reader);
    timers_fini(&host->timers);
    room_forget_early(host);
    rates_free(host);
    counters_fini(&host->counters);
    free(host->slots);
    free(host->free_slots);
    free(host->load_ids);
    free(host->seen);
    free(host->arena.base);
    free(host->config.base);
    free(host->scratch.base);
    free(host->out);
    free(host->turn_memory);
    free(host);
}

void
host_reload(struct host *host, const struct host_options *options)
{
    host->options = *options;
}

/* ---- jobs -------------------------------------------------------------------------------- */

bool
host_submit(struct host *host, struct store_job *job)
{
    job->handed_over_us = host_now_us(host);
    if (host->jobs >= (uint32_t)host->options.jobs_max ||
        !host->world.store->submit(host->world.store, job)) {
        store_job_free(job);
        return false;
    }
    host->jobs++;
    return true;
}

void
host_job_done(struct host *host, struct store_job *job)
{
    if (job->kind != JOB_REVIEW) {
        host->jobs--;
        count_job(host, job);
    }
    if (job->result == STORE_UNAVAILABLE || job->result == STORE_CORRUPT) {
        host_log(host, HOST_LOG_ERROR, "store: %s", job->message == NULL ? "?" : job->message);
    }
    if (job->done != NULL) {
        job->done(job, host);
    }
    store_job_free(job);
}

/* ---- start ------------------------------------------------------------------------------- */

/* Unfinished matches are loaded a few at a time, so that players who are here already and the
 * matches they ask for do not wait behind all others. */
static void
load_some(struct host *host)
{
    while (host->load_next < host->load_count && host->loads < LOADS_AT_ONCE &&
           !host->is_draining) {
        if (!room_load_at_start(host, host->load_ids[host->load_next++])) {
            host->has_failed_load = true;
        }
    }
}

/* A match that the store did not bring is asked for again, with those listed beside it. */
static void
go_on_loading(struct host *host)
{
    load_some(host);
    if (host->is_draining || host->loads > 0 || host->load_next < host->load_count) {
        return;
    }
    if (host->has_failed_load) {
        host->start_retry_ms = host->world.now_ms(host->world.context) + BEAT_MS;
    } else if (host->has_more_loads) {
        host->load_from = host->load_ids[host->load_count - 1];
        host_start(host);
    } else {
        host->is_loaded = true;
    }
}

void
host_load_done(struct host *host, bool has_failed)
{
    host->loads--;
    host->has_failed_load = host->has_failed_load || has_failed;
    go_on_loading(host);
}

bool
host_is_loading(const struct host *host)
{
    return !host->is_loaded;
}

static void
unfinished_listed(struct store_job *job, void *context)
{
    struct host *host = context;

    if (job->result != STORE_OK) {
        host->start_retry_ms = host->world.now_ms(host->world.context) + BEAT_MS;
        room_load_early(host);
        return;
    }
    if (!host->is_started) {
        host->last_beat_ms = job->last_beat_ms;
        host->quarantined_count += job->quarantined_count;
        host->is_started = true;
        room_load_early(host);
    }
    free(host->load_ids);
    host->load_ids = job->ids;
    host->load_count = job->id_count;
    host->load_next = 0;
    host->has_more_loads = job->id_count == UNFINISHED_AT_ONCE;
    host->has_failed_load = false;
    job->ids = NULL; /* taken over */
    go_on_loading(host);
}

void
host_start(struct host *host)
{
    struct store_job *job = store_job_alloc(JOB_UNFINISHED);

    host->start_retry_ms = 0;
    job->after = host->load_from;
    job->limit = UNFINISHED_AT_ONCE;
    job->done = unfinished_listed;
    if (!host_submit(host, job)) {
        host->start_retry_ms = host->world.now_ms(host->world.context) + BEAT_MS;
    }
}

/* ---- time -------------------------------------------------------------------------------- */

/* Stored with the next beat, so once a second at most however often players come and go. */
void
host_saw(struct host *host, int64_t player)
{
    if (host->seen_count == host->seen_room) {
        uint32_t room = host->seen_room == 0 ? 16 : 2 * host->seen_room;
        int64_t *seen = host_memory(room * sizeof(*seen));

        if (host->seen_count > 0) {
            memcpy(seen, host->seen, host->seen_count * sizeof(*seen));
        }
        free(host->seen);
        host->seen = seen;
        host->seen_room = room;
    }
    host->seen[host->seen_count++] = player;
}

/*
 * The beat says until when clocks ran: what comes after it, until the next
 * start, is nobody's.  While matches are still being loaded not all clocks
 * run, so there is none.
 */
static void
beat(struct host *host, int64_t now_ms)
{
    struct store_job *job;

    if (now_ms < host->next_beat_ms || host_is_loading(host) || host->shifts > 0) {
        return;
    }
    host->next_beat_ms = now_ms + BEAT_MS;
    job = store_job_alloc(JOB_BEAT);
    job->at_ms = host->world.wall_ms(host->world.context);
    job->ids = host->seen;
    job->id_count = host->seen_count;
    host->seen = NULL;
    host->seen_count = 0;
    host->seen_room = 0;
    (void)host_submit(host, job); /* the next one is as good */
}

bool
host_has_work(const struct host *host)
{
    return host->restorings != NULL && !host->is_draining;
}

bool
host_work(struct host *host)
{
    restore_some(host);
    return host_has_work(host);
}

int32_t
host_due_in_ms(const struct host *host, int32_t most_ms)
{
    int64_t next_ms = timers_next_ms(&host->timers);
    int64_t now_ms = host->world.now_ms(host->world.context);

    if (next_ms <= now_ms) {
        return 0;
    }
    return next_ms - now_ms < most_ms ? (int32_t)(next_ms - now_ms) : most_ms;
}

int32_t
host_tick(struct host *host)
{
    int64_t now_ms = host->world.now_ms(host->world.context);
    int64_t next_ms = now_ms + TICK_MAX_MS;

    if (host->start_retry_ms != 0 && now_ms >= host->start_retry_ms) {
        host_start(host);
    }
    beat(host, now_ms);
    timers_fire(&host->timers, now_ms);
    if (timers_next_ms(&host->timers) < next_ms) {
        next_ms = timers_next_ms(&host->timers);
    }
    if (host_work(host)) {
        return 0;
    }
    return (int32_t)(next_ms - now_ms < 1 ? 1 : next_ms - now_ms);
}

/* ---- drain ------------------------------------------------------------------------------- */

static void
flushed(struct store_job *job, void *context)
{
    struct host *host = context;

    (void)job;
    host->is_flushed = true;
}

void
host_drain(struct host *host)
{
    struct server_closing frame = {
        .head = { .type = SERVER_CLOSING },
        .reason = SK_TEXT("restart"),
        .retry_ms = 1000,
    };
    struct store_job *job = store_job_alloc(JOB_FLUSH);

    host->is_draining = true;
    for (uint32_t i = 0; i < host->slot_count; i++) {
        if (host->slots[i] != NULL && host->slots[i]->player != NULL) {
            host_saw(host, host->slots[i]->player->id);
        }
    }
    if (host->seen_count > 0) { /* a last beat */
        host->next_beat_ms = 0;
        beat(host, host->world.now_ms(host->world.context));
    }
    for (uint32_t i = 0; i < host->slot_count; i++) {
        if (host->slots[i] != NULL && host->slots[i]->phase != SESSION_CLOSING) {
            session_send_frame(host->slots[i], &frame);
            session_close(host->slots[i], CLOSE_GOING_AWAY, "the server stops; come back soon");
        }
    }
    job->done = flushed;
    if (!host_submit(host, job)) {
        host->is_flushed = host->jobs == 0;
    }
}

bool
host_is_drained(const struct host *host)
{
    return host->is_draining && host->is_flushed && host->jobs == 0;
}

void
host_status(const struct host *host, struct host_status *ret_status)
{
    *ret_status = (struct host_status){
        .is_ready = host->is_started && !host->is_draining && !host->is_closed_to_new &&
                    !host->is_store_failing,
        .is_draining = host->is_draining,
        .is_closed_to_new = host->is_closed_to_new,
        .sessions = host->session_count,
        .players = host->player_count,
        .matches_live = host->room_count,
        .matches_quarantined = host->quarantined_count,
        .jobs_waiting = host->jobs,
    };
}
