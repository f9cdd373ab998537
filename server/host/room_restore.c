/*
 * From what is stored to a room.
 *
 * The match is played again from its newest snapshot, or from its first
 * state, through every stored turn; a hash that does not come out as stored
 * sets it aside.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "proto/schema_read.h"
#include "server/host/restore.h"
#include "server/host/room_bot.h"

#define PIECE_RECORDS 16 /* of one match, then it is the next one's turn */

/* Somebody who left an imported match before it started: nobody here. */
#define PLAYER_ELSEWHERE (-1)

bool
restore_trouble(struct restoring *in, const char *what)
{
    in->trouble = what;
    return false;
}

bool
restore_body(struct restoring *in, const struct store_record *record,
             const struct sk_schema *schema, struct sk_value **ret_json, void *ret_form)
{
    struct host *host = in->host;
    struct sk_value *json;

    host->arena.used = 0;
    if (sk_json_parse(&host->reader, record->body, record->body_length, &json, &in->fault) !=
        SK_OK) {
        return restore_trouble(in, "a record's body is not JSON");
    }
    if (sk_form_read(schema, json, &host->arena, ret_form, &in->fault) != SK_OK) {
        sk_json_free(json);
        return restore_trouble(in, "a record's body is not of its form");
    }
    *ret_json = json;
    return true;
}

/* ---- records ----------------------------------------------------------------------------- */

/* Records know players by their ids; the store has added the names. */
static const char *
name_of(const struct store_job *job, int64_t player)
{
    for (int seat = 0; seat < STORE_SEATS_MAX; seat++) {
        if (player != 0 && job->seats[seat].player == player && job->seats[seat].name != NULL) {
            return job->seats[seat].name;
        }
    }
    return "";
}

/* The records of an imported match know its players by their ids where it was played. */
static int64_t
player_here(const struct store_job *job, int64_t player)
{
    if (job->match.origin == 0 || player == 0) {
        return player;
    }
    for (int seat = 0; seat < STORE_SEATS_MAX; seat++) {
        if (job->seats[seat].origin_player == player) {
            return job->seats[seat].player;
        }
    }
    return PLAYER_ELSEWHERE;
}

/* A bot of the server's is known by its player. */
void
restore_seat(struct restoring *in, uint8_t seat, int64_t player, bool is_bot)
{
    const struct store_seat *stored = &in->job->seats[seat];

    player = player_here(in->job, player);
    seat_set(&in->room.seats[seat], player, name_of(in->job, player), is_bot);
    if (player != 0 && stored->player == player && stored->bot != NULL) {
        (void)seat_set_bot(&in->room.seats[seat], stored->bot);
    }
}

static bool
restore_created(struct restoring *in, const struct store_record *record)
{
    if (in->at != 0) {
        return restore_trouble(in, "it was created twice");
    }
    return restore_verify_created(in, record);
}

static bool
restore_joined(struct restoring *in, const struct store_record *record)
{
    struct room *room = &in->room;
    struct record_joined joined;
    struct sk_value *json;

    if (record->seat < 0 || record->seat >= room->seat_count || room->phase != ROOM_WAITING) {
        return restore_trouble(in, "a seat was joined that could not be");
    }
    if (!restore_body(in, record, &sk_record_joined, &json, &joined)) {
        return false;
    }
    sk_json_free(json);
    restore_seat(in, (uint8_t)record->seat, joined.has_player ? joined.player : 0, joined.bot);
    if (record->name != NULL) {
        seat_set(&room->seats[record->seat], joined.player, record->name, joined.bot);
    }
    if (joined.starts) {
        room_begin(room);
        restore_open(in, record->at_ms);
    }
    return true;
}

/* The public record that is being restored. */
static bool
is_shown(const struct restoring *in)
{
    return in->shown != NULL && in->room.seq + 1 > in->shown_after;
}

static bool
read_turn_commands(struct restoring *in, const struct record_turn *body, struct sk_turn *turn)
{
    const struct room *room = &in->room;
    const struct sk_json *commands = body->commands.at;

    if (body->commands.count != room->seat_count) {
        return restore_trouble(in, "a turn has commands of another number of seats");
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct sk_list list;

        if (sk_commands_read(room->ruleset->command, commands[seat].object, SK_COMMANDS_MAX,
                             &in->host->arena, &list, &in->fault) != SK_OK) {
            return restore_trouble(in, "a turn's commands are not the ruleset's");
        }
        turn->commands[seat] = (struct sk_commands){ list.at, list.count };
    }
    return true;
}

