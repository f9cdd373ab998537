#include "server/host/lobby/create.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/core/rules.h"
#include "server/hex.h"
#include "server/host/lobby/bot_find.h"
#include "server/host/lobby/rated.h"
#include "server/host/room/audience.h"
#include "server/host/room/bot.h"
#include "server/host/room/lease.h"
#include "server/host/room/tell.h"
#include "server/host/room/turn.h"
#include "server/host/session/player.h"
#include "server/match/row.h"

/* The clock of live play, if `create` has none. */
#define DEFAULT_TURN_MS 60000
#define DEFAULT_BANK_MS 300000

/* The cycle between bots that move at once, if `create` has none. */
#define DEFAULT_CYCLE_MS 1000

#define CODE_LENGTH 8

/* Letters and digits that are not easily confused. */
static const char code_letters[] = "abcdefghjkmnpqrstuvwxyz23456789";

/* ---- create ------------------------------------------------------------------------------ */

/* What is needed of the plan when the store answers. */
struct creating {
    struct reply reply;
    struct match_plan plan; /* its players may be gone by then: */
    struct maker maker;
    int64_t made_by;
    uint64_t sessions[SK_SEATS_MAX];
};

static void
creating_free(struct host *host, struct creating *creating)
{
    maker_release(host, &creating->maker);
    config_release(&host->work, creating->plan.config);
    free(creating);
}

static void
sit_down(struct room *room, uint8_t seat, const struct store_seat *from,
         const struct store_job *job)
{
    struct host *host = room->host;
    struct fact fact = { .kind = RECORD_JOINED, .seat = seat };

    fact.joined.player = from->player;
    fact.joined.is_bot = from->is_bot;
    fact.joined.starts =
        job->match.status == MATCH_RUNNING && room->match.seq + 1 == job->record_count;
    strncpy(fact.joined.name, from->name, sizeof(fact.joined.name) - 1);
    match_apply(&host->work, &room->match, &fact, host_now_ms(host));
    room_set_bot(room, seat, from->bot);
}

static struct room *
room_from_job(struct host *host, const struct store_job *job)
{
    struct room *room = room_find(host, job->match_id);
    const char *trouble;

    if (room == NULL) {
        room = room_add(host, job->match_id);
    } else if (room_phase(room) != ROOM_LOADING) { /* a client guessed its number ... */
        maker_release(host, &room->maker);
        return room;
    } else { /* ... and it may still be loading: see loaded */
        room->log.generation = ++host->generation;
    }
    trouble = match_begin(&host->work, &job->match, &room->match);
    SK_ASSERT(trouble == NULL);
    match_apply(&host->work, &room->match, &(struct fact){ .kind = RECORD_CREATED }, 0);
    room->code = job->match.code == NULL ? NULL : heap_text(sk_text_of(job->match.code));
    room->log.handed_seq = job->record_count;
    room->log.stored_seq = job->record_count;
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (job->seats[seat].player != 0) {
            sit_down(room, seat, &job->seats[seat], job);
        }
    }
    return room;
}

/* A frame that the server handles as if the client had sent it. */
struct frame_text {
    const char *type;
    const struct frame_head *head;
    int64_t match;
    const char *code; /* or NULL */
};

static void
write_frame(struct sk_json_out *out, const struct frame_text *frame)
{
    sk_json_begin_object(out);
    sk_json_key(out, "type");
    sk_json_string(out, frame->type);
    if (frame->head->has_id) {
        sk_json_key(out, "id");
        sk_json_text(out, frame->head->id);
    }
    sk_json_key(out, "match");
    sk_json_int(out, frame->match);
    if (frame->code != NULL) {
        sk_json_key(out, "code");
        sk_json_string(out, frame->code);
    }
    sk_json_end_object(out);
}

static void
handle_own(struct session *session, const struct frame_text *frame)
{
    char text[6 * FRAME_ID_MAX + 128]; /* every character of the id may be escaped */
    struct sk_json_out out;

    sk_json_out_init(&out, text, sizeof(text));
    write_frame(&out, frame);
    session->host->handle(session, &(struct heard){ work_text(&out), 0 });
}

/* Every player who is seated follows it.  The answer is `joined`, after `done` for those of the
 * queue. */
