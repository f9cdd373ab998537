#include "server/match/row.h"

#include <stdlib.h>
#include <string.h>

#include "server/hex.h"

char *
match_created_body(struct work *work, const struct store_match *match)
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
    return work_json_form(work, &sk_record_created, &body);
}

/* ---- the first record -------------------------------------------------------------------- */

static bool
is_same_json(const char *text, const struct sk_value *other)
{
    struct sk_value *json;
    struct sk_fault fault;
    bool is_same;

    if (sk_json_parse(text, strlen(text), &json, &fault) != SK_OK) {
        return false;
    }
    is_same = sk_json_same(json, other);
    sk_json_free(json);
    return is_same;
}

static const char *
difference(const struct match *match, const struct store_match *row,
           const struct record_created *body)
{
    char commitment[FRAME_CHAIN_DIGITS + 1];

    commitment_of(&match->salt, &match->seed, commitment);
    if (!sk_text_same(body->ruleset, sk_text_of(row->ruleset))) {
        return "the ruleset is not that of the first record";
    }
    if ((uint32_t)body->version != row->version) {
        return "the ruleset's version is not that of the first record";
    }
    if (!sk_text_same(body->commitment, sk_text_of(commitment))) {
        return "seed and salt are not what the first record commits to";
    }
    if (row->origin == 0 && (body->has_rematch_of ? body->rematch_of : 0) != row->rematch_of) {
        return "rematch_of is not that of the first record";
    }
    if (!is_same_json(row->params, body->params.object)) {
        return "the params are not those of the first record";
    }
    if (!is_same_json(row->settings, body->settings.object)) {
        return "the settings are not those of the first record";
    }
    return NULL;
}

const char *
match_check_created(struct work *work, const struct match *match, const struct store_match *row,
                    const struct store_record *record)
{
    char *expected = match_created_body(work, row);
    bool is_same = strcmp(expected, record->body) == 0;
    struct record_created body;
    struct sk_value *json;
    const char *what;

    free(expected);
    if (is_same) {
        return NULL; /* always, unless another version of this program wrote it */
    }
    what = match_read_body(work, record, &sk_record_created, &json, &body);
    if (what == NULL) {
        what = difference(match, row, &body);
        sk_json_free(json);
    }
    return what;
}

/* ---- the result of the records ----------------------------------------------------------- */

static enum store_match_status
status_of(const struct match *match)
{
    return match->status == MATCH_WAITS  ? MATCH_WAITING
           : match->status == MATCH_RUNS ? MATCH_RUNNING
                                         : MATCH_OVER;
}

/* Players may make a match unrated when it starts; a snapshot does not contain who asked. */
static bool
is_rating_possible(const struct match *match, const struct store_match *row)
{
    return row->is_rated == match->is_rated ||
           (match->is_rated && (match_is_unrated(match) || !match->is_open));
}

static bool
are_seats_same(const struct match *match, const struct store_job *job)
{
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        if (match->seats[seat].player != job->seats[seat].player) {
            return false;
        }
    }
    return true;
}

static bool
is_result_same(const struct match *match, const struct store_match *row)
{
    const char *reason = MATCH_EXPIRED;
    int32_t winner = STORE_NOBODY;

    if (match->status != MATCH_ENDED) {
        return row->winner == STORE_NOBODY && row->reason == NULL && row->ended_at_ms == 0;
    }
    if (match->state != NULL) {
        reason = sk_reason_name(match->ruleset, match->state->outcome.reason);
        winner = match->state->outcome.winner;
    }
    return row->winner == winner && row->reason != NULL && strcmp(row->reason, reason) == 0;
}

void
match_set_rated(struct match *match, bool is_rated)
{
    match->is_rated = is_rated;
}

const char *
match_check_row(const struct match *match, const struct store_job *job)
{
    const struct store_match *row = &job->match;

    if (row->seat_count != match->seat_count || !are_seats_same(match, job)) {
        return "the seats are not those of the records";
    }
    if (row->status != status_of(match) || (row->started_at_ms != 0) != (match->state != NULL)) {
        return "the status differs from the records";
    }
    if (row->is_open != match->is_open ||
        (row->origin == 0 && (row->code == NULL) != row->is_open)) {
        return "whether it is open is not as in the settings";
    }
    if (!is_rating_possible(match, row)) {
        return "whether it is rated is not as in the settings";
    }
    if (!is_result_same(match, row)) {
        return "winner and reason differ from the records";
    }
    return NULL;
}
