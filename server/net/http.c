/*
 * HTTP: a few pages of our own, the API's answers from the host, the metrics.
 *
 * One exchange is one request and its answer.  The answer may come later,
 * when the store has answered; the client may be gone by then.  It is
 * written in pieces, one per writable callback.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/status.h"
#include "server/metrics_page.h"
#include "server/net/internal.h"

#define TEXT "text/plain; charset=utf-8"

/* ---- answers ----------------------------------------------------------------------------- */

/* What no answer but the page may do: anything. */
#define NO_CONTENT "default-src 'none'; frame-ancestors 'none'"

/* The page: its own files and this server, no inline script, and no text that becomes markup. */
#define PAGE_CONTENT                                                                    \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "   \
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " \
    "require-trusted-types-for 'script'; trusted-types 'none'"

struct answer {
    unsigned int status;
    const char *content_type;
    const char *body;
    size_t length;
    bool must_end;
    const char *cache;   /* NULL: nobody keeps it */
    const char *content; /* the content security policy; NULL: NO_CONTENT */
    bool is_gzip;
    bool has_gzip; /* whoever asks otherwise may get it in another encoding */
};

struct status {
    unsigned int number;
    const char *words;
    const char *headers; /* that answers of this status have */
};

/* The last row is for all others. */
static const struct status statuses[] = {
    { 200, "OK", "" },
    { 400, "Bad Request", "" },
    { 401, "Unauthorized", "" },
    { 403, "Forbidden", "" },
    { 404, "Not Found", "" },
    { 405, "Method Not Allowed", "allow: GET, HEAD\r\n" },
    { 410, "Gone", "" },
    { 413, "Content Too Large", "" },
    { 414, "URI Too Long", "" },
    { 426, "Upgrade Required", "upgrade: websocket\r\nsec-websocket-version: 13\r\n" },
    { 429, "Too Many Requests", "" },
    { 431, "Request Header Fields Too Large", "" },
    { 500, "Internal Server Error", "" },
    { 503, "Service Unavailable", "" },
    { 505, "HTTP Version Not Supported", "" },
    { 0, "Other", "" },
};

static const struct status *
find_status(unsigned int number)
{
    const struct status *status = statuses;

    while (status->number != number && status->number != 0) {
        status++;
    }
    return status;
}

/* Returns the length, or 0 if they do not fit. */
static size_t
put_headers(const struct answer *answer, bool must_end, char text[NET_HTTP_HEADERS_MAX])
{
    const struct status *status = find_status(answer->status);
    int length = snprintf(text, NET_HTTP_HEADERS_MAX,
                          "HTTP/1.1 %u %s\r\n"
                          "x-content-type-options: nosniff\r\n"
                          "x-frame-options: DENY\r\n"
                          "referrer-policy: no-referrer\r\n"
                          "content-type: %s\r\n"
                          "cache-control: %s\r\n"
                          "content-security-policy: %s\r\n"
                          "content-length: %zu\r\n"
                          "%s%s%s%s\r\n",
                          answer->status, status->words, answer->content_type,
                          answer->cache == NULL ? "no-store" : answer->cache,
                          answer->content == NULL ? NO_CONTENT : answer->content, answer->length,
                          status->headers, answer->is_gzip ? "content-encoding: gzip\r\n" : "",
                          answer->has_gzip ? "vary: accept-encoding\r\n" : "",
                          must_end ? "connection: close\r\n" : "");

    return length > 0 && length < NET_HTTP_HEADERS_MAX ? (size_t)length : 0;
}

/* An answer that finds no memory ends the connection. */
static void
give_answer(struct connection *connection, const struct answer *answer)
{
    struct http_exchange *exchange = &connection->http;
    char headers[NET_HTTP_HEADERS_MAX];
    size_t length;
    size_t body = exchange->is_head ? 0 : answer->length;

    exchange->must_end = exchange->must_end || answer->must_end;
    length = put_headers(answer, exchange->must_end, headers);
    exchange->bytes = length == 0 ? NULL : malloc(length + body);
    if (exchange->bytes == NULL) {
        connection_cut(connection);
        return;
    }
    memcpy(exchange->bytes, headers, length);
    if (body > 0) {
        memcpy(exchange->bytes + length, answer->body, body);
    }
    exchange->length = length + body;
    connection_wait(connection);
    lws_callback_on_writable(connection->wsi);
}

static void
give_text(struct connection *connection, unsigned int status, const char *text)
{
    give_answer(connection,
                &(struct answer){
                    .status = status, .content_type = TEXT, .body = text, .length = strlen(text) });
}

void
http_refuse(struct connection *connection, unsigned int status, const char *text)
{
    connection->phase = PHASE_ANSWER;
    connection->http.must_end = true;
    give_text(connection, status, text);
}

