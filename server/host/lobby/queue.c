#include "server/host/lobby/queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/core/rules.h"
#include "server/host/lobby/create.h"
#include "server/host/lobby/seek.h"
#include "server/host/room/lease.h"
#include "server/host/session/player.h"

/* A `cancel` that is answered once the stored queue does not have the player. */
struct queue_cancel {
    struct queue_cancel *next;
    int64_t player;
    struct reply reply;
};

static struct waiting_player *
take_out(struct waiting_player **at)
{
    struct waiting_player *waiting = *at;

    *at = waiting->next;
    waiting->next = NULL;
    return waiting;
}

static void
queue_free(struct host *host, struct waiting_player *list)
{
    while (list != NULL) {
        struct waiting_player *waiting = take_out(&list);

        config_release(&host->work, waiting->config);
        free(waiting->seek);
        free(waiting);
    }
}

void
queue_fini(struct host *host)
{
    queue_free(host, host->waiting);
    while (host->shared_queue.cancels != NULL) {
        struct queue_cancel *cancel = host->shared_queue.cancels;

        host->shared_queue.cancels = cancel->next;
        free(cancel);
    }
}

static struct waiting_player **
end_of(struct waiting_player **list)
{
    while (*list != NULL) {
        list = &(*list)->next;
    }
    return list;
}

/* The link to the player's entry, or the end of the queue. */
static struct waiting_player **
place_of(struct host *host, int64_t player)
{
    struct waiting_player **at = &host->waiting;

    while (*at != NULL && (*at)->player != player) {
        at = &(*at)->next;
    }
    return at;
}

/* Other nodes are told at once. */
static void
has_changed(struct host *host)
{
    host->shared_queue.has_changed = true;
    host->shared_queue.next_ms = 0;
}

static void
stop_waiting(struct host *host, int64_t player)
{
    struct waiting_player **at = place_of(host, player);

    if (*at != NULL) {
        queue_free(host, take_out(at));
        has_changed(host);
    }
}

void
queue_forget(struct session *session)
{
    struct host *host = session->host;
    struct waiting_player **at =
        session->player == NULL ? end_of(&host->waiting) : place_of(host, session->player->id);

    if (*at != NULL && (*at)->session == session->number) {
        stop_waiting(host, (*at)->player);
    }
}

/* Whether the player has left, has cancelled, or waits for another match by now. */
static bool
is_out(struct host *host, const struct waiting_player *waiting)
{
    const struct session *session = session_find(host, waiting->session);

    return session == NULL || session->player == NULL ||
           waiting->number <= session->player->cancelled ||
           *place_of(host, waiting->player) != NULL;
}

static void
queue_put_back(struct host *host, struct waiting_player *list)
{
    struct waiting_player **place = &host->waiting;

    while (list != NULL) {
        struct waiting_player *waiting = take_out(&list);

        if (is_out(host, waiting)) {
            queue_free(host, waiting);
            has_changed(host);
        } else {
            waiting->next = *place;
            *place = waiting;
            place = &waiting->next;
        }
    }
}

/* ---- pairing ----------------------------------------------------------------------------- */

/* Whether the player can play with the seeker and with all who were found so far. */
static bool
is_one_more(struct host *host, const struct waiting_player *waiting,
            const struct waiting_player *seeker, struct waiting_player *const *found,
            uint32_t count)
{
    bool fits =
        seek_fits(waiting, seeker) && player_may_join(host, player_find(host, waiting->player));

    for (uint32_t i = 0; fits && i < count; i++) {
        fits = seek_fits(waiting, found[i]);
    }
    return fits;
}

/* Takes as many as are needed, those who waited longest first; none if there are too few. */
static struct waiting_player *
take_others(struct host *host, const struct waiting_player *seeker, uint32_t count)
{
    struct waiting_player *found[SK_SEATS_MAX];
    struct waiting_player *taken = NULL;
    uint32_t there = 0;

    for (struct waiting_player *it = host->waiting; it != NULL && there < count; it = it->next) {
        if (is_one_more(host, it, seeker, found, there)) {
            found[there++] = it;
        }
    }
    for (uint32_t i = 0; there == count && i < count; i++) {
        *end_of(&taken) = take_out(place_of(host, found[i]->player));
    }
    return taken;
}

/* Players who could not be seated stay in the queue. */
static void
paired(struct host *host, const struct match_plan *plan, struct room *room)
{
    if (room == NULL) {
        queue_put_back(host, plan->queued);
    } else {
        queue_free(host, plan->queued);
    }
}

