#include "server/replay/playback.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/snapshot.h"
#include "proto/records.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "server/hex.h"
#include "server/match/read.h"
#include "server/memory.h"

/* A record of the longest submission and its turn: 128 commands per seat and what they caused. */
#define FORMS_SIZE ((size_t)16 * 1024 * 1024)

/* ---- memory ------------------------------------------------------------------------------ */

struct playback *
playback_alloc(void)
{
    struct playback *playback = heap_memory(sizeof(*playback));

    playback->work = heap_memory(sizeof(*playback->work));
    playback->has_own_work = true;
    work_init(playback->work, FORMS_SIZE);
    return playback;
}

struct playback *
playback_alloc_beside(const struct playback *other)
{
    struct playback *playback = heap_memory(sizeof(*playback));

    playback->work = other->work;
    return playback;
}

/* Keeps a copy, because the record is freed.  NULL: there are none. */
static void
keep_failures(struct playback *playback, const struct sk_value *failures)
{
    char *text = failures == NULL ? NULL : sk_json_text_of(failures);
    struct sk_fault fault;

    sk_json_free(playback->failures);
    playback->failures = NULL;
    if (text != NULL) {
        (void)sk_json_parse(text, strlen(text), &playback->failures, &fault);
    }
    free(text);
}

void
playback_free(struct playback *playback)
{
    if (playback == NULL) {
        return;
    }
    keep_failures(playback, NULL);
    match_fini(playback->work, &playback->match);
    if (playback->has_own_work) {
        work_fini(playback->work);
        free(playback->work);
    }
    free(playback->before);
    free(playback);
}

static enum sk_status
differs(struct sk_fault *fault, const char *member, const char *what)
{
    (void)sk_fault_set(fault, "differs", what);
    sk_fault_inside(fault, sk_text_of(member));
    return SK_ERR_DIFFERS;
}

/* ---- beginning --------------------------------------------------------------------------- */

/* Settings that cannot be read are reported with the first record, which has them too. */
enum sk_status
playback_begin(struct playback *playback, const struct store_match *row, struct sk_fault *ret_fault)
{
    struct match match;
    const char *trouble;

    match_init(&match, row->id);
    trouble = match_begin(playback->work, row, &match);
    if (match.config == NULL) {
        (void)sk_fault_set(ret_fault, match.ruleset == NULL ? "unknown_ruleset" : "bad_params",
                           trouble);
        sk_fault_inside(ret_fault, sk_text_of(match.ruleset == NULL ? "ruleset" : "params"));
        return SK_ERR_REFUSED;
    }
    playback->row = row;
    playback->settings_trouble = trouble;
    match_fini(playback->work, &playback->match); /* after: most have the same params */
    playback->match = match;
    playback->is_over = false;
    playback->has_turn = false;
    playback->recorded = (struct recorded){ .winner = STORE_NOBODY };
    work_turn(playback->work, match.ruleset, match.config->config, &playback->turn);
    if (playback->turn.sizes.state > playback->before_size) {
        free(playback->before);
        playback->before_size = playback->turn.sizes.state;
        playback->before = heap_memory(playback->before_size);
    }
    return SK_OK;
}

/* ---- texts ------------------------------------------------------------------------------- */

static bool
is_same(struct sk_text text, const char *other)
{
    return other != NULL && sk_text_same(text, sk_text_of(other));
}

static bool
says_the_same(struct sk_json json, struct sk_text expected)
{
    const struct sk_value *value = json.object;
    char *text;
    bool is_it;

    if (!value->is_spaced && value->kind != SK_VALUE_TEXT) {
        return sk_text_same((struct sk_text){ value->at, value->length }, expected);
    }
    text = sk_json_text_of(value);
    is_it = text != NULL && is_same(expected, text);
    free(text);
    return is_it;
}

/* The commands that a player sent: the host adds shared ones. */
static struct sk_text
own_commands(struct playback *playback, struct sk_commands commands)
{
    const struct sk_ruleset *ruleset = playback->match.ruleset;
    struct sk_json_out out = { 0 };

    while (work_writes(playback->work, &out)) {
        sk_json_begin_list(&out);
        for (uint32_t i = 0; i < commands.count; i++) {
            const struct sk_command *command = sk_command_at(ruleset, commands, i);

            if (command->kind >= SK_COMMAND_OWN) {
                sk_variant_write(&out, ruleset->command, command);
            }
        }
        sk_json_end_list(&out);
    }
    return work_text(&out);
}

