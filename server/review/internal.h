/* What the review's thread does with a job. */
#ifndef SK_REVIEW_INTERNAL_H
#define SK_REVIEW_INTERNAL_H

#include <stdatomic.h>

#include "server/host/store_port.h"

struct archive;

struct review_work {
    const char *database;
    int32_t time_max_ms;
    struct archive *archive; /* NULL = not opened yet */
};

/* For a desk: fills in the job's result and what it was asked for. */
void review_do(void *work, struct store_job *job, const atomic_bool *is_unwanted);
void review_work_fini(struct review_work *work);

#endif /* SK_REVIEW_INTERNAL_H */
