#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_buffer.h"
#include "proto/match_lines.h"
#include "proto/schema_write.h"
#include "proto/sha256.h"
#include "server/hex.h"
#include "server/store/match_file.h"

#define DIGITS_SIZE (MATCH_DIGITS_MAX + 2)
#define HEX_SIZE    (2 * STORE_HASH_BYTES + 1)

struct writing {
    match_file_sink *sink;
    void *context;
    struct sk_json_buffer buffer;
    struct sk_sha256 checksum; /* of all lines so far */
};

struct line {
    const struct sk_schema *schema;
    const void *form;
};

static void
write_line(struct sk_json_out *out, const void *what)
{
    const struct line *line = what;

    sk_form_write(out, line->schema, line->form);
    sk_json_end_line(out);
}

static bool
put_line(struct writing *writing, const struct sk_schema *schema, const void *form)
{
    struct line line = { schema, form };
    struct sk_text text = sk_json_buffer_write(&writing->buffer, write_line, &line);

    sk_sha256_update(&writing->checksum, text.at, text.length);
    return writing->sink(writing->context, text.at, text.length);
}

static struct sk_text
digits_of(int64_t number, char text[DIGITS_SIZE])
{
    (void)snprintf(text, DIGITS_SIZE, "%" PRId64, number);
    return sk_text_of(text);
}

static struct sk_text
hex_of(const uint8_t bytes[STORE_HASH_BYTES], char text[HEX_SIZE])
{
    hex_encode(bytes, STORE_HASH_BYTES, text);
    return sk_text_of(text);
}

static struct sk_text
text_or_none(const char *text)
{
    return text == NULL ? (struct sk_text){ 0 } : sk_text_of(text);
}

static int64_t
number_of(const struct store_match *match)
{
    return match->origin != 0 ? match->origin : match->id;
}

/* ---- lines ------------------------------------------------------------------------------- */

static struct match_line_seat
seat_line(const struct store_job *job, int32_t seat)
{
    const struct store_seat *it = &job->seats[seat];
    int64_t player = job->match.origin != 0 ? it->origin_player : it->player;

    return (struct match_line_seat){
        .has_player = player != 0,
        .player = player,
        .name = it->is_forgotten ? (struct sk_text){ 0 } : text_or_none(it->name),
        .bot = it->is_bot,
    };
}

static bool
put_head(struct writing *writing, const struct store_job *job)
{
    const struct store_match *match = &job->match;
    const struct store_record *last = &job->records[job->record_count - 1];
    struct match_line_seat seats[STORE_SEATS_MAX];
    char number[DIGITS_SIZE], created[DIGITS_SIZE], started[DIGITS_SIZE], ended[DIGITS_SIZE];
    char seed[HEX_SIZE], salt[HEX_SIZE], head[HEX_SIZE];
    struct match_line_head line = {
        .form = MATCH_LINES_VERSION,
        .match = digits_of(number_of(match), number),
        .ruleset = sk_text_of(match->ruleset),
        .version = (int32_t)match->version,
        .params = sk_text_of(match->params),
        .settings = sk_text_of(match->settings),
        .seed = hex_of(match->seed, seed),
        .salt = hex_of(match->salt, salt),
        .rated = match->is_rated,
        .seats = { seats, (uint32_t)match->seat_count },
        .created_at = digits_of(match->created_at_ms, created),
        .ended_at = digits_of(match->ended_at_ms, ended),
        .has_winner = match->winner != STORE_NOBODY,
        .winner = match->winner,
        .reason = text_or_none(match->reason),
        .records = (int32_t)job->record_count,
        .head = hex_of(last->hash, head),
    };

    if (match->started_at_ms != 0) {
        line.started_at = digits_of(match->started_at_ms, started);
    }
    for (int32_t seat = 0; seat < match->seat_count; seat++) {
        seats[seat] = seat_line(job, seat);
    }
    return put_line(writing, &sk_match_line_head, &line);
}

static bool
put_record(struct writing *writing, const struct store_record *record)
{
    char at[DIGITS_SIZE], hash[HEX_SIZE];
    struct match_line_record line = {
        .seq = (int32_t)record->seq,
        .epoch = (int32_t)record->epoch,
        .has_turn = record->turn != STORE_NO_TURN,
        .turn = record->turn,
        .has_seat = record->seat != STORE_NO_SEAT,
        .seat = record->seat,
        .command_id = text_or_none(record->command_id),
        .kind = sk_text_of(store_record_kind_names[record->kind]),
        .at = digits_of(record->at_ms, at),
        .hash = hex_of(record->hash, hash),
        .body = { record->body, (uint32_t)record->body_length },
    };

    return put_line(writing, &sk_match_line_record, &line);
}

static bool
put_end(struct writing *writing, const struct store_match *match)
{
    uint8_t checksum[SK_SHA256_BYTES];
    char number[DIGITS_SIZE], hex[HEX_SIZE];
    struct match_line_end line = { .end = digits_of(number_of(match), number) };

    sk_sha256_final(&writing->checksum, checksum);
    line.sha256 = hex_of(checksum, hex);
    return put_line(writing, &sk_match_line_end, &line);
}

bool
match_file_write(const struct store_job *job, match_file_sink *sink, void *context)
{
    struct writing writing = { .sink = sink, .context = context };
    bool is_written;

    SK_ASSERT(job->match.status == MATCH_OVER && job->record_count > 0);
    sk_sha256_init(&writing.checksum);
    is_written = put_head(&writing, job);
    for (uint32_t i = 0; is_written && i < job->record_count; i++) {
        is_written = put_record(&writing, &job->records[i]);
    }
    is_written = is_written && put_end(&writing, &job->match);
    free(writing.buffer.at);
    return is_written;
}