static bool
replay_turn(struct restoring *in, const struct record_turn *body)
{
    struct room *room = &in->room;
    struct sk_turn turn;
    char hash[FRAME_HASH_DIGITS + 1];

    host_turn(room->host, room->ruleset, room->config->config, &turn);
    turn.before = room->state;
    turn.seed = &room->seed;
    if (!read_turn_commands(in, body, &turn)) {
        return false;
    }
    sk_turn_resolve(&turn);
    hash_text(sk_turn_hash(&turn), hash);
    if (!sk_text_same(sk_text_of(hash), body->hash)) {
        return restore_trouble(in, "a turn does not come to its stored hash");
    }
    if (is_shown(in)) {
        in->turn = host_memory(sizeof(*in->turn));
        room_keep_texts(room, &turn, in->turn);
        in->turn->failures =
            body->failures.object == NULL ? NULL : sk_json_text_of(body->failures.object);
    }
    room_remember_past(room);
    memcpy(room->state, turn.after, room->state_size);
    memcpy(room->last_hash, hash, sizeof(hash));
    return true;
}

void
restore_turn_clocks(struct room *room, const struct record_turn *body)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct seat *it = &room->seats[seat];

        if (seat < body->bank_ms.count) {
            it->bank_ms = ((const int32_t *)body->bank_ms.at)[seat];
        }
        it->missed =
            seat < body->missed.count ? (uint32_t)((const int32_t *)body->missed.at)[seat] : 0;
        it->going_ms = seat < body->going_ms.count ? ((const int32_t *)body->going_ms.at)[seat] : 0;
    }
}

static bool
restore_turn(struct restoring *in, const struct store_record *record)
{
    struct room *room = &in->room;
    struct record_turn body;
    struct sk_value *json;
    bool is_fine;

    if (room->phase != ROOM_RUNNING || record->turn != (int32_t)room->state->turn) {
        return restore_trouble(in, "a turn stands where none can be");
    }
    if (!restore_body(in, record, &sk_record_turn, &json, &body)) {
        return false;
    }
    is_fine = replay_turn(in, &body);
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        submission_free(room->seats[seat].stored);
        room->seats[seat].stored = NULL;
    }
    restore_turn_clocks(room, &body);
    sk_json_free(json);
    restore_open(in, record->at_ms);
    room->offer = -1;
    room->offer_next = -1;
    return is_fine;
}

/* The clocks' `since_ms` is wall clock until they go on. */
void
restore_open(struct restoring *in, int64_t at_ms)
{
    struct room *room = &in->room;
    uint32_t owing = sk_turn_owing(room->ruleset, room->config->config, room->state);

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        room->seats[seat].used_ms = 0;
        room->seats[seat].since_ms = at_ms;
        room->seats[seat].is_running = (owing >> seat & 1) != 0;
    }
    in->last_at_ms = at_ms;
}

static void
restore_seat_clock(struct restoring *in, const struct store_record *record, int64_t used_ms,
                   bool is_thinking)
{
    const struct room *room = &in->room;
    struct seat *seat = &in->room.seats[record->seat];
    uint32_t owing = sk_turn_owing(room->ruleset, room->config->config, room->state);

    if (room->phase == ROOM_RUNNING && (owing >> record->seat & 1) != 0) {
        seat->used_ms = used_ms;
        seat->since_ms = record->at_ms;
        seat->is_running = is_thinking;
    }
}

static bool
restore_submission(struct restoring *in, const struct store_record *record)
{
    struct room *room = &in->room;
    struct record_submission body;
    struct sk_value *json;
    struct submission *submission;
    struct sk_list list;
    size_t size;

    if (record->seat < 0 || record->seat >= room->seat_count || record->command_id == NULL) {
        return restore_trouble(in, "a submission has no seat or no id");
    }
    if (!restore_body(in, record, &sk_record_submission, &json, &body)) {
        return false;
    }
    if (sk_commands_read(room->ruleset->command, body.commands.object, SK_COMMANDS_MAX,
                         &room->host->arena, &list, &in->fault) != SK_OK) {
        sk_json_free(json);
        return restore_trouble(in, "a submission's commands are not the ruleset's");
    }
    submission = host_memory(sizeof(*submission));
    size = (size_t)list.count * room->ruleset->command->size;
    submission->references = 1;
    submission->count = list.count;
    submission->is_ready = body.ready;
    submission->used_ms = body.used_ms;
    submission->at = host_memory(size);
    if (size > 0) {
        memcpy(submission->at, list.at, size);
    }
    submission->commands = sk_json_text_of(body.commands.object);
    submission->verdicts = sk_json_text_of(body.verdicts.object);
    strncpy(submission->command_id, record->command_id, sizeof(submission->command_id) - 1);
    sk_json_free(json);
    submission_free(room->seats[record->seat].stored);
    room->seats[record->seat].stored = submission;
    restore_seat_clock(in, record, submission->used_ms,
                       !submission->is_ready || in->room.clock.is_cycle);
    return true;
}

