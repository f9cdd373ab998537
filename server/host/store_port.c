#include "server/host/store_port.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "server/memory.h"

#define STORE_WORD(number, word) [number] = word,
const char *const store_record_kind_names[RECORD_KIND_COUNT] = { STORE_RECORD_KINDS(STORE_WORD) };
#undef STORE_WORD

const char *const store_match_status_names[MATCH_QUARANTINED + 1] = {
    [MATCH_WAITING] = "waiting",
    [MATCH_RUNNING] = "running",
    [MATCH_OVER] = "over",
    [MATCH_QUARANTINED] = "quarantined",
};

#define RECORDS_FIRST 4u

bool
store_record_kind_read(struct sk_text word, enum store_record_kind *ret_kind)
{
    for (int i = 0; i < RECORD_KIND_COUNT; i++) {
        if (sk_text_same(word, sk_text_of(store_record_kind_names[i]))) {
            *ret_kind = (enum store_record_kind)i;
            return true;
        }
    }
    return false;
}

/* An append is allocated without the members that it does not use. */
static size_t
job_size(enum store_job_kind kind)
{
    return kind == JOB_MATCH_APPEND ? offsetof(struct store_job, player) : sizeof(struct store_job);
}

struct store_job *
store_job_alloc(enum store_job_kind kind)
{
    struct store_job *job = heap_memory(job_size(kind));

    job->kind = kind;
    if (kind == JOB_REVIEW) {
        job->review = heap_memory(sizeof(*job->review));
    }
    return job;
}

/* Most are NULL; a test is faster than a call. */
static inline void
drop(void *memory)
{
    if (memory != NULL) {
        free(memory);
    }
}

static void
match_fini(struct store_match *match)
{
    drop(match->ruleset);
    drop(match->params);
    drop(match->settings);
    drop(match->code);
    drop(match->reason);
}

static void
review_free(struct review *review)
{
    if (review != NULL) {
        drop(review->commands);
        drop(review->verdicts);
        drop(review->events);
        drop(review->view);
        drop(review->state);
        drop(review->outcome);
        free(review);
    }
}

static void
record_fini(struct store_record *record)
{
    drop(record->command_id);
    drop(record->body);
    drop(record->name);
}

void
store_job_clear_records(struct store_job *job)
{
    for (uint32_t i = 0; i < job->record_count; i++) {
        record_fini(&job->records[i]);
    }
    if (job->records != &job->first) {
        drop(job->records);
    }
    job->records = NULL;
    job->record_count = 0;
}

/* The members that an append does not have. */
static void
rest_fini(struct store_job *job)
{
    for (int i = 0; i < STORE_SEATS_MAX; i++) {
        drop(job->seats[i].name);
        drop(job->seats[i].bot);
    }
    drop(job->admin.detail);
    drop(job->admin.reason);
    drop(job->player.name);
    drop(job->player.bot);
    drop(job->bot_call.bot);
    drop(job->bot_call.message);
    drop(job->bot_call.request);
    drop(job->bot_call.answer);
    drop(job->keys);
    drop(job->ids);
    review_free(job->review);
    drop(job->text);
}

void
store_job_free(struct store_job *job)
{
    if (job == NULL) {
        return;
    }
    match_fini(&job->match);
    store_job_clear_records(job);
    drop(job->change.reason);
    drop(job->message);
    if (job->kind != JOB_MATCH_APPEND) {
        rest_fini(job);
    }
    free(job);
}

struct store_job *
store_job_take(struct store_job *job)
{
    size_t size = job_size(job->kind);
    struct store_job *taken = heap_bytes(size);
    struct store_job *next = job->next;
    enum store_job_kind kind = job->kind;

    memcpy(taken, job, size);
    taken->next = NULL;
    if (job->records == &job->first) {
        taken->records = &taken->first;
    }
    memset(job, 0, size);
    job->next = next;
    job->kind = kind;
    return taken;
}

bool
store_job_has_snapshot(const struct store_job *job)
{
    return job->record_count > 1 && job->records[1].seq != job->records[0].seq + 1;
}

uint64_t
store_command_key(int32_t seat, const char *id, size_t length)
{
    return sk_hash_keyed((const uint8_t *)id, length, (uint64_t)seat, 0);
}

/* The first record is in the job itself.  Then the capacity is the next power of two, so it is
 * not stored. */
static bool
is_full(uint32_t count)
{
    return count == 1 || (count >= RECORDS_FIRST && (count & (count - 1)) == 0);
}

static void
make_room(struct store_job *job)
{
    bool is_own = job->records == &job->first;
    size_t room = job->record_count < RECORDS_FIRST ? RECORDS_FIRST : 2 * (size_t)job->record_count;
    struct store_record *records = realloc(is_own ? NULL : job->records, room * sizeof(*records));

    if (records == NULL) {
        abort();
    }
    if (is_own) {
        records[0] = job->first;
    }
    job->records = records;
}

bool
store_job_writes(const struct store_job *job)
{
    switch (job->kind) {
    case JOB_PLAYER_CREATE:
    case JOB_TOKEN_RENEW:
    case JOB_BOT_PLAYER:
    case JOB_BOT_CALL:
    case JOB_MATCH_CREATE:
    case JOB_MATCH_APPEND:
    case JOB_MATCH_IMPORT:
    case JOB_ADMIN:
    case JOB_BEAT:
        return true;
    case JOB_PLAYER_LOGIN:
    case JOB_MATCH_LOAD:
    case JOB_COMMAND_FIND:
    case JOB_MATCH_BY_CODE:
    case JOB_REMATCH_FIND:
    case JOB_UNFINISHED:
    case JOB_PLAYER_MATCHES:
    case JOB_TEXT:
    case JOB_FLUSH:
    case JOB_REVIEW:
        return false;
    }
    return true;
}

struct store_record *
store_job_add_record(struct store_job *job)
{
    uint32_t count = job->record_count;

    if (job->records == NULL) {
        job->records = &job->first;
    } else if (is_full(count)) {
        make_room(job);
    }
    job->records[count] = (struct store_record){ 0 };
    job->record_count++;
    return &job->records[count];
}

void
store_job_drop_record(struct store_job *job)
{
    record_fini(&job->records[--job->record_count]);
}

struct used_id {
    uint64_t key;
    const struct store_record *record;
};

static int
compare_ids(const void *a, const void *b)
{
    const struct used_id *left = a;
    const struct used_id *right = b;

    if (left->key != right->key) {
        return left->key < right->key ? -1 : 1;
    }
    return left->record->seq < right->record->seq ? -1 : left->record->seq > right->record->seq;
}

static bool
is_same_id(const struct used_id *a, const struct used_id *b)
{
    return a->key == b->key && a->record->seat == b->record->seat &&
           strcmp(a->record->command_id, b->record->command_id) == 0;
}

const struct store_record *
store_repeated_id(const struct store_job *job)
{
    struct used_id *ids = heap_memory((job->record_count + 1) * sizeof(*ids));
    const struct store_record *repeated = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < job->record_count; i++) {
        const struct store_record *record = &job->records[i];

        if (record->command_id != NULL) {
            ids[count++] = (struct used_id){
                store_command_key(record->seat, record->command_id, strlen(record->command_id)),
                record,
            };
        }
    }
    qsort(ids, count, sizeof(*ids), compare_ids);
    for (uint32_t i = 1; i < count && repeated == NULL; i++) {
        repeated = is_same_id(&ids[i - 1], &ids[i]) ? ids[i].record : NULL;
    }
    free(ids);
    return repeated;
}
