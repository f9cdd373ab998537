#include "server/host/room/log.h"

bool
room_log_has(const struct room_log *log, enum store_record_kind kind)
{
    const struct log_entry *entry = log->entries;

    while (entry != NULL && entry->kind != kind) {
        entry = entry->next;
    }
    return entry != NULL;
}

static void
take_out(struct log_entry *entry)
{
    struct log_entry **at = &entry->log->entries;

    while (*at != entry) {
        at = &(*at)->next;
    }
    *at = entry->next;
}

static void
answered(struct store_job *job, struct host *host)
{
    struct log_entry *entry = job->context;
    struct room_log *log = entry->log;
    enum log_answer answer = LOG_FAILED_LATER;

    take_out(entry);
    if (job->result == STORE_OK) {
        log->stored_seq = job->records[job->record_count - 1].seq;
        answer = LOG_STORED;
    } else if (job->append.generation == log->generation) {
        log->generation = ++host->generation;
        log->handed_seq = log->stored_seq;
        answer = LOG_FAILED;
    }
    entry->answered(entry, answer);
}

bool
room_log_hand_over(struct room_log *log, struct host *host, struct log_entry *entry,
                   struct store_job *job)
{
    uint32_t count = job->record_count;

    for (uint32_t i = 0; i < count; i++) {
        job->records[i].seq = log->handed_seq + 1 + i;
    }
    job->append.generation = log->generation;
    job->done = answered;
    job->context = entry;
    if (!host_submit(host, job)) {
        return false;
    }
    log->handed_seq += count;
    entry->log = log;
    entry->next = log->entries;
    log->entries = entry;
    return true;
}
