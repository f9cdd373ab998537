#include "server/host/session/show.h"

#include <stdlib.h>
#include <string.h>

#include "server/host/session/rate.h"
#include "server/host/session/reads.h"
#include "server/host/session/reply.h"

#define SHOW_PAGE       64           /* moments per request ... */
#define SHOW_PAGE_BYTES (256u << 10) /* ... and their bytes together, except for the first */
#define BUSY_RETRY_MS   1000

struct show {
    struct session *session;
    struct timer timer;
    struct store_job *job; /* the job that fetches the next moments, or NULL */
    int64_t match;
    char code[FRAME_CODE_MAX + 1];
    uint8_t audience;
    int32_t ms_per_turn;
    char *page;   /* NDJSON */
    char *at;     /* its next line */
    int64_t next; /* the turn to continue from, or -1 */
    int64_t last;
    bool is_begun; /* the `watch` is answered */
    struct reply reply;
};

void
show_end(struct session *session)
{
    struct show *show = session->show;

    if (show != NULL) {
        timers_clear(&session->host->timers, &show->timer);
        if (show->job != NULL) {
            host_cancel(session->host, show->job);
        }
        free(show->page);
        free(show);
        session->show = NULL;
    }
}

bool
show_is_of(const struct session *session, int64_t match)
{
    return session->show != NULL && session->show->match == match;
}

/* ---- answers ----------------------------------------------------------------------------- */

/* A review's fault has a code of the protocol. */
static void
tell_failure(struct session *session, const struct frame_head *to, const struct store_job *job)
{
    switch (job->result) {
    case STORE_REFUSED:
        session_fault(session, to, &job->review.fault);
        break;
    case STORE_NOT_FOUND:
        session_error(session, to, ERROR_UNKNOWN_MATCH, NULL);
        break;
    case STORE_CORRUPT:
        session_error(session, to, ERROR_QUARANTINED, "the match cannot be replayed");
        break;
    default:
        session_error(session, to, ERROR_STORE_UNAVAILABLE, NULL);
        break;
    }
}

/*
 * The job counts as a read of the player and of the session's address until it comes back to
 * take_review, so that one player does not delay the others of an address.
 */
static bool
submit_review(struct session *session, struct store_job *job)
{
    struct host *host = session->host;
    struct rate *account = session->player == NULL ? NULL : session->player->rate;

    if (!rate_read_begins(host, account)) {
        host->counters.limited[LIMIT_READS_OF_PLAYER]++;
        store_job_free(job);
        return false;
    }
    if (read_begins(host, session->address) != LIMIT_COUNT) {
        rate_read_ends(host, account);
        store_job_free(job);
        return false;
    }
    job->payer = session->address;
    job->reader = account;
    if (!host_review(host, job)) {
        read_ends(host, session->address);
        rate_read_ends(host, account);
        return false;
    }
    return true;
}

static void
take_review(struct host *host, const struct store_job *job)
{
    rate_http_charge(host, job->payer, job->work_us);
    read_ends(host, job->payer);
    rate_read_ends(host, job->reader);
}

/* ---- moments ----------------------------------------------------------------------------- */

/* Cuts off the next line; NULL if there is none. */
static char *
take_line(struct show *show)
{
    char *line = show->at;
    char *end = line == NULL ? NULL : strchr(line, '\n');

    if (end == NULL) {
        return NULL;
    }
    *end = '\0';
    show->at = end + 1;
    return line;
}

static void
send_moment(struct show *show, const char *line)
{
    struct server_replay frame = {
        .head = { .type = SERVER_REPLAY },
        .match = show->match,
        .last = (int32_t)show->last,
        .moment = { .text = sk_text_of(line) },
    };

    session_send_frame(show->session, &frame);
}

static void fetch(struct show *show, int64_t after);

/* Shows the next moment and schedules the one after it. */
static void
go_on(struct timer *timer, int64_t now_ms)
{
    struct show *show = TIMER_OWNER(timer, struct show, timer);
    struct session *session = show->session;
    char *line = take_line(show);

    if (line == NULL && show->next >= 0) {
        fetch(show, show->next);
        return;
    }
    if (line != NULL) {
        send_moment(show, line);
    }
    if (line == NULL || show->ms_per_turn == 0) {
        show_end(session);
    } else {
        timers_set(&session->host->timers, timer, now_ms + show->ms_per_turn);
    }
}

/* The last line says what follows: {"next":12,"last":40}. */
static void
take_page(struct show *show, struct store_job *job)
{
    char *end = job->text.at + job->text.length;

    free(show->page);
    show->page = job->text.at;
    job->text.at = NULL;
    show->at = show->page;
    show->next = job->review.after;
    show->last = job->review.turn;
    end[-1] = '\0'; /* no line feed: the last line is not a moment */
}