static void
show_created(struct host *host, struct room *room, const struct creating *creating)
{
    struct session *asker = reply_session(host, &creating->reply);
    struct frame_head head = reply_head(&creating->reply);
    struct frame_head none = { 0 };

    if (asker != NULL && creating->plan.is_of_queue) {
        session_done(asker, &head);
    }
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        struct session *session = session_find(host, creating->sessions[seat]);

        if (session != NULL) {
            room_follow(room, session);
            room_show_joined(room, session, creating->plan.is_of_queue ? &none : &head);
        }
    }
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        struct session *session = session_find(host, creating->sessions[seat]);

        if (session != NULL) {
            room_show_state(room, session, NULL);
        }
    }
    if (asker != NULL && room_is_of_bots(room)) { /* who creates a match of bots watches it */
        handle_own(asker, &(struct frame_text){ "watch", &head, room->match.id, room->code });
    }
}

/* Another node was faster: its rematch is joined. */
static void
ask_again(struct host *host, const struct creating *creating)
{
    struct session *session = reply_session(host, &creating->reply);
    struct frame_head head = reply_head(&creating->reply);

    if (session != NULL) {
        handle_own(session,
                   &(struct frame_text){ "rematch", &head, creating->plan.rematch_of, NULL });
    }
}

static void
created(struct store_job *job, struct host *host)
{
    struct creating *creating = job->context;
    bool is_made = job->result == STORE_TAKEN && creating->plan.rematch_of != 0;
    bool goes_on_waiting = job->seats[0].ticket != 0;
    struct room *room = NULL;

    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        if (job->seats[seat].player != 0) {
            player_joined(host, job->seats[seat].player, job->result == STORE_OK);
        }
    }
    if (job->result == STORE_OK) {
        room = room_from_job(host, job);
        room->made_by = creating->made_by;
        room->maker = creating->maker;
        creating->maker = (struct maker){ 0 }; /* now owned by the room */
        show_created(host, room, creating);
    } else if (!is_made && !goes_on_waiting) {
        reply_error(host, &creating->reply, ERROR_STORE_UNAVAILABLE);
    }
    if (creating->plan.done != NULL) {
        creating->plan.done(host, &creating->plan, room);
    }
    if (is_made) {
        ask_again(host, creating);
    }
    if (room != NULL && room_phase(room) == ROOM_RUNNING && room->match.state->outcome.is_over) {
        room_close(room); /* the params decide the match at once */
    }
    if (room != NULL) {
        room_touch(room, ROOM_ASKS_BOTS);
        room_unpark(room, true); /* a parked frame may end it */
    }
    creating_free(host, creating);
}

static char *
make_code(struct host *host)
{
    uint8_t bytes[CODE_LENGTH];
    char *code = heap_memory(CODE_LENGTH + 1);

    host->world.random(host->world.context, bytes, sizeof(bytes));
    for (int i = 0; i < CODE_LENGTH; i++) {
        code[i] = code_letters[bytes[i] % (sizeof(code_letters) - 1)];
    }
    return code;
}

static void
fill_match(struct host *host, struct store_job *job, const struct match_plan *plan, bool starts)
{
    struct store_match *match = &job->match;
    const struct shared_config *config = plan->config;

    match->ruleset = heap_text(sk_text_of(config->ruleset->name));
    match->version = config->ruleset->version;
    match->params = heap_text(sk_text_of(config->params));
    if (plan->seed != NULL) {
        memcpy(match->seed, plan->seed->bytes, SK_SEED_BYTES);
    } else {
        host->world.random(host->world.context, match->seed, SK_SEED_BYTES);
    }
    host->world.random(host->world.context, match->salt, SK_SEED_BYTES);
    match->settings = work_json_form(&host->work, &sk_record_settings, &plan->settings);
    match->code = plan->settings.is_open ? NULL : make_code(host);
    match->is_open = plan->settings.is_open;
    match->is_rated = plan->settings.is_rated;
    match->seat_count = sk_rules_seat_count(config->ruleset, config->config);
    match->status = starts ? MATCH_RUNNING : MATCH_WAITING;
    match->created_at_ms = host_wall_ms(host);
    match->started_at_ms = starts ? match->created_at_ms : 0;
    match->winner = STORE_NOBODY;
    match->rematch_of = plan->rematch_of;
}

