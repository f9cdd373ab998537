/*
 * From what is stored to a live room.
 *
 * The match is played again from its first state through every stored turn;
 * a hash that does not come out as stored sets it aside.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "proto/schema_read.h"
#include "server/host/room.h"

struct restoring {
    struct room *room;
    struct store_job *job;
    struct sk_fault fault;
    const char *trouble; /* why it cannot be, or NULL */
    int64_t opened_at_ms;
    int64_t shift_ms;
    record_shown *shown; /* or NULL */
    void *context;
    struct pending_turn *turn; /* the texts of the turn being told */
};

static bool
trouble(struct restoring *in, const char *what)
{
    in->trouble = what;
    return false;
}

/* The record's body as a form; the parsed object must be put by the caller. */
static bool
read_body(struct restoring *in, const struct store_record *record, const struct sk_schema *schema,
          struct json_object **ret_json, void *ret_form)
{
    struct host *host = in->room->host;

    host->arena.used = 0;
    if (sk_json_parse(&host->reader, record->body, record->body_length, ret_json, &in->fault) !=
        SK_OK) {
        *ret_json = NULL;
        return trouble(in, "a record's body is not JSON");
    }
    if (sk_form_read(schema, *ret_json, &host->arena, ret_form, &in->fault) != SK_OK) {
        sk_json_free(*ret_json);
        *ret_json = NULL;
        return trouble(in, "a record's body is not of its form");
    }
    return true;
}

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

static bool
restore_joined(struct restoring *in, const struct store_record *record)
{
    struct record_joined joined;
    struct json_object *json;

    if (record->seat < 0 || record->seat >= in->room->seat_count) {
        return trouble(in, "a seat that does not exist was joined");
    }
    if (!read_body(in, record, &sk_record_joined, &json, &joined)) {
        return false;
    }
    sk_json_free(json);
    seat_set(&in->room->seats[record->seat], joined.has_player ? joined.player : 0,
             name_of(in->job, joined.player), joined.bot);
    if (joined.starts) {
        room_begin(in->room);
        in->opened_at_ms = record->at_ms;
    }
    return true;
}

static bool
read_turn_commands(struct restoring *in, const struct record_turn *body, struct sk_turn *turn)
{
    const struct sk_json *commands = body->commands.at;

    if (body->commands.count != in->room->seat_count) {
        return trouble(in, "a turn has commands of another number of seats");
    }
    for (uint8_t seat = 0; seat < in->room->seat_count; seat++) {
        struct sk_list list;

        if (sk_commands_read(in->room->ruleset->command, commands[seat].object, SK_COMMANDS_MAX,
                             &in->room->host->arena, &list, &in->fault) != SK_OK) {
            return trouble(in, "a turn's commands are not the ruleset's");
        }
        turn->commands[seat] = (struct sk_commands){ list.at, list.count };
    }
    return true;
}

static bool
replay_turn(struct restoring *in, const struct record_turn *body)
{
    struct room *room = in->room;
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
        return trouble(in, "a turn does not come to its stored hash");
    }
    if (in->shown != NULL) {
        in->turn = host_memory(sizeof(*in->turn));
        room_keep_texts(room, &turn, in->turn);
    }
    room_remember_past(room);
    memcpy(room->state, turn.after, room->state_size);
    memcpy(room->last_hash, hash, sizeof(hash));
    return true;
}

static bool
restore_turn(struct restoring *in, const struct store_record *record)
{
    struct room *room = in->room;
    struct record_turn body;
    struct json_object *json;
    bool is_fine;

    if (room->phase != ROOM_RUNNING || record->turn != (int32_t)room->state->turn) {
        return trouble(in, "a turn stands where none can be");
    }
    if (!read_body(in, record, &sk_record_turn, &json, &body)) {
        return false;
    }
    is_fine = replay_turn(in, &body);
    for (uint8_t seat = 0; is_fine && seat < room->seat_count; seat++) {
        submission_free(room->seats[seat].stored);
        room->seats[seat].stored = NULL;
        if (seat < body.bank_ms.count) {
            room->seats[seat].bank_ms = ((const int32_t *)body.bank_ms.at)[seat];
        }
    }
    sk_json_free(json);
    in->opened_at_ms = record->at_ms;
    in->shift_ms = 0;
    room->offer = -1;
    room->offer_next = -1;
    return is_fine;
}

