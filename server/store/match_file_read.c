#include <stdlib.h>
#include <string.h>

#include "proto/json_parse.h"
#include "proto/match_lines.h"
#include "proto/records.h"
#include "proto/schema_read.h"
#include "proto/sha256.h"
#include "server/hex.h"
#include "server/memory.h"
#include "server/store/chain.h"
#include "server/store/match_file.h"

/* A line's unescaped texts, and its form. */
#define ARENA_BYTES (MATCH_LINE_MAX + 65536u)

/* Earlier programs took the row's times from the clock shortly after the record's. */
#define MOMENT_MS 1000

struct match_file_reader {
    struct sk_arena arena;
    struct sk_sha256 checksum;

    struct store_job *job; /* the match being read, or NULL */
    int32_t turn;          /* of the line read last, or STORE_NO_TURN */
    uint32_t record_count; /* as announced by the head */
    uint8_t head[STORE_HASH_BYTES];
    uint8_t previous[STORE_HASH_BYTES]; /* hash of the last record so far */
};

struct match_file_reader *
match_file_reader_alloc(void)
{
    struct match_file_reader *reader = calloc(1, sizeof(*reader));
    void *memory = malloc(ARENA_BYTES);

    if (reader == NULL || memory == NULL) {
        free(memory);
        free(reader);
        return NULL;
    }
    reader->turn = STORE_NO_TURN;
    sk_arena_init(&reader->arena, memory, ARENA_BYTES);
    return reader;
}

void
match_file_reader_free(struct match_file_reader *reader)
{
    if (reader != NULL) {
        free(reader->arena.base);
        store_job_free(reader->job);
        free(reader);
    }
}

void
match_file_reader_begin(struct match_file_reader *reader)
{
    store_job_free(reader->job);
    reader->job = NULL;
}

int32_t
match_file_reader_turn(const struct match_file_reader *reader)
{
    return reader->turn;
}

bool
match_file_reader_is_inside(const struct match_file_reader *reader)
{
    return reader->job != NULL;
}

/* ---- values ------------------------------------------------------------------------------ */

static enum sk_status
malformed(struct sk_fault *fault, const char *member, const char *what)
{
    (void)sk_fault_set(fault, "malformed", what);
    sk_fault_inside(fault, sk_text_of(member));
    return SK_ERR_REFUSED;
}

static enum sk_status
differs(struct sk_fault *fault, const char *member, const char *what)
{
    (void)sk_fault_set(fault, "differs", what);
    sk_fault_inside(fault, sk_text_of(member));
    return SK_ERR_DIFFERS;
}

/* Accepts only what we write: no sign, no leading zero, at least 1. */
static enum sk_status
read_digits(struct sk_text text, const char *member, int64_t *ret_number,
            struct sk_fault *ret_fault)
{
    int64_t number = 0;

    for (uint32_t i = 0; i < text.length; i++) {
        int64_t digit = text.at[i] - '0';

        if (digit < 0 || digit > 9 || (i == 0 && digit == 0) || number > (INT64_MAX - digit) / 10) {
            return malformed(ret_fault, member, "this is not a number of at least 1");
        }
        number = 10 * number + digit;
    }
    *ret_number = number;
    return SK_OK;
}

static enum sk_status
read_hex(struct sk_text text, const char *member, uint8_t ret_bytes[STORE_HASH_BYTES],
         struct sk_fault *ret_fault)
{
    return hex_decode(text, ret_bytes, STORE_HASH_BYTES)
               ? SK_OK
               : malformed(ret_fault, member, "this is not 64 hex digits");
}

static char *
copy_of(struct sk_text text)
{
    return heap_copy(text.at, text.length);
}

/* Reads a body by its schema.  Only for numbers: the form's texts point into the document, which is
 * freed. */
static enum sk_status
read_inner(struct match_file_reader *reader, const char *text, size_t length,
           const struct sk_schema *schema, void *ret_form, struct sk_fault *ret_fault)
{
    struct sk_value *json = NULL;
    enum sk_status status = sk_json_parse(text, length, &json, ret_fault);

    if (status == SK_OK) {
        status = sk_form_read(schema, json, &reader->arena, ret_form, ret_fault);
    }
    sk_json_free(json);
    return status;
}

/* ---- the head ---------------------------------------------------------------------------- */

static enum sk_status
take_numbers(struct match_file_reader *reader, const struct match_line_head *line,
             struct sk_fault *ret_fault)
{
    struct store_match *match = &reader->job->match;
    enum sk_status status = read_digits(line->match, "match", &match->origin, ret_fault);

