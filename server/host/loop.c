/*
 * The host's functions for the loop: memory, connections, jobs, time, drain.
 * Each call is one event, after which the rooms are settled.
 */
#include <stdlib.h>

#include "server/host/admin.h"
#include "server/host/dispatch.h"
#include "server/host/http.h"
#include "server/host/lobby/bot_find.h"
#include "server/host/lobby/queue.h"
#include "server/host/lobby/rated.h"
#include "server/host/room/audience.h"
#include "server/host/room/bots.h"
#include "server/host/room/load.h"
#include "server/host/room/node.h"
#include "server/host/room/restore.h"
#include "server/host/room/settle.h"
#include "server/host/session/metrics.h"
#include "server/host/session/player.h"
#include "server/host/session/show.h"

#define FORMS_SIZE  (8u * (size_t)FRAME_CREATE_BYTES_MAX + 65536u)
#define TICK_MAX_MS 1000
#define PIECE_MS    2 /* how long loading may block the loop at a time */

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
        .refused_per_minute = 1000,
        .outbox_bytes_max = 4 * 1024 * 1024,
        .outbox_address_bytes_max = 16 * 1024 * 1024,
        .outbox_total_bytes_max = 256 * 1024 * 1024,
        .jobs_max = 8192,
        .players_per_hour = 1000,
        .creates_per_minute = 60,
        .matches_per_player_max = 50,
        .matches_per_address_max = 1000,
        .rated_turns_min = 4,
        .rated_repeats_max = 3,
        .submissions_per_turn_max = 100,
        .chat_per_minute = 30,
        .malformed_max = 5,
        .unjoined_expire_ms = 60 * 60 * 1000,
        .claim_after_ms = 24 * 60 * 60 * 1000,
        .snapshot_every = 64,
        .bot_answer_ms = 10000,
        .bot_matches_max = 500,
        .bot_matches_per_player_max = 10,
        .bot_matches_per_address_max = 50,
        .bot_unwatched_ms = 60 * 60 * 1000,
        .bot_calls_kept = 20000,
        .http_rate = 50,
        .http_burst = 500,
        .http_work_us = 2000,
        .reads_per_player = 8,
        .reads_per_address = 32,
        .reads_max = 512,
        .http_answers_max = 256 * 1024 * 1024,
    };
}

/* ---- memory ------------------------------------------------------------------------------ */

struct host *
host_alloc(const struct host_options *options, const struct host_world *world)
{
    struct host *host = calloc(1, sizeof(*host));

    if (host == NULL) {
        return NULL;
    }
    work_init(&host->work, FORMS_SIZE);
    host->options = *options;
    host->world = *world;
    host->piece_ms = PIECE_MS;
    host->handle = handle_text;
    host->tick = room_tick;
    host->hear_notices = admin_hear;
    host->work.now_us = host_now_us;
    host->work.context = host;
    return host;
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
    queue_fini(host);
    rooms_free(host);
    bots_forget(host);
    rated_free(host);
    work_fini(&host->work);
    timers_fini(&host->timers);
    loads_forget(host);
    rates_free(host);
    counters_fini(&host->counters);
    http_documents_free(host);
    free(host->slots);
    free(host->free_slots);
    free(host->seen);
    free(host);
}

void
host_reload(struct host *host, const struct host_options *options)
{
    host->options = *options;
}

/* ---- connections ------------------------------------------------------------------------- */

void
host_disconnect(struct host *host, struct session *session)
{
    session->phase = SESSION_CLOSING;
    while (session->follows != NULL) {
        room_unfollow(session->follows);
    }
    rooms_settle(host);
    show_end(session);
    queue_forget(session);
    player_leave(session);
    session_free(session);
}

/* ---- jobs -------------------------------------------------------------------------------- */

void
host_job_done(struct host *host, struct store_job *job)
{
    if (job->kind != JOB_REVIEW) {
        host->jobs--;
        count_job(host, job);
    }
    if (job->result == STORE_UNAVAILABLE || job->result == STORE_CORRUPT ||
        (job->result == STORE_LOST && job->kind == JOB_MATCH_APPEND)) {
        host_log(host, job->result == STORE_LOST ? HOST_LOG_INFO : HOST_LOG_ERROR, "store: %s",
                 job->message == NULL ? "?" : job->message);
    }
    if (job->done != NULL) {
        job->done(job, host);
    }
    rooms_settle(host);
    store_job_free(job);
}