static bool
restore_withdrawn(struct restoring *in, const struct store_record *record)
{
    struct room *room = &in->room;
    struct record_withdrawn body;
    struct sk_value *json;

    if (record->seat < 0 || record->seat >= room->seat_count || record->command_id == NULL) {
        return restore_trouble(in, "a withdrawal has no seat or no id");
    }
    if (!restore_body(in, record, &sk_record_withdrawn, &json, &body)) {
        return false;
    }
    sk_json_free(json);
    submission_free(room->seats[record->seat].stored);
    room->seats[record->seat].stored = NULL;
    restore_seat_clock(in, record, body.used_ms, true);
    return true;
}

static bool
restore_clock(struct restoring *in, const struct store_record *record)
{
    struct record_clock body;
    struct sk_value *json;

    if (!restore_body(in, record, &sk_record_clock, &json, &body)) {
        return false;
    }
    sk_json_free(json);
    for (uint8_t seat = 0; seat < in->room.seat_count; seat++) {
        in->room.seats[seat].since_ms += body.shift_ms;
    }
    return true;
}

static bool
restore_offer(struct restoring *in, const struct store_record *record)
{
    struct record_offer body;
    struct sk_value *json;

    if (!restore_body(in, record, &sk_record_offer, &json, &body)) {
        return false;
    }
    sk_json_free(json);
    in->room.offer = body.is_declined ? -1 : record->seat;
    in->room.offer_next = in->room.offer;
    return true;
}

static bool
restore_ended(struct restoring *in, const struct store_record *record)
{
    in->room.phase = ROOM_OVER;
    memcpy(in->room.head, record->hash, STORE_HASH_BYTES);
    return true;
}

static bool
restore_nothing(struct restoring *in, const struct store_record *record)
{
    (void)in;
    (void)record;
    return true;
}

struct restorer {
    bool (*run)(struct restoring *in, const struct store_record *record);
    bool is_public; /* has a seq on the wire */
};

static const struct restorer restorers[RECORD_KIND_COUNT] = {
    [RECORD_CREATED] = { restore_created, true },
    [RECORD_JOINED] = { restore_joined, true },
    [RECORD_SUBMISSION] = { restore_submission, false },
    [RECORD_WITHDRAWN] = { restore_withdrawn, false },
    [RECORD_RESIGNED] = { restore_nothing, false },
    [RECORD_TURN] = { restore_turn, true },
    [RECORD_CLOCK] = { restore_clock, true },
    [RECORD_OFFER] = { restore_offer, true },
    [RECORD_ENDED] = { restore_ended, true },
    [RECORD_SNAPSHOT] = { restore_nothing, false },
};

/* ---- one after the other ------------------------------------------------------------------ */

static bool
restore_settings(struct restoring *in)
{
    struct host *host = in->host;
    const char *text = in->job->match.settings;
    struct record_settings settings;
    struct sk_value *json;

    host->arena.used = 0;
    if (sk_json_parse(&host->reader, text, strlen(text), &json, &in->fault) != SK_OK) {
        return restore_trouble(in, "the settings are not JSON");
    }
    if (sk_form_read(&sk_record_settings, json, &host->arena, &settings, &in->fault) != SK_OK) {
        sk_json_free(json);
        return restore_trouble(in, "the settings are not of their form");
    }
    sk_json_free(json);
    room_set_settings(&in->room, &settings);
    return true;
}

static bool
restore_head(struct restoring *in)
{
    struct room *room = &in->room;
    const struct store_match *match = &in->job->match;

    room->ruleset = sk_registry_find(sk_text_of(match->ruleset), match->version);
    if (room->ruleset == NULL) {
        return restore_trouble(in, "this server does not have the ruleset in that version");
    }
    if (config_from_text(in->host, room->ruleset, sk_text_of(match->params), &room->config,
                         &in->fault) != SK_OK) {
        return restore_trouble(in, "the ruleset does not take the stored params");
    }
    room->seat_count = room->ruleset->seat_count(room->config->config);
    memcpy(room->seed.bytes, match->seed, SK_SEED_BYTES);
    memcpy(room->salt.bytes, match->salt, SK_SEED_BYTES);
    room->code = match->code == NULL ? NULL : host_text(sk_text_of(match->code));
    room->phase = ROOM_WAITING;
    if (in->job->record_count == 0 || in->job->records[0].kind != RECORD_CREATED) {
        return restore_trouble(in, "the first record is another than it should be");
    }
    return restore_settings(in);
}

/* Spectators who are some turns behind will be shown these turns: they must be played again. */
static bool
has_enough_turns(struct restoring *in)
{
    const struct store_job *job = in->job;

    if (in->room.is_shadow || in->room.spectator_delay <= job->tail_turns ||
        !store_job_has_snapshot(job)) {
        return true;
    }
    in->again_turns = in->room.spectator_delay;
    return restore_trouble(in, "spectators are further behind than the snapshot");
}

