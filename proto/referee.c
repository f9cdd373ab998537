/*
 * From a request to its answer:
 *
 *   text -> JSON -> params, state, commands as forms (schema_read)
 *        -> config, state (the ruleset)
 *        -> turn resolved (core)
 *        -> forms -> text (schema_write)
 *
 * Nothing is kept from one request to the next but memory and compiled params.
 */
#include "proto/referee.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/arena.h"
#include "common/base/fault.h"
#include "common/core/registry.h"
#include "common/core/rules.h"
#include "common/core/turn.h"
#include "proto/command_lists.h"
#include "proto/compiled.h"
#include "proto/json_buffer.h"
#include "proto/json_parse.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"

/* Forms take at most eight times a request's bytes: an empty text is 3 there and 24 here. */
#define FORMS_SIZE        (8u * (size_t)SK_JSON_REQUEST_MAX + 65536u)
#define FIRST_ANSWER_SIZE 65536u

struct sk_referee {
    struct sk_arena forms;
    struct sk_compiled compiled;
    void *turn_memory;
    size_t turn_memory_size;
    struct sk_json_buffer answer;
    char *events; /* of all turns of the request, one after the other */
    size_t events_size;
    struct sk_fault fault;
};

/* One request while it is answered. */
struct request {
    struct sk_referee *referee;
    struct sk_value *json;
    const struct sk_ruleset *ruleset;
    struct sk_state *state;
    struct sk_seed seed;
    struct sk_turn turn;
    struct sk_json_out events;
    bool has_commands;
};

static const char *const member_names[] = { "ruleset", "version", "params", "seed",
                                            "state",   "view",    "turn",   "commands" };

/* ---- memory ------------------------------------------------------------------------------ */

struct sk_referee *
sk_referee_alloc(void)
{
    struct sk_referee *referee = calloc(1, sizeof(*referee));

    if (referee == NULL) {
        return NULL;
    }
    referee->answer = (struct sk_json_buffer){ malloc(FIRST_ANSWER_SIZE), FIRST_ANSWER_SIZE };
    sk_arena_init(&referee->forms, malloc(FORMS_SIZE), FORMS_SIZE);
    if (referee->answer.at == NULL || referee->forms.base == NULL ||
        !sk_compiled_init(&referee->compiled)) {
        sk_referee_free(referee);
        return NULL;
    }
    return referee;
}

void
sk_referee_free(struct sk_referee *referee)
{
    if (referee == NULL) {
        return;
    }
    free(referee->turn_memory);
    free(referee->events);
    free(referee->answer.at);
    free(referee->forms.base);
    sk_compiled_fini(&referee->compiled);
    free(referee);
}

static enum sk_status
refuse(struct request *request, const char *code, const char *message, const char *member)
{
    struct sk_fault *fault = &request->referee->fault;

    sk_fault_set(fault, code, message);
    if (member != NULL) {
        sk_fault_inside(fault, sk_text_of(member));
    }
    return SK_ERR_REFUSED;
}

/* Puts the member's name in front of a fault found inside it. */
static enum sk_status
inside(struct request *request, const char *member, enum sk_status status)
{
    if (status == SK_ERR_REFUSED) {
        sk_fault_inside(&request->referee->fault, sk_text_of(member));
    }
    return status;
}

static enum sk_status
no_memory(struct request *request)
{
    return refuse(request, "too_large", "the request needs more memory than there is", NULL);
}

/* ---- the envelope ------------------------------------------------------------------------ */

static bool
is_member_name(const struct sk_value *key)
{
    bool is_known = false;

    for (size_t i = 0; i < SK_COUNT_OF(member_names); i++) {
        is_known |= sk_value_says(key, member_names[i]);
    }
    return is_known;
}

static enum sk_status
read_envelope(struct request *request)
{
    const struct sk_value *key = sk_value_first(request->json);
    char space[SK_FAULT_AT_MAX];

    if (!sk_value_is(request->json, SK_VALUE_OBJECT)) {
        return refuse(request, "malformed", "a request is a JSON object", NULL);
    }
    for (uint32_t i = 0; i < request->json->count; i++) {
        if (!is_member_name(key)) {
            (void)refuse(request, "malformed", "a request has no such member", NULL);
            sk_fault_inside(&request->referee->fault,
                            (struct sk_text){ space, sk_value_copy(key, space, sizeof(space)) });
            return SK_ERR_REFUSED;
        }
        key = sk_value_next(sk_value_next(key));
    }
    return SK_OK;
}

