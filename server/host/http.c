#include "server/host/http.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "proto/schema_doc.h"
#include "server/host/card.h"
#include "server/host/lobby/seek.h"
#include "server/host/room/room.h"
#include "server/host/session/player.h"
#include "server/host/session/reads.h"

#define PREFIX    "/api/v1/"
#define LIMIT_MAX 200
#define LIMIT     50

#define JSON   "application/json"
#define NDJSON "application/x-ndjson"
#define HTML   "text/html; charset=utf-8"

#define BUSY_RETRY_MS     1000
#define MOMENTS_BYTES_MAX (4u << 20)  /* per answer */
#define FILE_BYTES_MAX    (16u << 20) /* of a match file */

/* ---- answers ----------------------------------------------------------------------------- */

static void
answer(struct http_request *request, const struct http_answer *answer)
{
    request->job = NULL;
    request->answer(request, answer);
}

static void
answer_error_until(struct http_request *request, int status, enum error_code code, int32_t retry_ms)
{
    bool is_own = code == ERROR_RATE_LIMITED; /* the usual message is about frames */
    char body[512];
    struct sk_json_out out;

    sk_json_out_init(&out, body, sizeof(body));
    sk_json_begin_object(&out);
    sk_json_key(&out, "error");
    sk_json_begin_object(&out);
    sk_json_key(&out, "code");
    sk_json_string(&out, sk_error_code(code));
    sk_json_key(&out, "message");
    sk_json_string(&out, is_own ? "Too many requests from this address; try again later."
                                : sk_error_meaning(code));
    sk_json_end_object(&out);
    sk_json_end_object(&out);
    answer(request, &(struct http_answer){
                        .status = status,
                        .content_type = JSON,
                        .body = heap_text((struct sk_text){ body, (uint32_t)out.used }),
                        .length = out.used,
                        .retry_ms = retry_ms,
                    });
}

static void
answer_error(struct http_request *request, int status, enum error_code code)
{
    answer_error_until(request, status, code, status == 503 ? BUSY_RETRY_MS : 0);
}

static void
answer_limit(struct http_request *request, enum host_limit limit)
{
    bool is_own = limit == LIMIT_HTTP_RATE || limit == LIMIT_READS_OF_ADDRESS;

    answer_error_until(request, is_own ? 429 : 503, is_own ? ERROR_RATE_LIMITED : ERROR_BUSY,
                       BUSY_RETRY_MS);
}

/* Executed by the thread of reviews. */
static bool
is_reviewed(const struct store_text_query *query)
{
    return query->kind == QUERY_MOMENTS || query->kind == QUERY_FILE;
}

/* The match becomes its card. */
static bool
make_card(struct store_job *job)
{
    struct card card = { .used = 0 };

    if (!card_match(&card, job->text.at, job->text.length, job->query.after)) {
        return false;
    }
    free(job->text.at);
    job->text.at = heap_text((struct sk_text){ card.text, (uint32_t)card.used });
    job->text.length = card.used;
    return true;
}

/* Takes the body out of the job. */
static void
answer_text(struct host *host, struct http_request *request, struct store_job *job)
{
    bool is_card = job->kind == JOB_TEXT && job->query.kind == QUERY_CARD;
    bool has_lines = job->query.kind == QUERY_REPLAY || is_reviewed(&job->query);
    char *body = job->text.at;
    /* Files, which are large, leave half of it to all other answers. */
    uint64_t bytes_max = (uint64_t)host->options.http_answers_max /
                         (job->kind == JOB_TEXT && job->query.kind == QUERY_FILE ? 2 : 1);

    if (host->http_bytes + job->text.length > bytes_max) {
        host->counters.limited[LIMIT_HTTP_ANSWERS]++;
        answer_limit(request, LIMIT_HTTP_ANSWERS);
        return;
    }
    host->http_bytes += job->text.length;
    request->bytes = job->text.length;
    job->text.at = NULL;
    answer(request, &(struct http_answer){ .status = 200,
                                           .content_type = is_card     ? HTML
                                                           : has_lines ? NDJSON
                                                                       : JSON,
                                           .body = body,
                                           .length = job->text.length,
                                           .is_packed = job->text.is_packed });
}

