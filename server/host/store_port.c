#include "server/host/store_port.h"

#include <stdlib.h>

#include "common/base/hash.h"

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

struct store_job *
store_job_alloc(enum store_job_kind kind)
{
    struct store_job *job = calloc(1, sizeof(*job));

    if (job == NULL) {
        abort();
    }
    job->kind = kind;
    if (kind == JOB_REVIEW) {
        job->review = calloc(1, sizeof(*job->review));
        if (job->review == NULL) {
            abort();
        }
    }
    return job;
}

static void
match_fini(struct store_match *match)
{
    free(match->ruleset);
    free(match->params);
    free(match->settings);
    free(match->code);
    free(match->reason);
}

static void
review_free(struct review *review)
{
    if (review != NULL) {
        free(review->commands);
        free(review->verdicts);
        free(review->events);
        free(review->view);
        free(review->state);
        free(review->outcome);
        free(review);
    }
}

static void
records_free(struct store_record *records, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(records[i].command_id);
        free(records[i].body);
        free(records[i].name);
    }
    free(records);
}

void
store_job_free(struct store_job *job)
{
    if (job == NULL) {
        return;
    }
    match_fini(&job->match);
    for (int i = 0; i < STORE_SEATS_MAX; i++) {
        free(job->seats[i].name);
        free(job->seats[i].bot);
    }
    records_free(job->records, job->record_count);
    free(job->change.reason);
    free(job->admin.detail);
    free(job->admin.reason);
    free(job->player.name);
    free(job->player.bot);
    free(job->bot_call.bot);
    free(job->bot_call.message);
    free(job->bot_call.request);
    free(job->bot_call.answer);
    free(job->keys);
    free(job->ids);
    review_free(job->review);
    free(job->text);
    free(job->message);
    free(job);
}

struct store_job *
store_job_take(struct store_job *job)
{
    struct store_job *taken = store_job_alloc(job->kind);

    *taken = *job;
    taken->next = NULL;
    *job = (struct store_job){ .next = job->next, .kind = job->kind };
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

/* The room is always the next power of two, so it need not be kept. */
static bool
is_full(uint32_t count)
{
    return count == 0 || (count >= RECORDS_FIRST && (count & (count - 1)) == 0);
}

struct store_record *
store_job_add_record(struct store_job *job)
{
    uint32_t count = job->record_count;

    if (is_full(count)) {
        size_t room = count == 0 ? RECORDS_FIRST : 2 * (size_t)count;
        struct store_record *records = realloc(job->records, room * sizeof(*records));

        if (records == NULL) {
            abort();
        }
        job->records = records;
    }
    job->records[count] = (struct store_record){ 0 };
    job->record_count++;
    return &job->records[count];
}
