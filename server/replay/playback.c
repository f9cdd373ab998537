#include "server/replay/playback.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/core/snapshot.h"
#include "proto/params.h"
#include "server/replay/internal.h"

/* A record of the longest submission and its turn: 128 commands a seat and what they caused. */
#define FORMS_SIZE ((size_t)16 * 1024 * 1024)

/* ---- memory ------------------------------------------------------------------------------ */

static bool
arena_alloc(struct sk_arena *arena, size_t size)
{
    void *memory = malloc(size);

    sk_arena_init(arena, memory, memory == NULL ? 0 : size);
    return memory != NULL;
}

static bool
arenas_alloc(struct playback *playback)
{
    size_t config_size = 0;
    size_t scratch_size = 0;

    for (size_t i = 0; i < sk_registry_count(); i++) {
        const struct sk_ruleset *ruleset = sk_registry_at(i);

        config_size =
            ruleset->config_size_max > config_size ? ruleset->config_size_max : config_size;
        scratch_size =
            ruleset->scratch_size_max > scratch_size ? ruleset->scratch_size_max : scratch_size;
    }
    return arena_alloc(&playback->forms, FORMS_SIZE) &&
           arena_alloc(&playback->config_room, config_size) &&
           arena_alloc(&playback->scratch, scratch_size);
}

struct playback *
playback_alloc(void)
{
    struct playback *playback = calloc(1, sizeof(*playback));

    if (playback == NULL) {
        return NULL;
    }
    if (!sk_json_reader_init(&playback->reader)) {
        free(playback);
        return NULL;
    }
    if (!arenas_alloc(playback)) {
        playback_free(playback);
        return NULL;
    }
    return playback;
}

void
playback_forget_waiting(struct playback *playback)
{
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        free(playback->waiting[seat].commands);
        playback->waiting[seat] = (struct waiting){ 0 };
    }
}

void
playback_keep_failures(struct playback *playback, const struct sk_value *failures)
{
    struct sk_fault fault;

    sk_json_free(playback->failures);
    free(playback->failures_text);
    playback->failures = NULL;
    playback->failures_text = failures == NULL ? NULL : sk_json_text_of(failures);
    if (playback->failures_text != NULL) {
        (void)sk_json_parse(&playback->reader, playback->failures_text,
                            strlen(playback->failures_text), &playback->failures, &fault);
    }
}

void
playback_free(struct playback *playback)
{
    if (playback == NULL) {
        return;
    }
    sk_json_reader_fini(&playback->reader);
    playback_forget_waiting(playback);
    playback_keep_failures(playback, NULL);
    free(playback->forms.base);
    free(playback->config_room.base);
    free(playback->scratch.base);
    free(playback->buffer.at);
    free(playback->params);
    free(playback->config);
    free(playback->turn_memory);
    free(playback->state);
    free(playback->before);
    free(playback);
}

static enum sk_status
no_memory(struct sk_fault *fault)
{
    return sk_fault_set(fault, "no_memory", "not enough memory");
}

enum sk_status
playback_differs(struct sk_fault *fault, const char *member, const char *what)
{
    (void)sk_fault_set(fault, "differs", what);
    sk_fault_inside(fault, sk_text_of(member));
    return SK_ERR_DIFFERS;
}

/* ---- beginning --------------------------------------------------------------------------- */

static enum sk_status
build_config(struct playback *playback, struct sk_fault *ret_fault)
{
    const struct store_match *match = playback->match;
    const void *params = NULL;
    struct sk_value *json = NULL;
    enum sk_status status;

    playback->forms.used = 0;
    playback->config_room.used = 0;
    playback->scratch.used = 0;
    status =
        sk_json_parse(&playback->reader, match->params, strlen(match->params), &json, ret_fault);
    if (status == SK_OK) {
        status = sk_params_read(playback->ruleset, json, &playback->forms, &params, ret_fault);
        sk_json_free(json);
    }
    if (status == SK_OK) {
        status = playback->ruleset->config_build(params, &playback->config_room, &playback->scratch,
                                                 ret_fault);
    }
    if (status != SK_OK) {
        ret_fault->code = "bad_params";
        sk_fault_inside(ret_fault, SK_TEXT("params"));
        return status;
    }
    free(playback->config);
    free(playback->params);
    playback->config = malloc(playback->config_room.used);
    playback->params = malloc(strlen(match->params) + 1);
    SK_ASSERT(playback->config != NULL && playback->params != NULL);
    memcpy(playback->config, playback->config_room.base, playback->config_room.used);
    memcpy(playback->params, match->params, strlen(match->params) + 1);
    return SK_OK;
}

