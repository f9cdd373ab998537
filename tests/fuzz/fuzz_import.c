/*
 * Match files: reading any bytes and playing the match ends with a fault, or with a match that is
 * written as it was read.
 *
 * Hashes would stop the fuzzer early, so every input is tried twice: as it is, and with all hashes
 * recomputed, as a forger would.
 */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "proto/json_parse.h"
#include "proto/match_lines.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "server/hex.h"
#include "server/replay/playback.h"
#include "server/store/chain.h"
#include "server/store/match_file.h"
#include "tests/fuzz/input.h"

#define FILE_MAX (1u << 20)

struct text {
    char at[FILE_MAX];
    size_t length;
};

static struct sk_arena arena;
static struct playback *playback;
static struct match_file_reader *reader;
static struct match_file_reader *second_reader;

static void
begin(void)
{
    if (playback == NULL) {
        playback = playback_alloc();
        reader = match_file_reader_alloc();
        second_reader = match_file_reader_alloc();
        sk_arena_init(&arena, malloc(FILE_MAX), FILE_MAX);
        must(reader != NULL && second_reader != NULL && arena.base != NULL && sodium_init() >= 0);
    }
}

/* ---- reading ----------------------------------------------------------------------------- */

static bool
add_line(void *context, const char *line, size_t length)
{
    struct text *text = context;

    if (length > sizeof(text->at) - text->length) {
        return false;
    }
    memcpy(text->at + text->length, line, length);
    text->length += length;
    return true;
}

/* The written match can be read, and is written the same again. */
static void
must_stay(const struct text *written)
{
    static struct text again;
    struct store_job *job = NULL;
    struct sk_fault fault;
    size_t at = 0;

    again.length = 0;
    match_file_reader_begin(second_reader);
    while (job == NULL && at < written->length) {
        const char *newline = memchr(written->at + at, '\n', written->length - at);
        size_t length = (size_t)(newline - written->at) - at;

        must(match_file_reader_line(second_reader, written->at + at, length, &job, &fault) ==
             SK_OK);
        at += length + 1;
    }
    must(job != NULL && at == written->length && match_file_write(job, add_line, &again));
    must(again.length == written->length && memcmp(again.at, written->at, again.length) == 0);
    store_job_free(job);
}

/* A valid match is written as the lines it was read from, except for white space, and times in the
 * head, which the records have more exactly. */
static void
use(const struct store_job *job, const char *lines, size_t length)
{
    static struct text again;
    struct sk_fault fault;
    uint64_t turns;

    again.length = 0;
    if (playback_match(playback, job, &turns, &fault) == SK_OK) {
        must(match_file_write(job, add_line, &again));
        must(again.length <= length);
        if (again.length < length || memcmp(again.at, lines, length) != 0) {
            must_stay(&again);
        }
    } else {
        must(fault.code != NULL && fault.message[0] != '\0');
    }
}

static void
read_file(const char *bytes, size_t size)
{
    enum sk_status status = SK_OK;
    size_t start = 0;
    size_t at = 0;

    match_file_reader_begin(reader);
    while (status == SK_OK && at < size) {
        const char *newline = memchr(bytes + at, '\n', size - at);
        size_t length = (newline == NULL ? size : (size_t)(newline - bytes)) - at;
        struct store_job *job = NULL;
        struct sk_fault fault = { .code = NULL };

        status = match_file_reader_line(reader, bytes + at, length, &job, &fault);
        at += length + 1;
        must(status == SK_OK || (fault.code != NULL && job == NULL));
        if (job != NULL) {
            use(job, bytes + start, at - start);
            store_job_free(job);
            start = at;
        }
    }
}

/* ---- forging ----------------------------------------------------------------------------- */

struct forging {
    struct text text;
    uint8_t previous[STORE_HASH_BYTES];
    struct match_line_head head;
    int64_t number;
    char digits[2 * STORE_HASH_BYTES + 1];
};

