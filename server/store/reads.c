#include "server/store/reads.h"

#include <stdlib.h>
#include <string.h>

#include "server/memory.h"
#include "server/store/backend.h"
#include "server/store/pack.h"
#include "server/store/sql.h"

static void
fail(struct store_job *job, const char *message)
{
    free(job->message);
    job->message = heap_copy(message, strlen(message));
    job->result = STORE_UNAVAILABLE;
}

static void
read_one(struct reads *reads, struct store_job *job, const atomic_bool *is_unwanted)
{
    struct backend_message message;
    struct sk_fault fault;

    if (reads->backend == NULL &&
        backend_open_read_only(reads->path, reads->options, &reads->backend, &fault) != SK_OK) {
        fail(job, fault.message);
        return;
    }
    sql_end_when((struct sql *)reads->backend, is_unwanted);
    if (!backend_work_one(reads->backend, job, &message)) {
        fail(job, message.text);
    }
}

void
reads_work(void *context, struct store_job *job, const atomic_bool *is_unwanted)
{
    struct reads *reads = context;

    job->result = STORE_OK;
    if (job->kind != JOB_TEXT || job->query.kind != QUERY_PACK) {
        read_one(reads, job, is_unwanted);
    }
    if (job->kind == JOB_TEXT) {
        pack_job(job, is_unwanted);
    }
    if (atomic_load(is_unwanted) && job->result != STORE_OK) {
        job->result = STORE_ABANDONED;
    }
}

void
reads_tidy(void *context)
{
    struct reads *reads = context;

    if (reads->backend != NULL) {
        (void)reads->backend->tidy(reads->backend);
    }
}

void
reads_fini(struct reads *reads)
{
    if (reads->backend != NULL) {
        reads->backend->close(reads->backend);
    }
}
