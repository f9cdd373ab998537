#include "server/review/review.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/core/turn.h"
#include "proto/command_lists.h"
#include "proto/json_parse.h"
#include "proto/turn_write.h"
#include "server/clock.h"
#include "server/match/what_if.h"
#include "server/memory.h"
#include "server/replay/moments.h"
#include "server/server_limits.h"
#include "server/store/archive.h"
#include "server/store/desk.h"
#include "server/store/json_text.h"
#include "server/store/match_file.h"
#include "server/store/pack.h"

struct review_desk {
    struct store_port port; /* first: the host knows only this */
    struct desk *desk;
    const char *database;
    int32_t time_max_ms;
    struct archive *archive; /* of the thread; NULL = not opened yet */
};

/* One job's. */
struct reviewing {
    struct store_job *job;
    struct review *review;
    struct store_job *match; /* with its records */
    struct moments moments;
    int64_t until_ms; /* of the thread's processor time */
    const atomic_bool *is_unwanted;
    struct sk_fault fault;
};

/* ---- results ----------------------------------------------------------------------------- */

static bool
fail(struct reviewing *in, enum store_result result, const char *message)
{
    in->job->result = result;
    free(in->job->message);
    in->job->message = strdup(message);
    SK_ASSERT(in->job->message != NULL);
    return false;
}

/* The request is wrong. */
static bool
refuse(struct reviewing *in)
{
    in->review->fault = in->fault;
    return fail(in, STORE_REFUSED, in->fault.message);
}

static bool
refuse_because(struct reviewing *in, const char *code, const char *message)
{
    (void)sk_fault_set(&in->fault, code, message);
    return refuse(in);
}

/* ---- the match --------------------------------------------------------------------------- */

static bool
may_see(const struct reviewing *in)
{
    const struct store_match *match = &in->match->match;
    const struct review *review = in->review;

    if (match->is_open || (match->code != NULL && strcmp(match->code, review->code) == 0)) {
        return true;
    }
    for (int32_t i = 0; i < match->seat_count; i++) {
        if (review->player != 0 && in->match->seats[i].player == review->player) {
            return true;
        }
    }
    return false;
}

static bool
load(struct review_desk *desk, struct reviewing *in)
{
    if (desk->archive == NULL &&
        archive_open(desk->database, &desk->archive, &in->fault) != SK_OK) {
        return fail(in, STORE_UNAVAILABLE, in->fault.message);
    }
    archive_end_when(desk->archive, in->is_unwanted);
    if (archive_load(desk->archive, in->review->match, &in->match, &in->fault) != SK_OK) {
        bool is_unknown = strcmp(in->fault.code, "unknown_match") == 0;
        bool is_corrupt = strcmp(in->fault.code, "corrupt") == 0;
        bool is_pruned = strcmp(in->fault.code, "pruned") == 0;

        return fail(in,
                    atomic_load(in->is_unwanted) ? STORE_ABANDONED
                    : is_unknown                 ? STORE_NOT_FOUND
                    : is_corrupt                 ? STORE_CORRUPT
                    : is_pruned                  ? STORE_PRUNED
                                                 : STORE_UNAVAILABLE,
                    in->fault.message);
    }
    if (!may_see(in)) {
        return fail(in, STORE_NOT_FOUND, "the match is private");
    }
    if (in->match->match.status != MATCH_OVER) {
        return refuse_because(in, "not_allowed", "the match is not over");
    }
    return true;
}

/* Plays the next record; false when that is not possible, with the result set. */
static bool
play(struct reviewing *in, uint32_t index)
{
    if (playback_record(in->moments.playback, &in->match->records[index], &in->fault) != SK_OK) {
        return fail(in, STORE_CORRUPT, in->fault.message);
    }
    if (atomic_load(in->is_unwanted)) {
        return fail(in, STORE_ABANDONED, "the request was cancelled");
    }
    return clock_ms(CLOCK_THREAD_CPUTIME_ID) < in->until_ms ||
           fail(in, STORE_UNAVAILABLE, "the match takes too long");
}

