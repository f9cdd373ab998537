#include "server/host/lobby/queue.h"

#include <stdlib.h>

#include "common/core/registry.h"
#include "server/host/lobby/create.h"
#include "server/host/session/player.h"

static struct waiting_player *
take_out(struct waiting_player **at)
{
    struct waiting_player *waiting = *at;

    *at = waiting->next;
    waiting->next = NULL;
    return waiting;
}

void
queue_free(struct host *host, struct waiting_player *list)
{
    while (list != NULL) {
        struct waiting_player *waiting = take_out(&list);

        config_release(&host->work, waiting->config);
        free(waiting);
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

static void
stop_waiting(struct host *host, int64_t player)
{
    struct waiting_player **at = place_of(host, player);

    if (*at != NULL) {
        queue_free(host, take_out(at));
    }
}

void
queue_forget(struct session *session)
{
    struct host *host = session->host;
    struct waiting_player **at =
        session->player == NULL ? end_of(&host->waiting) : place_of(host, session->player->id);

    if (*at != NULL && (*at)->session == session->number) {
        queue_free(host, take_out(at));
    }
}

/* Puts the players back, except those who have left or wait for another match by now. */
static void
queue_put_back(struct host *host, struct waiting_player *list)
{
    struct waiting_player **place = &host->waiting;

    while (list != NULL) {
        struct waiting_player *waiting = take_out(&list);

        if (session_find(host, waiting->session) == NULL ||
            *place_of(host, waiting->player) != NULL) {
            queue_free(host, waiting);
        } else {
            waiting->next = *place;
            *place = waiting;
            place = &waiting->next;
        }
    }
}

/* ---- pairing ----------------------------------------------------------------------------- */

/* The next entry that `player` can play this match with; NULL = none. */
static struct waiting_player **
next_fit(struct host *host, const struct shared_config *config, int64_t player,
         struct waiting_player **at)
{
    while (*at != NULL && ((*at)->config != config || (*at)->player == player ||
                           !player_may_join(host, player_find(host, (*at)->player)))) {
        at = &(*at)->next;
    }
    return at;
}

/* Takes as many as are needed, those who waited longest first; none if there are too few. */
static struct waiting_player *
take_others(struct host *host, const struct shared_config *config, int64_t player, uint32_t count)
{
    struct waiting_player *taken = NULL;
    struct waiting_player **at = &host->waiting;

    for (uint32_t i = 0; i < count; i++, at = &(*at)->next) {
        at = next_fit(host, config, player, at);
        if (*at == NULL) {
            return NULL;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        *end_of(&taken) = take_out(next_fit(host, config, player, &host->waiting));
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
pair(struct session *session, const struct frame_head *head, struct shared_config *config)
{
    struct host *host = session->host;
    uint8_t count = config->ruleset->seat_count(config->config);
    struct match_plan plan = {
        .config = config,
        .settings = room_default_settings(config),
        .is_of_queue = true,
        .queued = take_others(host, config, session->player->id, count - 1u),
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
    }
    if (!room_create(session, head, &plan)) {
        queue_put_back(host, plan.queued);
    }
    return true;
}

/* Takes ownership of the config. */
static void
wait_for_others(struct session *session, struct shared_config *config)
{
    struct waiting_player *waiting = heap_memory(sizeof(*waiting));

    waiting->session = session->number;
    waiting->player = session->player->id;
    waiting->config = config;
    *end_of(&session->host->waiting) = waiting;
}

void
handle_queue(struct session *session, const union client_frame *any)
{
    const struct frame_queue *frame = &any->queue;
    const struct sk_ruleset *ruleset = sk_registry_find(frame->ruleset, 0);
    struct host *host = session->host;
    struct server_queued queued = { .head = frame->head, .ruleset = frame->ruleset };
    struct shared_config *config;
    struct sk_fault fault;

    if (frame->cancel) {
        stop_waiting(host, session->player->id);
        session_done(session, &frame->head);
        return;
    }
    if (ruleset == NULL) {
        session_error(session, &frame->head, ERROR_UNKNOWN_RULESET, NULL);
        return;
    }
    if (!session_may_play(session, &frame->head)) {
        return;
    }
    if (config_from_json(&host->work, ruleset, frame->params.object, &config, &fault) != SK_OK) {
        session_params_fault(session, &frame->head, &fault);
        return;
    }
    if (pair(session, &frame->head, config)) {
        config_release(&host->work, config);
        return;
    }
    stop_waiting(host, session->player->id);
    wait_for_others(session, config);
    queued.head.type = SERVER_QUEUED;
    session_send_frame(session, &queued);
}
