/*
 * Limits for reads: a query must not delay others, and work for a client that
 * has gone is cancelled.  It is the thread's processor time that counts, not
 * the time in which others run.
 */
#include "server/clock.h"
#include "server/store/sqlite.h"

int
sqlite_must_end(void *context)
{
    const struct sqlite *sqlite = context;

    return (sqlite->text_deadline_us != 0 &&
            clock_us(CLOCK_THREAD_CPUTIME_ID) > sqlite->text_deadline_us) ||
           (sqlite->is_unwanted != NULL && atomic_load(sqlite->is_unwanted));
}

void
sqlite_limit_time(struct sqlite *sqlite, int32_t limit_ms)
{
    sqlite->text_deadline_us =
        limit_ms == 0 ? 0 : clock_us(CLOCK_THREAD_CPUTIME_ID) + (int64_t)limit_ms * 1000;
}

bool
sqlite_has_used(const struct sqlite *sqlite, int32_t limit_ms, int32_t part_ms)
{
    return clock_us(CLOCK_THREAD_CPUTIME_ID) >
           sqlite->text_deadline_us - (int64_t)(limit_ms - part_ms) * 1000;
}

void
sqlite_end_when(struct sqlite *sqlite, const atomic_bool *is_unwanted)
{
    sqlite->is_unwanted = is_unwanted;
}

void
sqlite_look_up(struct sqlite *sqlite)
{
    if (sqlite_must_end(sqlite)) {
        sqlite3_interrupt(sqlite->db);
    }
}
