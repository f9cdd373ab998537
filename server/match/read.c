#include "server/match/read.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/core/rules.h"
#include "proto/schema_read.h"

/* A player who left an imported match before it started; unknown on this server. */
#define PLAYER_ELSEWHERE (-1)

const char *
match_read_body(struct work *work, const struct store_record *record,
                const struct sk_schema *schema, struct sk_value **ret_json, void *ret_form)
{
    struct sk_value *json;
    struct sk_fault fault;

    work->arena.used = 0;
    if (sk_json_parse(record->body, record->body_length, &json, &fault) != SK_OK) {
        return "a record's body is not JSON";
    }
    if (sk_form_read(schema, json, &work->arena, ret_form, &fault) != SK_OK) {
        sk_json_free(json);
        return "a record's body does not match its schema";
    }
    *ret_json = json;
    return NULL;
}

/* ---- the beginning ----------------------------------------------------------------------- */

static const char *
read_settings(struct work *work, const char *text, struct match *match)
{
    struct record_settings settings;
    struct sk_value *json;
    struct sk_fault fault;
    enum sk_status status;

    work->arena.used = 0;
    if (sk_json_parse(text, strlen(text), &json, &fault) != SK_OK) {
        return "the settings are not JSON";
    }
    status = sk_form_read(&sk_record_settings, json, &work->arena, &settings, &fault);
    sk_json_free(json);
    if (status != SK_OK) {
        return "the settings do not match their schema";
    }
    match->created_by = settings.has_created_by ? settings.created_by : 0;
    match->is_open = settings.is_open;
    match->is_rated = settings.is_rated;
    match->spectator_delay = settings.spectator_delay;
    match->clock = (struct match_clock){
        .has_turn = settings.has_clock,
        .turn_ms = settings.has_turn_ms ? settings.turn_ms : 0,
        .bank_ms = settings.bank_ms,
        .is_cycle = settings.is_cycle,
    };
    return NULL;
}

const char *
match_begin(struct work *work, const struct store_match *row, struct match *ret_match)
{
    struct sk_fault fault;

    ret_match->ruleset = sk_registry_find(sk_text_of(row->ruleset), row->version);
    if (ret_match->ruleset == NULL) {
        return "this program does not have this version of the ruleset";
    }
    if (config_from_text(work, ret_match->ruleset, sk_text_of(row->params), &ret_match->config,
                         &fault) != SK_OK) {
        return "the ruleset refuses the stored params";
    }
    ret_match->status = MATCH_WAITS;
    ret_match->seat_count = sk_rules_seat_count(ret_match->ruleset, ret_match->config->config);
    memcpy(ret_match->seed.bytes, row->seed, SK_SEED_BYTES);
    memcpy(ret_match->salt.bytes, row->salt, SK_SEED_BYTES);
    return read_settings(work, row->settings, ret_match);
}

/* ---- seats ------------------------------------------------------------------------------- */

/* Records of an imported match name players by their ids on the server it was played on. */
static int64_t
player_here(const struct store_job *people, int64_t player)
{
    if (people->match.origin == 0 || player == 0) {
        return player;
    }
    for (int seat = 0; seat < STORE_SEATS_MAX; seat++) {
        if (people->seats[seat].origin_player == player) {
            return people->seats[seat].player;
        }
    }
    return PLAYER_ELSEWHERE;
}

struct fact_joined
match_read_sitter(const struct store_job *people, int64_t player, bool is_bot)
{
    struct fact_joined joined = { .player = player, .is_bot = is_bot };

    if (people == NULL) {
        return joined;
    }
    joined.player = player_here(people, player);
    for (int seat = 0; seat < STORE_SEATS_MAX && joined.player != 0; seat++) {
        if (people->seats[seat].player == joined.player && people->seats[seat].name != NULL) {
            strncpy(joined.name, people->seats[seat].name, sizeof(joined.name) - 1);
            break;
        }
    }
    return joined;
}

static const char *
read_joined(const struct match *match, const struct store_job *people,
            const struct store_record *record, const struct record_joined *body, struct fact *fact)
{
    if (record->seat < 0 || record->seat >= match->seat_count || match->status != MATCH_WAITS) {
        return "a record joins a seat that could not be joined";
    }
    fact->joined = match_read_sitter(people, body->has_player ? body->player : 0, body->bot);
    if (record->name != NULL) { /* a player who has since left the seat */
        fact->joined.player = body->player;
        memset(fact->joined.name, 0, sizeof(fact->joined.name));
        strncpy(fact->joined.name, record->name, sizeof(fact->joined.name) - 1);
    }
    fact->joined.is_unrated = body->unrated;
    fact->joined.starts = body->starts;
    return NULL;
}

/* ---- submissions ------------------------------------------------------------------------- */

static const char *
read_submission(struct work *work, const struct match *match, const struct store_record *record,
                const struct record_submission *body, struct fact *fact)
{
    struct submission *submission;
    struct sk_fault fault;
    struct sk_list list;
    char *verdicts;

    if (record->seat < 0 || record->seat >= match->seat_count || record->command_id == NULL ||
        match->status != MATCH_RUNS) {
        return "a submission has no seat or no id";
    }
    if (sk_commands_read(match->ruleset->command, body->commands.object, SK_COMMANDS_MAX,
                         &work->arena, &list, &fault) != SK_OK) {
        return "a submission's commands do not match the ruleset's schema";
    }
    verdicts = sk_json_text_of(body->verdicts.object);
    submission = submission_alloc(match->ruleset, &(struct submission_parts){
                                                      .command_id = sk_text_of(record->command_id),
                                                      .commands = &list,
                                                      .said = body->commands.object,
                                                      .verdicts = sk_text_of(verdicts),
                                                  });
    free(verdicts);
    submission->is_ready = body->ready;
    submission->used_ms = body->used_ms;
    fact->submission = submission;
    fact->used_ms = body->used_ms;
    return NULL;
}