/* ---- moments ----------------------------------------------------------------------------- */

struct line {
    struct sk_text moment;
    int64_t next; /* the last line: where the next request continues, or -1 */
    int64_t last;
};

static void
write_line(struct sk_json_out *out, const void *context)
{
    const struct line *line = context;

    sk_json_raw(out, line->moment);
    sk_json_end_line(out);
}

static void
write_end(struct sk_json_out *out, const void *context)
{
    const struct line *line = context;

    sk_json_begin_object(out);
    sk_json_key(out, "next");
    if (line->next < 0) {
        sk_json_null(out);
    } else {
        sk_json_int(out, line->next);
    }
    sk_json_key_int(out, "last", line->last);
    sk_json_end_object(out);
    sk_json_end_line(out);
}

/* The `turn` of the match's last moment. */
static int64_t
last_turn(const struct store_job *match)
{
    for (uint32_t i = match->record_count; i > 0; i--) {
        if (match->records[i - 1].kind == RECORD_TURN) {
            return match->records[i - 1].turn + 1;
        }
    }
    return 0;
}

static bool
tell_moments(struct reviewing *in, struct json_text *text)
{
    struct line line = { .next = -1, .last = last_turn(in->match) };
    int32_t count = 0;

    for (uint32_t i = 0; i < in->match->record_count; i++) {
        bool had_begun = in->moments.playback->match.state != NULL;
        const struct sk_state *state;

        if (!play(in, i)) {
            return false;
        }
        state = in->moments.playback->match.state;
        if (!moments_is_one(&in->moments, had_begun) || (int64_t)state->turn <= in->review->after) {
            continue;
        }
        line.moment = moments_json(&in->moments, state, playback_turn(in->moments.playback));
        json_text_add(text, write_line, &line);
        if (++count == in->review->limit || text->out.used >= in->review->bytes_max) {
            line.next = state->turn == line.last ? -1 : (int64_t)state->turn;
            break;
        }
    }
    json_text_add(text, write_end, &line);
    in->review->after = line.next;
    in->review->turn = (int32_t)line.last;
    return true;
}

static void
do_moments(struct reviewing *in)
{
    struct json_text text;

    json_text_init(&text);
    if (in->review->audience < SK_SEATS_MAX &&
        in->review->audience >= in->moments.playback->match.seat_count) {
        (void)refuse_because(in, "not_allowed", "the match has no such seat");
    } else if (tell_moments(in, &text)) {
        in->job->text.at = json_text_take(&text, &in->job->text.length);
    }
    json_text_fini(&text);
}

/* ---- match files ------------------------------------------------------------------------- */

struct filing {
    struct json_text text;
    size_t bytes_max;
};

static void
write_raw(struct sk_json_out *out, const void *context)
{
    sk_json_raw(out, *(const struct sk_text *)context);
    out->follows_value = false;
}

static bool
put_line(void *context, const char *line, size_t length)
{
    struct filing *filing = context;
    struct sk_text text = { line, (uint32_t)length };

    if (filing->text.out.used + length > filing->bytes_max) {
        return false;
    }
    json_text_add(&filing->text, write_raw, &text);
    return true;
}

/* As it is stored: who reads it proves it. */
static void
do_file(struct reviewing *in)
{
    struct filing filing = { .bytes_max = in->review->bytes_max };

    json_text_init(&filing.text);
    if (match_file_write(in->match, put_line, &filing)) {
        in->job->text.at = json_text_take(&filing.text, &in->job->text.length);
    } else {
        (void)refuse_because(in, "not_allowed", "the match is too long for one answer");
    }
    json_text_fini(&filing.text);
}

/* ---- what if ----------------------------------------------------------------------------- */