static void
put_form(struct text *text, const struct sk_schema *schema, const void *form)
{
    struct sk_json_out out;

    sk_json_out_init(&out, text->at + text->length, sizeof(text->at) - text->length - 1);
    sk_form_write(&out, schema, form);
    if (sk_json_out_is_whole(&out)) {
        text->length += out.used;
        text->at[text->length++] = '\n';
    }
}

static bool
read_form(const char *line, size_t length, const struct sk_schema *schema, void *ret_form)
{
    struct sk_value *json = NULL;
    struct sk_fault fault;
    bool is_read = sk_json_parse(line, length, &json, &fault) == SK_OK &&
                   sk_form_read(schema, json, &arena, ret_form, &fault) == SK_OK;

    sk_json_free(json);
    return is_read;
}

static void
forge_record(struct forging *forging, struct match_line_record *line)
{
    struct chain_columns columns = {
        .match = forging->number,
        .seq = line->seq,
        .epoch = line->epoch,
        .turn = { !line->has_turn, line->turn },
        .seat = { !line->has_seat, line->seat },
        .command_id = line->command_id.length > 0 ? line->command_id : (struct sk_text){ 0 },
        .kind = line->kind,
        .body = line->body,
        .at = strtoll(line->at.length < 19 ? line->at.at : "1", NULL, 10),
    };

    chain_hash(forging->previous, &columns, forging->previous);
    hex_encode(forging->previous, STORE_HASH_BYTES, forging->digits);
    line->hash = sk_text_of(forging->digits);
    put_form(&forging->text, &sk_match_line_record, line);
}

/* Records come first, because their number and last hash are in the head. */
static void
forge_records(struct forging *forging, const char *bytes, size_t size, int32_t *ret_count)
{
    size_t at = 0;

    *ret_count = 0;
    while (at < size) {
        const char *newline = memchr(bytes + at, '\n', size - at);
        size_t length = (newline == NULL ? size : (size_t)(newline - bytes)) - at;
        struct match_line_record record;

        if (read_form(bytes + at, length, &sk_match_line_record, &record)) {
            record.seq = ++*ret_count;
            forge_record(forging, &record);
        }
        at += length + 1;
    }
}

static void
forge_end(struct text *text, struct sk_text number)
{
    uint8_t checksum[crypto_hash_sha256_BYTES];
    char hex[2 * sizeof(checksum) + 1];
    struct match_line_end end = { .end = number };

    (void)crypto_hash_sha256(checksum, (const uint8_t *)text->at, text->length);
    hex_encode(checksum, sizeof(checksum), hex);
    end.sha256 = sk_text_of(hex);
    put_form(text, &sk_match_line_end, &end);
}

static void
forge(const char *bytes, size_t size)
{
    static struct forging forging;
    static struct text file;
    const char *newline = memchr(bytes, '\n', size);
    size_t length = newline == NULL ? size : (size_t)(newline - bytes);
    char number[MATCH_DIGITS_MAX + 1] = "";

    arena.used = 0;
    forging.text.length = 0;
    file.length = 0;
    memset(forging.previous, 0, sizeof(forging.previous));
    if (size > FILE_MAX / 4 || newline == NULL ||
        !read_form(bytes, length, &sk_match_line_head, &forging.head)) {
        return;
    }
    memcpy(number, forging.head.match.at, forging.head.match.length);
    forging.number = strtoll(number, NULL, 10);
    forge_records(&forging, newline + 1, size - length - 1, &forging.head.records);
    if (forging.head.records == 0) {
        return;
    }
    hex_encode(forging.previous, STORE_HASH_BYTES, forging.digits);
    forging.head.head = sk_text_of(forging.digits);
    put_form(&file, &sk_match_line_head, &forging.head);
    if (!add_line(&file, forging.text.at, forging.text.length)) {
        return;
    }
    forge_end(&file, forging.head.match);
    read_file(file.at, file.length);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    begin();
    read_file((const char *)bytes, size);
    forge((const char *)bytes, size);
    return 0;
}
