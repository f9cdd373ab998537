/*
 * The HTTP API: lists, matches, replays, rulesets, as JSON.
 *
 * A bearer token shows its owner what others may not see.  While a match is
 * on, its replay goes as far as spectators are; where a ruleset hides
 * things, it is there only when the match is over.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/schema_doc.h"
#include "server/host/room.h"

#define PREFIX    "/api/v1/"
#define LIMIT_MAX 200
#define LIMIT     50

/* Below this a body fits a packet or two anyway. */
#define PACK_BYTES_MIN 1024

#define JSON   "application/json"
#define NDJSON "application/x-ndjson"

static void
answer(struct http_request *request, int status, const char *type, const char *body, size_t length)
{
    request->job = NULL;
    request->answer(request, status, type, body, length);
}

static void
answer_error(struct http_request *request, int status, enum error_code code)
{
    char body[512];
    struct sk_json_out out;

    sk_json_out_init(&out, body, sizeof(body));
    sk_json_begin_object(&out);
    sk_json_key(&out, "error");
    sk_json_begin_object(&out);
    sk_json_key(&out, "code");
    sk_json_string(&out, sk_error_code(code));
    sk_json_key(&out, "message");
    sk_json_string(&out, sk_error_meaning(code));
    sk_json_end_object(&out);
    sk_json_end_object(&out);
    answer(request, status, JSON, body, out.used);
}

/* ---- what needs no store ----------------------------------------------------------------- */

static void
write_rulesets(struct sk_json_out *out, const void *what)
{
    (void)what;
    sk_json_begin_object(out);
    sk_json_key(out, "rulesets");
    sk_json_begin_list(out);
    for (size_t i = 0; i < sk_registry_count(); i++) {
        sk_ruleset_document(out, sk_registry_at(i));
    }
    sk_json_end_list(out);
    sk_json_end_object(out);
}

static void
write_protocol(struct sk_json_out *out, const void *what)
{
    (void)what;
    sk_frames_document(out);
}

static void
answer_document(struct host *host, struct http_request *request,
                void (*write)(struct sk_json_out *out, const void *what))
{
    char *text = host_json(host, write, NULL);

    answer(request, 200, JSON, text, strlen(text));
    free(text);
}

/* ---- what the store is asked ------------------------------------------------------------- */

static const char *
type_of(const struct store_job *job)
{
    enum store_query kind = job->query.kind;

    return kind == QUERY_REPLAY || kind == QUERY_MOMENTS ? NDJSON : JSON;
}

static void
text_packed(struct store_job *job, void *context)
{
    struct http_request *request = job->context;

    (void)context;
    if (request != NULL) {
        request->is_packed = job->result == STORE_OK; /* else it still is the text */
        answer(request, 200, type_of(job), job->text, job->text_length);
    }
}

/* Long texts are packed where there is time for it; where there is none they go out as they are. */
static void
answer_text(struct host *host, struct http_request *request, struct store_job *job)
{
    struct store_job *packing;

    if (!request->takes_gzip || job->text_length < PACK_BYTES_MIN) {
        answer(request, 200, type_of(job), job->text, job->text_length);
        return;
    }
    packing = store_job_alloc(JOB_REVIEW);
    packing->review->kind = REVIEW_PACK;
    packing->query.kind = job->query.kind;
    packing->text = host_text((struct sk_text){ job->text, (uint32_t)job->text_length });
    packing->text_length = job->text_length;
    packing->done = text_packed;
    packing->context = request;
    request->job = packing;
    if (!host_review(host, packing)) {
        answer(request, 200, type_of(job), job->text, job->text_length);
    }
}

static void
text_read(struct store_job *job, void *context)
{
    struct http_request *request = job->context;

    if (request == NULL) {
        return; /* the client is gone */
    }
    switch (job->result) {
    case STORE_OK:
        answer_text(context, request, job);
        break;
    case STORE_NOT_FOUND:
        answer_error(request, 404, ERROR_UNKNOWN_MATCH);
        break;
    case STORE_REFUSED:
        answer_error(request, 409, ERROR_NOT_ALLOWED);
        break;
    case STORE_PRUNED:
        answer_error(request, 410, ERROR_PRUNED);
        break;
    default:
        answer_error(request, 503, ERROR_STORE_UNAVAILABLE);
        break;
    }
}