static const struct sk_member version_member = { .kind = SK_KIND_INT, .min = 1, .max = INT32_MAX };
static const struct sk_member turn_member = { .kind = SK_KIND_INT, .min = 0, .max = SK_TURN_MAX };

/* As it is when it is missing. */
static enum sk_status
read_number(struct request *request, const char *name, const struct sk_member *member,
            int32_t *ret_number)
{
    const struct sk_value *json = sk_value_member(request->json, name);

    if (json == NULL) {
        return SK_OK;
    }
    return inside(request, name,
                  sk_member_read(member, json, &request->referee->forms, ret_number,
                                 &request->referee->fault));
}

static enum sk_status
find_version(struct request *request, struct sk_text name)
{
    int32_t version = 0;
    enum sk_status status = read_number(request, "version", &version_member, &version);

    if (status != SK_OK) {
        return status;
    }
    request->ruleset = sk_registry_find(name, (uint32_t)version);
    if (request->ruleset == NULL) {
        return refuse(request, "unknown_ruleset",
                      "this program does not know that version of the ruleset; leave it out for "
                      "the newest",
                      "version");
    }
    return SK_OK;
}

static enum sk_status
read_ruleset(struct request *request)
{
    const struct sk_value *json = sk_value_member(request->json, "ruleset");
    struct sk_text name;

    if (json == NULL) {
        return refuse(request, "malformed", "the member ruleset is missing", "ruleset");
    }
    if (!sk_value_is(json, SK_VALUE_TEXT)) {
        return refuse(request, "malformed", "ruleset must be a string", "ruleset");
    }
    if (!sk_value_text(json, &request->referee->forms, &name)) {
        return no_memory(request);
    }
    if (sk_registry_find(name, 0) == NULL) {
        return refuse(request, "unknown_ruleset",
                      "there is no ruleset of that name; `skirmish rulesets` lists them",
                      "ruleset");
    }
    return find_version(request, name);
}

/* 16 digits are the first eight bytes of a seed whose others are zero. */
static enum sk_status
read_seed(struct request *request)
{
    const struct sk_value *json = sk_value_member(request->json, "seed");
    struct sk_text digits;

    if (json == NULL) {
        return SK_OK;
    }
    if (!sk_value_is(json, SK_VALUE_TEXT)) {
        return refuse(request, "malformed", "seed must be a string of hex digits", "seed");
    }
    if (!sk_value_text(json, &request->referee->forms, &digits)) {
        return no_memory(request);
    }
    if (digits.length != 16 && digits.length != 2 * SK_SEED_BYTES) {
        return refuse(request, "malformed", "seed must have 16 or 64 hex digits", "seed");
    }
    for (uint32_t i = 0; i < digits.length; i++) {
        int value = sk_hex_value(digits.at[i]);

        if (value < 0) {
            return refuse(request, "malformed", "seed must have hex digits only", "seed");
        }
        request->seed.bytes[i / 2] = (uint8_t)(request->seed.bytes[i / 2] << 4 | value);
    }
    return SK_OK;
}

/* ---- params ------------------------------------------------------------------------------ */

static enum sk_status
read_params_form(struct sk_referee *referee, const struct sk_ruleset *ruleset,
                 const struct sk_value *json, const void **ret_params)
{
    void *params = sk_arena_take(&referee->forms, ruleset->params->size);
    enum sk_status status;

    if (params == NULL) {
        return sk_fault_set(&referee->fault, "too_large", "the params are too large");
    }
    status = sk_form_read(ruleset->params, json, &referee->forms, params, &referee->fault);
    if (status == SK_OK) {
        *ret_params = params;
    }
    return status;
}

/* Params that are kept were not read again (see play), unless another ruleset has the same. */
static enum sk_status
read_params(struct request *request)
{
    const struct sk_value *json = sk_value_member(request->json, "params");
    struct sk_referee *referee = request->referee;
    struct sk_value *again = NULL;
    const void *params = NULL;
    struct sk_text text;
    enum sk_status status = SK_OK;

    if (json == NULL) {
        return refuse(request, "malformed", "the member params is missing", "params");
    }
    text = (struct sk_text){ json->at, json->length };
    if (sk_value_is(json, SK_VALUE_OBJECT) &&
        sk_text_same(text, sk_compiled_text(&referee->compiled))) {
        if (referee->compiled.ruleset == request->ruleset) {
            return SK_OK;
        }
        status = sk_json_parse(text.at, text.length, &again, &referee->fault);
        json = again;
    }
    if (status == SK_OK) {
        status = read_params_form(referee, request->ruleset, json, &params);
    }
    if (status == SK_OK) {
        status =
            sk_compiled_build(&referee->compiled, request->ruleset, params, text, &referee->fault);
    }
    sk_json_free(again);
    return inside(request, "params", status);
}