static void
fetched(struct store_job *job, struct host *host)
{
    struct session *session = session_find(host, (uint64_t)job->context_number);
    struct show *show = session == NULL ? NULL : session->show;
    struct frame_head head;

    take_review(host, job);
    if (show == NULL || show->job != job) {
        return;
    }
    show->job = NULL;
    head = reply_head(&show->reply);
    if (job->result != STORE_OK) {
        tell_failure(session, &head, job);
        show_end(session);
        return;
    }
    take_page(show, job);
    if (!show->is_begun) {
        show->is_begun = true;
        session_done(session, &head);
    }
    go_on(&show->timer, host_now_ms(host));
}

/* If the server is busy, only a new watcher is refused; others wait. */
static void
fetch(struct show *show, int64_t after)
{
    struct session *session = show->session;
    struct host *host = session->host;
    int64_t now_ms = host_now_ms(host);
    struct frame_head head = reply_head(&show->reply);
    struct store_job *job;
    int32_t retry_ms;

    if (show->is_begun && !rate_http_takes(host, session->address, HTTP_COST_API, &retry_ms)) {
        timers_set(&host->timers, &show->timer, now_ms + retry_ms);
        return;
    }
    job = host_job(JOB_REVIEW, fetched, NULL);
    job->review = (struct review){
        .kind = REVIEW_MOMENTS,
        .match = show->match,
        .player = session->player == NULL ? 0 : session->player->id,
        .audience = show->audience,
        .after = after,
        .limit = SHOW_PAGE,
        .bytes_max = SHOW_PAGE_BYTES,
    };
    memcpy(job->review.code, show->code, sizeof(show->code));
    job->context_number = (int64_t)session->number;
    show->job = job;
    if (submit_review(session, job)) {
        return;
    }
    show->job = NULL;
    if (show->is_begun) {
        timers_set(&host->timers, &show->timer, now_ms + BUSY_RETRY_MS);
    } else {
        session_error(session, &head, ERROR_BUSY, NULL);
        show_end(session);
    }
}

void
show_begin(struct session *session, const struct frame_watch *frame)
{
    struct show *show;

    if (!session_may_read(session, &frame->head)) {
        return;
    }
    show_end(session);
    show = heap_memory(sizeof(*show));
    show->session = session;
    show->timer.fire = go_on;
    show->match = frame->match;
    if (frame->code.length > 0) {
        memcpy(show->code, frame->code.at, frame->code.length);
    }
    show->audience = frame->has_seat ? (uint8_t)frame->seat : REVIEW_EVERYTHING;
    show->ms_per_turn = frame->ms_per_turn;
    show->next = -1;
    show->reply = reply_to(session, &frame->head);
    session->show = show;
    fetch(show, (int64_t)frame->turn - 1);
}

/* ---- what if ----------------------------------------------------------------------------- */

void
show_answer(struct session *session, const struct frame_head *to, int64_t match,
            const struct what_if *answer)
{
    struct server_what_if frame = {
        .head = *to,
        .match = match,
        .turn = answer->turn,
        .verdicts = { .text = sk_text_of(answer->verdicts) },
        .events = { .text = sk_text_of(answer->events) },
        .view = { .text = sk_text_of(answer->view) },
        .state = { .text = sk_text_of(answer->state == NULL ? "" : answer->state) },
        .outcome = { .text = sk_text_of(answer->outcome) },
    };

    frame.head.type = SERVER_WHAT_IF;
    session_send_frame(session, &frame);
}

static void
what_if_resolved(struct store_job *job, struct host *host)
{
    struct reply *reply = job->context;
    struct session *session = reply_session(host, reply);
    struct frame_head head = reply_head(reply);

    take_review(host, job);
    if (session != NULL && job->result == STORE_OK) {
        show_answer(session, &head, job->review.match, &job->review.answer);
    } else if (session != NULL) {
        tell_failure(session, &head, job);
    }
    free(reply);
}

void
show_what_if(struct session *session, const struct frame_what_if *frame)
{
    struct store_job *job;
    struct reply *reply;

    if (!frame->has_turn) {
        session_error(session, &frame->head, ERROR_WRONG_TURN,
                      "the match is over: `turn` says which turn is meant");
        return;
    }
    if (!session_may_read(session, &frame->head)) {
        return;
    }
    reply = reply_keep(session, &frame->head);
    job = host_job(JOB_REVIEW, what_if_resolved, reply);
    job->review = (struct review){
        .kind = REVIEW_WHAT_IF,
        .match = frame->match,
        .player = session->player->id,
        .audience = REVIEW_EVERYTHING,
        .turn = frame->turn,
        .commands = sk_json_text_of(frame->commands.object),
    };
    if (frame->code.length > 0) {
        memcpy(job->review.code, frame->code.at, frame->code.length);
    }
    if (!submit_review(session, job)) {
        free(reply);
        session_error(session, &frame->head, ERROR_BUSY, NULL);
    }
}