/* ---- routes ------------------------------------------------------------------------------ */

static struct net *
net_of(const struct connection *connection)
{
    return connection->listener->net;
}

/* Answers, and returns false, if the text is too long or no URL. */
static bool
decode(struct connection *connection, struct head_slice slice, bool is_query, char *text,
       size_t size)
{
    switch (head_decode(connection_bytes(connection), slice, is_query, text, size)) {
    case HEAD_WHOLE:
        return true;
    case HEAD_TOO_LONG:
        give_text(connection, 414,
                  is_query ? "The query is too long.\n" : "The path is too long.\n");
        return false;
    default:
        give_text(connection, 400, "The address is not one: see its %.\n");
        return false;
    }
}

static bool
copy_header(const struct connection *connection, const char *name, char *text, size_t size)
{
    return head_copy(connection_head(connection), connection_bytes(connection), name, text, size);
}

/* "deflate, gzip;q=0.8": a weight of zero means no. */
static bool
takes_gzip(const struct connection *connection)
{
    static const char name[] = "gzip";
    char encodings[NET_HTTP_ENCODINGS_MAX + 1];
    const char *at = NULL;

    if (copy_header(connection, "accept-encoding", encodings, sizeof(encodings))) {
        at = strcasestr(encodings, name);
    }
    if (at == NULL) {
        return false;
    }
    at += sizeof(name) - 1;
    at += strspn(at, "; ");
    return strncmp(at, "q=", 2) != 0 || strtod(at + 2, NULL) > 0;
}

static void
give_file(struct connection *connection, const struct page_file *file)
{
    bool is_gzip = file->gzip != NULL && takes_gzip(connection);

    give_answer(connection,
                &(struct answer){ .status = 200,
                                  .content_type = file->content_type,
                                  .body = is_gzip ? file->gzip : file->plain,
                                  .length = is_gzip ? file->gzip_length : file->plain_length,
                                  .cache = file->is_for_ever ? "public, max-age=31536000, immutable"
                                                             : "no-cache",
                                  .content = PAGE_CONTENT,
                                  .is_gzip = is_gzip,
                                  .has_gzip = file->gzip != NULL });
}

static void
serve_asset(struct connection *connection, const char *path)
{
    const struct page_file *file = page_find(&net_of(connection)->page, path);

    if (file == NULL) {
        give_text(connection, 404, "There is nothing here.\n");
    } else {
        give_file(connection, file);
    }
}

/* The page, or what it would say, to whoever has none. */
static void
serve_root(struct connection *connection, const char *path)
{
    const struct page_file *file = page_find(&net_of(connection)->page, path);

    if (file != NULL) {
        give_file(connection, file);
        return;
    }
    give_text(connection, 200,
              "This is a Skirmish server.\n"
              "\n"
              "Play: open a WebSocket to this address, subprotocol " NET_SUBPROTOCOL ", and send\n"
              "  {\"type\":\"hello\",\"protocol\":1,\"name\":\"your name\"}\n"
              "Then {\"type\":\"list\"} shows the open matches.  PROTOCOL.md has every frame.\n"
              "\n"
              "Look:\n"
              "  /api/v1/rulesets      the rules that are played here, with JSON Schemas\n"
              "  /api/v1/matches       the matches\n"
              "  /api/v1/leaderboard   by ratings with ?ruleset=NAME\n"
              "  /api/v1/statistics\n");
}

static void
serve_health(struct connection *connection, const char *path)
{
    (void)path;
    give_text(connection, 200, "ok\n");
}

static void
serve_readiness(struct connection *connection, const char *path)
{
    struct net *net = net_of(connection);
    struct host_status status;

    (void)path;
    host_status(net->world.host, &status);
    if (net->is_draining || status.is_draining) {
        give_text(connection, 503, "stopping\n");
    } else if (status.is_closed_to_new) {
        give_text(connection, 503, "draining\n");
    } else if (!status.is_ready) {
        give_text(connection, 503, "not ready\n");
    } else {
        give_text(connection, 200, "ready\n");
    }
}

static void
serve_metrics(struct connection *connection, const char *path)
{
    struct net *net = net_of(connection);
    char *text = malloc(NET_METRICS_BYTES_MAX);
    struct metrics_page page = { .text = text, .size = NET_METRICS_BYTES_MAX };

    (void)path;
    if (text == NULL) {
        give_text(connection, 503, "out of memory\n");
        return;
    }
    net_metrics(net, &page);
    host_metrics(net->world.host, &page);
    net->world.metrics(net->world.context, &page);
    give_answer(connection,
                &(struct answer){ .status = 200,
                                  .content_type = "text/plain; version=0.0.4; charset=utf-8",
                                  .body = text,
                                  .length = page.used });
    free(text);
}

