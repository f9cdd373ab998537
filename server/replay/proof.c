/*
 * The functions of libskirmish that prove a match file: lines by the reader that
 * `skirmish import` uses, records by the playback that `skirmish verify` uses.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/json_buffer.h"
#include "proto/referee/skirmish.h"
#include "proto/turn_write.h"
#include "server/hex.h"
#include "server/replay/moments.h"
#include "server/store/match_file.h"

_Static_assert(SK_PROOF_EVERYTHING == MOMENTS_EVERYTHING, "the same audience");
_Static_assert(SK_GAME_SPECTATOR == SK_SPECTATOR, "the same audience");

struct sk_proof {
    const char *file; /* the caller's */
    size_t length;
    size_t at; /* of the next line */
    int64_t line;
    struct match_file_reader *reader;

    struct store_job *job; /* the match that is being played, or NULL */
    struct moments moments;
    uint32_t record; /* the next one */
    int64_t turns;   /* of the match, so far */

    struct sk_json_buffer answer;
    struct sk_fault fault;
    int64_t turn; /* that does not hold, or STORE_NO_TURN */
    bool has_failed;
};

struct sk_proof *
sk_proof_new(const char *file, size_t length)
{
    struct sk_proof *proof = calloc(1, sizeof(*proof));

    if (proof == NULL) {
        return NULL;
    }
    *proof = (struct sk_proof){ .file = file, .length = length, .turn = STORE_NO_TURN };
    proof->reader = match_file_reader_alloc();
    if (proof->reader == NULL) {
        free(proof);
        return NULL;
    }
    return proof;
}

static void
end_match(struct sk_proof *proof)
{
    if (proof->job != NULL) {
        moments_close(&proof->moments);
        store_job_free(proof->job);
        proof->job = NULL;
    }
}

void
sk_proof_free(struct sk_proof *proof)
{
    if (proof != NULL) {
        end_match(proof);
        match_file_reader_free(proof->reader);
        free(proof->answer.at);
        free(proof);
    }
}

/* ---- answers ----------------------------------------------------------------------------- */

static int
give(struct sk_text text, int status, const char **ret_answer, size_t *ret_length)
{
    *ret_answer = text.at;
    *ret_length = text.length;
    return status;
}

static int
answer(struct sk_proof *proof, void (*write)(struct sk_json_out *out, const void *what), int status,
       const char **ret_answer, size_t *ret_length)
{
    return give(sk_json_buffer_write(&proof->answer, write, proof), status, ret_answer, ret_length);
}

static void
write_number_or_null(struct sk_json_out *out, const char *key, bool is_there, int64_t number)
{
    sk_json_key(out, key);
    if (is_there) {
        sk_json_int(out, number);
    } else {
        sk_json_null(out);
    }
}

static void
write_hex(struct sk_json_out *out, const char *key, const uint8_t bytes[STORE_HASH_BYTES])
{
    char text[2 * STORE_HASH_BYTES + 1];

    hex_encode(bytes, STORE_HASH_BYTES, text);
    sk_json_key_string(out, key, text);
}

static void
write_failure(struct sk_json_out *out, const void *what)
{
    const struct sk_proof *proof = what;
    const struct sk_fault *fault = &proof->fault;

    sk_json_begin_object(out);
    sk_json_key(out, "error");
    sk_json_begin_object(out);
    sk_json_key_string(out, "code", fault->code);
    sk_json_key_string(out, "message", fault->message);
    sk_json_key_string(out, "at", fault->at);
    sk_json_key_int(out, "line", proof->line);
    write_number_or_null(out, "turn", proof->turn != STORE_NO_TURN, proof->turn);
    sk_json_end_object(out);
    sk_json_end_object(out);
}

static void
write_players(struct sk_json_out *out, const struct store_job *job)
{
    sk_json_key(out, "players");
    sk_json_begin_list(out);
    for (int32_t seat = 0; seat < job->match.seat_count; seat++) {
        if (job->seats[seat].name == NULL) {
            sk_json_null(out);
        } else {
            sk_json_string(out, job->seats[seat].name);
        }
    }
    sk_json_end_list(out);
}

static int64_t
turns_of(const struct store_job *job)
{
    int64_t turns = 0;

    for (uint32_t i = 0; i < job->record_count; i++) {
        turns += job->records[i].kind == RECORD_TURN ? 1 : 0;
    }
    return turns;
}

static void
write_match(struct sk_json_out *out, const void *what)
{
    const struct store_job *job = ((const struct sk_proof *)what)->job;
    const struct match *playing = &((const struct sk_proof *)what)->moments.playback->match;
    char commitment[FRAME_CHAIN_DIGITS + 1];

    commitment_of(&playing->salt, &playing->seed, commitment);
    sk_json_begin_object(out);
    sk_json_key_string(out, "step", "match");
    sk_json_key_int(out, "match", job->match.origin);
    sk_json_key_string(out, "ruleset", job->match.ruleset);
    sk_json_key_int(out, "version", job->match.version);
    sk_json_key(out, "params");
    sk_json_raw(out, sk_text_of(playing->config->params));
    write_players(out, job);
    sk_json_key_int(out, "ended_at_ms", job->match.ended_at_ms);
    write_number_or_null(out, "winner", job->match.winner != STORE_NOBODY, job->match.winner);
    sk_json_key_string(out, "reason", job->match.reason);
    sk_json_key_int(out, "turns", turns_of(job));
    write_hex(out, "seed", job->match.seed);
    write_hex(out, "salt", job->match.salt);
    sk_json_key_string(out, "commitment", commitment);
    write_hex(out, "head", job->records[job->record_count - 1].hash);
    sk_json_end_object(out);
}