/* Returns true if the frame is answered.  A refused player keeps an earlier place in the queue. */
static bool
pair(struct session *session, const struct frame_head *head, const struct waiting_player *seeker)
{
    struct host *host = session->host;
    struct shared_config *config = seeker->config;
    uint8_t count = sk_rules_seat_count(config->ruleset, config->config);
    struct match_plan plan = {
        .config = config,
        .settings = room_default_settings(config),
        .is_of_queue = true,
        .queued = host->world.store->is_shared ? NULL : take_others(host, seeker, count - 1u),
        .done = paired,
    };
    struct waiting_player **own;
    uint8_t seat = 0;

    if (plan.queued == NULL && count > 1) {
        return false;
    }
    for (const struct waiting_player *it = plan.queued; it != NULL; it = it->next) {
        plan.sitters[seat++] = session_find(host, it->session);
    }
    plan.sitters[seat] = session;
    own = place_of(host, session->player->id);
    if (*own != NULL) { /* was in the queue already */
        *end_of(&plan.queued) = take_out(own);
        has_changed(host);
    }
    if (!room_create(session, head, &plan)) {
        queue_put_back(host, plan.queued);
    }
    return true;
}

/* Takes ownership of the seeker's config. */
static void
wait_for_others(struct session *session, const struct waiting_player *seeker,
                const struct sk_json *params)
{
    struct waiting_player *waiting = heap_memory(sizeof(*waiting));

    *waiting = *seeker;
    waiting->seek = seek_text(session->host, seeker, params);
    waiting->number = ++session->host->shared_queue.number;
    has_changed(session->host);
    *end_of(&session->host->waiting) = waiting;
}

/* ---- the queue of all nodes -------------------------------------------------------------- */

static struct waiting_player *
waiting_of(struct host *host, const struct store_partner *partner)
{
    struct waiting_player *waiting = *place_of(host, partner->player);

    return waiting != NULL && waiting->ticket == partner->ticket ? waiting : NULL;
}

/* If it failed, the next comparison says who is still there. */
static void
seated(struct host *host, const struct match_plan *plan, struct room *room)
{
    host->shared_queue.creating--;
    paired(host, plan, room);
}

/* Whether somebody has left the queue since it was compared, or waits anew. */
static bool
has_gone(struct host *host, const struct store_partner *partners)
{
    for (int32_t i = 0; i < partners[0].seats; i++) {
        if (partners[i].is_here && waiting_of(host, &partners[i]) == NULL) {
            return true;
        }
    }
    return false;
}

/* The match of these players, of whom the last one waits here.  Who is refused waits no longer.  If
 * somebody has gone, the next comparison seats the others. */
static void
seat_partners(struct host *host, const struct store_partner *partners)
{
    const struct store_partner *last = &partners[partners[0].seats - 1];
    const struct waiting_player *waiting = waiting_of(host, last);
    struct session *asker = waiting == NULL ? NULL : session_find(host, waiting->session);
    struct match_plan plan = { .partners = partners, .done = seated };

    if (asker == NULL || has_gone(host, partners) || host->is_closed_to_new || host->is_draining ||
        node_is_fenced(host)) {
        return;
    }
    plan.config = waiting->config;
    plan.settings = room_default_settings(plan.config);
    for (int32_t i = 0; i < partners[0].seats; i++) {
        waiting = waiting_of(host, &partners[i]);
        if (waiting != NULL) {
            plan.sitters[i] = session_find(host, waiting->session);
            *end_of(&plan.queued) = take_out(place_of(host, waiting->player));
        }
    }
    host->shared_queue.creating++;
    if (!room_create(asker, &(struct frame_head){ 0 }, &plan)) {
        seated(host, &plan, NULL);
        stop_waiting(host, last->player);
    }
}

/* Whoever has a match is told, even if they have just left the queue or wait anew. */
static void
end_wait(struct host *host, const struct store_wait *wait, bool is_same)
{
    const struct waiting_player *waiting = *place_of(host, wait->player);
    const struct player *player = player_find(host, wait->player);
    struct session *session = waiting != NULL  ? session_find(host, waiting->session)
                              : player != NULL ? player->sessions
                                               : NULL;

    if (wait->match != 0 && session != NULL) {
        session_moved(session, &(struct frame_head){ 0 }, wait->match,
                      wait->path == NULL ? ROOM_PATH_ANYWHERE : wait->path);
    }
    if (is_same) {
        stop_waiting(host, wait->player);
    }
}