    if (status == SK_OK) {
        status = read_digits(line->created_at, "created_at", &match->created_at_ms, ret_fault);
    }
    if (status == SK_OK && line->started_at.length > 0) {
        status = read_digits(line->started_at, "started_at", &match->started_at_ms, ret_fault);
    }
    if (status == SK_OK) {
        status = read_digits(line->ended_at, "ended_at", &match->ended_at_ms, ret_fault);
    }
    if (status == SK_OK) {
        status = read_hex(line->seed, "seed", match->seed, ret_fault);
    }
    if (status == SK_OK) {
        status = read_hex(line->salt, "salt", match->salt, ret_fault);
    }
    return status == SK_OK ? read_hex(line->head, "head", reader->head, ret_fault) : status;
}

static bool
is_name_valid(struct sk_text name)
{
    for (uint32_t i = 0; i < name.length; i++) {
        if (name.at[i] < ' ' || name.at[i] > '~') {
            return false;
        }
    }
    return true;
}

static enum sk_status
take_seats(struct store_job *job, const struct match_line_head *line, struct sk_fault *ret_fault)
{
    const struct match_line_seat *seats = line->seats.at;

    job->match.seat_count = (int32_t)line->seats.count;
    for (uint32_t i = 0; i < line->seats.count; i++) {
        bool has_name = seats[i].name.length > 0;

        if ((has_name && !seats[i].has_player) || !is_name_valid(seats[i].name)) {
            return malformed(ret_fault, "seats",
                             "a player has a number and a name of printable ASCII characters");
        }
        job->seats[i].origin_player = seats[i].has_player ? seats[i].player : 0;
        job->seats[i].name = has_name ? copy_of(seats[i].name) : NULL;
        job->seats[i].is_bot = seats[i].bot;
    }
    return SK_OK;
}

static enum sk_status
take_settings(struct match_file_reader *reader, const struct match_line_head *line,
              struct sk_fault *ret_fault)
{
    struct store_match *match = &reader->job->match;
    struct record_settings settings;
    enum sk_status status = read_inner(reader, match->settings, strlen(match->settings),
                                       &sk_record_settings, &settings, ret_fault);

    if (status != SK_OK) {
        sk_fault_inside(ret_fault, SK_TEXT("settings"));
        return status;
    }
    if (line->rated && !settings.is_rated) {
        return differs(ret_fault, "rated", "the settings say that the match is not rated");
    }
    match->is_open = settings.is_open;
    match->is_rated = line->rated;
    return SK_OK;
}

static enum sk_status
take_head(struct match_file_reader *reader, const void *form, struct sk_fault *ret_fault)
{
    const struct match_line_head *line = form;
    struct store_job *job = store_job_alloc(JOB_MATCH_IMPORT);
    struct store_match *match = &job->match;
    enum sk_status status;

    reader->job = job;
    reader->record_count = (uint32_t)line->records;
    memset(reader->previous, 0, sizeof(reader->previous));
    match->ruleset = copy_of(line->ruleset);
    match->version = (uint32_t)line->version;
    match->params = copy_of(line->params);
    match->settings = copy_of(line->settings);
    match->status = MATCH_OVER;
    match->winner = line->has_winner ? line->winner : STORE_NOBODY;
    match->reason = copy_of(line->reason);
    status = take_numbers(reader, line, ret_fault);
    if (status == SK_OK) {
        status = take_seats(job, line, ret_fault);
    }
    return status == SK_OK ? take_settings(reader, line, ret_fault) : status;
}

/* ---- records ----------------------------------------------------------------------------- */

static void
hash_record(struct match_file_reader *reader, const struct match_line_record *line, int64_t at_ms)
{
    struct chain_columns columns = {
        .match = reader->job->match.origin,
        .seq = line->seq,
        .epoch = line->epoch,
        .turn = { !line->has_turn, line->turn },
        .seat = { !line->has_seat, line->seat },
        .command_id = line->command_id.length > 0 ? line->command_id : (struct sk_text){ 0 },
        .kind = line->kind,
        .body = line->body,
        .at = at_ms,
    };

    chain_hash(reader->previous, &columns, reader->previous);
}

