#include "server/host/world.h"

#include <stdarg.h>
#include <stdio.h>

int64_t
host_now_ms(const struct host *host)
{
    return host->world.now_ms(host->world.context);
}

int64_t
host_wall_ms(const struct host *host)
{
    return host->world.wall_ms(host->world.context) + host->node.ahead_ms;
}

int64_t
host_now_us(const void *context)
{
    const struct host_world *world = &((const struct host *)context)->world;

    return world->now_us != NULL ? world->now_us(world->context)
                                 : world->now_ms(world->context) * 1000;
}

int64_t
host_cpu_us(const struct host *host)
{
    const struct host_world *world = &host->world;

    return world->cpu_us != NULL ? world->cpu_us(world->context) : 0;
}

void
host_log(struct host *host, enum host_log_level level, const char *format, ...)
{
    char line[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    host->world.log(host->world.context, (int)level, line);
}

struct store_job *
host_job(enum store_job_kind kind, void (*done)(struct store_job *job, struct host *host),
         void *context)
{
    struct store_job *job = store_job_alloc(kind);

    job->done = done;
    job->context = context;
    return job;
}

bool
host_submit(struct host *host, struct store_job *job)
{
    job->handed_over_us = host_now_us(host);
    if (host->jobs >= (uint32_t)host->options.jobs_max ||
        !host->world.store->submit(host->world.store, job)) {
        store_job_free(job);
        return false;
    }
    host->jobs++;
    return true;
}

void
host_cancel(struct host *host, struct store_job *job)
{
    struct store_port *port = job->kind == JOB_REVIEW ? host->world.reviews : host->world.store;

    if (port->cancel != NULL) {
        port->cancel(port, job);
    }
}

bool
host_review(struct host *host, struct store_job *job)
{
    struct store_port *port = host->world.reviews;

    job->handed_over_us = host_now_us(host);
    if (port == NULL || host->is_draining || !port->submit(port, job)) {
        store_job_free(job);
        return false;
    }
    return true; /* not counted among the store's jobs: it writes nothing */
}