/*
 * How far a replay of a match that is still on may go for those who only
 * watch.  The store knows whether it is on; one without a room may be on its
 * way to the store or from it, so as long as it is on nothing of it is shown.
 * It holds for a job that is handed over now: what is resolved later is
 * stored later.
 */
static int32_t
visible_turns(struct host *host, int64_t match)
{
    const struct room *room = room_find(host, match);

    if (room == NULL || room->phase != ROOM_RUNNING || room->ruleset->event_is_shown != NULL) {
        return 0;
    }
    return (int32_t)room->state->turn > room->spectator_delay
               ? (int32_t)room->state->turn - room->spectator_delay
               : 0;
}

/* Likewise. */
static bool
hides_params(struct host *host, int64_t match)
{
    const struct room *room = room_find(host, match);

    return room == NULL || room->ruleset == NULL || room->ruleset->params_shown != NULL;
}

static bool
is_of_match(const struct store_text_query *query)
{
    return query->kind == QUERY_MATCH || query->kind == QUERY_REPLAY;
}

static void
submit(struct host *host, struct http_request *request, struct store_job *job)
{
    if (job->kind == JOB_TEXT && is_of_match(&job->query)) {
        job->query.hides_params = hides_params(host, job->query.match_id);
        job->query.turn_max = visible_turns(host, job->query.match_id);
    }
    job->context = request;
    request->job = job;
    if (!(job->kind == JOB_REVIEW ? host_review(host, job) : host_submit(host, job))) {
        answer_error(request, 503, ERROR_BUSY);
    }
}

/* The query of somebody who is known by now, or needs not be. */
static void
submit_query(struct host *host, struct http_request *request, const struct store_text_query *query)
{
    bool is_review = query->kind == QUERY_MOMENTS;
    struct store_job *job = store_job_alloc(is_review ? JOB_REVIEW : JOB_TEXT);

    job->query = *query;
    job->done = text_read;
    if (is_review) {
        *job->review = (struct review){
            .kind = REVIEW_MOMENTS,
            .match = query->match_id,
            .player = query->player,
            .audience = query->audience,
            .after = query->after,
            .limit = query->limit,
        };
    }
    submit(host, request, job);
}

/* A list is everybody's unless it asks for `mine`; a match is shown to those who play it. */
static bool
is_of_owner(const struct store_text_query *query)
{
    return query->kind == QUERY_MATCH || query->kind == QUERY_REPLAY ||
           query->kind == QUERY_MOMENTS || query->player != 0;
}

/* The token's owner is known now: the query goes on as his. */
static void
owner_found(struct store_job *job, void *context)
{
    struct http_request *request = job->context;
    struct store_text_query query = job->query;

    if (request == NULL) {
        return;
    }
    if (job->result == STORE_NOT_FOUND) {
        answer_error(request, 401, ERROR_BAD_TOKEN);
        return;
    }
    if (job->result == STORE_BANNED) {
        answer_error(request, 403, ERROR_BANNED);
        return;
    }
    if (job->result != STORE_OK) {
        answer_error(request, 503, ERROR_STORE_UNAVAILABLE);
        return;
    }
    query.player = is_of_owner(&query) ? job->player.id : 0;
    submit_query(context, request, &query);
}

static void
ask(struct host *host, struct http_request *request, const struct store_text_query *query,
    const char *token)
{
    struct store_job *job;

    if (token == NULL && query->player != 0) {
        answer_error(request, 401, ERROR_BAD_TOKEN);
        return;
    }
    if (token == NULL) {
        submit_query(host, request, query);
        return;
    }
    job = store_job_alloc(JOB_PLAYER_LOGIN);
    job->query = *query;
    job->done = owner_found;
    if (!token_hash(sk_text_of(token), job->player.token_hash)) {
        store_job_free(job);
        answer_error(request, 401, ERROR_BAD_TOKEN);
        return;
    }
    submit(host, request, job);
}

/* ---- routes ------------------------------------------------------------------------------ */