static bool
has_events(struct playback *playback, struct sk_json events)
{
    struct sk_json_out out = { 0 };

    while (work_writes(playback->work, &out)) {
        sk_events_write(&out, &playback->turn);
    }
    return says_the_same(events, work_text(&out));
}

/* ---- faults ------------------------------------------------------------------------------ */

static enum sk_status
bad_record(struct sk_fault *fault, const char *what)
{
    (void)sk_fault_set(fault, "bad_record", what);
    return SK_ERR_CORRUPT;
}

/* ---- created, joined --------------------------------------------------------------------- */

static enum sk_status
play_created(struct playback *playback, const struct store_record *record, const void *form,
             struct sk_fault *ret_fault)
{
    const struct record_created *body = form;
    const struct store_match *match = playback->row;
    char commitment[FRAME_CHAIN_DIGITS + 1];

    if (record->seq != 1) {
        return bad_record(ret_fault, "a match is created once, by its first record");
    }
    if (!is_same(body->ruleset, match->ruleset) || body->version != (int32_t)match->version) {
        return differs(ret_fault, "ruleset", "the match's row names another ruleset or version");
    }
    if (!says_the_same(body->params, sk_text_of(match->params))) {
        return differs(ret_fault, "params", "the match's row has other params");
    }
    if (!says_the_same(body->settings, sk_text_of(match->settings))) {
        return differs(ret_fault, "settings", "the match's row has other settings");
    }
    if (playback->settings_trouble != NULL) {
        return bad_record(ret_fault, playback->settings_trouble);
    }
    commitment_of(&playback->match.salt, &playback->match.seed, commitment);
    if (!is_same(body->commitment, commitment)) {
        return differs(ret_fault, "commitment", "seed and salt are not those committed to");
    }
    playback->recorded.created_at_ms = record->at_ms;
    playback->recorded.rematch_of = body->has_rematch_of ? body->rematch_of : 0;
    return SK_OK;
}

/* A match starts when its last seat is taken. */
static enum sk_status
play_joined(struct playback *playback, const struct store_record *record, const void *form,
            struct sk_fault *ret_fault)
{
    const struct record_joined *body = form;
    bool is_full = body->has_player;

    for (uint8_t seat = 0; seat < playback->match.seat_count; seat++) {
        is_full = is_full && (seat == record->seat || playback->match.seats[seat].player != 0);
    }
    if (body->starts != is_full) {
        return differs(ret_fault, "starts", "a match starts when its last seat is taken");
    }
    playback->recorded.started_at_ms = body->starts ? record->at_ms : 0;
    return SK_OK;
}

/* ---- submissions ------------------------------------------------------------------------- */

static enum sk_status
expect_open_turn(const struct playback *playback, const struct store_record *record,
                 struct sk_fault *ret_fault)
{
    if (playback->match.state == NULL || playback->is_over ||
        playback->match.state->outcome.is_over) {
        return bad_record(ret_fault, "no turn is open there");
    }
    if (record->turn != (int32_t)playback->match.state->turn) {
        return bad_record(ret_fault, "another turn is open there");
    }
    return SK_OK;
}

/* The verdicts in the answer to the seat; in alternating rulesets they are final. */
static void
judge_submission(struct playback *playback, uint8_t seat, bool is_to_be_played)
{
    struct sk_turn *turn = &playback->turn;
    bool is_played;

    if (playback->match.ruleset->is_simultaneous || !is_to_be_played) {
        sk_turn_check(turn, seat);
        return;
    }
    memcpy(playback->before, playback->match.state, turn->sizes.state);
    turn->before = playback->before;
    is_played = sk_turn_resolve(turn);
    while (is_played) {
        memcpy(playback->before, turn->after, turn->sizes.state);
        is_played = sk_turn_resolve_next(turn);
    }
}

static enum sk_status
play_submission(struct playback *playback, const struct store_record *record, const void *form,
                struct sk_fault *ret_fault)
{
    const struct record_submission *body = form;
    const struct submission *sent = playback->fact.submission;
    uint8_t seat = (uint8_t)record->seat;

    playback_branch(playback, &playback->turn);
    playback->turn.commands[seat] = (struct sk_commands){ sent->at, sent->count };
    judge_submission(playback, seat, !body->has_asked || body->asked);
    memcpy(playback->judged[seat], playback->turn.judgements[seat],
           sent->count * sizeof(playback->judged[seat][0]));
    if (!says_the_same(body->verdicts, verdicts_text(playback->work, &playback->turn, seat))) {
        return differs(ret_fault, "verdicts", "the checks give other verdicts");
    }
    return SK_OK;
}