/* Takes ownership of the body. */
static void
add_record(struct store_job *job, enum store_record_kind kind, int32_t seat, char *body)
{
    struct store_record *record = store_job_add_record(job);

    record->seq = job->record_count;
    record->kind = kind;
    record->turn = STORE_NO_TURN;
    record->seat = seat;
    record->at_ms = job->match.created_at_ms;
    record->body = body;
    record->body_length = strlen(body);
}

/* Whoever is no bot of the server; nobody if such a bot has the seat. */
static struct store_partner
person_of(const struct match_plan *plan, uint8_t seat)
{
    struct player *player = plan->sitters[seat] == NULL ? NULL : plan->sitters[seat]->player;

    if (plan->partners != NULL && seat < plan->partners[0].seats) {
        return plan->partners[seat];
    }
    return player == NULL ? (struct store_partner){ 0 }
                          : (struct store_partner){ .player = player->id,
                                                    .name = player->name,
                                                    .is_bot = player->is_bot };
}

/* The player that the plan has for the seat: a person or a bot. */
static void
add_sitter(struct host *host, struct store_job *job, uint8_t seat, const struct match_plan *plan,
           bool starts)
{
    const struct known_bot *bot = plan->bots[seat];
    struct store_partner person = person_of(plan, seat);
    struct record_joined joined = {
        .has_player = true,
        .player = bot == NULL ? person.player : bot->player,
        .bot = bot != NULL || person.is_bot,
        .starts = starts,
    };

    add_record(job, RECORD_JOINED, seat, work_json_form(&host->work, &sk_record_joined, &joined));
    job->seats[seat].player = joined.player;
    job->seats[seat].name = heap_text(sk_text_of(bot == NULL ? person.name : bot->name));
    job->seats[seat].is_bot = joined.bot;
    job->seats[seat].ticket = person.ticket;
    job->seats[seat].bot = bot == NULL ? NULL : heap_text(sk_text_of(bot->text));
}

/* Params can favour a seat, and a private link picks the opponent: see room_join. */
static bool
may_be_rated(struct host *host, const struct match_plan *plan)
{
    return (plan->settings.is_open || plan->is_rating_asked) &&
           rated_is_allowed(host, plan->config);
}

/* The conditions for a rated match to count.  They are in the record, so ratings can be
 * recomputed. */
static void
set_rated(struct host *host, struct match_plan *plan)
{
    const struct host_options *options = &host->options;
    struct record_settings *settings = &plan->settings;

    settings->is_rated = settings->is_rated && may_be_rated(host, plan);
    settings->has_rated_turns = settings->is_rated && options->rated_turns_min > 0;
    settings->rated_turns = settings->has_rated_turns ? options->rated_turns_min : 0;
    settings->has_rated_repeats = settings->is_rated && options->rated_repeats_max > 0;
    settings->rated_repeats = settings->has_rated_repeats ? options->rated_repeats_max : 0;
}

/* Copies what must last until the store answers. */
static struct creating *
creating_alloc(const struct session *session, const struct frame_head *head,
               const struct match_plan *plan)
{
    struct creating *creating = heap_memory(sizeof(*creating));

    creating->reply = reply_to(session, head);
    creating->plan = *plan;
    creating->plan.config->references++;
    creating->made_by = session->player->id;
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        const struct session *sitter = plan->sitters[seat];

        creating->sessions[seat] = sitter == NULL ? 0 : sitter->number;
        creating->plan.sitters[seat] = NULL;
        creating->plan.bots[seat] = NULL;
        creating->plan.settings.is_rated &=
            plan->bots[seat] == NULL && !person_of(plan, seat).is_bot;
    }
    creating->plan.partners = NULL;
    set_rated(session->host, &creating->plan);
    return creating;
}

static bool
is_taken(const struct match_plan *plan, uint8_t seat)
{
    return person_of(plan, seat).player != 0 || plan->bots[seat] != NULL;
}

static uint32_t
count_sitters(const struct match_plan *plan)
{
    uint32_t count = 0;

    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        count += is_taken(plan, seat) ? 1u : 0u;
    }
    return count;
}

static bool
may_create(struct session *session, const struct frame_head *head, const struct match_plan *plan)
{
    int32_t retry_ms = 0;
    const char *refusal = rate_refuses_match(session, plan->settings.has_created_by);

    if (refusal != NULL) {
        session_error(session, head, ERROR_TOO_MANY_MATCHES, refusal);
        return false;
    }
    refusal = rate_refuses_create(session, &retry_ms);
    if (refusal != NULL) {
        session_error_until(session, head, ERROR_RATE_LIMITED, refusal, retry_ms);
    }
    return refusal == NULL;
}

