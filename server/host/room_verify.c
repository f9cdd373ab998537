/*
 * The match's row against its records.
 *
 * The row is what lists and queries look at; only the records are in the
 * chain.  Where the two differ somebody changed one of them, and nobody can
 * say which the players have agreed to: the match is set aside.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "server/host/restore.h"

/* ---- the first record -------------------------------------------------------------------- */

static bool
is_same_json(struct restoring *in, const char *text, const struct sk_value *other)
{
    struct sk_value *json;
    bool is_same;

    if (sk_json_parse(&in->host->reader, text, strlen(text), &json, &in->fault) != SK_OK) {
        return false;
    }
    is_same = sk_json_same(json, other);
    sk_json_free(json);
    return is_same;
}

static const char *
difference(struct restoring *in, const struct record_created *body)
{
    const struct store_match *match = &in->job->match;
    char commitment[FRAME_CHAIN_DIGITS + 1];

    commitment_of(&in->room.salt, &in->room.seed, commitment);
    if (!sk_text_same(body->ruleset, sk_text_of(match->ruleset))) {
        return "the ruleset is not that of the first record";
    }
    if ((uint32_t)body->version != match->version) {
        return "the ruleset's version is not that of the first record";
    }
    if (!sk_text_same(body->commitment, sk_text_of(commitment))) {
        return "seed and salt are not what the first record commits to";
    }
    if (match->origin == 0 && (body->has_rematch_of ? body->rematch_of : 0) != match->rematch_of) {
        return "the match that it plays again is not that of the first record";
    }
    if (!is_same_json(in, match->params, body->params.object)) {
        return "the params are not those of the first record";
    }
    if (!is_same_json(in, match->settings, body->settings.object)) {
        return "the settings are not those of the first record";
    }
    return NULL;
}

bool
restore_verify_created(struct restoring *in, const struct store_record *record)
{
    char *expected = room_created_body(in->host, &in->job->match);
    bool is_same = strcmp(expected, record->body) == 0;
    struct record_created body;
    struct sk_value *json;
    const char *what;

    free(expected);
    if (is_same) {
        return true; /* as it is, unless another version of this program wrote it */
    }
    if (!restore_body(in, record, &sk_record_created, &json, &body)) {
        return false;
    }
    what = difference(in, &body);
    sk_json_free(json);
    return what == NULL || restore_trouble(in, what);
}

/* ---- what the records came to ------------------------------------------------------------ */

static enum store_match_status
status_of(const struct room *room)
{
    return room->phase == ROOM_WAITING   ? MATCH_WAITING
           : room->phase == ROOM_RUNNING ? MATCH_RUNNING
                                         : MATCH_OVER;
}

/* A bot makes a match unrated when it starts; nothing else changes what the settings say. */
static bool
is_rating_possible(const struct room *room, const struct store_match *match)
{
    return match->is_rated == room->is_rated || (room->is_rated && room_has_bot(room));
}

static bool
are_seats_same(const struct room *room, const struct store_job *job)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->seats[seat].player != job->seats[seat].player) {
            return false;
        }
    }
    return true;
}

static bool
is_result_same(const struct room *room, const struct store_match *match)
{
    const char *reason = ROOM_EXPIRED;
    int32_t winner = STORE_NOBODY;

    if (room->phase != ROOM_OVER) {
        return match->winner == STORE_NOBODY && match->reason == NULL && match->ended_at_ms == 0;
    }
    if (room->state != NULL) {
        reason = sk_reason_name(room->ruleset, room->state->outcome.reason);
        winner = room->state->outcome.winner;
    }
    return match->winner == winner && match->reason != NULL && strcmp(match->reason, reason) == 0;
}

bool
restore_verify_row(struct restoring *in)
{
    const struct room *room = &in->room;
    const struct store_match *match = &in->job->match;

    if (match->seat_count != room->seat_count || !are_seats_same(room, in->job)) {
        return restore_trouble(in, "the seats are not those of the records");
    }
    if (match->status != status_of(room) || (match->started_at_ms != 0) != (room->state != NULL)) {
        return restore_trouble(in, "the status is not what the records came to");
    }
    if (match->is_open != room->is_open ||
        (match->origin == 0 && (match->code == NULL) != match->is_open)) {
        return restore_trouble(in, "whether it is open is not as in the settings");
    }
    if (!is_rating_possible(room, match)) {
        return restore_trouble(in, "whether it is rated is not as in the settings");
    }
    if (!is_result_same(room, match)) {
        return restore_trouble(in, "winner and reason are not what the records came to");
    }
    return true;
}