/* Those for whom it was too late have got their match before. */
static void
answer_cancels(struct host *host, struct queue_cancel *list)
{
    while (list != NULL) {
        struct queue_cancel *cancel = list;

        list = cancel->next;
        reply_done(host, &cancel->reply);
        free(cancel);
    }
}

/* They wait for the next comparison, like the queue. */
static void
keep_cancels(struct host *host, struct queue_cancel *list)
{
    struct queue_cancel **end = &host->shared_queue.cancels;

    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = list;
}

static void
compared(struct store_job *job, struct host *host)
{
    const struct store_queue *queue = &job->queue;
    bool is_stored = job->result == STORE_OK;

    host->shared_queue.is_under_way = false;
    host->shared_queue.sent = NULL;
    for (uint32_t i = 0; i < queue->wait_count; i++) {
        struct waiting_player *waiting = *place_of(host, queue->waits[i].player);
        bool is_same = waiting != NULL && waiting->number == queue->waits[i].number;

        if (is_same) {
            waiting->older = queue->waits[i].older;
        }
        if (queue->waits[i].match != 0 || (is_stored && queue->waits[i].is_over && is_same)) {
            end_wait(host, &queue->waits[i], is_same);
        } else if (is_stored && is_same) {
            waiting->ticket = queue->waits[i].ticket;
            waiting->was_sent = false;
        }
    }
    if (!is_stored) { /* who has a match may have been noted as told */
        host->shared_queue.has_changed = true;
        keep_cancels(host, job->context);
        return;
    }
    for (uint32_t i = 0; i < queue->partner_count; i += (uint32_t)queue->partners[i].seats) {
        seat_partners(host, &queue->partners[i]);
    }
    answer_cancels(host, job->context);
    if (host->shared_queue.cancels != NULL) {
        queue_tick(host, host_now_ms(host));
    }
}

/* Ruleset, version and params. */
static char *
key_of(const struct shared_config *config)
{
    const struct sk_ruleset *ruleset = config->ruleset;
    size_t size = strlen(ruleset->name) + config->params_length + 16;
    char *key = heap_memory(size);

    (void)snprintf(key, size, "%s %u %s", ruleset->name, (unsigned)ruleset->version,
                   config->params);
    return key;
}

static void
compare(struct host *host, int64_t now_ms)
{
    struct store_job *job = host_job(JOB_QUEUE, compared, host->shared_queue.cancels);

    for (struct waiting_player *it = host->waiting; it != NULL; it = it->next) {
        const struct sk_ruleset *ruleset = it->config->ruleset;
        struct store_wait *wait;

        if (player_may_join(host, player_find(host, it->player))) {
            wait = store_queue_add_wait(&job->queue);
            wait->player = it->player;
            wait->number = it->number;
            wait->ticket = it->ticket;
            wait->was_sent = it->was_sent;
            wait->older = it->older;
            it->was_sent = true;
            wait->key = it->ticket == 0 ? key_of(it->config) : NULL;
            wait->seek = it->ticket == 0 ? heap_text(sk_text_of(it->seek)) : NULL;
            wait->rating_min = it->rating_min;
            wait->rating_max = it->rating_max;
            wait->seats = sk_rules_seat_count(ruleset, it->config->config);
        }
    }
    job->place = STORE_ASIDE;
    host->shared_queue.next_ms = now_ms + STORE_BEAT_MS;
    host->shared_queue.is_under_way = host_submit(host, job);
    host->shared_queue.has_changed = !host->shared_queue.is_under_way;
    if (host->shared_queue.is_under_way) {
        host->shared_queue.sent = host->shared_queue.cancels; /* they are the job's now */
        host->shared_queue.cancels = NULL;
    }
}

void
queue_tick(struct host *host, int64_t now_ms)
{
    const struct shared_queue *queue = &host->shared_queue;

    if (host->world.store->is_shared && host->is_started && !host->is_draining &&
        !node_is_fenced(host) && !queue->is_under_way && queue->creating == 0 &&
        now_ms >= queue->next_ms && (queue->has_changed || host->waiting != NULL)) {
        compare(host, now_ms);
    }
}

/* ---- frames ------------------------------------------------------------------------------ */

