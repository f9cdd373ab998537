/*
 * How a match comes to be: `create`, and the first state.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "server/host/room_bot.h"

/* Live play, when `create` names no clock. */
#define DEFAULT_TURN_MS 60000
#define DEFAULT_BANK_MS 300000

/* Bots that move at once, when `create` names no cycle. */
#define DEFAULT_CYCLE_MS 1000

/* Letters and digits that are not taken for each other. */
static const char code_letters[] = "abcdefghjkmnpqrstuvwxyz23456789";

/* ---- the first state --------------------------------------------------------------------- */

/* All seats are taken: the match begins. */
void
room_begin(struct room *room)
{
    struct host *host = room->host;
    struct sk_turn turn;

    host_turn(host, room->ruleset, room->config->config, &turn);
    turn.seed = &room->seed;
    sk_turn_setup(&turn);
    room->state_size = turn.sizes.state;
    free(room->state);
    room->state = host_memory(room->state_size);
    memcpy(room->state, turn.after, room->state_size);
    room->phase = ROOM_RUNNING;
    room->retry_ms = 0;
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        room->seats[seat].bank_ms = room->clock.bank_ms;
    }
}

/* ---- create ------------------------------------------------------------------------------ */

/* What is needed of the plan when the store comes back. */
struct creating {
    struct reply reply;
    struct match_plan plan; /* its sitters may be gone by then: */
    uint64_t sessions[SK_SEATS_MAX];
};

static void
creating_free(struct host *host, struct creating *creating)
{
    config_release(host, creating->plan.config);
    queue_free(host, creating->plan.queued);
    free(creating);
}

void
room_set_settings(struct room *room, const struct record_settings *settings)
{
    room->is_open = settings->is_open;
    room->is_rated = settings->is_rated;
    room->spectator_delay = settings->spectator_delay;
    room->clock = (struct room_clock){
        .has_turn = settings->has_clock,
        .turn_ms = settings->has_turn_ms ? settings->turn_ms : 0,
        .bank_ms = settings->bank_ms,
        .is_cycle = settings->is_cycle,
    };
}

void
seat_set(struct seat *seat, int64_t player, const char *name, bool is_bot)
{
    seat->player = player;
    seat->is_bot = is_bot;
    memset(seat->name, 0, sizeof(seat->name));
    if (name != NULL) {
        strncpy(seat->name, name, sizeof(seat->name) - 1);
    }
}

static struct room *
room_from_job(struct host *host, const struct store_job *job, const struct match_plan *plan)
{
    struct room *room = room_find(host, job->match.id);

    if (room == NULL) {
        room = room_add(host, job->match.id);
    } /* else somebody has guessed its number and the store is asked for it: see loaded */
    room->ruleset = plan->config->ruleset;
    room->config = plan->config;
    room->config->references++;
    room->seat_count = room->ruleset->seat_count(room->config->config);
    memcpy(room->seed.bytes, job->match.seed, SK_SEED_BYTES);
    memcpy(room->salt.bytes, job->match.salt, SK_SEED_BYTES);
    room->code = job->match.code == NULL ? NULL : host_text(sk_text_of(job->match.code));
    room_set_settings(room, &plan->settings);
    room->phase = ROOM_WAITING;
    room->record_seq = job->record_count;
    room->stored_seq = job->record_count;
    room->seq = job->record_count;
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct store_seat *from = &job->seats[seat];

        seat_set(&room->seats[seat], from->player, from->name, from->is_bot);
        if (from->bot != NULL) {
            (void)seat_set_bot(&room->seats[seat], from->bot);
        }
    }
    return room;
}

/* Everybody who sits down follows it; the answer is `joined`, of the queue `done` before it. */
static void
show_created(struct host *host, struct room *room, const struct creating *creating)
{
    struct session *asker = reply_session(host, &creating->reply);
    struct frame_head head = reply_head(&creating->reply);
    struct frame_head none = { 0 };

    if (asker != NULL && creating->plan.is_of_queue) {
        session_done(asker, &head);
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct session *session = session_find(host, creating->sessions[seat]);

        if (session != NULL) {
            room_follow(room, session);
            room_show_joined(room, session, creating->plan.is_of_queue ? &none : &head);
        }
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct session *session = session_find(host, creating->sessions[seat]);

        if (session != NULL) {
            room_show_state(room, session, NULL);
        }
    }
    if (asker != NULL && room_is_of_bots(room)) { /* who made it watches */
        room_follow(room, asker);
        room_show_joined(room, asker, &head);
        room_show_state(room, asker, NULL);
    }
}

static void
not_created(struct host *host, struct creating *creating)
{
    struct session *asker = reply_session(host, &creating->reply);
    struct frame_head head = reply_head(&creating->reply);

    if (asker != NULL) {
        session_error(asker, &head, ERROR_STORE_UNAVAILABLE, NULL);
    }
    queue_put_back(host, creating->plan.queued);
    creating->plan.queued = NULL;
}