/* The resignation itself is a command of the turn that follows. */
static enum sk_status
play_resigned(struct playback *playback, const struct store_record *record, const void *form,
              struct sk_fault *ret_fault)
{
    (void)form;
    return record->seat < 0 || record->seat >= playback->match.seat_count ||
                   record->command_id == NULL
               ? bad_record(ret_fault, "it has no seat or no id")
               : SK_OK;
}

/* ---- turns ------------------------------------------------------------------------------- */

/* A full list has no space for a command of the host, by which a seat leaves or agrees. */
static bool
gives_way(const struct submission *sent, const struct sk_ruleset *ruleset, struct sk_commands used)
{
    return sent->count == SK_COMMANDS_MAX && used.count == 1 &&
           sk_command_at(ruleset, used, 0)->kind != SK_COMMAND_TIMEOUT;
}

/* If so, their texts are equal too. */
static bool
are_same_bytes(const struct sk_ruleset *ruleset, struct sk_commands a, struct sk_commands b)
{
    return a.count == b.count &&
           (a.count == 0 || memcmp(a.at, b.at, a.count * ruleset->command->size) == 0);
}

/* A player's commands in a turn are exactly those that were submitted. */
static enum sk_status
expect_own_commands(struct playback *playback, uint8_t seat, struct sk_fault *ret_fault)
{
    const struct submission *sent = playback->match.seats[seat].latest;
    struct sk_commands commands = playback->turn.commands[seat];
    struct sk_commands wanted = { 0 };
    char *used;
    bool is_used;

    if (sent != NULL && !gives_way(sent, playback->match.ruleset, commands)) {
        wanted = (struct sk_commands){ sent->at, sent->count };
    }
    if (are_same_bytes(playback->match.ruleset, commands, wanted)) {
        return SK_OK;
    }
    used = heap_text(own_commands(playback, commands));
    is_used = is_same(own_commands(playback, wanted), used);
    free(used);
    return is_used ? SK_OK
                   : differs(ret_fault, "commands",
                             "these are not the commands that the seat had sent");
}

static enum sk_status
compare_turn(struct playback *playback, const struct record_turn *body, struct sk_fault *ret_fault)
{
    struct sk_turn *turn = &playback->turn;
    const struct sk_json *verdicts = body->verdicts.at;

    for (uint8_t seat = 0; seat < playback->match.seat_count; seat++) {
        if (!says_the_same(verdicts[seat], verdicts_text(playback->work, turn, seat))) {
            return differs(ret_fault, "verdicts", "the rules give other verdicts");
        }
    }
    if (!has_events(playback, body->events)) {
        return differs(ret_fault, "events", "the rules give other events");
    }
    if (!playback->fact.is_as_stored) {
        return differs(ret_fault, "hash", "the rules give another state");
    }
    return SK_OK;
}

/* After everything was compared: the turn can be shown. */
static void
keep_turn(struct playback *playback, const struct record_turn *body)
{
    memcpy(playback->before, playback->match.state, playback->match.state_size);
    playback->turn.before = playback->before;
    playback->has_turn = true;
    keep_failures(playback, body->failures.object);
}

static enum sk_status
play_turn(struct playback *playback, const struct store_record *record, const void *form,
          struct sk_fault *ret_fault)
{
    const struct record_turn *body = form;
    enum sk_status status = SK_OK;

    (void)record;
    if (body->verdicts.count != playback->match.seat_count) {
        return bad_record(ret_fault, "it has the wrong number of seats");
    }
    for (uint8_t seat = 0; status == SK_OK && playback->match.ruleset->is_simultaneous &&
                           seat < playback->match.seat_count;
         seat++) {
        status = expect_own_commands(playback, seat, ret_fault);
    }
    if (status == SK_OK) {
        status = compare_turn(playback, body, ret_fault);
    }
    if (status == SK_OK) {
        keep_turn(playback, body);
    }
    return status;
}

/* ---- turns as expected ------------------------------------------------------------------- */

/* Returns false if the record is to be read like any other. */
static bool
play_expected(struct playback *playback, const struct store_record *record)
{
    struct record_turn body = { 0 };
    struct sk_value *json = NULL;
    bool is_it = playback_turn_read(playback, record, &json, &body);

    if (is_it) {
        match_read_clocks(&playback->match, &body, playback->fact.pending->clocks);
        keep_turn(playback, &body);
        match_take(playback->work, &playback->match, &playback->fact, record->at_ms);
    }
    sk_json_free(json);
    fact_fini(&playback->fact);
    return is_it;
}

/* ---- snapshots --------------------------------------------------------------------------- */