static void
write_start(struct sk_json_out *out, const void *what)
{
    (void)what;
    sk_json_begin_object(out);
    sk_json_key_string(out, "step", "start");
    sk_json_end_object(out);
}

static void
write_turn(struct sk_json_out *out, const void *what)
{
    const struct sk_proof *proof = what;
    const struct playback *playback = proof->moments.playback;

    sk_json_begin_object(out);
    sk_json_key_string(out, "step", "turn");
    sk_json_key_int(out, "turn", playback_turn(playback)->before->turn);
    sk_json_key_string(out, "hash", playback->match.last_hash);
    sk_json_end_object(out);
}

static void
write_over(struct sk_json_out *out, const void *what)
{
    const struct sk_proof *proof = what;

    sk_json_begin_object(out);
    sk_json_key_string(out, "step", "over");
    sk_json_key_int(out, "turns", proof->turns);
    sk_json_end_object(out);
}

/* ---- steps ------------------------------------------------------------------------------- */

static int
fail(struct sk_proof *proof, int64_t turn, const char **ret_answer, size_t *ret_length)
{
    proof->has_failed = true;
    proof->turn = turn;
    return answer(proof, write_failure, SK_FAILED, ret_answer, ret_length);
}

/* Reads lines until a match is whole, or the file ends: then there is no job. */
static enum sk_status
read_match(struct sk_proof *proof)
{
    enum sk_status status = SK_OK;

    while (status == SK_OK && proof->job == NULL && proof->at < proof->length) {
        const char *line = proof->file + proof->at;
        const char *end = memchr(line, '\n', proof->length - proof->at);
        size_t length = end == NULL ? proof->length - proof->at : (size_t)(end - line);

        proof->line++;
        proof->at += length + (end == NULL ? 0 : 1);
        status = match_file_reader_line(proof->reader, line, length, &proof->job, &proof->fault);
    }
    if (status == SK_OK && proof->job == NULL && proof->line == 0) {
        return sk_fault_set(&proof->fault, "malformed", "the file is empty");
    }
    if (status == SK_OK && match_file_reader_is_inside(proof->reader)) {
        return sk_fault_set(&proof->fault, "cut", "the file ends in the middle of a match");
    }
    return status;
}

static enum sk_status
begin_match(struct sk_proof *proof)
{
    proof->record = 0;
    proof->turns = 0;
    return moments_open(&proof->moments, &proof->job->match, SK_PROOF_EVERYTHING, &proof->fault)
               ? SK_OK
               : SK_ERR_REFUSED;
}

static int
next_match(struct sk_proof *proof, const char **ret_answer, size_t *ret_length)
{
    enum sk_status status = read_match(proof);

    if (status != SK_OK) {
        return fail(proof, match_file_reader_turn(proof->reader), ret_answer, ret_length);
    }
    if (proof->job == NULL) {
        return give((struct sk_text){ "", 0 }, 0, ret_answer, ret_length);
    }
    if (begin_match(proof) != SK_OK) {
        return fail(proof, STORE_NO_TURN, ret_answer, ret_length);
    }
    return answer(proof, write_match, 1, ret_answer, ret_length);
}

static int
over(struct sk_proof *proof, const char **ret_answer, size_t *ret_length)
{
    if (playback_end(proof->moments.playback, proof->job, &proof->fault) != SK_OK) {
        return fail(proof, STORE_NO_TURN, ret_answer, ret_length);
    }
    end_match(proof);
    return answer(proof, write_over, 1, ret_answer, ret_length);
}

int
sk_proof_step(struct sk_proof *proof, const char **ret_answer, size_t *ret_length)
{
    if (proof->has_failed) {
        return answer(proof, write_failure, SK_FAILED, ret_answer, ret_length);
    }
    if (proof->job == NULL) {
        return next_match(proof, ret_answer, ret_length);
    }
    while (proof->record < proof->job->record_count) {
        const struct store_record *record = &proof->job->records[proof->record++];
        struct playback *playback = proof->moments.playback;
        bool had_begun = playback->match.state != NULL;

        if (playback_record(playback, record, &proof->fault) != SK_OK) {
            return fail(proof, record->turn, ret_answer, ret_length);
        }
        if (moments_is_one(&proof->moments, had_begun)) {
            proof->turns += had_begun ? 1 : 0;
            return answer(proof, had_begun ? write_turn : write_start, 1, ret_answer, ret_length);
        }
    }
    return over(proof, ret_answer, ret_length);
}

int
sk_proof_moment(struct sk_proof *proof, uint8_t audience, const char **ret_answer,
                size_t *ret_length)
{
    const struct match *match = proof->job == NULL ? NULL : &proof->moments.playback->match;

    if (match == NULL || proof->has_failed || match->state == NULL ||
        (audience >= match->seat_count && audience != SK_GAME_SPECTATOR &&
         audience != SK_PROOF_EVERYTHING)) {
        return SK_FAILED;
    }
    proof->moments.audience = audience;
    return give(moments_json(&proof->moments, match->state, playback_turn(proof->moments.playback)),
                0, ret_answer, ret_length);
}