void
host_bot_answered(struct host *host, struct bot_ask *ask)
{
    room_take_answer(host, ask);
    rooms_settle(host);
}

/* ---- start ------------------------------------------------------------------------------- */

void
host_start(struct host *host)
{
    loads_begin(host);
}

/* ---- time -------------------------------------------------------------------------------- */

bool
host_has_work(const struct host *host)
{
    return host->restorings != NULL && !host->is_draining;
}

/* Limits how long the loop is blocked; a single record may take longer. */
bool
host_work(struct host *host)
{
    int64_t until_us = host_now_us(host) + (int64_t)host->piece_ms * 1000;

    while (host_has_work(host)) {
        restore_some(host);
        rooms_settle(host);
        if (host_now_us(host) >= until_us) {
            break;
        }
    }
    return host_has_work(host);
}

int32_t
host_due_in_ms(const struct host *host, int32_t most_ms)
{
    int64_t next_ms = timers_next_ms(&host->timers);
    int64_t now_ms = host_now_ms(host);

    if (next_ms <= now_ms) {
        return 0;
    }
    return next_ms - now_ms < most_ms ? (int32_t)(next_ms - now_ms) : most_ms;
}

int32_t
host_tick(struct host *host)
{
    int64_t now_ms = host_now_ms(host);
    int64_t next_ms = now_ms + TICK_MAX_MS;

    if (host->start_retry_ms != 0 && now_ms >= host->start_retry_ms) {
        host_start(host);
    }
    node_tick(host, now_ms);
    queue_tick(host, now_ms);
    rooms_settle(host);
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

/* On a shared database clients come back at different times, to whatever node they get. */
static int32_t
retry_ms_of(struct host *host)
{
    uint16_t chance = 0;

    if (host->world.store->is_shared) {
        host->world.random(host->world.context, (uint8_t *)&chance, sizeof(chance));
    }
    return 1000 - chance % 1000;
}

static void
say_goodbye(struct host *host)
{
    for (uint32_t i = 0; i < host->slot_count; i++) {
        struct session *session = host->slots[i];

        if (session != NULL && session->phase != SESSION_CLOSING) {
            struct server_closing frame = {
                .head = { .type = SERVER_CLOSING },
                .reason = SK_TEXT("restart"),
                .retry_ms = retry_ms_of(host),
            };

            session_send_frame(session, &frame);
            session_close(session, CLOSE_GOING_AWAY, "the server stops; come back soon");
        }
    }
}

static void
released(struct store_job *job, struct host *host)
{
    (void)job;
    say_goodbye(host);
    host->is_flushed = true;
}

/* The other nodes have the matches before the clients ask for them there. */
static void
flushed(struct store_job *job, struct host *host)
{
    (void)job;
    if (!host->world.store->is_shared) {
        host->is_flushed = true;
        return;
    }
    if (!host_submit(host, host_job(JOB_RELEASE, released, NULL))) {
        released(NULL, host);
    }
}

void
host_drain(struct host *host)
{
    struct store_job *job = host_job(JOB_FLUSH, flushed, NULL);

    host->is_draining = true;
    for (uint32_t i = 0; i < host->slot_count; i++) {
        if (host->slots[i] != NULL && host->slots[i]->player != NULL) {
            player_seen(host, host->slots[i]->player->id);
        }
    }
    if (host->seen_count > 0) { /* a last beat */
        host->next_beat_ms = 0;
        node_tick(host, host_now_ms(host));
    }
    if (!host->world.store->is_shared) {
        say_goodbye(host);
    }
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
                    !host->is_store_failing && !node_is_fenced(host),
        .is_draining = host->is_draining,
        .is_closed_to_new = host->is_closed_to_new,
        .sessions = host->session_count,
        .players = host->player_count,
        .matches_live = host->room_count,
        .matches_quarantined = host->quarantined_count,
        .jobs_waiting = host->jobs,
    };
}