/* "Bearer TOKEN"; NULL when there is none that could be one of ours. */
static const char *
bearer_token(const struct connection *connection, char room[NET_HTTP_TOKEN_MAX + 1])
{
    static const char scheme[] = "Bearer ";
    size_t length = sizeof(scheme) - 1;

    if (!copy_header(connection, "authorization", room, NET_HTTP_TOKEN_MAX + 1) ||
        strncasecmp(room, scheme, length) != 0) {
        return NULL;
    }
    return room + length + strspn(room + length, " ");
}

static void
host_has_answered(struct http_request *request, int status, const char *content_type,
                  const char *body, size_t length)
{
    struct http_exchange *exchange = request->context;

    exchange->is_with_host = false;
    give_answer(lws_container_of(exchange, struct connection, http),
                &(struct answer){ .status = (unsigned int)status,
                                  .content_type = content_type,
                                  .body = body,
                                  .length = length,
                                  .is_gzip = request->is_packed,
                                  .has_gzip = request->is_packed });
}

static void
serve_api(struct connection *connection, const char *path)
{
    struct http_exchange *exchange = &connection->http;
    char query[NET_HTTP_QUERY_MAX + 1];
    char room[NET_HTTP_TOKEN_MAX + 1];

    if (!decode(connection, connection_head(connection)->query, true, query, sizeof(query))) {
        return;
    }
    exchange->request.answer = host_has_answered;
    exchange->request.context = exchange;
    exchange->request.takes_gzip = takes_gzip(connection);
    exchange->is_with_host = true;
    host_http_get(net_of(connection)->world.host, &exchange->request, path, query,
                  bearer_token(connection, room));
    explicit_bzero(room, sizeof(room));
}

const struct http_route http_game_routes[] = {
    { "/", false, serve_root },          { NET_PAGE_ASSETS, true, serve_asset },
    { "/healthz", false, serve_health }, { "/readyz", false, serve_readiness },
    { "/api/v1/", true, serve_api },     { NULL, false, NULL },
};

const struct http_route http_metrics_routes[] = {
    { "/metrics", false, serve_metrics },
    { NULL, false, NULL },
};

static const struct http_route *
find_route(const struct http_route *routes, const char *path)
{
    for (const struct http_route *route = routes; route->path != NULL; route++) {
        size_t length = strlen(route->path);

        if (strncmp(path, route->path, length) == 0 && (route->is_prefix || path[length] == '\0')) {
            return route;
        }
    }
    return NULL;
}

/* ---- one exchange ------------------------------------------------------------------------ */

void
http_begun(struct connection *connection)
{
    struct http_exchange *exchange = &connection->http;
    const struct request_head *head = connection_head(connection);
    const char *bytes = connection_bytes(connection);
    char path[NET_HTTP_PATH_MAX + 1];
    const struct http_route *route;

    exchange->is_head = head_is(bytes, head->method, "HEAD");
    exchange->must_end =
        head->is_1_0 || head_lists(head, bytes, "connection", "close", HEAD_ANY_CASE);
    if (!exchange->is_head && !head_is(bytes, head->method, "GET")) {
        /* A body may follow that nobody wants to read. */
        http_refuse(connection, 405, "GET and HEAD only.\n");
        return;
    }
    if (connection->body_left > NET_HTTP_BODY_MAX) {
        http_refuse(connection, 413, "No body is needed here.\n");
        return;
    }
    if (!decode(connection, head->path, false, path, sizeof(path))) {
        return;
    }
    route = find_route(connection->listener->routes, path);
    if (route == NULL) {
        give_text(connection, 404, "There is nothing here.\n");
    } else {
        route->serve(connection, path);
    }
}

void
http_ended(struct http_exchange *exchange)
{
    if (exchange->is_with_host) {
        host_http_cancel(&exchange->request);
    }
    free(exchange->bytes);
    memset(exchange, 0, sizeof(*exchange)); /* the connection may bring another request */
}

/* One write a call. */
int
http_writable(struct connection *connection)
{
    struct http_exchange *exchange = &connection->http;
    size_t left = exchange->length - exchange->written;
    size_t length = left < NET_HTTP_PIECE_BYTES ? left : NET_HTTP_PIECE_BYTES;
    bool must_end = exchange->must_end;

    if (exchange->bytes == NULL) {
        return 0; /* the host has not answered yet */
    }
    if (lws_write(connection->wsi, exchange->bytes + exchange->written, length, LWS_WRITE_RAW) <
        (int)length) {
        return -1;
    }
    exchange->written += length;
    if (exchange->written < exchange->length) {
        connection_wait(connection);
        lws_callback_on_writable(connection->wsi);
        return 0;
    }
    http_ended(exchange);
    connection_answered(connection, must_end);
    return 0;
}