static bool
restore_submission(struct restoring *in, const struct store_record *record)
{
    struct room *room = in->room;
    struct record_submission body;
    struct json_object *json;
    struct submission *submission;
    struct sk_list list;
    size_t size;

    if (record->seat < 0 || record->seat >= room->seat_count || record->command_id == NULL) {
        return trouble(in, "a submission has no seat or no id");
    }
    if (!read_body(in, record, &sk_record_submission, &json, &body)) {
        return false;
    }
    if (sk_commands_read(room->ruleset->command, body.commands.object, SK_COMMANDS_MAX,
                         &room->host->arena, &list, &in->fault) != SK_OK) {
        sk_json_free(json);
        return trouble(in, "a submission's commands are not the ruleset's");
    }
    submission = host_memory(sizeof(*submission));
    size = (size_t)list.count * room->ruleset->command->size;
    submission->references = 1;
    submission->count = list.count;
    submission->is_ready = body.ready;
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
    room_note_id(room, (uint8_t)record->seat, sk_text_of(record->command_id));
    return true;
}

static bool
restore_withdrawn(struct restoring *in, const struct store_record *record)
{
    struct room *room = in->room;

    if (record->seat < 0 || record->seat >= room->seat_count || record->command_id == NULL) {
        return trouble(in, "a withdrawal has no seat or no id");
    }
    submission_free(room->seats[record->seat].stored);
    room->seats[record->seat].stored = NULL;
    room_note_id(room, (uint8_t)record->seat, sk_text_of(record->command_id));
    return true;
}

static bool
restore_clock(struct restoring *in, const struct store_record *record)
{
    struct record_clock body;
    struct json_object *json;

    if (!read_body(in, record, &sk_record_clock, &json, &body)) {
        return false;
    }
    sk_json_free(json);
    in->shift_ms += body.shift_ms;
    return true;
}

static bool
restore_offer(struct restoring *in, const struct store_record *record)
{
    struct record_offer body;
    struct json_object *json;

    if (!read_body(in, record, &sk_record_offer, &json, &body)) {
        return false;
    }
    sk_json_free(json);
    in->room->offer = body.is_declined ? -1 : record->seat;
    in->room->offer_next = in->room->offer;
    return true;
}

static bool
restore_ended(struct restoring *in, const struct store_record *record)
{
    in->room->phase = ROOM_OVER;
    memcpy(in->room->head, record->hash, STORE_HASH_BYTES);
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
    [RECORD_CREATED] = { restore_nothing, true },
    [RECORD_JOINED] = { restore_joined, true },
    [RECORD_SUBMISSION] = { restore_submission, false },
    [RECORD_WITHDRAWN] = { restore_withdrawn, false },
    [RECORD_TURN] = { restore_turn, true },
    [RECORD_CLOCK] = { restore_clock, true },
    [RECORD_OFFER] = { restore_offer, true },
    [RECORD_ENDED] = { restore_ended, true },
    [RECORD_SNAPSHOT] = { restore_nothing, false },
};

static bool
restore_settings(struct restoring *in)
{
    struct room *room = in->room;
    struct host *host = room->host;
    struct record_settings settings;
    struct json_object *json;

    host->arena.used = 0;
    if (sk_json_parse(&host->reader, in->job->match.settings, strlen(in->job->match.settings),
                      &json, &in->fault) != SK_OK) {
        return trouble(in, "the settings are not JSON");
    }
    if (sk_form_read(&sk_record_settings, json, &host->arena, &settings, &in->fault) != SK_OK) {
        sk_json_free(json);
        return trouble(in, "the settings are not of their form");
    }
    sk_json_free(json);
    room_set_settings(room, &settings);
    return true;
}

