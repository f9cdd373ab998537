#include "server/host/lobby/seek.h"

#include <stdlib.h>
#include <string.h>

#include "proto/json_parse.h"
#include "server/host/lobby/create.h"
#include "server/host/lobby/rated.h"

/* ---- who can play with whom -------------------------------------------------------------- */

static bool
has_range(const struct waiting_player *waiting)
{
    return waiting->rating_min > 0 || waiting->rating_max < FRAME_RATING_MAX;
}

/* Ratings beyond the limits count as the limit. */
static bool
is_wanted(const struct waiting_player *waiting, const struct waiting_player *by)
{
    int32_t rating = waiting->rating < 0                  ? 0
                     : waiting->rating > FRAME_RATING_MAX ? FRAME_RATING_MAX
                                                          : waiting->rating;

    return !has_range(by) || (rating >= by->rating_min && rating <= by->rating_max);
}

bool
seek_fits(const struct waiting_player *one, const struct waiting_player *other)
{
    return one->config == other->config && one->player != other->player && is_wanted(one, other) &&
           is_wanted(other, one);
}

/* ---- ratings ----------------------------------------------------------------------------- */

bool
seek_needs_ratings(const struct host *host, const struct waiting_player *seeker)
{
    bool is_ranged = has_range(seeker);
    bool is_known = seeker->has_rating;

    for (const struct waiting_player *it = host->waiting; it != NULL; it = it->next) {
        if (it->config == seeker->config) {
            is_ranged = is_ranged || has_range(it);
            is_known = is_known && it->has_rating;
        }
    }
    return is_ranged && !is_known;
}

/* The frame is handled again, and now knows them; see seek_rating. */
static void
ratings_read(struct store_job *job, struct host *host)
{
    struct kept_message *kept = job->context;
    struct session *session = reply_session(host, &kept->reply);

    if (session != NULL) {
        session->queue_asks--;
    }
    if (job->result != STORE_OK) {
        message_refuse(host, kept, ERROR_STORE_UNAVAILABLE);
        return;
    }
    for (struct waiting_player *it = host->waiting; it != NULL; it = it->next) {
        for (uint32_t i = 0; i < job->ratings.count; i++) {
            if (it->player == job->ratings.at[i].player &&
                strcmp(it->config->ruleset->name, job->ratings.ruleset) == 0) {
                it->has_rating = true;
                it->rating = job->ratings.at[i].rating;
            }
        }
    }
    kept->match = SEEK_RATED + job->ratings.at[0].rating;
    message_again(host, kept);
}

void
seek_ask(struct session *session, const struct frame_head *head, const struct sk_ruleset *ruleset,
         const struct shared_config *config)
{
    struct host *host = session->host;
    struct kept_message *kept = message_keep(session, head);
    struct store_job *job = host_job(JOB_RATINGS, ratings_read, kept);

    job->ratings.ruleset = ruleset == NULL ? "" : ruleset->name;
    store_ratings_add(&job->ratings, session->player->id);
    for (const struct waiting_player *it = host->waiting;
         it != NULL && job->ratings.count < SEEK_RATINGS_MAX; it = it->next) {
        if (it->config == config && !it->has_rating) {
            store_ratings_add(&job->ratings, it->player);
        }
    }
    session->queue_asks++;
    if (!host_submit(host, job)) {
        session->queue_asks--;
        message_refuse(host, kept, ERROR_BUSY);
    }
}

/* ---- what others are shown --------------------------------------------------------------- */

struct seek {
    struct sk_text ruleset;
    char *params; /* NULL: too long to show */
    char *settings;
    const struct waiting_player *waiting;
    int64_t since_ms;
};

static void
write_seek(struct sk_json_out *out, const struct seek *seek)
{
    sk_json_begin_object(out);
    sk_json_key(out, "ruleset");
    sk_json_text(out, seek->ruleset);
    sk_json_key(out, "params");
    if (seek->params == NULL) {
        sk_json_null(out);
    } else {
        sk_json_raw(out, sk_text_of(seek->params));
    }
    sk_json_key(out, "settings");
    sk_json_raw(out, sk_text_of(seek->settings));
    sk_json_key(out, "rating_min");
    sk_json_int(out, seek->waiting->rating_min);
    sk_json_key(out, "rating_max");
    sk_json_int(out, seek->waiting->rating_max);
    sk_json_key(out, "since");
    sk_json_int(out, seek->since_ms);
    sk_json_end_object(out);
}

char *
seek_text(struct host *host, const struct waiting_player *waiting, const struct sk_json *params)
{
    struct record_settings settings = room_default_settings(waiting->config);
    struct seek seek = {
        .ruleset = sk_text_of(waiting->config->ruleset->name),
        .params =
            params->object == NULL ? heap_text(SK_TEXT("{}")) : sk_json_text_of(params->object),
        .waiting = waiting,
        .since_ms = host_wall_ms(host),
    };
    struct sk_json_out out = { 0 };
    char *text;

    settings.is_rated = settings.is_rated && rated_is_allowed(host, waiting->config);
    seek.settings = work_json_form(&host->work, &sk_record_settings, &settings);
    if (seek.params != NULL && strlen(seek.params) > SEEK_PARAMS_MAX) {
        free(seek.params);
        seek.params = NULL;
    }
    while (work_writes(&host->work, &out)) {
        write_seek(&out, &seek);
    }
    text = work_text_copy(&out);
    free(seek.params);
    free(seek.settings);
    return text;
}

/* [{"player":1,"seek":{...}},...], who has waited longest first. */
char *
seek_list(struct host *host, size_t *ret_length)
{
    struct sk_json_out out = { 0 };

    while (work_writes(&host->work, &out)) {
        uint32_t count = 0;

        sk_json_begin_list(&out);
        for (const struct waiting_player *it = host->waiting; it != NULL && count < SEEK_LIST_MAX;
             it = it->next, count++) {
            sk_json_begin_object(&out);
            sk_json_key(&out, "player");
            sk_json_int(&out, it->player);
            sk_json_key(&out, "seek");
            sk_json_raw(&out, sk_text_of(it->seek));
            sk_json_end_object(&out);
        }
        sk_json_end_list(&out);
    }
    *ret_length = out.used;
    return work_text_copy(&out);
}
