#include "server/review/review.h"

#include <stdlib.h>

#include "server/review/internal.h"
#include "server/server_limits.h"
#include "server/store/desk.h"

struct review_desk {
    struct store_port port; /* first: the host knows only this */
    struct desk *desk;
    struct review_work work;
};

void
review_options_init(struct review_options *options)
{
    *options = (struct review_options){
        .jobs_max = SERVER_REVIEWS_MAX,
        .time_max_ms = SERVER_REVIEW_MAX_MS,
    };
}

static bool
submit(struct store_port *port, struct store_job *job)
{
    return desk_put(((struct review_desk *)port)->desk, job);
}

static void
cancel(struct store_port *port, struct store_job *job)
{
    desk_cancel(((struct review_desk *)port)->desk, job);
}

struct review_desk *
review_open(const char *database, const struct review_options *options)
{
    struct review_desk *desk = calloc(1, sizeof(*desk));

    if (desk == NULL) {
        return NULL;
    }
    desk->port = (struct store_port){ .submit = submit, .cancel = cancel };
    desk->work = (struct review_work){ .database = database, .time_max_ms = options->time_max_ms };
    desk->desk = desk_open(&(struct desk_options){
        .jobs_max = options->jobs_max,
        .work = review_do,
        .worker = &desk->work,
        .wake = options->wake,
        .context = options->context,
    });
    if (desk->desk == NULL) {
        free(desk);
        return NULL;
    }
    return desk;
}

void
review_stop(struct review_desk *desk)
{
    desk_end(desk->desk);
}

void
review_close(struct review_desk *desk)
{
    desk_close(desk->desk);
    review_work_fini(&desk->work);
    free(desk);
}

struct store_port *
review_port(struct review_desk *desk)
{
    return &desk->port;
}

struct store_job *
review_take_done(struct review_desk *desk)
{
    return desk_take_done(desk->desk);
}