static bool
restore_record(struct restoring *in)
{
    const struct store_record *record = &in->job->records[in->at];
    const struct restorer *restorer = &restorers[record->kind];
    bool tells = restorer->is_public && is_shown(in);

    if (!restorer->run(in, record)) {
        return false;
    }
    in->room.seq += restorer->is_public ? 1 : 0;
    in->last_at_ms = record->at_ms;
    in->at++;
    if (tells) {
        in->shown(in, record, in->turn);
    }
    pending_free(in->turn);
    in->turn = NULL;
    return true;
}

/* The next record; after the first one perhaps a snapshot and the turn in front of it. */
static bool
restore_next(struct restoring *in)
{
    const struct store_record *records = in->job->records;

    if (in->at == 0 && !(restore_head(in) && has_enough_turns(in))) {
        return false;
    }
    if (in->at != 1 || !store_job_has_snapshot(in->job)) {
        return restore_record(in);
    }
    if (in->job->record_count < 3 || !restore_snapshot(in, &records[1], &records[2])) {
        return in->trouble != NULL ? false : restore_trouble(in, "a snapshot is missing");
    }
    in->at = 3;
    return true;
}

/* True when it came to its end, or to trouble. */
static bool
restore_piece(struct restoring *in)
{
    uint32_t count = in->job->record_count;

    if (in->begins != NULL && !in->begins(in)) {
        return true;
    }
    for (int i = 0; i < PIECE_RECORDS && in->trouble == NULL && in->at < count; i++) {
        (void)restore_next(in);
    }
    if (in->trouble == NULL && in->at < count) {
        return false;
    }
    if (in->trouble == NULL && restore_verify_row(in)) {
        in->room.record_seq = in->job->records[count - 1].seq;
        in->room.stored_seq = in->room.record_seq;
        in->room.is_rated = in->job->match.is_rated; /* a bot may have come after the settings */
    } else if (in->again_turns == 0 && store_job_has_snapshot(in->job)) {
        in->again_turns = STORE_ALL_TURNS; /* without the snapshot it may go */
    }
    return true;
}

/* ---- all of them -------------------------------------------------------------------------- */

struct restoring *
restore_alloc(struct host *host, struct store_job *job)
{
    struct restoring *in = host_memory(sizeof(*in));

    in->host = host;
    in->job = store_job_take(job);
    in->room.host = host;
    in->room.id = in->job->match.id;
    in->room.offer = -1;
    in->room.offer_next = -1;
    return in;
}

static void
restore_free(struct restoring *in)
{
    room_clear(&in->room);
    pending_free(in->turn);
    store_job_free(in->job);
    free(in);
}

void
restore_start(struct restoring *in)
{
    struct restoring **at = &in->host->restorings;

    while (*at != NULL) {
        at = &(*at)->next;
    }
    in->next = NULL;
    *at = in;
}

/* The loop is kept from everything else for a moment only; a single record may take longer. */
void
restore_some(struct host *host)
{
    int64_t until_ms = host->world.now_ms(host->world.context) + host->piece_ms;

    while (host_has_work(host)) {
        struct restoring *in = host->restorings;

        host->restorings = in->next;
        if (restore_piece(in)) {
            in->done(in);
            restore_free(in);
        } else {
            restore_start(in);
        }
        if (host->world.now_ms(host->world.context) >= until_ms) {
            return;
        }
    }
}

void
restore_free_all(struct host *host)
{
    while (host->restorings != NULL) {
        struct restoring *in = host->restorings;

        host->restorings = in->next;
        free(in->context);
        restore_free(in);
    }
}

/* A seat's clock goes on where the daemon stopped. */
static void
start_clock(struct seat *seat, int64_t stopped_ms, int64_t now_ms)
{
    int64_t ran_ms = stopped_ms - seat->since_ms;

    seat->used_ms += seat->is_running && ran_ms > 0 ? ran_ms : 0;
    seat->since_ms = now_ms;
    seat->away_since_ms = now_ms;
    seat->latest = seat->stored;
    if (seat->latest != NULL) {
        seat->latest->references++;
    }
}

/* Clocks go on where the last beat or record left them: the time since is nobody's. */
void
restore_clocks(struct room *room, const struct restoring *in)
{
    struct host *host = room->host;
    int64_t now_ms = host->world.now_ms(host->world.context);
    int64_t wall_ms = host->world.wall_ms(host->world.context);
    int64_t stopped_ms = host->last_beat_ms > in->last_at_ms ? host->last_beat_ms : in->last_at_ms;
    int64_t shift_ms = wall_ms - stopped_ms;

    room->opened_ms = now_ms;
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        start_clock(&room->seats[seat], stopped_ms, now_ms);
    }
    room_set_deadline(room);
    if (room->clock.has_turn && shift_ms > 0) {
        room_shift(room, shift_ms);
    }
    room_go_on(room);
}
