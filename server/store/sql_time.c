/*
 * Limits for reads: a query must not delay others, and work for a client that
 * has gone is cancelled.  It is the thread's processor time that counts, not
 * the time in which others run.  A shared database does the work elsewhere:
 * there it is the time that passes.
 */
#include "server/clock.h"
#include "server/store/sql.h"

/* Time in which others run, too: so many times the limit. */
#define SHARED_TIMES 4

static int64_t
now_us(const struct sql *sql)
{
    return clock_us(sql->calls->is_shared ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID);
}

int
sql_must_end(void *context)
{
    const struct sql *sql = context;

    return (sql->text_deadline_us != 0 && now_us(sql) > sql->text_deadline_us) ||
           (sql->is_unwanted != NULL && atomic_load(sql->is_unwanted));
}

void
sql_limit_time(struct sql *sql, int32_t limit_ms)
{
    int64_t limit_us = (int64_t)limit_ms * 1000 * (sql->calls->is_shared ? SHARED_TIMES : 1);

    sql->text_began_us = clock_us(CLOCK_THREAD_CPUTIME_ID);
    sql->text_deadline_us = limit_ms == 0 ? 0 : now_us(sql) + limit_us;
}

bool
sql_has_used(const struct sql *sql, int32_t part_ms)
{
    return clock_us(CLOCK_THREAD_CPUTIME_ID) > sql->text_began_us + (int64_t)part_ms * 1000;
}

void
sql_end_when(struct sql *sql, const atomic_bool *is_unwanted)
{
    sql->is_unwanted = is_unwanted;
}

void
sql_look_up(struct sql *sql)
{
    if (sql_must_end(sql)) {
        sql->calls->interrupt(sql);
    }
}
