/* What the review's thread does with a job. */
#ifndef SK_REVIEW_INTERNAL_H
#define SK_REVIEW_INTERNAL_H

#include "server/host/store_port.h"

struct archive;

struct review_work {
    const char *database;
    int32_t time_max_ms;
    struct archive *archive; /* NULL = not opened yet */
};

/* Fills in the job's result and what it was asked for. */
void review_do(struct review_work *work, struct store_job *job);
void review_work_fini(struct review_work *work);

/* Of any text; NULL when there is no memory. */
char *review_pack(const char *text, size_t length, size_t *ret_length);

#endif /* SK_REVIEW_INTERNAL_H */
