/*
 * Jobs of the review: a match is loaded, played again and described as JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/core/turn.h"
#include "proto/command_lists.h"
#include "proto/json_parse.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "server/clock.h"
#include "server/memory.h"
#include "server/replay/moments.h"
#include "server/review/internal.h"
#include "server/server_limits.h"
#include "server/store/archive.h"
#include "server/store/json_text.h"
#include "server/store/pack.h"

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
load(struct review_work *work, struct reviewing *in)
{
    if (work->archive == NULL &&
        archive_open(work->database, &work->archive, &in->fault) != SK_OK) {
        return fail(in, STORE_UNAVAILABLE, in->fault.message);
    }
    archive_end_when(work->archive, in->is_unwanted);
    if (archive_load(work->archive, in->review->match, &in->match, &in->fault) != SK_OK) {
        bool is_unknown = strcmp(in->fault.code, "unknown_match") == 0;
        bool is_corrupt = strcmp(in->fault.code, "corrupt") == 0;

        return fail(in,
                    atomic_load(in->is_unwanted) ? STORE_ABANDONED
                    : is_unknown                 ? STORE_NOT_FOUND
                    : is_corrupt                 ? STORE_CORRUPT
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
end_line(struct sk_json_out *out)
{
    out->follows_value = false;
    sk_json_raw(out, SK_TEXT("\n"));
    out->follows_value = false;
}

static void
write_line(struct sk_json_out *out, const void *context)
{
    const struct line *line = context;

    sk_json_raw(out, line->moment);
    end_line(out);
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
    end_line(out);
}

/* The turn that the last moment of the match stands at. */
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
        bool had_begun = playback_state(in->moments.playback) != NULL;
        const struct sk_state *state;

        if (!play(in, i)) {
            return false;
        }
        state = playback_state(in->moments.playback);
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
    if (in->review->audience < SK_SEATS_MAX && in->review->audience >= in->moments.seat_count) {
        (void)refuse_because(in, "not_allowed", "the match has no such seat");
    } else if (tell_moments(in, &text)) {
        in->job->text.at = json_text_take(&text, &in->job->text.length);
    }
    json_text_fini(&text);
}

/* ---- what if ----------------------------------------------------------------------------- */

struct branching {
    struct sk_turn turn;
    struct sk_state *before; /* of its own: lists of alternating rulesets go on from turn to turn */
    struct moments *moments;
};

static void
write_verdicts(struct sk_json_out *out, const void *what)
{
    const struct branching *it = what;

    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < it->turn.seat_count; seat++) {
        sk_verdicts_write(out, &it->turn, seat);
    }
    sk_json_end_list(out);
}

static void
write_state(struct sk_json_out *out, const void *what)
{
    const struct branching *it = what;
    struct sk_form_head *head =
        (struct sk_form_head *)(uintptr_t)moments_form(it->moments, it->turn.after);

    if (head == NULL) {
        sk_json_null(out);
        return;
    }
    sk_form_head_set(head, it->turn.ruleset, it->turn.after->outcome);
    sk_form_write(out, it->turn.ruleset->state, head);
}

static void
write_view(struct sk_json_out *out, const void *what)
{
    const struct branching *it = what;

    it->moments->forms.used = 0;
    (void)sk_view_write(out, it->turn.ruleset, it->turn.config, it->turn.after, SK_SPECTATOR,
                        it->moments->view, &it->moments->forms);
}

static void
write_outcome(struct sk_json_out *out, const void *what)
{
    const struct branching *it = what;

    sk_outcome_write(out, it->turn.ruleset, it->turn.after->outcome);
}

static char *
json_of(void (*write)(struct sk_json_out *out, const void *what), const void *what)
{
    struct sk_json_buffer buffer = { NULL, 0 };
    struct sk_text text = sk_json_buffer_write(&buffer, write, what);
    char *copy = heap_text(text);

    free(buffer.at);
    return copy;
}

static void
begin_list(struct sk_json_out *out, const void *what)
{
    (void)what;
    sk_json_begin_list(out);
}

static void
write_events(struct sk_json_out *out, const void *what)
{
    const struct branching *it = what;

    sk_events_write_items(out, &it->turn);
}

static void
end_list(struct sk_json_out *out, const void *what)
{
    (void)what;
    sk_json_end_list(out);
}

/* Lists of alternating rulesets are played turn by turn. */
static void
resolve(struct branching *it, struct review *review)
{
    struct json_text events;
    size_t length;

    json_text_init(&events);
    json_text_add(&events, begin_list, NULL);
    for (bool is_played = sk_turn_resolve(&it->turn); is_played;
         is_played = sk_turn_resolve_next(&it->turn)) {
        json_text_add(&events, write_events, it);
        memcpy(it->before, it->turn.after, it->turn.sizes.state);
    }
    json_text_add(&events, end_list, NULL);
    review->events = json_text_take(&events, &length);
    json_text_fini(&events);
    review->turn = (int32_t)it->before->turn;
    review->verdicts = json_of(write_verdicts, it);
    review->state = json_of(write_state, it);
    review->view = json_of(write_view, it);
    review->outcome = json_of(write_outcome, it);
}

static bool
read_commands(struct reviewing *in, struct sk_arena *arena, struct sk_turn *turn)
{
    const char *text = in->review->commands;
    struct sk_value *json = NULL;
    enum sk_status status;

    status = sk_json_parse(text, strlen(text), &json, &in->fault);
    if (status == SK_OK) {
        status = sk_command_lists_read(turn->ruleset->command, json, NULL, in->moments.seat_count,
                                       arena, turn->commands, &in->fault);
    }
    sk_json_free(json);
    for (uint8_t seat = 0; status == SK_OK && seat < in->moments.seat_count; seat++) {
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
    struct branching it = { .moments = &in->moments };
    struct sk_arena arena;

    playback_branch(in->moments.playback, &it.turn);
    it.before = heap_bytes(it.turn.sizes.state);
    heap_arena(&arena, SERVER_REVIEW_COMMANDS_SIZE);
    memcpy(it.before, it.turn.before, it.turn.sizes.state);
    it.turn.before = it.before;
    if (read_commands(in, &arena, &it.turn)) {
        resolve(&it, in->review);
    }
    free(arena.base);
    free(it.before);
}

/* Up to the turn; there the other way. */
static void
do_what_if(struct reviewing *in)
{
    for (uint32_t i = 0; i < in->match->record_count; i++) {
        const struct sk_state *state;

        if (!play(in, i)) {
            return;
        }
        state = playback_state(in->moments.playback);
        if (state != NULL && (int64_t)state->turn == in->review->turn && !state->outcome.is_over) {
            branch(in);
            return;
        }
    }
    (void)refuse_because(in, "wrong_turn", "the match had no such turn");
}

/* ---- any job ----------------------------------------------------------------------------- */

static void
do_with_match(struct review_work *work, struct reviewing *in)
{
    if (!load(work, in)) {
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

void
review_do(void *context, struct store_job *job, const atomic_bool *is_unwanted)
{
    struct review_work *work = context;
    struct reviewing in = { .job = job,
                            .review = &job->review,
                            .until_ms = clock_ms(CLOCK_THREAD_CPUTIME_ID) + work->time_max_ms,
                            .is_unwanted = is_unwanted };

    job->result = STORE_OK;
    do_with_match(work, &in);
    pack_job(job, is_unwanted);
    store_job_free(in.match);
}

void
review_work_fini(struct review_work *work)
{
    archive_close(work->archive);
}