bool
room_create(struct session *session, const struct frame_head *head, const struct match_plan *plan)
{
    struct host *host = session->host;
    struct creating *creating;
    struct store_job *job;
    uint32_t left = count_sitters(plan);
    bool starts = left == sk_rules_seat_count(plan->config->ruleset, plan->config->config);

    if (!may_create(session, head, plan)) {
        return false;
    }
    creating = creating_alloc(session, head, plan);
    job = host_job(JOB_MATCH_CREATE, created, creating);
    fill_match(host, job, &creating->plan, starts);
    creating->plan.seed = NULL; /* owned by the caller, who put it into the job */
    add_record(job, RECORD_CREATED, STORE_NO_SEAT, match_created_body(&host->work, &job->match));
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        if (is_taken(plan, seat)) {
            add_sitter(host, job, seat, plan, starts && --left == 0);
        }
    }
    if (!host_submit(host, job)) {
        creating_free(host, creating);
        if (plan->partners != NULL) { /* they go on waiting */
            plan->done(host, plan, NULL);
            return true;
        }
        session_error(session, head, ERROR_BUSY, NULL);
        return false;
    }
    creating->maker = maker_of(session, plan->settings.has_created_by);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        if (plan->sitters[seat] != NULL) {
            player_joins(host, plan->sitters[seat]->player->id);
        }
    }
    return true;
}

/* The number of seats that the params demand, or 0. */
static int32_t
params_cycle(const struct shared_config *config)
{
    const struct sk_ruleset *ruleset = config->ruleset;

    return ruleset->cycle_ms == NULL ? 0 : (int32_t)ruleset->cycle_ms(config->config);
}

static void
set_cycle(struct record_settings *settings, int32_t cycle_ms)
{
    settings->is_cycle = true;
    settings->has_clock = true;
    settings->has_turn_ms = true;
    settings->turn_ms = cycle_ms;
    settings->bank_ms = 0;
}

struct record_settings
room_default_settings(const struct shared_config *config)
{
    struct record_settings settings = {
        .has_clock = true,
        .has_turn_ms = true,
        .turn_ms = DEFAULT_TURN_MS,
        .bank_ms = DEFAULT_BANK_MS,
        .is_open = true,
        .is_rated = config->ruleset->seats_max == 2,
    };

    if (params_cycle(config) > 0) {
        set_cycle(&settings, params_cycle(config));
    }
    return settings;
}

/* The fixed length of every turn, or 0: none. */
static int32_t
cycle_of(const struct frame_create *frame, const struct match_plan *plan)
{
    const struct sk_ruleset *ruleset = plan->config->ruleset;
    bool is_of_bots = true;

    for (uint8_t seat = 0; seat < sk_rules_seat_count(ruleset, plan->config->config); seat++) {
        is_of_bots = is_of_bots && plan->bots[seat] != NULL;
    }
    if (frame->has_cycle || frame->without_cycle) {
        return frame->cycle_ms;
    }
    if (params_cycle(plan->config) > 0) {
        return params_cycle(plan->config);
    }
    return is_of_bots && ruleset->is_simultaneous && !frame->has_clock ? DEFAULT_CYCLE_MS : 0;
}

static struct record_settings
settings_of(const struct frame_create *frame, const struct match_plan *plan)
{
    struct record_settings settings = room_default_settings(plan->config);
    int32_t cycle_ms = cycle_of(frame, plan);

    settings.is_open = frame->visibility == VISIBILITY_OPEN;
    settings.is_rated =
        settings.is_rated && (frame->rated || !frame->has_rated) && frame->seed.length == 0;
    settings.spectator_delay = frame->spectator_delay;
    if (cycle_ms > 0) {
        set_cycle(&settings, cycle_ms);
    } else if (frame->has_clock || frame->without_clock || settings.is_cycle) {
        settings.is_cycle = false;
        settings.has_clock = frame->clock.has_turn_ms || frame->clock.bank_ms > 0;
        settings.has_turn_ms = frame->clock.has_turn_ms;
        settings.turn_ms = frame->clock.has_turn_ms ? frame->clock.turn_ms : 0;
        settings.bank_ms = frame->clock.bank_ms;
    }
    return settings;
}

