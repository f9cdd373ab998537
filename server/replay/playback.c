#include "server/replay/playback.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/snapshot.h"
#include "server/memory.h"
#include "server/replay/internal.h"

/* A record of the longest submission and its turn: 128 commands per seat and what they caused. */
#define FORMS_SIZE ((size_t)16 * 1024 * 1024)

/* ---- memory ------------------------------------------------------------------------------ */

struct playback *
playback_alloc(void)
{
    struct playback *playback = heap_memory(sizeof(*playback));

    work_init(&playback->work, FORMS_SIZE);
    return playback;
}

void
playback_keep_failures(struct playback *playback, const struct sk_value *failures)
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
    playback_keep_failures(playback, NULL);
    match_fini(&playback->work, &playback->match);
    work_fini(&playback->work);
    free(playback->buffer.at);
    free(playback->before);
    free(playback);
}

enum sk_status
playback_differs(struct sk_fault *fault, const char *member, const char *what)
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
    trouble = match_begin(&playback->work, row, &match);
    if (match.config == NULL) {
        (void)sk_fault_set(ret_fault, match.ruleset == NULL ? "unknown_ruleset" : "bad_params",
                           trouble);
        sk_fault_inside(ret_fault, sk_text_of(match.ruleset == NULL ? "ruleset" : "params"));
        return SK_ERR_REFUSED;
    }
    playback->row = row;
    playback->settings_trouble = trouble;
    match_fini(&playback->work, &playback->match); /* after: most have the same params */
    playback->match = match;
    playback->is_over = false;
    playback->has_turn = false;
    playback->recorded = (struct recorded){ .winner = STORE_NOBODY };
    work_turn(&playback->work, match.ruleset, match.config->config, &playback->turn);
    if (playback->turn.sizes.state > playback->before_size) {
        free(playback->before);
        playback->before_size = playback->turn.sizes.state;
        playback->before = heap_memory(playback->before_size);
    }
    return SK_OK;
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
    return playback->match.ruleset;
}

const void *
playback_config(const struct playback *playback)
{
    return playback->match.config->config;
}

const struct sk_state *
playback_state(const struct playback *playback)
{
    return playback->match.state;
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
    return sk_snapshot_hash(playback->match.ruleset, playback->match.config->config, state,
                            playback->turn.snapshot, playback->turn.sizes.snapshot);
}

void
playback_branch(struct playback *playback, struct sk_turn *ret_turn)
{
    work_turn(&playback->work, playback->match.ruleset, playback->match.config->config, ret_turn);
    ret_turn->seed = &playback->match.seed;
    ret_turn->before = playback->match.state;
    playback->has_turn = false;
}
