/*
 * skirmish resolve - the referee without a server.
 *
 * One request per line.  A request may also span lines: an unfinished line is
 * joined with the next ones until its brackets close.  A line that is a
 * whole request by itself always starts a new one, so that one broken line does not
 * affect the requests after it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/fault.h"
#include "common/base/limits.h"
#include "proto/json_parse.h"
#include "proto/json_track.h"
#include "proto/referee.h"
#include "server/cli/cli.h"
#include "server/cli/line_reader.h"
#include "server/memory.h"

struct session {
    struct sk_referee *referee;
    char *joined; /* the lines of an unfinished request */
    size_t joined_size;
    size_t joined_length;
    struct sk_json_track track;
    bool has_errors;
};

static const char help[] =
    "usage: skirmish resolve < requests > answers\n"
    "\n"
    "Reads JSON requests, one per line (a request may also span lines), and prints\n"
    "one JSON answer per line, in the same order.  A request is\n"
    "\n"
    "  {\"ruleset\":\"tactics\",\"params\":{...},\"seed\":\"0123456789abcdef\",\n"
    "   \"state\":{...},\"turn\":4,\"commands\":[[...seat 0...],[...seat 1...]]}\n"
    "\n"
    "  ruleset    one of `skirmish rulesets`\n"
    "  version    an older one of the ruleset, for matches played with it\n"
    "  params     the match's params; `skirmish params RULESET` prints the defaults\n"
    "  seed       16 or 64 hex digits, all zeros when missing\n"
    "  state      the position; when missing, the match's first one\n"
    "  view       instead of a state: what a seat sees; the seed decides what it hides.\n"
    "             Not for snarl, whose views do not show the level\n"
    "  turn       its number; when missing, that of the view or 0\n"
    "  commands   one list per seat; when missing, nothing is resolved and the answer\n"
    "             is the position, who owes commands and the outcome\n"
    "\n"
    "and its answer\n"
    "\n"
    "  {\"turn\":5,\"verdicts\":[[{\"verdict\":\"ok\"},...],[...]],\"events\":[...],\n"
    "   \"state\":{...},\"owing\":[0,1],\"outcome\":null,\"hash\":\"...\"}\n"
    "\n"
    "The state of an answer can be handed back in the next request.  A line that is\n"
    "no valid request answers {\"error\":{\"code\",\"message\",\"at\"}}, with `at` a JSON\n"
    "pointer into the request, and the tool goes on.\n"
    "\n"
    "exit status: 0, or 1 when any line was an error\n";

static void
answer(struct session *session, const char *text, size_t length)
{
    struct sk_text answered;

    if (!sk_referee_answer(session->referee, text, length, &answered)) {
        session->has_errors = true;
    }
    fwrite(answered.at, 1, answered.length, stdout);
    putchar('\n');
}

static void
answer_too_large(struct session *session)
{
    session->has_errors = true;
    printf("{\"error\":{\"code\":\"too_large\",\"message\":\"a request has at most "
           "%u bytes\",\"at\":\"\"}}\n",
           SK_JSON_REQUEST_MAX);
}

static void
answer_joined(struct session *session)
{
    answer(session, session->joined, session->joined_length);
    session->joined_length = 0;
    session->track = (struct sk_json_track){ 0 };
}

static void
join(struct session *session, const char *line, size_t length)
{
    size_t needed = session->joined_length + length + 1;

    if (needed > session->joined_size) {
        session->joined_size = needed * 2;
        session->joined = heap_grow(session->joined, session->joined_size);
    }
    memcpy(session->joined + session->joined_length, line, length);
    session->joined[needed - 1] = '\n';
    session->joined_length = needed;
}

/* With the newline, because a string cannot continue after it. */
static enum sk_json_progress
track_line(struct sk_json_track *track, const char *line, size_t length)
{
    sk_json_track_feed(track, line, length);
    return sk_json_track_feed(track, "\n", 1);
}

/* A JSON object that names a ruleset. */
static bool
is_request(const char *text, size_t length)
{
    struct sk_value *json;
    struct sk_fault fault;
    bool is_it = false;

    if (sk_json_parse(text, length, &json, &fault) == SK_OK) {
        is_it = sk_value_is(json, SK_VALUE_OBJECT) && sk_value_member(json, "ruleset") != NULL;
        sk_json_free(json);
    }
    return is_it;
}

static bool
is_whole_request(const char *line, size_t length)
{
    struct sk_json_track alone = { 0 };

    return track_line(&alone, line, length) == SK_JSON_WHOLE && is_request(line, length);
}

static void
take_line(struct session *session, const char *line, size_t length)
{
    enum sk_json_progress progress;

    if (session->joined_length > 0 && is_whole_request(line, length)) {
        answer_joined(session);
    }
    progress = track_line(&session->track, line, length);
    if (progress == SK_JSON_NOTHING) {
        return;
    }
    if (progress == SK_JSON_WHOLE && session->joined_length == 0) {
        answer(session, line, length);
        session->track = (struct sk_json_track){ 0 };
        return;
    }
    if (session->joined_length + length >= SK_JSON_REQUEST_MAX) {
        answer_too_large(session);
        session->joined_length = 0;
        session->track = (struct sk_json_track){ 0 };
        return;
    }
    join(session, line, length);
    if (progress == SK_JSON_WHOLE) {
        answer_joined(session);
    }
}

/* Flushes answers before it waits for more, so that programs can ask and wait. */
static int
run(struct session *session, struct line_reader *lines)
{
    for (;;) {
        const char *line;
        size_t length;

        if (!line_reader_has_line(lines)) {
            fflush(stdout);
        }
        switch (line_reader_next(lines, &line, &length)) {
        case LINE_READ:
            take_line(session, line, length);
            break;
        case LINE_TOO_LONG:
            answer_too_large(session);
            break;
        case LINE_END:
            if (session->joined_length > 0) {
                answer_joined(session);
            }
            return session->has_errors ? CLI_FAILED : CLI_OK;
        case LINE_FAILED:
            fprintf(stderr, "skirmish resolve: standard input: %s\n", strerror(errno));
            return CLI_FAILED;
        }
    }
}

int
cli_resolve(int argc, char **argv)
{
    struct session session = { 0 };
    struct line_reader lines;
    int status;

    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return CLI_OK;
    }
    if (argc > 1) {
        return cli_usage_error("resolve", "requests come on standard input; it takes no argument",
                               argv[1]);
    }
    session.referee = sk_referee_alloc();
    if (session.referee == NULL) {
        fprintf(stderr, "skirmish resolve: not enough memory\n");
        return CLI_FAILED;
    }
    line_reader_init(&lines, STDIN_FILENO, SK_JSON_REQUEST_MAX);
    if (isatty(STDIN_FILENO)) {
        fprintf(stderr, "reading requests from the terminal, one per line; Ctrl-D ends\n");
    }
    status = run(&session, &lines);
    line_reader_fini(&lines);
    free(session.joined);
    sk_referee_free(session.referee);
    return status;
}