bool
session_may_play(struct session *session, const struct frame_head *head)
{
    struct host *host = session->host;

    if (host->is_closed_to_new) {
        session_error(session, head, ERROR_DRAINING, NULL);
        return false;
    }
    if (host->node.leased_until_ms != 0 && node_is_fenced(host)) { /* others would take the match */
        session_error(session, head, ERROR_STORE_UNAVAILABLE, NULL);
        return false;
    }
    if (!player_may_join(host, session->player)) {
        if (player_is_counted_again(host, session->player)) {
            session_error(session, head, ERROR_BUSY, "your unfinished matches are being counted");
            return false;
        }
        host->counters.limited[LIMIT_MATCHES_OF_PLAYER]++;
        session_error(session, head, ERROR_TOO_MANY_MATCHES, NULL);
        return false;
    }
    return true;
}

/* Returns why the match cannot have the cycle of the frame, or NULL. */
static const char *
cycle_trouble(const struct frame_create *frame, const struct match_plan *plan)
{
    const struct sk_ruleset *ruleset = plan->config->ruleset;

    if (!frame->has_cycle && (frame->without_cycle || params_cycle(plan->config) == 0)) {
        return NULL;
    }
    return frame->has_clock            ? "a match has a clock or a cycle, not both"
           : !ruleset->is_simultaneous ? "a cycle needs seats that move at once"
                                       : NULL;
}

/* The creator's seat; seat_count: bots have all seats.  Returns false if the wanted seat is
 * taken. */
static bool
choose_own_seat(const struct frame_create *frame, const struct match_plan *plan, uint8_t *ret_seat)
{
    uint8_t count = sk_rules_seat_count(plan->config->ruleset, plan->config->config);
    uint8_t seat = 0;

    for (uint32_t i = count; i < SK_SEATS_MAX; i++) {
        if (plan->bots[i] != NULL) {
            return false;
        }
    }
    while (!frame->has_seat && seat < count && plan->bots[seat] != NULL) {
        seat++;
    }
    if (frame->has_seat && (frame->seat >= count || plan->bots[frame->seat] != NULL)) {
        return false;
    }
    *ret_seat = frame->has_seat ? (uint8_t)frame->seat : seat;
    return true;
}

/* Continues when the params are valid and the bots are known. */
static void
create(struct session *session, const struct frame_create *frame, struct match_plan *plan)
{
    const struct sk_ruleset *ruleset = plan->config->ruleset;
    const char *trouble = cycle_trouble(frame, plan);
    uint8_t seat;

    if (!choose_own_seat(frame, plan, &seat)) {
        session_error(session, &frame->head, ERROR_SEAT_TAKEN, NULL);
        return;
    }
    if (trouble != NULL) {
        session_error(session, &frame->head, ERROR_NOT_ALLOWED, trouble);
        return;
    }
    plan->settings = settings_of(frame, plan);
    plan->is_rating_asked = frame->has_rated && frame->rated;
    if (seat < sk_rules_seat_count(ruleset, plan->config->config)) {
        plan->sitters[seat] = session;
    } else { /* bots have all seats, so no seat names the creator */
        plan->settings.has_created_by = true;
        plan->settings.created_by = session->player->id;
    }
    (void)room_create(session, &frame->head, plan);
}

void
handle_create(struct session *session, const union client_frame *any)
{
    const struct frame_create *frame = &any->create;
    const struct sk_ruleset *ruleset = sk_registry_find(frame->ruleset, 0);
    struct match_plan plan = { 0 };
    struct sk_fault fault;
    struct sk_seed seed;

    if (!session_may_play(session, &frame->head)) {
        return;
    }
    if (ruleset == NULL) {
        session_error(session, &frame->head, ERROR_UNKNOWN_RULESET, NULL);
        return;
    }
    if (frame->seed.length > 0 && !hex_decode(frame->seed, seed.bytes, SK_SEED_BYTES)) {
        session_error(session, &frame->head, ERROR_MALFORMED, "seed must be hex digits");
        return;
    }
    if (config_from_json(&session->host->work, ruleset, frame->params.object, &plan.config,
                         &fault) != SK_OK) {
        session_params_fault(session, &frame->head, &fault);
        return;
    }
    plan.seed = frame->seed.length > 0 ? &seed : NULL;
    if (bots_of_create(session, frame, plan.bots)) {
        create(session, frame, &plan);
    }
    config_release(&session->host->work, plan.config);
}
