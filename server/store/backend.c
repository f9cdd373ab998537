#include "server/store/backend.h"

#include <stdlib.h>
#include <string.h>

#include "server/memory.h"
#include "server/store/address.h"

static void
job_fail(struct store_job *job, const char *message)
{
    free(job->message);
    job->message = heap_copy(message, strlen(message));
    job->result = STORE_UNAVAILABLE;
}

/* Such a job fails if an earlier one of its generation failed, and makes later ones fail.  A job
 * that quarantines a match does neither. */
static bool
grows_chain(const struct store_job *job)
{
    return job->kind == JOB_MATCH_APPEND && job->record_count > 0 && job->match_id != 0;
}

bool
backend_job_begin(struct heads *heads, struct store_job *job)
{
    free(job->message);
    job->message = NULL;
    job->result = STORE_OK;
    if (grows_chain(job) && heads_has_failed(heads, job->match_id, job->append.generation)) {
        job_fail(job, "an earlier job of this match failed");
        return false;
    }
    return true;
}

void
backend_job_end(struct heads *heads, const struct store_job *job)
{
    if (grows_chain(job) && job->result != STORE_OK) {
        heads_fail(heads, job->match_id, job->append.generation);
    }
}

void
backend_group_fail(struct heads *heads, const struct backend_group *group, const char *message)
{
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        job_fail(job, message);
        backend_job_end(heads, job);
        if (job->kind == JOB_MATCH_CREATE && job->match_id != 0) {
            heads_forget(heads, job->match_id);
            job->match_id = 0;
        } else if (job->kind == JOB_PLAYER_CREATE || job->kind == JOB_BOT_PLAYER) {
            job->player.id = 0;
        }
    }
}

bool
backend_work_one(struct backend *backend, struct store_job *job,
                 struct backend_message *ret_message)
{
    struct backend_group group = { .first = job, .writes = store_job_writes(job) };

    return backend->work(backend, &group, ret_message);
}

/* ---- which database ---------------------------------------------------------------------- */

enum sk_status
backend_open(const char *path, const struct store_options *options, struct heads *heads,
             struct backend **ret_backend, struct sk_fault *ret_fault)
{
    return address_is_shared(path) ? postgres_open(path, options, heads, ret_backend, ret_fault)
                                   : sqlite_open(path, options, heads, ret_backend, ret_fault);
}

enum sk_status
backend_open_read_only(const char *path, const struct store_options *options,
                       struct backend **ret_backend, struct sk_fault *ret_fault)
{
    return address_is_shared(path) ? postgres_open_read_only(path, options, ret_backend, ret_fault)
                                   : sqlite_open_read_only(path, options, ret_backend, ret_fault);
}

enum sk_status
backend_open_beside(const char *path, const struct store_options *options,
                    struct backend **ret_backend, struct sk_fault *ret_fault)
{
    return address_is_shared(path) ? postgres_open_beside(path, options, ret_backend, ret_fault)
                                   : sqlite_open_beside(path, options, ret_backend, ret_fault);
}