static const char *
read_withdrawn(const struct match *match, const struct store_record *record,
               const struct record_withdrawn *body, struct fact *fact)
{
    if (record->seat < 0 || record->seat >= match->seat_count || record->command_id == NULL ||
        match->status != MATCH_RUNS) {
        return "a withdrawal has no seat or no id";
    }
    fact->used_ms = body->used_ms;
    return NULL;
}

/* ---- turns ------------------------------------------------------------------------------- */

void
match_read_clocks(const struct match *match, const struct record_turn *body,
                  struct clock_step ret_clocks[SK_SEATS_MAX])
{
    const int32_t *banks = body->bank_ms.at;
    const int32_t *missed = body->missed.at;
    const int32_t *going = body->going_ms.at;

    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        ret_clocks[seat] = (struct clock_step){
            .bank_ms = seat < body->bank_ms.count ? banks[seat] : match->seats[seat].bank_ms,
            .missed = seat < body->missed.count ? (uint32_t)missed[seat] : 0,
            .going_ms = seat < body->going_ms.count ? going[seat] : 0,
        };
    }
}

static const char *
read_commands(struct work *work, const struct match *match, const struct record_turn *body,
              struct sk_turn *turn)
{
    const struct sk_json *commands = body->commands.at;

    if (body->commands.count != match->seat_count) {
        return "a turn's commands are for the wrong number of seats";
    }
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        struct sk_fault fault;
        struct sk_list list;

        if (sk_commands_read(match->ruleset->command, commands[seat].object, SK_COMMANDS_MAX,
                             &work->arena, &list, &fault) != SK_OK) {
            return "a turn's commands do not match the ruleset's schema";
        }
        turn->commands[seat] = (struct sk_commands){ list.at, list.count };
    }
    return NULL;
}

static const char *
read_turn(struct work *work, const struct match *match, const struct store_record *record,
          const struct record_turn *body, struct sk_turn *turn, struct fact *fact)
{
    const char *trouble;
    bool is_played;

    if (match->status != MATCH_RUNS || record->turn != (int32_t)match->state->turn) {
        return "a turn is recorded where none is possible";
    }
    work_turn(work, match->ruleset, match->config->config, turn);
    turn->before = match->state;
    turn->seed = &match->seed;
    trouble = read_commands(work, match, body, turn);
    if (trouble != NULL) {
        return trouble;
    }
    is_played = sk_turn_resolve(turn);
    fact->pending = pending_alloc(match, turn);
    fact->is_as_stored = is_played && sk_text_same(sk_text_of(fact->pending->hash), body->hash);
    match_read_clocks(match, body, fact->pending->clocks);
    return NULL;
}

/* ---- any record -------------------------------------------------------------------------- */

static const struct sk_schema *const schemas[RECORD_KIND_COUNT] = {
    [RECORD_JOINED] = &sk_record_joined, [RECORD_SUBMISSION] = &sk_record_submission,
    [RECORD_TURN] = &sk_record_turn,     [RECORD_WITHDRAWN] = &sk_record_withdrawn,
    [RECORD_CLOCK] = &sk_record_clock,   [RECORD_OFFER] = &sk_record_offer,
};

static struct fact
fact_of(const struct store_record *record)
{
    return (struct fact){
        .kind = record->kind,
        .turn = record->turn < 0 ? 0 : (uint32_t)record->turn,
        .seat = (uint8_t)record->seat,
        .head = record->hash,
    };
}

void
match_read_resolved(const struct match *match, const struct store_record *record,
                    struct sk_turn *turn, struct fact *ret_fact)
{
    *ret_fact = fact_of(record);
    ret_fact->pending = pending_alloc(match, turn);
}

const char *
match_read_form(struct work *work, const struct match *match, const struct store_job *people,
                const struct store_record *record, const union record_form *form,
                struct sk_turn *ret_turn, struct fact *ret_fact)
{
    *ret_fact = fact_of(record);
    switch (record->kind) {
    case RECORD_JOINED:
        return read_joined(match, people, record, &form->joined, ret_fact);
    case RECORD_SUBMISSION:
        return read_submission(work, match, record, &form->submission, ret_fact);
    case RECORD_TURN:
        return read_turn(work, match, record, &form->turn, ret_turn, ret_fact);
    case RECORD_WITHDRAWN:
        return read_withdrawn(match, record, &form->withdrawn, ret_fact);
    case RECORD_CLOCK:
        ret_fact->shift_ms = form->clock.shift_ms;
        return NULL;
    case RECORD_OFFER:
        ret_fact->is_declined = form->offer.is_declined;
        return record->seat < 0 || record->seat >= match->seat_count ? "an offer has no seat"
                                                                     : NULL;
    default:
        return NULL;
    }
}

const char *
match_read(struct work *work, const struct match *match, const struct store_job *people,
           const struct store_record *record, struct sk_turn *ret_turn, struct fact *ret_fact)
{
    struct sk_value *json = NULL;
    const char *trouble = NULL;
    union record_form form;

    *ret_fact = (struct fact){ 0 };
    if (schemas[record->kind] != NULL) {
        trouble = match_read_body(work, record, schemas[record->kind], &json, &form);
    }
    if (trouble == NULL) {
        trouble = match_read_form(work, match, people, record, &form, ret_turn, ret_fact);
        if (ret_fact->pending != NULL && form.turn.failures.object != NULL) {
            ret_fact->pending->failures = sk_json_text_of(form.turn.failures.object);
        }
        sk_json_free(json);
    }
    return trouble;
}

void
fact_fini(struct fact *fact)
{
    submission_free(fact->submission);
    pending_free(fact->pending);
}