static enum sk_status
play_snapshot(struct playback *playback, const struct store_record *record, const void *form,
              struct sk_fault *ret_fault)
{
    const struct record_snapshot *body = form;
    const struct sk_turn *turn = &playback->turn;
    enum sk_status status = SK_OK;
    size_t length;
    char *digits;

    (void)record;
    playback_branch(playback, &playback->turn);
    length = sk_snapshot_write(playback->match.ruleset, playback->match.config->config,
                               playback->match.state, turn->snapshot, turn->sizes.snapshot);
    digits = heap_bytes(2 * length + 1);
    hex_encode(turn->snapshot, length, digits);
    if (!is_same(body->state, digits)) {
        status = differs(ret_fault, "state", "the state differs there");
    }
    free(digits);
    return status;
}

/* ---- the end ----------------------------------------------------------------------------- */

static enum sk_status
expect_seeds(const struct playback *playback, const struct record_ended *body,
             struct sk_fault *ret_fault)
{
    char text[2 * STORE_SEED_BYTES + 1];

    hex_encode(playback->row->seed, STORE_SEED_BYTES, text);
    if (!is_same(body->seed, text)) {
        return differs(ret_fault, "seed", "the match was played with another seed");
    }
    hex_encode(playback->row->salt, STORE_SEED_BYTES, text);
    if (!is_same(body->salt, text)) {
        return differs(ret_fault, "salt", "the commitment was made with another salt");
    }
    return SK_OK;
}

/* A match that never began has no outcome by the rules: only the host ends it. */
static enum sk_status
expect_outcome(const struct playback *playback, const struct record_ended *body,
               struct sk_fault *ret_fault)
{
    struct sk_outcome outcome;

    if (playback->match.state == NULL) {
        return body->has_winner ? differs(ret_fault, "winner", "nobody wins before the start")
                                : SK_OK;
    }
    outcome = playback->match.state->outcome;
    if (!outcome.is_over || body->has_winner != (outcome.winner != SK_NOBODY) ||
        (body->has_winner && body->winner != outcome.winner)) {
        return differs(ret_fault, "winner", "the rules give another outcome");
    }
    if (!is_same(body->reason, sk_reason_name(playback->match.ruleset, outcome.reason))) {
        return differs(ret_fault, "reason", "the rules give another reason");
    }
    if (!is_same(body->hash, playback->match.last_hash)) {
        return differs(ret_fault, "hash", "the last state differs");
    }
    return SK_OK;
}

static enum sk_status
play_ended(struct playback *playback, const struct store_record *record, const void *form,
           struct sk_fault *ret_fault)
{
    const struct record_ended *body = form;
    struct recorded *recorded = &playback->recorded;
    enum sk_status status = expect_seeds(playback, body, ret_fault);

    if (status == SK_OK) {
        status = expect_outcome(playback, body, ret_fault);
    }
    if (status != SK_OK) {
        return status;
    }
    recorded->ended_at_ms = record->at_ms;
    recorded->winner = body->has_winner ? body->winner : STORE_NOBODY;
    memcpy(recorded->reason, body->reason.at, body->reason.length);
    recorded->reason[body->reason.length] = '\0';
    playback->is_over = true;
    return SK_OK;
}

/* ---- records ----------------------------------------------------------------------------- */

struct player_of_kind {
    const struct sk_schema *schema;
    enum sk_status (*play)(struct playback *playback, const struct store_record *record,
                           const void *form, struct sk_fault *ret_fault);
};

static const struct player_of_kind players[RECORD_KIND_COUNT] = {
    [RECORD_CREATED] = { &sk_record_created, play_created },
    [RECORD_JOINED] = { &sk_record_joined, play_joined },
    [RECORD_SUBMISSION] = { &sk_record_submission, play_submission },
    [RECORD_WITHDRAWN] = { &sk_record_withdrawn, NULL },
    [RECORD_RESIGNED] = { &sk_record_nothing, play_resigned },
    [RECORD_TURN] = { &sk_record_turn, play_turn },
    [RECORD_CLOCK] = { &sk_record_clock, NULL },
    [RECORD_OFFER] = { &sk_record_offer, NULL },
    [RECORD_ENDED] = { &sk_record_ended, play_ended },
    [RECORD_SNAPSHOT] = { &sk_record_snapshot, play_snapshot },
};

/* The body points into the arena and the document, which the caller frees. */
static enum sk_status
read_body(struct playback *playback, const struct store_record *record,
          const struct sk_schema *schema, struct sk_value **ret_json, void **ret_form,
          struct sk_fault *ret_fault)
{
    void *form;
    enum sk_status status;

