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

#define SIZE_OF(part)                sizeof(((struct store_job *)NULL)->part)
#define JOB_SIZE(kind, part, writes) [kind] = offsetof(struct store_job, part) + SIZE_OF(part),
static const size_t job_sizes[STORE_JOB_KIND_COUNT] = { STORE_JOB_KINDS(JOB_SIZE) };
#undef JOB_SIZE

struct store_job *
store_job_alloc(enum store_job_kind kind)
{
    struct store_job *job = heap_memory(job_sizes[kind]);

    job->kind = kind;
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

void
store_seats_fini(struct store_seat seats[STORE_SEATS_MAX])
{
    for (int i = 0; i < STORE_SEATS_MAX; i++) {
        drop(seats[i].name);
        drop(seats[i].bot);
    }
}

static void
record_fini(struct store_record *record)
{
    drop(record->command_id);
    drop(record->body);
    drop(record->name);
}

/* Of an append the first record lies in the job. */
static bool
has_own_record(const struct store_job *job)
{
    return job->kind == JOB_MATCH_APPEND && job->records == &job->append.first;
}

void
store_job_clear_records(struct store_job *job)
{
    for (uint32_t i = 0; i < job->record_count; i++) {
        record_fini(&job->records[i]);
    }
    if (!has_own_record(job)) {
        drop(job->records);
    }
    job->records = NULL;
    job->record_count = 0;
}

static void
match_fini(struct store_job *job)
{
    drop(job->match.ruleset);
    drop(job->match.params);
    drop(job->match.settings);
    drop(job->match.code);
    drop(job->match.reason);
    store_seats_fini(job->seats);
}

void
what_if_fini(struct what_if *answer)
{
    drop(answer->verdicts);
    drop(answer->events);
    drop(answer->view);
    drop(answer->state);
    drop(answer->outcome);
}

static void
bot_call_fini(struct store_bot_call *call)
{
    drop(call->bot);
    drop(call->message);
    drop(call->request);
    drop(call->answer);
}

void
store_beat_clear_notices(struct store_beat *beat)
{
    for (uint32_t i = 0; i < beat->notice_count; i++) {
        drop(beat->notices[i].command);
        drop(beat->notices[i].detail);
    }
    drop(beat->notices);
    beat->notices = NULL;
    beat->notice_count = 0;
}

static void
player_fini(struct store_player *player)
{
    drop(player->name);
    drop(player->bot);
}

void
store_queue_clear_partners(struct store_queue *queue)
{
    for (uint32_t i = 0; i < queue->partner_count; i++) {
        drop(queue->partners[i].name);
    }
    queue->partner_count = 0;
}

struct store_wait *
store_queue_add_wait(struct store_queue *queue)
{
    queue->waits = heap_grow(queue->waits, (queue->wait_count + 1) * sizeof(*queue->waits));
    queue->waits[queue->wait_count] = (struct store_wait){ 0 };
    return &queue->waits[queue->wait_count++];
}

struct store_partner *
store_queue_add_partner(struct store_queue *queue)
{
    queue->partners =
        heap_grow(queue->partners, (queue->partner_count + 1) * sizeof(*queue->partners));
    queue->partners[queue->partner_count] = (struct store_partner){ 0 };
    return &queue->partners[queue->partner_count++];
}

void
store_ratings_add(struct store_ratings *ratings, int64_t player)
{
    ratings->at = heap_grow(ratings->at, (ratings->count + 1) * sizeof(*ratings->at));
    ratings->at[ratings->count++] = (struct store_rating){ .player = player };
}

static void
queue_fini(struct store_queue *queue)
{
    for (uint32_t i = 0; i < queue->wait_count; i++) {
        drop(queue->waits[i].key);
        drop(queue->waits[i].seek);
        drop(queue->waits[i].path);
    }
    drop(queue->waits);
    store_queue_clear_partners(queue);
    drop(queue->partners);
}

/* What the kind alone has. */
static void
part_fini(struct store_job *job)
{
    switch (job->kind) {
    case JOB_MATCH_APPEND:
        drop(job->append.change.reason);
        break;
    case JOB_MATCH_LOAD:
        drop(job->load.keys);
        match_fini(job);
        break;
    case JOB_MATCH_CREATE:
    case JOB_MATCH_IMPORT:
        match_fini(job);
        break;
    case JOB_ADMIN:
        drop(job->admin.detail);
        drop(job->admin.reason);
        player_fini(&job->player);
        break;
    case JOB_PLAYER_MATCHES:
        drop(job->matches.at);
        player_fini(&job->player);
        break;
    case JOB_PLAYER_CREATE:
    case JOB_PLAYER_LOGIN:
    case JOB_TOKEN_RENEW:
    case JOB_BOT_PLAYER:
        player_fini(&job->player);
        break;
    case JOB_REVIEW:
        drop(job->review.commands);
        what_if_fini(&job->review.answer);
        drop(job->text.at);
        break;
    case JOB_TEXT:
        drop(job->text.at);
        break;
    case JOB_MATCH_BY_CODE:
        drop(job->code);
        break;
    case JOB_UNFINISHED:
        drop(job->unfinished.ids.at);
        break;
    case JOB_CLAIM:
        drop(job->claim.ids.at);
        drop(job->claim.owned.at);
        break;
    case JOB_RATINGS:
        drop(job->ratings.at);
        break;
    case JOB_QUEUE:
        queue_fini(&job->queue);
        break;
    case JOB_BEAT:
        drop(job->beat.seen.at);
        store_beat_clear_notices(&job->beat);
        break;
    case JOB_BOT_CALL:
        bot_call_fini(&job->bot_call);
        break;
    case JOB_COMMAND_FIND:
    case JOB_REMATCH_FIND:
    case JOB_RELEASE:
    case JOB_FLUSH:
    case STORE_JOB_KIND_COUNT:
        break;
    }
}

void
store_job_free(struct store_job *job)
{
    if (job == NULL) {
        return;
    }
    store_job_clear_records(job);
    drop(job->message);
    drop(job->elsewhere);
    part_fini(job);
    free(job);
}

struct store_job *
store_job_take(struct store_job *job)
{
    size_t size = job_sizes[job->kind];
    struct store_job *taken = heap_bytes(size);
    struct store_job *next = job->next;
    enum store_job_kind kind = job->kind;

    memcpy(taken, job, size);
    taken->next = NULL;
    if (has_own_record(job)) {
        taken->records = &taken->append.first;
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

/* How many there is space for is always the next power of two, so it need not be kept. */
static bool
is_full(const struct store_job *job)
{
    uint32_t count = job->record_count;

    return has_own_record(job) ? count == 1 : count >= RECORDS_FIRST && (count & (count - 1)) == 0;
}

static void
make_space(struct store_job *job)
{
    bool is_own = has_own_record(job);
    uint32_t count = job->record_count < RECORDS_FIRST ? RECORDS_FIRST : 2 * job->record_count;
    struct store_record *records =
        heap_grow(is_own ? NULL : job->records, count * sizeof(*records));

    if (is_own) {
        records[0] = job->append.first;
    }
    job->records = records;
}

bool
store_job_writes(const struct store_job *job)
{
#define JOB_WRITES(kind, part, writes) [kind] = writes,
    static const bool writes_of[STORE_JOB_KIND_COUNT] = { STORE_JOB_KINDS(JOB_WRITES) };
#undef JOB_WRITES

    return writes_of[job->kind];
}

struct store_record *
store_job_add_record(struct store_job *job)
{
    uint32_t count = job->record_count;

    if (job->records == NULL && job->kind == JOB_MATCH_APPEND) {
        job->records = &job->append.first;
    } else if (job->records == NULL || is_full(job)) {
        make_space(job);
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