static enum sk_status
make_room(struct playback *playback, struct sk_fault *ret_fault)
{
    size_t turn_size = sk_turn_memory_size(playback->ruleset, playback->config);
    struct sk_sizes sizes;

    playback->ruleset->sizes(playback->config, &sizes);
    if (turn_size > playback->turn_memory_size) {
        free(playback->turn_memory);
        playback->turn_memory = malloc(turn_size);
        playback->turn_memory_size = playback->turn_memory == NULL ? 0 : turn_size;
    }
    if (sizes.state > playback->state_room) {
        free(playback->state);
        free(playback->before);
        playback->state = malloc(sizes.state);
        playback->before = malloc(sizes.state);
        playback->state_room = sizes.state;
    }
    if (playback->turn_memory == NULL || playback->state == NULL || playback->before == NULL) {
        playback->state_room = 0;
        return no_memory(ret_fault);
    }
    sk_turn_init(&playback->turn, playback->ruleset, playback->config, playback->turn_memory);
    playback->turn.seed = &playback->seed;
    playback->seat_count = playback->turn.seat_count;
    return SK_OK;
}

enum sk_status
playback_begin(struct playback *playback, const struct store_match *match,
               struct sk_fault *ret_fault)
{
    const struct sk_ruleset *ruleset = sk_registry_find(sk_text_of(match->ruleset), match->version);
    bool is_same_game = playback->params != NULL && ruleset == playback->ruleset &&
                        strcmp(match->params, playback->params) == 0;

    if (ruleset == NULL) {
        (void)sk_fault_set(ret_fault, "unknown_ruleset", "this program does not have ");
        sk_fault_say(ret_fault, match->ruleset);
        sk_fault_say(ret_fault, " in version ");
        sk_fault_say_number(ret_fault, match->version);
        return SK_ERR_REFUSED;
    }
    playback->match = match;
    playback->ruleset = ruleset;
    playback->seated = 0;
    playback->is_begun = false;
    playback->is_over = false;
    playback->has_turn = false;
    playback->told = (struct told){ .winner = STORE_NOBODY };
    playback_forget_waiting(playback);
    memcpy(playback->seed.bytes, match->seed, SK_SEED_BYTES);
    if (!is_same_game) {
        enum sk_status status = build_config(playback, ret_fault);

        if (status != SK_OK) {
            return status;
        }
    }
    return make_room(playback, ret_fault);
}

enum sk_status
playback_play(struct playback *playback, const struct store_job *job, uint64_t *ret_turns,
              struct sk_fault *ret_fault)
{
    enum sk_status status = playback_begin(playback, &job->match, ret_fault);

    *ret_turns = 0;
    for (uint32_t i = 0; status == SK_OK && i < job->record_count; i++) {
        status = playback_record(playback, &job->records[i], ret_fault);
        *ret_turns += playback_turn(playback) != NULL ? 1 : 0;
    }
    return status;
}

/* ---- what was played --------------------------------------------------------------------- */

const struct sk_ruleset *
playback_ruleset(const struct playback *playback)
{
    return playback->ruleset;
}

const void *
playback_config(const struct playback *playback)
{
    return playback->config;
}

const struct sk_state *
playback_state(const struct playback *playback)
{
    return playback->is_begun ? playback->state : NULL;
}

const struct sk_turn *
playback_turn(const struct playback *playback)
{
    return playback->has_turn ? &playback->turn : NULL;
}

const struct sk_value *
playback_failures(const struct playback *playback)
{
    return playback->failures;
}

uint64_t
playback_hash_of(struct playback *playback, const struct sk_state *state)
{
    return sk_snapshot_hash(playback->ruleset, playback->config, state, playback->turn.snapshot,
                            playback->turn.sizes.snapshot);
}

void
playback_branch(struct playback *playback, struct sk_turn *ret_turn)
{
    sk_turn_init(ret_turn, playback->ruleset, playback->config, playback->turn_memory);
    ret_turn->seed = &playback->seed;
    ret_turn->before = playback->state;
    playback->has_turn = false;
}