enum sk_status
sk_referee_compile(struct sk_referee *referee, const struct sk_ruleset *ruleset, const char *params,
                   size_t length, const void **ret_params, const struct sk_arena **ret_config,
                   struct sk_fault *ret_fault)
{
    const void *form = ruleset->default_params;
    struct sk_value *json;
    enum sk_status status = SK_OK;

    referee->forms.used = 0;
    if (params != NULL) {
        status = sk_json_parse(params, length, &json, &referee->fault);
        if (status == SK_OK) {
            status = read_params_form(referee, ruleset, json, &form);
            sk_json_free(json);
        }
    }
    if (status == SK_OK) {
        status = sk_compiled_build(&referee->compiled, ruleset, form, (struct sk_text){ 0 },
                                   &referee->fault);
    }
    if (status != SK_OK) {
        *ret_fault = referee->fault;
        return status;
    }
    *ret_params = form;
    *ret_config = &referee->compiled.config;
    return SK_OK;
}

/* Memory for a turn and for the state before it, both as large as the params ask for. */
static enum sk_status
prepare_turn(struct request *request)
{
    struct sk_referee *referee = request->referee;
    const void *config = referee->compiled.config.base;
    size_t turn_size = sk_turn_memory_size(request->ruleset, config);
    struct sk_sizes sizes;
    size_t needed;

    sk_rules_sizes(request->ruleset, config, &sizes);
    needed = turn_size + sizes.state;
    if (needed > referee->turn_memory_size) {
        void *memory = realloc(referee->turn_memory, needed);

        if (memory == NULL) {
            return no_memory(request);
        }
        referee->turn_memory = memory;
        referee->turn_memory_size = needed;
    }
    sk_turn_init(&request->turn, request->ruleset, config, referee->turn_memory);
    request->turn.seed = &request->seed;
    request->state = (struct sk_state *)(void *)((uint8_t *)referee->turn_memory + turn_size);
    return SK_OK;
}

/* ---- state ------------------------------------------------------------------------------- */

/* A finished state carries its outcome: a resignation shows nowhere else. */
static enum sk_status
read_outcome(struct request *request, const struct sk_form_head *head)
{
    struct sk_outcome *outcome = &request->state->outcome;

    if (!head->has_outcome) {
        return SK_OK;
    }
    if (!sk_reason_find(request->ruleset, head->reason, &outcome->reason)) {
        return inside(
            request, "outcome",
            refuse(request, "invalid_state", "matches do not end for that reason", "reason"));
    }
    if (head->has_winner &&
        (head->winner >= request->turn.seat_count ||
         (head->reason.length >= 4 && memcmp(head->reason.at, "draw", 4) == 0))) {
        return inside(request, "outcome",
                      refuse(request, "invalid_state", "that seat cannot be the winner", "winner"));
    }
    outcome->is_over = true;
    outcome->winner = head->has_winner ? (int8_t)head->winner : SK_NOBODY;
    return SK_OK;
}

static enum sk_status
read_position(struct request *request, const struct sk_schema *schema, const struct sk_value *json,
              const struct sk_form_head **ret_head)
{
    struct sk_referee *referee = request->referee;
    void *form = sk_arena_take(&referee->forms, schema->size);
    enum sk_status status;

    if (form == NULL) {
        return no_memory(request);
    }
    memset(request->state, 0, request->turn.sizes.state);
    request->state->outcome.winner = SK_NOBODY;
    status = sk_form_read(schema, json, &referee->forms, form, &referee->fault);
    if (status == SK_OK) {
        status = sk_rules_state_read(request->ruleset, referee->compiled.config.base, form,
                                     request->state, &referee->fault);
    }
    if (status == SK_OK) {
        status = read_outcome(request, form);
    }
    *ret_head = form;
    return status;
}

/* What the view hides is chosen by the seed, as for the server's `what_if`. */
static void
guess_hidden(struct request *request, const struct sk_form_head *head)
{
    const struct sk_turn *turn = &request->turn;
    struct sk_state known = *request->state;

    if (request->ruleset->guess != NULL && !known.outcome.is_over) {
        sk_rules_view_make(request->ruleset, &turn->sizes, turn->config, request->state,
                           head->has_seat ? (uint8_t)head->seat : SK_SPECTATOR, turn->view);
        sk_rules_guess(request->ruleset, &turn->sizes, turn->config, turn->view, &request->seed,
                       request->state);
        *request->state = known;
    }
}