/* Everything: for a finished match there are no secrets. */
static char *
state_text(struct reviewing *in, const struct sk_turn *turn)
{
    struct sk_form_head *head =
        (struct sk_form_head *)(uintptr_t)moments_form(&in->moments, turn->after);
    struct work *work = in->moments.playback->work;

    if (head == NULL) {
        return heap_text(SK_TEXT("null"));
    }
    sk_form_head_set(head, turn->ruleset, turn->after->outcome);
    return work_json_form(work, turn->ruleset->state, head);
}

static bool
read_commands(struct reviewing *in, struct sk_arena *arena, struct sk_turn *turn)
{
    const char *text = in->review->commands;
    struct sk_value *json = NULL;
    enum sk_status status;

    status = sk_json_parse(text, strlen(text), &json, &in->fault);
    if (status == SK_OK) {
        status = sk_command_lists_read(turn->ruleset->command, json, NULL,
                                       in->moments.playback->match.seat_count, arena,
                                       turn->commands, &in->fault);
    }
    sk_json_free(json);
    for (uint8_t seat = 0; status == SK_OK && seat < in->moments.playback->match.seat_count;
         seat++) {
        if (turn->commands[seat].count > sk_list_max(turn->ruleset, turn->config)) {
            status = sk_fault_set(&in->fault, "malformed", "too many commands for one turn");
        }
    }
    if (status != SK_OK) {
        sk_fault_inside(&in->fault, SK_TEXT("commands"));
    }
    return status == SK_OK || refuse(in);
}

static void
branch(struct reviewing *in)
{
    struct sk_state *before;
    struct sk_arena arena;
    struct sk_turn turn;

    playback_branch(in->moments.playback, &turn);
    before = heap_bytes(turn.sizes.state);
    heap_arena(&arena, SERVER_REVIEW_COMMANDS_SIZE);
    memcpy(before, turn.before, turn.sizes.state);
    turn.before = before;
    if (read_commands(in, &arena, &turn)) {
        what_if_resolve(in->moments.playback->work, &turn, REVIEW_EVERYTHING, &in->review->answer);
        in->review->answer.state = state_text(in, &turn);
    }
    free(arena.base);
    free(before);
}

/* Plays up to the turn, then other commands. */
static void
do_what_if(struct reviewing *in)
{
    for (uint32_t i = 0; i < in->match->record_count; i++) {
        const struct sk_state *state;

        if (!play(in, i)) {
            return;
        }
        state = in->moments.playback->match.state;
        if (state != NULL && (int64_t)state->turn == in->review->turn && !state->outcome.is_over) {
            branch(in);
            return;
        }
    }
    (void)refuse_because(in, "wrong_turn", "the match had no such turn");
}

/* ---- any job ----------------------------------------------------------------------------- */

static void
do_with_match(struct review_desk *desk, struct reviewing *in)
{
    if (!load(desk, in)) {
        return;
    }
    if (in->review->kind == REVIEW_FILE) {
        do_file(in);
        return;
    }
    if (!moments_open(&in->moments, &in->match->match, in->review->audience, &in->fault)) {
        (void)fail(in, STORE_CORRUPT, in->fault.message);
    } else if (in->review->kind == REVIEW_MOMENTS) {
        do_moments(in);
    } else {
        do_what_if(in);
    }
    moments_close(&in->moments);
}

/* For the desk's thread. */
static void
review(void *context, struct store_job *job, const atomic_bool *is_unwanted)
{
    struct review_desk *desk = context;
    struct reviewing in = { .job = job,
                            .review = &job->review,
                            .until_ms = clock_ms(CLOCK_THREAD_CPUTIME_ID) + desk->time_max_ms,
                            .is_unwanted = is_unwanted };

    job->result = STORE_OK;
    do_with_match(desk, &in);
    pack_job(job, is_unwanted);
    store_job_free(in.match);
}

/* ---- the desk ----------------------------------------------------------------------------- */

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
    desk->database = database;
    desk->time_max_ms = options->time_max_ms;
    desk->desk = desk_open(&(struct desk_options){
        .jobs_max = options->jobs_max,
        .work = review,
        .worker = desk,
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
    archive_close(desk->archive);
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