static bool
is_range_valid(struct session *session, const struct frame_queue *frame)
{
    if (frame->has_rating_min && frame->has_rating_max && frame->rating_min > frame->rating_max) {
        session_error(session, &frame->head, ERROR_MALFORMED, "rating_min is above rating_max");
        return false;
    }
    return true;
}

/* The player as a place in the queue; the config is the caller's. */
static struct waiting_player
seeker_of(const struct session *session, const struct frame_queue *frame,
          struct shared_config *config)
{
    int64_t rated = session->host->heard.match;

    return (struct waiting_player){
        .session = session->number,
        .player = session->player->id,
        .config = config,
        .rating_min = frame->has_rating_min ? frame->rating_min : 0,
        .rating_max = frame->has_rating_max ? frame->rating_max : FRAME_RATING_MAX,
        .has_rating = rated != 0,
        .rating = rated == 0 ? 0 : (int32_t)(rated - SEEK_RATED),
    };
}

static void
queue_up(struct session *session, const struct frame_queue *frame, struct shared_config *config)
{
    struct host *host = session->host;
    struct server_queued queued = { .head = frame->head, .ruleset = frame->ruleset };
    struct waiting_player seeker = seeker_of(session, frame, config);

    if (!host->world.store->is_shared && seek_needs_ratings(host, &seeker)) {
        seek_ask(session, &frame->head, config->ruleset, config);
        config_release(&host->work, config);
        return;
    }
    if (pair(session, &frame->head, &seeker)) {
        config_release(&host->work, config);
        return;
    }
    stop_waiting(host, session->player->id);
    wait_for_others(session, &seeker, &frame->params);
    queued.head.type = SERVER_QUEUED;
    session_send_frame(session, &queued);
    queue_tick(host, host_now_ms(host));
}

/* Of this session, or NULL: of any session of the player. */
static bool
has_cancel(struct host *host, const struct queue_cancel *list, int64_t player,
           const struct session *session)
{
    for (const struct queue_cancel *it = list; it != NULL; it = it->next) {
        if (it->player == player &&
            (session == NULL || reply_session(host, &it->reply) == session)) {
            return true;
        }
    }
    return false;
}

static bool
is_cancelling(struct host *host, int64_t player, const struct session *session)
{
    return has_cancel(host, host->shared_queue.cancels, player, session) ||
           has_cancel(host, host->shared_queue.sent, player, session);
}

/* Another node may have seated the player, or may do so when a create that is under way has failed:
 * the stored queue decides.  One for each session at most: the store may be down for long. */
static void
cancel(struct session *session, const struct frame_head *head)
{
    struct host *host = session->host;
    int64_t player = session->player->id;
    bool was_there = *place_of(host, player) != NULL;

    if (is_cancelling(host, player, session)) {
        session_error(session, head, ERROR_BUSY, NULL);
        return;
    }
    stop_waiting(host, player);
    session->player->cancelled = host->shared_queue.number;
    if (host->world.store->is_shared && !host->is_draining &&
        (was_there || host->shared_queue.creating > 0 || is_cancelling(host, player, NULL))) {
        struct queue_cancel *kept = heap_memory(sizeof(*kept));

        *kept = (struct queue_cancel){ .player = player, .reply = reply_to(session, head) };
        keep_cancels(host, kept);
        has_changed(host); /* a comparison answers it */
        queue_tick(host, host_now_ms(host));
    } else {
        session_done(session, head);
    }
}

void
handle_queue(struct session *session, const union client_frame *any)
{
    const struct frame_queue *frame = &any->queue;
    const struct sk_ruleset *ruleset = sk_registry_find(frame->ruleset, 0);
    struct host *host = session->host;
    struct shared_config *config;
    struct sk_fault fault;

    if (session->queue_asks > 0 && host->heard.match == 0) {
        seek_ask(session, &frame->head, ruleset, NULL); /* after the one before it */
        return;
    }
    if (frame->cancel) {
        cancel(session, &frame->head);
        return;
    }
    if (ruleset == NULL) {
        session_error(session, &frame->head, ERROR_UNKNOWN_RULESET, NULL);
        return;
    }
    if (!is_range_valid(session, frame) || !session_may_play(session, &frame->head)) {
        return;
    }
    if (config_from_json(&host->work, ruleset, frame->params.object, &config, &fault) != SK_OK) {
        session_params_fault(session, &frame->head, &fault);
        return;
    }
    queue_up(session, frame, config);
}