static bool
restore_head(struct restoring *in)
{
    struct room *room = in->room;
    struct store_match *match = &in->job->match;

    room->ruleset = sk_registry_find(sk_text_of(match->ruleset), match->version);
    if (room->ruleset == NULL) {
        return trouble(in, "this server does not have the ruleset in that version");
    }
    if (config_from_text(room->host, room->ruleset, sk_text_of(match->params), &room->config,
                         &in->fault) != SK_OK) {
        return trouble(in, "the ruleset does not take the stored params");
    }
    room->seat_count = room->ruleset->seat_count(room->config->config);
    memcpy(room->seed.bytes, match->seed, SK_SEED_BYTES);
    memcpy(room->salt.bytes, match->salt, SK_SEED_BYTES);
    room->code = match->code == NULL ? NULL : host_text(sk_text_of(match->code));
    room->phase = ROOM_WAITING;
    if (!restore_settings(in)) {
        return false;
    }
    room->is_rated = match->is_rated; /* a bot may have come after the settings were made */
    return true;
}

static bool
restore_records(struct restoring *in)
{
    for (uint32_t i = 0; i < in->job->record_count; i++) {
        const struct store_record *record = &in->job->records[i];

        if (!restorers[record->kind].run(in, record)) {
            return false;
        }
        in->room->seq += restorers[record->kind].is_public ? 1 : 0;
        in->room->record_seq = record->seq;
        in->room->stored_seq = record->seq;
        if (in->shown != NULL && restorers[record->kind].is_public) {
            in->shown(in->room, record, in->turn, in->context);
        }
        pending_free(in->turn);
        in->turn = NULL;
    }
    return true;
}

/* Clocks go on where the last beat left them: the time since is nobody's. */
static void
restore_clocks(struct restoring *in)
{
    struct room *room = in->room;
    struct host *host = room->host;
    int64_t wall_ms = host->world.wall_ms(host->world.context);
    int64_t stopped_ms =
        host->last_beat_ms > in->opened_at_ms ? host->last_beat_ms : in->opened_at_ms;
    int64_t ran_ms = stopped_ms - in->opened_at_ms - in->shift_ms;
    struct record_clock body = { .shift_ms = 0 };

    room_open_turn(room);
    room->opened_ms -= ran_ms < 0 ? 0 : ran_ms;
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct seat *it = &room->seats[seat];

        it->away_since_ms = host->world.now_ms(host->world.context);
        it->latest = it->stored;
        if (it->latest != NULL) {
            it->latest->references++;
            it->ready_ms = it->latest->is_ready ? room->opened_ms + 1 : 0;
        }
    }
    room_set_deadline(room);
    if (room->clock.has_turn && wall_ms > stopped_ms) {
        int64_t shift_ms = wall_ms - stopped_ms;

        body.shift_ms = (int32_t)(shift_ms > INT32_MAX ? INT32_MAX : shift_ms);
        room_store_shift(room, &body);
    }
    room_close_if_ready(room);
}

const char *
room_replay(struct room *room, struct store_job *job, record_shown *shown, void *context)
{
    struct restoring in = { .room = room, .job = job, .shown = shown, .context = context };

    return restore_head(&in) && restore_records(&in) ? NULL : in.trouble;
}

/* Nobody follows yet: this only fills what spectators will be shown later. */
static void
keep_for_spectators(struct room *room, const struct store_record *record,
                    const struct pending_turn *turn, void *context)
{
    (void)context;
    room_show_record(room, record, turn);
}

static bool
restore_all(struct restoring *in)
{
    if (!restore_head(in)) {
        return false;
    }
    in->shown = in->room->spectator_delay > 0 ? keep_for_spectators : NULL;
    return restore_records(in);
}

void
room_restore(struct room *room, struct store_job *job)
{
    struct restoring in = { .room = room, .job = job };

    if (!restore_all(&in)) {
        room_quarantine(room, in.trouble);
        return;
    }
    if (room->phase == ROOM_RUNNING) {
        restore_clocks(&in);
    }
}