/* The value of `name` in a=1&b=2, as text; plain words and numbers need no unescaping. */
static void
query_text(const char *query, const char *name, char *ret_value, size_t size)
{
    size_t length = strlen(name);

    ret_value[0] = '\0';
    for (const char *at = query; at != NULL && *at != '\0'; at = strchr(at, '&')) {
        at += *at == '&' ? 1 : 0;
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            size_t end = strcspn(at + length + 1, "&");

            if (end < size) {
                memcpy(ret_value, at + length + 1, end);
                ret_value[end] = '\0';
            }
            return;
        }
    }
}

static int64_t
query_number(const char *query, const char *name, int64_t fallback)
{
    char text[24];
    char *end;
    long long value;

    query_text(query, name, text, sizeof(text));
    value = strtoll(text, &end, 10);
    return text[0] == '\0' || *end != '\0' || value < 0 ? fallback : value;
}

static bool
parse_match(const char *path, struct store_text_query *query)
{
    char *end;
    long long id = strtoll(path, &end, 10);

    if (end == path || id <= 0) {
        return false;
    }
    query->match_id = id;
    if (strcmp(end, "") == 0) {
        query->kind = QUERY_MATCH;
        return true;
    }
    query->kind = strcmp(end, "/moments") == 0 ? QUERY_MOMENTS : QUERY_REPLAY;
    return query->kind == QUERY_MOMENTS || strcmp(end, "/replay") == 0;
}

/* ?view=everything (when missing), spectator, or a seat. */
static bool
parse_view(const char *text, struct store_text_query *query)
{
    char view[16];
    int64_t seat = query_number(text, "view", SK_SEATS_MAX);

    query_text(text, "view", view, sizeof(view));
    if (view[0] == '\0' || strcmp(view, "everything") == 0) {
        query->audience = REVIEW_EVERYTHING;
    } else if (strcmp(view, "spectator") == 0) {
        query->audience = SK_SPECTATOR;
    } else {
        query->audience = (uint8_t)seat;
        return seat < SK_SEATS_MAX;
    }
    return true;
}

static bool
parse_path(const char *path, const char *text, struct store_text_query *query)
{
    int64_t limit = query_number(text, "limit", LIMIT);

    query->limit = (int32_t)(limit < 1 ? 1 : limit > LIMIT_MAX ? LIMIT_MAX : limit);
    query->after = query_number(text, "after", STORE_NO_TURN);
    query_text(text, "ruleset", query->ruleset, sizeof(query->ruleset));
    query_text(text, "status", query->status, sizeof(query->status));
    query->player = query_number(text, "mine", 0) == 1 ? 1 : 0; /* whose is found by the token */
    if (strcmp(path, "matches") == 0) {
        query->kind = QUERY_MATCHES;
        query->after = query->after < 0 ? 0 : query->after;
        return true;
    }
    if (strcmp(path, "leaderboard") == 0) {
        query->kind = QUERY_LEADERBOARD;
        return true;
    }
    if (strcmp(path, "statistics") == 0) {
        query->kind = QUERY_STATISTICS;
        return true;
    }
    return strncmp(path, "matches/", 8) == 0 && parse_match(path + 8, query) &&
           parse_view(text, query);
}

void
host_http_get(struct host *host, struct http_request *request, const char *path, const char *query,
              const char *token)
{
    struct store_text_query asked = { .turn_max = STORE_NO_TURN };

    if (strncmp(path, PREFIX, sizeof(PREFIX) - 1) != 0) {
        answer_error(request, 404, ERROR_NOT_FOUND);
        return;
    }
    path += sizeof(PREFIX) - 1;
    if (strcmp(path, "rulesets") == 0) {
        answer_document(host, request, write_rulesets);
    } else if (strcmp(path, "protocol") == 0) {
        answer_document(host, request, write_protocol);
    } else if (parse_path(path, query, &asked)) {
        ask(host, request, &asked, token);
    } else {
        answer_error(request, 404, ERROR_NOT_FOUND);
    }
}

/* The job comes back all the same; it finds nobody to answer. */
void
host_http_cancel(struct http_request *request)
{
    if (request->job != NULL) {
        request->job->context = NULL;
        request->job = NULL;
    }
}
