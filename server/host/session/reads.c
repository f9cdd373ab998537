#include "server/host/session/reads.h"

#include "server/host/session/rate.h"
#include "server/host/session/reply.h"

enum host_limit
read_begins(struct host *host, struct rate *rate)
{
    enum host_limit limit = LIMIT_COUNT;

    if (host->reads >= host->options.reads_max) {
        limit = LIMIT_READS;
    } else if (!rate_read_begins(host, rate)) {
        limit = LIMIT_READS_OF_ADDRESS;
    }
    if (limit == LIMIT_COUNT) {
        host->reads++;
    } else {
        host->counters.limited[limit]++;
    }
    return limit;
}

void
read_ends(struct host *host, struct rate *rate)
{
    host->reads--;
    rate_read_ends(host, rate);
}

/*
 * Reviews and reads for a session share the budget of its address's HTTP requests: it is the
 * same work.
 */
bool
session_may_read(struct session *session, const struct frame_head *to)
{
    struct host *host = session->host;
    int32_t retry_ms;

    if (rate_http_takes(host, session->address, HTTP_COST_API, &retry_ms)) {
        return true;
    }
    host->counters.limited[LIMIT_HTTP_RATE]++;
    session_error_until(session, to, ERROR_RATE_LIMITED, "too many reads from this address",
                        retry_ms);
    return false;
}

bool
session_read(struct session *session, struct store_job *job)
{
    struct host *host = session->host;

    job->payer = rate_hold(session->address);
    if (!host_submit(host, job)) {
        rate_release(host, session->address);
        return false;
    }
    return true;
}

void
read_back(struct host *host, struct store_job *job)
{
    rate_http_charge(host, job->payer, job->work_us);
    rate_release(host, job->payer);
    job->payer = NULL;
}