static enum sk_status
take_record(struct match_file_reader *reader, const void *form, struct sk_fault *ret_fault)
{
    const struct match_line_record *line = form;
    struct store_job *job = reader->job;
    uint8_t hash[STORE_HASH_BYTES];
    enum store_record_kind kind;
    struct store_record *record;
    int64_t at_ms = 0;
    enum sk_status status = read_digits(line->at, "at", &at_ms, ret_fault);

    reader->turn = line->has_turn ? line->turn : STORE_NO_TURN;
    if (status == SK_OK) {
        status = read_hex(line->hash, "hash", hash, ret_fault);
    }
    if (status != SK_OK) {
        return status;
    }
    if ((uint32_t)line->seq != job->record_count + 1) {
        return malformed(ret_fault, "seq", "records are numbered 1, 2, 3 ...");
    }
    if (!store_record_kind_read(line->kind, &kind)) {
        return malformed(ret_fault, "kind", "there is no such kind of record");
    }
    hash_record(reader, line, at_ms);
    if (memcmp(hash, reader->previous, STORE_HASH_BYTES) != 0) {
        return differs(ret_fault, "hash", "the hash does not match the record's contents");
    }
    record = store_job_add_record(job);
    record->seq = (uint32_t)line->seq;
    record->kind = kind;
    record->turn = line->has_turn ? line->turn : STORE_NO_TURN;
    record->seat = line->has_seat ? line->seat : STORE_NO_SEAT;
    record->command_id = line->command_id.length > 0 ? copy_of(line->command_id) : NULL;
    record->body = copy_of(line->body);
    record->body_length = line->body.length;
    record->epoch = line->epoch;
    record->at_ms = at_ms;
    memcpy(record->hash, hash, STORE_HASH_BYTES);
    return SK_OK;
}

/* ---- the end ----------------------------------------------------------------------------- */

static bool
is_same_moment(int64_t a_ms, int64_t b_ms)
{
    return a_ms >= b_ms - MOMENT_MS && a_ms <= b_ms + MOMENT_MS;
}

/* Players at the end, and the start time, according to the records. */
struct sitting {
    int64_t players[STORE_SEATS_MAX];
    int64_t started_at_ms;
};

static enum sk_status
follow_joined(struct match_file_reader *reader, const struct store_record *record,
              struct sitting *sitting, struct sk_fault *ret_fault)
{
    struct record_joined joined;
    enum sk_status status = read_inner(reader, record->body, record->body_length, &sk_record_joined,
                                       &joined, ret_fault);

    if (status != SK_OK || record->seat < 0 || record->seat >= STORE_SEATS_MAX) {
        return status != SK_OK ? status : malformed(ret_fault, "seat", "there is no such seat");
    }
    sitting->players[record->seat] = joined.has_player ? joined.player : 0;
    if (joined.starts) {
        sitting->started_at_ms = record->at_ms;
    }
    return SK_OK;
}

/* Compares the head's seats and times with the records; the playback compares the rest. */
static enum sk_status
compare_head(struct match_file_reader *reader, struct sk_fault *ret_fault)
{
    const struct store_job *job = reader->job;
    struct store_match *match = &reader->job->match;
    const struct store_record *last = &job->records[job->record_count - 1];
    struct sitting sitting = { .started_at_ms = 0 };
    enum sk_status status = SK_OK;

    for (uint32_t i = 0; status == SK_OK && i < job->record_count; i++) {
        if (job->records[i].kind == RECORD_JOINED) {
            status = follow_joined(reader, &job->records[i], &sitting, ret_fault);
        }
    }
    for (int32_t i = 0; status == SK_OK && i < STORE_SEATS_MAX; i++) {
        if (sitting.players[i] != job->seats[i].origin_player) {
            status = differs(ret_fault, "seats", "the records have another player in this seat");
        }
    }
    if (status != SK_OK) {
        return status;
    }
    if (store_repeated_id(job) != NULL) {
        return differs(ret_fault, "command_id", "the seat has used this id before");
    }
    if (match->created_at_ms != job->records[0].at_ms) {
        return differs(ret_fault, "created_at", "the first record has another time");
    }
    if ((match->started_at_ms != 0) != (sitting.started_at_ms != 0) ||
        !is_same_moment(match->started_at_ms, sitting.started_at_ms)) {
        return differs(ret_fault, "started_at", "the records have another time");
    }
    if (last->kind != RECORD_ENDED || !is_same_moment(match->ended_at_ms, last->at_ms)) {
        return differs(ret_fault, "ended_at", "the last record is not an end at this time");
    }
    match->started_at_ms = sitting.started_at_ms;
    match->ended_at_ms = last->at_ms;
    return SK_OK;
}