static enum sk_status
read_view(struct request *request, const struct sk_value *json, int32_t *ret_turn)
{
    const struct sk_form_head *head;
    enum sk_status status;

    if (sk_value_member(request->json, "state") != NULL) {
        return refuse(request, "malformed", "a request has a state or a view, not both", "view");
    }
    if (!sk_rules_view_is_whole(request->ruleset)) {
        return refuse(request, "invalid_state",
                      "a view of this ruleset does not show enough of the match", "view");
    }
    status = read_position(request, request->ruleset->view, json, &head);
    if (status == SK_OK && head->has_seat && head->seat >= request->turn.seat_count) {
        status = refuse(request, "invalid_state", "the match has no such seat", "seat");
    }
    if (status == SK_OK) {
        guess_hidden(request, head);
        *ret_turn = head->turn;
    }
    return inside(request, "view", status);
}

static enum sk_status
read_state(struct request *request)
{
    const struct sk_value *state = sk_value_member(request->json, "state");
    const struct sk_value *view = sk_value_member(request->json, "view");
    const struct sk_form_head *head;
    int32_t turn_number = 0;
    enum sk_status status = SK_OK;

    if (view != NULL) {
        status = read_view(request, view, &turn_number);
    } else if (state != NULL) {
        status =
            inside(request, "state", read_position(request, request->ruleset->state, state, &head));
    } else {
        sk_turn_setup(&request->turn);
        memcpy(request->state, request->turn.after, request->turn.sizes.state);
    }
    if (status == SK_OK) {
        status = read_number(request, "turn", &turn_member, &turn_number);
    }
    if (status == SK_OK) {
        request->state->turn = (uint32_t)turn_number;
        sk_turn_settle(request->ruleset, request->turn.config, request->state);
    }
    return status;
}

/* ---- commands ---------------------------------------------------------------------------- */

static enum sk_status
read_commands(struct request *request)
{
    struct sk_referee *referee = request->referee;
    const struct sk_value *json = sk_value_member(request->json, "commands");

    if (json == NULL) {
        return SK_OK;
    }
    request->has_commands = true;
    return inside(request, "commands",
                  sk_command_lists_read(request->ruleset->command, json, NULL,
                                        request->turn.seat_count, &referee->forms,
                                        request->turn.commands, &referee->fault));
}

/* ---- the answer -------------------------------------------------------------------------- */

static void
write_verdicts(const struct request *request, struct sk_json_out *out)
{
    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < request->turn.seat_count; seat++) {
        sk_verdicts_write(out, &request->turn, seat);
    }
    sk_json_end_list(out);
}

/* The state's form is made once; writing may happen twice, see sk_referee_answer. */
static enum sk_status
make_state_form(struct request *request, void **ret_form)
{
    struct sk_arena *arena = &request->referee->forms;
    struct sk_form_head *form = sk_arena_take(arena, request->ruleset->state->size);

    if (form == NULL || sk_rules_state_form(request->ruleset, request->turn.config,
                                            request->turn.after, arena, form) != SK_OK) {
        return no_memory(request);
    }
    sk_form_head_set(form, request->ruleset, request->turn.after->outcome);
    *ret_form = form;
    return SK_OK;
}

/* What is written, perhaps twice. */
struct answer {
    const struct request *request;
    const void *state_form;
    uint64_t hash;
};

static void
write_answer(struct sk_json_out *out, const void *what)
{
    const struct answer *answer = what;
    const struct request *request = answer->request;

    sk_json_begin_object(out);
    sk_json_key_int(out, "turn", request->turn.after->turn);
    sk_json_key(out, "verdicts");
    write_verdicts(request, out);
    sk_json_key(out, "events");
    sk_json_begin_list(out);
    sk_json_raw(out, (struct sk_text){ request->events.at, (uint32_t)request->events.used });
    sk_json_end_list(out);
    sk_json_key(out, "state");
    sk_form_write(out, request->ruleset->state, answer->state_form);
    sk_json_key(out, "owing");
    sk_seats_write(out, sk_turn_owing(request->ruleset, request->turn.config, request->turn.after));
    sk_json_key(out, "outcome");
    sk_outcome_write(out, request->ruleset, request->turn.after->outcome);
    sk_json_key(out, "hash");
    sk_json_hex16(out, answer->hash);
    sk_json_end_object(out);
}