static void
created(struct store_job *job, void *context)
{
    struct host *host = context;
    struct creating *creating = job->context;
    struct room *room = NULL;

    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        if (job->seats[seat].player != 0) {
            player_joined(host, job->seats[seat].player, job->result == STORE_OK);
        }
    }
    if (job->result == STORE_OK) {
        room = room_from_job(host, job, &creating->plan);
        if (job->match.status == MATCH_RUNNING) {
            room_begin(room);
            room_open_turn(room);
        }
        room_schedule(room);
        show_created(host, room, creating);
    } else {
        not_created(host, creating);
    }
    if (creating->plan.rematch_of != 0) {
        room_rematch_made(host, creating->plan.rematch_of, room);
    }
    if (room != NULL && room->phase == ROOM_RUNNING && room->state->outcome.is_over) {
        room_close(room); /* params that decide the match at once */
    }
    if (room != NULL) {
        room_ask_bots(room);
        room_unpark(room, true); /* what waited may end it */
    }
    creating_free(host, creating);
}

static char *
make_code(struct host *host)
{
    uint8_t bytes[HOST_CODE_LENGTH];
    char *code = host_memory(HOST_CODE_LENGTH + 1);

    host->world.random(host->world.context, bytes, sizeof(bytes));
    for (int i = 0; i < HOST_CODE_LENGTH; i++) {
        code[i] = code_letters[bytes[i] % (sizeof(code_letters) - 1)];
    }
    return code;
}

static void
fill_match(struct host *host, struct store_job *job, const struct match_plan *plan, bool starts)
{
    struct store_match *match = &job->match;
    const struct shared_config *config = plan->config;

    match->ruleset = host_text(sk_text_of(config->ruleset->name));
    match->version = config->ruleset->version;
    match->params = host_text(sk_text_of(config->params));
    if (plan->seed != NULL) {
        memcpy(match->seed, plan->seed->bytes, SK_SEED_BYTES);
    } else {
        host->world.random(host->world.context, match->seed, SK_SEED_BYTES);
    }
    host->world.random(host->world.context, match->salt, SK_SEED_BYTES);
    match->settings = host_json_form(host, &sk_record_settings, &plan->settings);
    match->code = plan->settings.is_open ? NULL : make_code(host);
    match->is_open = plan->settings.is_open;
    match->is_rated = plan->settings.is_rated;
    match->seat_count = config->ruleset->seat_count(config->config);
    match->status = starts ? MATCH_RUNNING : MATCH_WAITING;
    match->created_at_ms = host->world.wall_ms(host->world.context);
    match->started_at_ms = starts ? match->created_at_ms : 0;
    match->winner = STORE_NOBODY;
    match->rematch_of = plan->rematch_of;
}

/* The body of the first record: what must be proven later of the match's row. */
char *
room_created_body(struct host *host, const struct store_match *match)
{
    char commitment[FRAME_CHAIN_DIGITS + 1];
    struct sk_seed salt;
    struct sk_seed seed;
    struct record_created body = {
        .ruleset = sk_text_of(match->ruleset),
        .version = (int32_t)match->version,
        .params = { .text = sk_text_of(match->params) },
        .settings = { .text = sk_text_of(match->settings) },
        .has_rematch_of = match->rematch_of != 0,
        .rematch_of = match->rematch_of,
    };

    memcpy(salt.bytes, match->salt, SK_SEED_BYTES);
    memcpy(seed.bytes, match->seed, SK_SEED_BYTES);
    commitment_of(&salt, &seed, commitment);
    body.commitment = sk_text_of(commitment);
    return host_json_form(host, &sk_record_created, &body);
}

/* Takes the body over. */
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

/* Whoever the plan has for the seat: a person, or a bot. */
static void
add_sitter(struct host *host, struct store_job *job, uint8_t seat, const struct match_plan *plan,
           bool starts)
{
    const struct known_bot *bot = plan->bots[seat];
    const struct player *player = bot == NULL ? plan->sitters[seat]->player : NULL;
    struct record_joined joined = {
        .has_player = true,
        .player = bot == NULL ? player->id : bot->player,
        .bot = bot != NULL || player->is_bot,
        .starts = starts,
    };

    add_record(job, RECORD_JOINED, seat, host_json_form(host, &sk_record_joined, &joined));
    job->seats[seat].player = joined.player;
    job->seats[seat].name = host_text(sk_text_of(bot == NULL ? player->name : bot->name));
    job->seats[seat].is_bot = joined.bot;
    job->seats[seat].bot = bot == NULL ? NULL : host_text(sk_text_of(bot->text));
}