static enum sk_status
take_end(struct match_file_reader *reader, const void *form, struct sk_fault *ret_fault)
{
    const struct match_line_end *line = form;
    uint8_t checksum[SK_SHA256_BYTES];
    uint8_t stored[STORE_HASH_BYTES];
    int64_t number = 0;
    enum sk_status status = read_digits(line->end, "end", &number, ret_fault);

    if (status == SK_OK) {
        status = read_hex(line->sha256, "sha256", stored, ret_fault);
    }
    if (status != SK_OK) {
        return status;
    }
    sk_sha256_final(&reader->checksum, checksum);
    if (number != reader->job->match.origin || memcmp(checksum, stored, sizeof(checksum)) != 0) {
        (void)sk_fault_set(ret_fault, "damaged", "the checksum does not match the lines");
        return SK_ERR_CORRUPT;
    }
    if (memcmp(reader->previous, reader->head, STORE_HASH_BYTES) != 0) {
        return differs(ret_fault, "head", "the last record has another hash");
    }
    return compare_head(reader, ret_fault);
}

/* ---- lines ------------------------------------------------------------------------------- */

struct expected_line {
    const struct sk_schema *schema;
    enum sk_status (*take)(struct match_file_reader *reader, const void *form,
                           struct sk_fault *ret_fault);
};

enum expected {
    EXPECTED_HEAD,
    EXPECTED_RECORD,
    EXPECTED_END,
};

static const struct expected_line expected_lines[] = {
    [EXPECTED_HEAD] = { &sk_match_line_head, take_head },
    [EXPECTED_RECORD] = { &sk_match_line_record, take_record },
    [EXPECTED_END] = { &sk_match_line_end, take_end },
};

static enum expected
next_of(const struct match_file_reader *reader)
{
    if (reader->job == NULL) {
        return EXPECTED_HEAD;
    }
    return reader->job->record_count < reader->record_count ? EXPECTED_RECORD : EXPECTED_END;
}

/* Checks the version first: a later form may have other members. */
static enum sk_status
expect_form(const struct sk_value *json, struct sk_fault *ret_fault)
{
    const struct sk_value *form =
        sk_value_is(json, SK_VALUE_OBJECT) ? sk_value_member(json, MATCH_LINES_TAG) : NULL;

    if (!sk_value_is(form, SK_VALUE_INT)) {
        return sk_fault_set(ret_fault, "malformed", "this is not the first line of a match file");
    }
    if (sk_value_int(form) != MATCH_LINES_VERSION) {
        (void)sk_fault_set(ret_fault, "unknown_form", "the file has format ");
        sk_fault_say_number(ret_fault, sk_value_int(form));
        sk_fault_say(ret_fault, "; this program knows format " SK_LIMIT_TEXT(MATCH_LINES_VERSION));
        return SK_ERR_REFUSED;
    }
    return SK_OK;
}

static enum sk_status
read_line(struct match_file_reader *reader, enum expected expected, const struct sk_value *json,
          struct sk_fault *ret_fault)
{
    const struct expected_line *line = &expected_lines[expected];
    void *form;
    enum sk_status status = SK_OK;

    if (expected == EXPECTED_HEAD) {
        status = expect_form(json, ret_fault);
        sk_sha256_init(&reader->checksum);
    }
    reader->arena.used = 0;
    form = sk_arena_take(&reader->arena, line->schema->size);
    if (status == SK_OK) {
        status = sk_form_read(line->schema, json, &reader->arena, form, ret_fault);
    }
    return status == SK_OK ? line->take(reader, form, ret_fault) : status;
}

enum sk_status
match_file_reader_line(struct match_file_reader *reader, const char *line, size_t length,
                       struct store_job **ret_job, struct sk_fault *ret_fault)
{
    enum expected expected = next_of(reader);
    struct sk_value *json = NULL;
    enum sk_status status;

    reader->turn = STORE_NO_TURN;
    if (length > MATCH_LINE_MAX) {
        return sk_fault_set(ret_fault, "malformed", "the line is too long");
    }
    status = sk_json_parse(line, length, &json, ret_fault);
    if (status == SK_OK) {
        status = read_line(reader, expected, json, ret_fault);
        sk_json_free(json);
    }
    if (status != SK_OK) {
        return status;
    }
    sk_sha256_update(&reader->checksum, line, length);
    sk_sha256_update(&reader->checksum, "\n", 1);
    *ret_job = expected == EXPECTED_END ? reader->job : NULL;
    reader->job = expected == EXPECTED_END ? NULL : reader->job;
    return SK_OK;
}