    playback->work->arena.used = 0;
    form = sk_arena_take(&playback->work->arena, schema->size == 0 ? 1 : schema->size);
    status = sk_json_parse(record->body, record->body_length, ret_json, ret_fault);
    if (status == SK_OK) {
        status = sk_form_read(schema, *ret_json, &playback->work->arena, form, ret_fault);
    }
    if (status != SK_OK) {
        ret_fault->code = "bad_record";
        return SK_ERR_CORRUPT;
    }
    *ret_form = form;
    return SK_OK;
}

static bool
needs_open_turn(enum store_record_kind kind)
{
    return kind == RECORD_SUBMISSION || kind == RECORD_WITHDRAWN || kind == RECORD_RESIGNED ||
           kind == RECORD_TURN || kind == RECORD_SNAPSHOT;
}

/* Compares the record with what the rules give, then applies it. */
static enum sk_status
play(struct playback *playback, const struct store_record *record,
     const struct player_of_kind *player, const void *form, struct sk_fault *ret_fault)
{
    struct match *match = &playback->match;
    struct fact *fact = &playback->fact;
    const char *trouble =
        match_read_form(playback->work, match, NULL, record, form, &playback->turn, fact);
    enum sk_status status = trouble == NULL ? SK_OK : bad_record(ret_fault, trouble);

    if (status == SK_OK && player->play != NULL) {
        status = player->play(playback, record, form, ret_fault);
    }
    if (status == SK_OK) {
        match_take(playback->work, match, fact, record->at_ms);
    }
    fact_fini(fact);
    return status;
}

/* Any record, by its body. */
static enum sk_status
read_and_play(struct playback *playback, const struct store_record *record,
              struct sk_fault *ret_fault)
{
    const struct player_of_kind *player = &players[record->kind];
    struct sk_value *json = NULL;
    void *form = NULL;
    enum sk_status status = read_body(playback, record, player->schema, &json, &form, ret_fault);

    if (status == SK_OK && needs_open_turn(record->kind)) {
        status = expect_open_turn(playback, record, ret_fault);
    }
    if (status == SK_OK) {
        status = play(playback, record, player, form, ret_fault);
    }
    sk_json_free(json);
    return status;
}

static bool
is_open_turn(const struct playback *playback, const struct store_record *record)
{
    struct sk_fault fault;

    return record->kind == RECORD_TURN && expect_open_turn(playback, record, &fault) == SK_OK;
}

enum sk_status
playback_record(struct playback *playback, const struct store_record *record,
                struct sk_fault *ret_fault)
{
    enum sk_status status = SK_OK;

    playback->has_turn = false;
    if (playback->is_over) {
        status = bad_record(ret_fault, "it comes after the end");
    } else if (record->epoch < playback->recorded.epoch) {
        status = bad_record(ret_fault, "its epoch is lower than that of the record before");
    } else if (!is_open_turn(playback, record) || !play_expected(playback, record)) {
        status = read_and_play(playback, record, ret_fault);
    }
    playback->recorded.epoch = record->epoch;
    if (status != SK_OK) {
        sk_fault_inside_index(ret_fault, record->seq);
        sk_fault_inside(ret_fault, SK_TEXT("records"));
    }
    return status;
}

enum sk_status
playback_play(struct playback *playback, const struct store_job *job, uint64_t *ret_turns,
              struct sk_fault *ret_fault)
{
    enum sk_status status = playback_begin(playback, &job->match, ret_fault);

    *ret_turns = 0;
    for (uint32_t i = 0; status == SK_OK && i < job->record_count; i++) {
        status = playback_record(playback, &job->records[i], ret_fault);
        *ret_turns += playback->has_turn ? 1 : 0;
    }
    return status;
}

/* ---- what was played --------------------------------------------------------------------- */

const struct sk_turn *
playback_turn(const struct playback *playback)
{
    return playback->has_turn ? &playback->turn : NULL;
}

uint64_t
playback_hash_of(struct playback *playback, const struct sk_state *state)
{
    return sk_snapshot_hash(playback->match.ruleset, playback->match.config->config, state,
                            playback->turn.snapshot, playback->turn.sizes.snapshot);
}

void
playback_branch(struct playback *playback, struct sk_turn *ret_turn)
{
    work_turn(playback->work, playback->match.ruleset, playback->match.config->config, ret_turn);
    ret_turn->seed = &playback->match.seed;
    ret_turn->before = playback->match.state;
    playback->has_turn = false;
}
