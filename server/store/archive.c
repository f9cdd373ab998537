#include "server/store/archive.h"

#include <stdlib.h>
#include <string.h>

#include "server/clock.h"
#include "server/memory.h"
#include "server/store/sql.h"

struct archive {
    struct backend *backend;
    struct store_options options;
};

typedef enum sk_status open_backend(const char *path, const struct store_options *options,
                                    struct backend **ret_backend, struct sk_fault *ret_fault);

static enum sk_status
open_with(open_backend *open, const char *path, struct archive **ret_archive,
          struct sk_fault *ret_fault)
{
    struct archive *archive = calloc(1, sizeof(*archive));
    enum sk_status status;

    if (archive == NULL) {
        return sk_fault_set(ret_fault, "cannot_open", "not enough memory");
    }
    store_options_init(&archive->options);
    status = open(path, &archive->options, &archive->backend, ret_fault);
    if (status != SK_OK) {
        free(archive);
        return status;
    }
    *ret_archive = archive;
    return SK_OK;
}

enum sk_status
archive_open(const char *path, struct archive **ret_archive, struct sk_fault *ret_fault)
{
    return open_with(backend_open_read_only, path, ret_archive, ret_fault);
}

enum sk_status
archive_open_to_write(const char *path, struct archive **ret_archive, struct sk_fault *ret_fault)
{
    return open_with(backend_open_beside, path, ret_archive, ret_fault);
}

void
archive_close(struct archive *archive)
{
    if (archive != NULL) {
        archive->backend->close(archive->backend);
        free(archive);
    }
}

void
archive_end_when(struct archive *archive, const atomic_bool *is_unwanted)
{
    sql_end_when((struct sql *)archive->backend, is_unwanted);
}

static enum sk_status
cannot_read(struct sk_fault *fault, const char *message)
{
    (void)sk_fault_set(fault, "cannot_read", message);
    return SK_ERR_REFUSED;
}

/* Runs one job in its own transaction. */
static enum sk_status
work(struct archive *archive, struct store_job *job, struct sk_fault *ret_fault)
{
    struct backend_message message;

    if (!backend_work_one(archive->backend, job, &message)) {
        return cannot_read(ret_fault, message.text);
    }
    switch (job->result) {
    case STORE_OK:
        return SK_OK;
    case STORE_NOT_FOUND:
        return sk_fault_set(ret_fault, "unknown_match", job->message);
    case STORE_PRUNED:
        return sk_fault_set(ret_fault, "pruned", job->message);
    case STORE_TAKEN:
        return sk_fault_set(ret_fault, "exists", job->message);
    case STORE_CORRUPT:
        (void)sk_fault_set(ret_fault, "corrupt", job->message);
        return SK_ERR_CORRUPT;
    default:
        return cannot_read(ret_fault, job->message == NULL ? "" : job->message);
    }
}

enum sk_status
archive_list_of(struct archive *archive, const char *player, int64_t after, uint32_t max,
                int64_t *ret_ids, uint32_t *ret_count, struct sk_fault *ret_fault)
{
    struct sql *sql = (struct sql *)archive->backend;
    struct row row = sql_row(sql, player == NULL ? SQL_MATCHES_LIST : SQL_MATCHES_OF_PLAYER);
    uint32_t count = 0;

    row_put_number(&row, after);
    row_put_number(&row, max);
    if (player != NULL) {
        row_put_text(&row, player);
    }
    while (count < max && row_step(&row)) {
        ret_ids[count++] = row_take_number(&row);
    }
    if (!row_end(&row)) {
        return cannot_read(ret_fault, sql->calls->error(sql));
    }
    *ret_count = count;
    return SK_OK;
}

enum sk_status
archive_list(struct archive *archive, int64_t after, uint32_t max, int64_t *ret_ids,
             uint32_t *ret_count, struct sk_fault *ret_fault)
{
    return archive_list_of(archive, NULL, after, max, ret_ids, ret_count, ret_fault);
}

enum sk_status
archive_load(struct archive *archive, int64_t match, struct store_job **ret_job,
             struct sk_fault *ret_fault)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);
    enum sk_status status;

    job->match_id = match;
    status = work(archive, job, ret_fault);
    if (status != SK_OK) {
        store_job_free(job);
        return status;
    }
    *ret_job = job;
    return SK_OK;
}

void
archive_stream(struct archive *archive, const int64_t *ids, uint32_t count,
               const struct archive_taker *taker)
{
    struct sql *sql = (struct sql *)archive->backend;

    if (sql->calls->stream != NULL && count > 0) {
        sql->calls->stream(sql, ids, count, taker);
    }
}

enum sk_status
archive_import(struct archive *archive, struct store_job *job, struct sk_fault *ret_fault)
{
    job->at_ms = clock_ms(CLOCK_REALTIME);
    return work(archive, job, ret_fault);
}

enum sk_status
archive_forget(struct archive *archive, const char *name, int64_t uid, struct sk_fault *ret_fault)
{
    struct store_job *job = store_job_alloc(JOB_ADMIN);
    enum sk_status status;

    job->at_ms = clock_ms(CLOCK_REALTIME);
    job->player.name = heap_copy(name, strlen(name));
    job->admin = (struct store_admin){
        .uid = uid, .command = "forget", .detail = heap_copy("{}", 2), .forgets = true
    };
    status = work(archive, job, ret_fault);
    if (status != SK_OK && job->result == STORE_NOT_FOUND) {
        ret_fault->code = "unknown_player";
    }
    if (status == SK_OK) {
        (void)archive->backend->tidy(archive->backend);
    }
    store_job_free(job);
    return status;
}