bool
sk_referee_write(struct sk_referee *referee,
                 void (*write)(struct sk_json_out *out, const void *what), const void *what,
                 struct sk_text *ret_answer)
{
    *ret_answer = SK_TEXT("{\"error\":{\"code\":\"too_large\",\"message\":\"there is not enough "
                          "memory\",\"at\":\"\"}}");
    return sk_json_buffer_fill(&referee->answer, write, what, ret_answer);
}

static enum sk_status
give_answer(struct request *request, struct sk_text *ret_answer)
{
    struct answer answer = { .request = request, .hash = sk_turn_hash(&request->turn) };
    void *state_form = NULL;
    enum sk_status status = make_state_form(request, &state_form);

    if (status != SK_OK) {
        return status;
    }
    answer.state_form = state_form;
    return sk_referee_write(request->referee, write_answer, &answer, ret_answer)
               ? SK_OK
               : no_memory(request);
}

/* ---- the whole --------------------------------------------------------------------------- */

static enum sk_status
read_request(struct request *request)
{
    static enum sk_status (*const steps[])(struct request *) = {
        read_envelope, read_ruleset, read_seed,     read_params,
        prepare_turn,  read_state,   read_commands,
    };
    enum sk_status status = SK_OK;

    for (size_t i = 0; i < SK_COUNT_OF(steps) && status == SK_OK; i++) {
        status = steps[i](request);
    }
    return status;
}

/* Makes the events' buffer as large as their writer found that it must be. */
static bool
grow(struct sk_referee *referee, const struct sk_json_out *out)
{
    char *memory = realloc(referee->events, out->used);

    if (memory == NULL) {
        return false;
    }
    referee->events = memory;
    referee->events_size = out->used;
    return true;
}

/* A turn's events go when the next turn comes, so they are written after each. */
static enum sk_status
keep_events(struct request *request)
{
    struct sk_referee *referee = request->referee;
    struct sk_json_out before = request->events;

    sk_events_write_items(&request->events, &request->turn);
    if (!sk_json_out_is_whole(&request->events)) {
        if (!grow(referee, &request->events)) {
            return no_memory(request);
        }
        request->events = before;
        request->events.at = referee->events;
        request->events.size = referee->events_size;
        sk_events_write_items(&request->events, &request->turn);
    }
    return SK_OK;
}

/* Of alternating rulesets every command that is ok is a turn of its own. */
static enum sk_status
resolve(struct request *request)
{
    struct sk_turn *turn = &request->turn;
    enum sk_status status = SK_OK;
    bool is_played;

    turn->before = request->state;
    sk_json_out_init(&request->events, request->referee->events, request->referee->events_size);
    if (!request->has_commands) {
        memcpy(turn->after, request->state, turn->sizes.state);
        return SK_OK;
    }
    is_played = sk_turn_resolve(turn);
    while (is_played && status == SK_OK) {
        status = keep_events(request);
        memcpy(request->state, turn->after, turn->sizes.state);
        is_played = sk_turn_resolve_next(turn);
    }
    return status;
}

static enum sk_status
play(struct request *request, const char *text, size_t length)
{
    struct sk_referee *referee = request->referee;
    struct sk_json_known kept = { "params", sk_compiled_text(&referee->compiled) };
    enum sk_status status;

    referee->forms.used = 0;
    status = sk_json_parse_around(text, length, kept.text.length == 0 ? NULL : &kept,
                                  &request->json, &referee->fault);
    if (status == SK_OK) {
        status = read_request(request);
        sk_json_free(request->json);
    }
    return status == SK_OK ? resolve(request) : status;
}

bool
sk_referee_answer(struct sk_referee *referee, const char *text, size_t length,
                  struct sk_text *ret_answer)
{
    struct request request = { .referee = referee };

    if (play(&request, text, length) == SK_OK && give_answer(&request, ret_answer) == SK_OK) {
        return true;
    }
    (void)sk_referee_write(referee, sk_fault_write, &referee->fault, ret_answer);
    return false;
}

enum sk_status
sk_referee_play(struct sk_referee *referee, const char *text, size_t length,
                struct sk_turn *ret_turn, struct sk_arena **ret_arena, struct sk_fault *ret_fault)
{
    struct request request = { .referee = referee };
    enum sk_status status = play(&request, text, length);

    if (status != SK_OK) {
        *ret_fault = referee->fault;
        return status;
    }
    *ret_turn = request.turn;
    ret_turn->seed = NULL; /* it is the request's */
    *ret_arena = &referee->forms;
    return SK_OK;
}