/* ---- what needs no store ----------------------------------------------------------------- */

typedef void document_writer(struct sk_json_out *out);

/* A text that never changes: made at the first request, compressed soon after. */
struct http_document {
    struct http_document *next;
    document_writer *write;
    struct http_answer plain;
    struct http_answer packed; /* no body until it is compressed */
    bool is_packing;
};

static void
write_rulesets(struct sk_json_out *out)
{
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
write_ruleset_names(struct sk_json_out *out)
{
    sk_json_begin_object(out);
    sk_json_key(out, "rulesets");
    sk_json_begin_list(out);
    for (size_t i = 0; i < sk_registry_count(); i++) {
        sk_json_string(out, sk_registry_at(i)->name);
    }
    sk_json_end_list(out);
    sk_json_end_object(out);
}

static struct http_document *
document_of(struct host *host, document_writer *write)
{
    struct http_document *document = host->documents;
    struct sk_json_out out = { 0 };

    while (document != NULL && document->write != write) {
        document = document->next;
    }
    if (document == NULL) {
        document = heap_memory(sizeof(*document));
        document->next = host->documents;
        document->write = write;
        while (work_writes(&host->work, &out)) {
            write(&out);
        }
        document->plain = (struct http_answer){ .status = 200,
                                                .content_type = JSON,
                                                .body = work_text_copy(&out),
                                                .length = out.used,
                                                .is_constant = true };
        host->documents = document;
    }
    return document;
}

void
http_documents_free(struct host *host)
{
    while (host->documents != NULL) {
        struct http_document *document = host->documents;

        host->documents = document->next;
        free(document->plain.body);
        free(document->packed.body);
        free(document);
    }
}

static void
document_packed(struct store_job *job, struct host *host)
{
    struct http_document *document = job->context;

    (void)host;
    document->is_packing = false;
    if (job->text.is_packed) {
        document->packed = document->plain;
        document->packed.is_packed = true;
        document->packed.body = job->text.at;
        document->packed.length = job->text.length;
        job->text.at = NULL;
    }
}

static void
pack_document(struct host *host, struct http_document *document)
{
    struct store_job *job = host_job(JOB_TEXT, document_packed, document);
    const struct http_answer *plain = &document->plain;

    job->place = STORE_FOR_HTTP;
    job->query.kind = QUERY_PACK;
    job->query.takes_gzip = true;
    job->text.at = heap_text((struct sk_text){ plain->body, (uint32_t)plain->length });
    job->text.length = plain->length;
    document->is_packing = host_submit(host, job);
}

static void
answer_document(struct host *host, struct http_request *request, document_writer *write)
{
    struct http_document *document = document_of(host, write);

    if (request->takes_gzip && document->packed.body == NULL && !document->is_packing) {
        pack_document(host, document);
    }
    answer(request, request->takes_gzip && document->packed.body != NULL ? &document->packed
                                                                         : &document->plain);
}

/* ---- what the store is asked ------------------------------------------------------------- */

/* Charges for a finished job and returns its request; NULL: the client is gone. */
static struct http_request *
take_back(struct host *host, struct store_job *job)
{
    struct http_request *request = job->context;

    rate_http_charge(host, job->payer, job->work_us);
    if (request == NULL) {
        read_ends(host, job->payer);
    }
    return request;
}

static void
text_read(struct store_job *job, struct host *host)
{
    struct http_request *request = take_back(host, job);

    if (request == NULL) {
        return; /* the client is gone */
    }
    switch (job->result) {
    case STORE_OK:
        if (job->kind == JOB_TEXT && job->query.kind == QUERY_CARD && !make_card(job)) {
            answer_error(request, 503, ERROR_STORE_UNAVAILABLE);
            break;
        }
        answer_text(host, request, job);
        break;
    case STORE_NOT_FOUND:
        answer_error(request, 404,
                     job->kind == JOB_TEXT && job->query.kind == QUERY_PLAYER
                         ? ERROR_NOT_FOUND
                         : ERROR_UNKNOWN_MATCH);
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

/* Commands and events are stored unfiltered, so those of a ruleset with secrets stay hidden. */
static uint32_t
hidden_of(struct sk_text name, uint32_t version)
{
    const struct sk_ruleset *ruleset = sk_registry_find(name, version);

    return ruleset == NULL ? STORE_HIDES_TURNS | STORE_HIDES_PARAMS
                           : (ruleset->event_is_shown != NULL ? STORE_HIDES_TURNS : 0) |
                                 (ruleset->params_shown != NULL ? STORE_HIDES_PARAMS : 0);
}

static void
submit(struct host *host, struct http_request *request, struct store_job *job)
{
    job->place = STORE_FOR_HTTP;
    job->payer = request->rate;
    job->context = request;
    request->job = job;
    if (!(job->kind == JOB_REVIEW ? host_review(host, job) : host_submit(host, job))) {
        answer_error(request, 503, ERROR_BUSY);
    }
}

/* Submits the query once its player is known, or need not be. */
static void
submit_query(struct host *host, struct http_request *request, const struct store_text_query *query)
{
    bool is_review = is_reviewed(query);
    struct store_job *job = store_job_alloc(is_review ? JOB_REVIEW : JOB_TEXT);

    job->query = *query;
    job->done = text_read;
    if (is_review) {
        job->review = (struct review){
            .kind = query->kind == QUERY_FILE ? REVIEW_FILE : REVIEW_MOMENTS,
            .match = query->match_id,
            .player = query->player,
            .audience = query->audience,
            .after = query->after,
            .limit = query->limit,
            .bytes_max = query->kind == QUERY_FILE ? FILE_BYTES_MAX : MOMENTS_BYTES_MAX,
        };
        memcpy(job->review.code, query->code, sizeof(query->code));
    }
    if (query->kind == QUERY_QUEUE && !host->world.store->is_shared) {
        job->text.at = seek_list(host, &job->text.length);
    }
    submit(host, request, job);
}

/* Whether the result depends on the player: private matches, and lists with `mine`. */
static bool
is_of_owner(const struct store_text_query *query)
{
    return query->kind == QUERY_MATCH || query->kind == QUERY_REPLAY || is_reviewed(query) ||
           query->kind == QUERY_PLAYER || query->player != 0;
}

/* The token's owner is known: continues with the query. */
static void
owner_found(struct store_job *job, struct host *host)
{
    struct http_request *request = take_back(host, job);
    struct store_text_query query = job->asked;

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
    submit_query(host, request, &query);
}

static void
ask(struct host *host, struct http_request *request, const struct store_text_query *query,
    const char *token)
{
    struct store_job *job;
    enum host_limit limit;

    if (token == NULL && query->player != 0) {
        answer_error(request, 401, ERROR_BAD_TOKEN);
        return;
    }
    limit = read_begins(host, request->rate);
    if (limit != LIMIT_COUNT) {
        answer_limit(request, limit);
        return;
    }
    request->is_reading = true;
    if (token == NULL) {
        submit_query(host, request, query);
        return;
    }
    job = host_job(JOB_PLAYER_LOGIN, owner_found, NULL);
    job->asked = *query;
    if (!token_hash(sk_text_of(token), job->player.token_hash)) {
        store_job_free(job);
        answer_error(request, 401, ERROR_BAD_TOKEN);
        return;
    }
    submit(host, request, job);
}

/* ---- routes ------------------------------------------------------------------------------ */

/* The value of `name` in a=1&b=2.  Words and numbers need no unescaping. */
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
    query->kind = strcmp(end, "/moments") == 0 ? QUERY_MOMENTS
                  : strcmp(end, "/file") == 0  ? QUERY_FILE
                                               : QUERY_REPLAY;
    return query->kind != QUERY_REPLAY || strcmp(end, "/replay") == 0;
}

/* players/7, or players/me for the token's owner. */
static bool
parse_player(const char *path, struct store_text_query *query)
{
    char *end;

    query->kind = QUERY_PLAYER;
    query->player = strcmp(path, "me") == 0 ? 1 : 0;
    query->subject = strtoll(path, &end, 10);
    return query->player != 0 || (end != path && *end == '\0' && query->subject > 0);
}

/* ?view=everything (the default), spectator, or a seat. */
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
    query_text(text, "code", query->code, sizeof(query->code));
    query->player = query_number(text, "mine", 0) == 1 ? 1 : 0; /* the token says which player */
    if (strcmp(path, "matches") == 0) {
        query->kind = QUERY_MATCHES;
        query->after = query->after < 0 ? 0 : query->after;
        return true;
    }
    if (strcmp(path, "leaderboard") == 0) {
        query->kind = QUERY_LEADERBOARD;
        return true;
    }
    if (strcmp(path, "queue") == 0) {
        query->kind = QUERY_QUEUE;
        query->player = 0;
        return true;
    }
    if (strcmp(path, "statistics") == 0) {
        query->kind = QUERY_STATISTICS;
        return true;
    }
    if (strncmp(path, "players/", 8) == 0) {
        return parse_player(path + 8, query);
    }
    return strncmp(path, "matches/", 8) == 0 && parse_match(path + 8, query) &&
           parse_view(text, query);
}

void
host_http_get(struct host *host, struct http_request *request, const char *path, const char *query,
              const char *token)
{
    struct store_text_query asked = { .hides = hidden_of, .takes_gzip = request->takes_gzip };

    if (strncmp(path, PREFIX, sizeof(PREFIX) - 1) != 0) {
        answer_error(request, 404, ERROR_NOT_FOUND);
        return;
    }
    path += sizeof(PREFIX) - 1;
    if (strcmp(path, "rulesets") == 0) {
        answer_document(host, request, write_rulesets);
    } else if (strcmp(path, "rulesets/names") == 0) {
        answer_document(host, request, write_ruleset_names);
    } else if (strcmp(path, "protocol") == 0) {
        answer_document(host, request, sk_frames_document);
    } else if (parse_path(path, query, &asked)) {
        ask(host, request, &asked, token);
    } else {
        answer_error(request, 404, ERROR_NOT_FOUND);
    }
}

void
host_http_card(struct host *host, struct http_request *request, const char *query)
{
    static const char *const screens[] = { "join", "match", "replay" };
    struct store_text_query asked = { .kind = QUERY_CARD,
                                      .after = query_number(query, "turn", STORE_NO_TURN) };

    query_text(query, "code", asked.code, sizeof(asked.code));
    for (size_t i = 0; i < SK_COUNT_OF(screens); i++) {
        asked.match_id = query_number(query, screens[i], 0);
        if (asked.match_id > 0 && !host->is_store_failing) { /* the page itself does not wait */
            ask(host, request, &asked, NULL);
            return;
        }
    }
    answer_error(request, 404, ERROR_NOT_FOUND);
}

bool
host_http_begin(struct host *host, struct http_request *request, const char *address, int32_t cost)
{
    int32_t retry_ms;

    request->rate = rate_of_address(host, address);
    if (rate_http_takes(host, request->rate, cost, &retry_ms)) {
        return true;
    }
    host->counters.limited[LIMIT_HTTP_RATE]++;
    answer_error_until(request, 429, ERROR_RATE_LIMITED, retry_ms);
    return false;
}

/* A job under way comes back in any case, and counts until then. */
void
host_http_abandon(struct host *host, struct http_request *request)
{
    if (request->job != NULL) {
        request->job->context = NULL;
        host_cancel(host, request->job);
        request->job = NULL;
        request->is_reading = false;
    }
}

void
host_http_end(struct host *host, struct http_request *request)
{
    host_http_abandon(host, request);
    if (request->is_reading) {
        read_ends(host, request->rate);
    }
    host->http_bytes -= request->bytes;
    rate_release(host, request->rate);
}