/* The plan as it must last until the store comes back. */
static struct creating *
creating_alloc(const struct session *session, const struct frame_head *head,
               const struct match_plan *plan)
{
    struct creating *creating = host_memory(sizeof(*creating));

    creating->reply = reply_to(session, head);
    creating->plan = *plan;
    creating->plan.config->references++;
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        const struct session *sitter = plan->sitters[seat];

        creating->sessions[seat] = sitter == NULL ? 0 : sitter->number;
        creating->plan.sitters[seat] = NULL;
        creating->plan.bots[seat] = NULL;
        creating->plan.settings.is_rated &=
            plan->bots[seat] == NULL && (sitter == NULL || !sitter->player->is_bot);
    }
    return creating;
}

static bool
is_taken(const struct match_plan *plan, uint8_t seat)
{
    return plan->sitters[seat] != NULL || plan->bots[seat] != NULL;
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

bool
room_create(struct session *session, const struct frame_head *head, const struct match_plan *plan)
{
    struct host *host = session->host;
    struct creating *creating = creating_alloc(session, head, plan);
    struct store_job *job = store_job_alloc(JOB_MATCH_CREATE);
    uint32_t left = count_sitters(plan);
    bool starts = left == plan->config->ruleset->seat_count(plan->config->config);

    fill_match(host, job, &creating->plan, starts);
    creating->plan.seed = NULL; /* the caller's, and in the job now */
    add_record(job, RECORD_CREATED, STORE_NO_SEAT, room_created_body(host, &job->match));
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        if (is_taken(plan, seat)) {
            add_sitter(host, job, seat, plan, starts && --left == 0);
        }
    }
    job->done = created;
    job->context = creating;
    if (!host_submit(host, job)) {
        session_error(session, head, ERROR_BUSY, NULL);
        creating->plan.queued = NULL; /* the caller's */
        creating_free(host, creating);
        return false;
    }
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        if (plan->sitters[seat] != NULL) {
            player_joins(host, plan->sitters[seat]->player->id);
        }
    }
    return true;
}

/* What the params want, or 0. */
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

/* Every turn takes so long, or 0: as long as its players and the clock let it. */
static int32_t
cycle_of(const struct frame_create *frame, const struct match_plan *plan)
{
    const struct sk_ruleset *ruleset = plan->config->ruleset;
    bool is_of_bots = true;

    for (uint8_t seat = 0; seat < ruleset->seat_count(plan->config->config); seat++) {
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
    settings.is_rated = settings.is_rated && frame->rated && frame->seed.length == 0;
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
    if (!player_may_join(host, session->player)) {
        session_error(session, head, ERROR_TOO_MANY_MATCHES, NULL);
        return false;
    }
    return true;
}

/* Why a match cannot have the cycle that the frame wants, or NULL. */
static const char *
cycle_trouble(const struct frame_create *frame, const struct match_plan *plan)
{
    const struct sk_ruleset *ruleset = plan->config->ruleset;

    if (!frame->has_cycle && (frame->without_cycle || params_cycle(plan->config) == 0)) {
        return NULL;
    }
    return frame->has_clock            ? "a match has a clock or a cycle, not both"
           : !ruleset->is_simultaneous ? "where seats take turns there is no cycle"
                                       : NULL;
}

static bool
has_room_for_bots(const struct host *host)
{
    int32_t count = 0;

    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        for (const struct room *room = host->rooms[i]; room != NULL; room = room->next) {
            count += room->phase == ROOM_RUNNING && room_is_of_bots(room) ? 1 : 0;
        }
    }
    return count < host->options.bot_matches_max;
}

/* The creator's seat; seat_count: bots have them all.  False: the one he wants is not free. */
static bool
choose_own_seat(const struct frame_create *frame, const struct match_plan *plan, uint8_t *ret_seat)
{
    uint8_t count = plan->config->ruleset->seat_count(plan->config->config);
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

/* The params are right and the bots are known. */
static void
create(struct session *session, const struct frame_create *frame, struct match_plan *plan)
{
    const struct sk_ruleset *ruleset = plan->config->ruleset;
    const char *trouble = cycle_trouble(frame, plan);
    bool is_of_bots;
    uint8_t seat;

    if (!choose_own_seat(frame, plan, &seat)) {
        session_error(session, &frame->head, ERROR_SEAT_TAKEN, NULL);
        return;
    }
    if (trouble != NULL) {
        session_error(session, &frame->head, ERROR_NOT_ALLOWED, trouble);
        return;
    }
    is_of_bots = seat == ruleset->seat_count(plan->config->config);
    if (is_of_bots && !has_room_for_bots(session->host)) {
        session_error(session, &frame->head, ERROR_TOO_MANY_MATCHES,
                      "bots play as many matches among themselves as they may at a time");
        return;
    }
    plan->settings = settings_of(frame, plan);
    if (!is_of_bots) {
        plan->sitters[seat] = session;
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
    if (config_from_json(session->host, ruleset, frame->params.object, &plan.config, &fault) !=
        SK_OK) {
        session_params_fault(session, &frame->head, &fault);
        return;
    }
    plan.seed = frame->seed.length > 0 ? &seed : NULL;
    if (bots_of_create(session, frame, plan.bots)) {
        create(session, frame, &plan);
    }
    config_release(session->host, plan.config);
}
