/*
 * How a match comes to be: `create`, and the first state.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "server/host/room.h"

/* Live play, when `create` names no clock. */
#define DEFAULT_TURN_MS 60000
#define DEFAULT_BANK_MS 300000

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
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        room->seats[seat].bank_ms = room->clock.bank_ms;
    }
}

/* ---- create ------------------------------------------------------------------------------ */

/* What `create` needs when the store comes back. */
struct creating {
    struct reply reply;
    struct shared_config *config;
    struct record_settings settings;
    int32_t seat;
    int64_t rematch_of; /* or 0 */
};

static void
creating_free(struct host *host, struct creating *creating)
{
    config_release(host, creating->config);
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
room_from_job(struct host *host, const struct store_job *job, const struct creating *creating)
{
    struct room *room = room_add(host, job->match.id);

    room->ruleset = creating->config->ruleset;
    room->config = creating->config;
    room->config->references++;
    room->seat_count = room->ruleset->seat_count(room->config->config);
    memcpy(room->seed.bytes, job->match.seed, SK_SEED_BYTES);
    memcpy(room->salt.bytes, job->match.salt, SK_SEED_BYTES);
    room->code = job->match.code == NULL ? NULL : host_text(sk_text_of(job->match.code));
    room_set_settings(room, &creating->settings);
    room->phase = ROOM_WAITING;
    room->record_seq = job->record_count;
    room->stored_seq = job->record_count;
    room->seq = job->record_count;
    return room;
}

static void
created(struct store_job *job, void *context)
{
    struct host *host = context;
    struct creating *creating = job->context;
    struct session *session = reply_session(host, &creating->reply);
    struct frame_head head = reply_head(&creating->reply);
    struct room *room;

    if (job->result != STORE_OK) {
        if (session != NULL) {
            session_error(session, &head, ERROR_STORE_UNAVAILABLE, NULL);
        }
        if (creating->rematch_of != 0) {
            room_rematch_made(host, creating->rematch_of, NULL);
        }
        creating_free(host, creating);
        return;
    }
    room = room_from_job(host, job, creating);
    seat_set(&room->seats[creating->seat], job->seats[creating->seat].player,
             job->seats[creating->seat].name, job->seats[creating->seat].is_bot);
    if (session != NULL) {
        session->player->match_count++;
        room_follow(room, session);
        room_show_joined(room, session, &head);
        room_show_state(room, session, NULL);
    }
    if (creating->rematch_of != 0) {
        room_rematch_made(host, creating->rematch_of, room);
    }
    if (session != NULL && session->pair_waits != 0) {
        lobby_pair_made(session, room);
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
fill_match(struct host *host, struct store_job *job, const struct creating *creating,
           const struct sk_seed *seed)
{
    struct store_match *match = &job->match;
    const struct shared_config *config = creating->config;

    match->ruleset = host_text(sk_text_of(config->ruleset->name));
    match->version = config->ruleset->version;
    match->params = host_text(sk_text_of(config->params));
    memcpy(match->seed, seed->bytes, SK_SEED_BYTES);
    host->world.random(host->world.context, match->salt, SK_SEED_BYTES);
    match->settings = host_json_form(host, &sk_record_settings, &creating->settings);
    match->code = creating->settings.is_open ? NULL : make_code(host);
    match->is_open = creating->settings.is_open;
    match->is_rated = creating->settings.is_rated;
    match->seat_count = config->ruleset->seat_count(config->config);
    match->status = MATCH_WAITING;
    match->created_at_ms = host->world.wall_ms(host->world.context);
    match->winner = STORE_NOBODY;
    match->rematch_of = creating->rematch_of;
}

static void
add_record(struct host *host, struct store_job *job, enum store_record_kind kind, int32_t seat,
           const struct sk_schema *schema, const void *body)
{
    struct store_record *record = store_job_add_record(job);

    record->seq = job->record_count;
    record->kind = kind;
    record->turn = STORE_NO_TURN;
    record->seat = seat;
    record->at_ms = job->match.created_at_ms;
    record->body = host_json_form(host, schema, body);
    record->body_length = strlen(record->body);
}

static void
add_first_records(struct host *host, struct store_job *job, const struct creating *creating,
                  const struct player *player)
{
    char commitment[FRAME_CHAIN_DIGITS + 1];
    struct sk_seed salt;
    struct sk_seed seed;
    struct record_created body = {
        .ruleset = sk_text_of(job->match.ruleset),
        .version = (int32_t)job->match.version,
        .params = { .text = sk_text_of(job->match.params) },
        .settings = { .text = sk_text_of(job->match.settings) },
        .has_rematch_of = creating->rematch_of != 0,
        .rematch_of = creating->rematch_of,
    };
    struct record_joined joined = { .has_player = true,
                                    .player = player->id,
                                    .bot = player->is_bot };

    memcpy(salt.bytes, job->match.salt, SK_SEED_BYTES);
    memcpy(seed.bytes, job->match.seed, SK_SEED_BYTES);
    commitment_of(&salt, &seed, commitment);
    body.commitment = sk_text_of(commitment);
    add_record(host, job, RECORD_CREATED, STORE_NO_SEAT, &sk_record_created, &body);
    add_record(host, job, RECORD_JOINED, creating->seat, &sk_record_joined, &joined);
    job->seats[creating->seat].player = player->id;
    job->seats[creating->seat].name = host_text(sk_text_of(player->name));
    job->seats[creating->seat].is_bot = player->is_bot;
}

/* Takes a reference of the config over. */
bool
room_create(struct session *session, const struct frame_head *head, struct shared_config *config,
            const struct record_settings *settings, int32_t seat, const struct sk_seed *seed,
            int64_t rematch_of)
{
    struct host *host = session->host;
    struct creating *creating = host_memory(sizeof(*creating));
    struct store_job *job = store_job_alloc(JOB_MATCH_CREATE);
    struct sk_seed made;

    creating->reply = reply_to(session, head);
    creating->config = config;
    creating->settings = *settings;
    creating->seat = seat;
    creating->rematch_of = rematch_of;
    if (seed == NULL) {
        host->world.random(host->world.context, made.bytes, SK_SEED_BYTES);
        seed = &made;
    }
    fill_match(host, job, creating, seed);
    add_first_records(host, job, creating, session->player);
    job->done = created;
    job->context = creating;
    if (!host_submit(host, job)) {
        session_error(session, head, ERROR_BUSY, NULL);
        creating_free(host, creating);
        return false;
    }
    return true;
}

static struct record_settings
settings_of(const struct frame_create *frame, const struct sk_ruleset *ruleset)
{
    struct record_settings settings = {
        .has_clock = !frame->without_clock,
        .has_turn_ms = !frame->without_clock,
        .turn_ms = DEFAULT_TURN_MS,
        .bank_ms = frame->without_clock ? 0 : DEFAULT_BANK_MS,
        .is_open = frame->visibility == VISIBILITY_OPEN,
        .is_rated = frame->rated && frame->seed.length == 0 && ruleset->seats_max == 2,
        .spectator_delay = frame->spectator_delay,
    };

    if (frame->has_clock) {
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

    if (host->is_draining) {
        session_error(session, head, ERROR_DRAINING, NULL);
        return false;
    }
    if (session->player->match_count >= (uint32_t)host->options.matches_per_player_max) {
        session_error(session, head, ERROR_TOO_MANY_MATCHES, NULL);
        return false;
    }
    return true;
}

void
handle_create(struct session *session, const union client_frame *any)
{
    const struct frame_create *frame = &any->create;
    const struct sk_ruleset *ruleset = sk_registry_find(frame->ruleset, 0);
    struct shared_config *config;
    struct record_settings settings;
    struct sk_fault fault;
    struct sk_seed seed;
    int32_t seat = frame->has_seat ? frame->seat : 0;

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
    if (config_from_json(session->host, ruleset, frame->params.object, &config, &fault) != SK_OK) {
        session_params_fault(session, &frame->head, &fault);
        return;
    }
    if (seat >= ruleset->seat_count(config->config)) {
        config_release(session->host, config);
        session_error(session, &frame->head, ERROR_SEAT_TAKEN, NULL);
        return;
    }
    settings = settings_of(frame, ruleset);
    settings.is_rated = settings.is_rated && !session->player->is_bot;
    (void)room_create(session, &frame->head, config, &settings, seat,
                      frame->seed.length > 0 ? &seed : NULL, 0);
}
