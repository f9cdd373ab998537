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

static bool
add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at,
           unsigned char *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), at,
                                       end) == 0;
}

/* The listener adds the headers that all answers have.  Returns the length, 0 = they do not fit. */
static size_t
put_headers(struct lws *wsi, const struct answer *answer, unsigned char *start)
{
    unsigned char *at = start;
    unsigned char *end = start + NET_HTTP_HEADERS_MAX;

    if (lws_add_http_header_status(wsi, answer->status, &at, end) != 0 ||
        !add_header(wsi, "content-type:", answer->content_type, &at, end) ||
        !add_header(wsi, "cache-control:", answer->cache == NULL ? "no-store" : answer->cache, &at,
                    end) ||
        !add_header(wsi, "content-security-policy:",
                    answer->content == NULL ? NO_CONTENT : answer->content, &at, end) ||
        lws_add_http_header_content_length(wsi, answer->length, &at, end) != 0) {
        return 0;
    }
    if (answer->status == HTTP_STATUS_METHOD_NOT_ALLOWED &&
        !add_header(wsi, "allow:", "GET, HEAD", &at, end)) {
        return 0;
    }
    if ((answer->is_gzip && !add_header(wsi, "content-encoding:", "gzip", &at, end)) ||
        (answer->has_gzip && !add_header(wsi, "vary:", "accept-encoding", &at, end))) {
        return 0;
    }
    if (answer->must_end && !add_header(wsi, "connection:", "close", &at, end)) {
        return 0;
    }
    if (lws_finalize_http_header(wsi, &at, end) != 0) {
        return 0;
    }
    return (size_t)(at - start);
}

/* An answer that finds no memory ends the connection. */
static void
give_answer(struct http_exchange *exchange, const struct answer *answer)
{
    size_t length;

    exchange->bytes = malloc(LWS_PRE + NET_HTTP_HEADERS_MAX + answer->length);
    if (exchange->bytes == NULL) {
        lws_set_timeout(exchange->wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_ASYNC);
        return;
    }
    exchange->must_end = answer->must_end;
    length = put_headers(exchange->wsi, answer, exchange->bytes + LWS_PRE);
    exchange->headers_length = length;
    if (answer->length > 0) {
        memcpy(exchange->bytes + LWS_PRE + length, answer->body, answer->length);
    }
    exchange->body_length = exchange->is_head ? 0 : answer->length;
    lws_callback_on_writable(exchange->wsi);
}

static void
give_text(struct http_exchange *exchange, unsigned int status, const char *text)
{
    give_answer(exchange,
                &(struct answer){
                    .status = status, .content_type = TEXT, .body = text, .length = strlen(text) });
}

/* By hand: before the request is taken as one, lws would answer in HTTP/1.0. */
void
http_turn_away(struct lws *wsi, const char *status, const char *text)
{
    char bytes[LWS_PRE + NET_HTTP_HEADERS_MAX];
    int length = snprintf(bytes + LWS_PRE, NET_HTTP_HEADERS_MAX,
                          "HTTP/1.1 %s\r\n"
                          "content-type: " TEXT "\r\n"
                          "content-length: %zu\r\n"
                          "cache-control: no-store\r\n"
                          "x-content-type-options: nosniff\r\n"
                          "connection: close\r\n"
                          "\r\n"
                          "%s",
                          status, strlen(text), text);

    SK_ASSERT(length > 0 && length < NET_HTTP_HEADERS_MAX);
    lws_write(wsi, (unsigned char *)bytes + LWS_PRE, (size_t)length, LWS_WRITE_HTTP_HEADERS);
}

/* ---- routes ------------------------------------------------------------------------------ */

/* "deflate, gzip;q=0.8": a weight of zero means no. */
static bool
takes_gzip(struct lws *wsi)
{
    static const char name[] = "gzip";
    char encodings[NET_HTTP_ENCODINGS_MAX + 1];
    const char *at = NULL;

    if (lws_hdr_copy(wsi, encodings, (int)sizeof(encodings), WSI_TOKEN_HTTP_ACCEPT_ENCODING) > 0) {
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
give_file(struct http_exchange *exchange, const struct page_file *file)
{
    bool is_gzip = file->gzip != NULL && takes_gzip(exchange->wsi);

    give_answer(exchange,
                &(struct answer){ .status = HTTP_STATUS_OK,
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
serve_asset(struct http_exchange *exchange, struct net *net, const char *path)
{
    const struct page_file *file = page_find(&net->page, path);

    if (file == NULL) {
        give_text(exchange, HTTP_STATUS_NOT_FOUND, "There is nothing here.\n");
    } else {
        give_file(exchange, file);
    }
}

/* The page, or what it would say, to whoever has none. */
static void
serve_root(struct http_exchange *exchange, struct net *net, const char *path)
{
    const struct page_file *file = page_find(&net->page, path);

    if (file != NULL) {
        give_file(exchange, file);
        return;
    }
    give_text(exchange, HTTP_STATUS_OK,
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
serve_health(struct http_exchange *exchange, struct net *net, const char *path)
{
    (void)net;
    (void)path;
    give_text(exchange, HTTP_STATUS_OK, "ok\n");
}

static void
serve_readiness(struct http_exchange *exchange, struct net *net, const char *path)
{
    struct host_status status;

    (void)path;
    host_status(net->world.host, &status);
    if (net->is_draining || status.is_draining) {
        give_text(exchange, HTTP_STATUS_SERVICE_UNAVAILABLE, "stopping\n");
    } else if (status.is_closed_to_new) {
        give_text(exchange, HTTP_STATUS_SERVICE_UNAVAILABLE, "draining\n");
    } else if (!status.is_ready) {
        give_text(exchange, HTTP_STATUS_SERVICE_UNAVAILABLE, "not ready\n");
    } else {
        give_text(exchange, HTTP_STATUS_OK, "ready\n");
    }
}

static void
serve_metrics(struct http_exchange *exchange, struct net *net, const char *path)
{
    char *text = malloc(NET_METRICS_BYTES_MAX);
    struct metrics_page page = { .text = text, .size = NET_METRICS_BYTES_MAX };

    (void)path;
    if (text == NULL) {
        give_text(exchange, HTTP_STATUS_SERVICE_UNAVAILABLE, "out of memory\n");
        return;
    }
    net_metrics(net, &page);
    host_metrics(net->world.host, &page);
    net->world.metrics(net->world.context, &page);
    give_answer(exchange,
                &(struct answer){ .status = HTTP_STATUS_OK,
                                  .content_type = "text/plain; version=0.0.4; charset=utf-8",
                                  .body = text,
                                  .length = page.used });
    free(text);
}

/* "Bearer TOKEN"; NULL when there is none that could be one of ours. */
static const char *
bearer_token(struct lws *wsi, char room[NET_HTTP_TOKEN_MAX + 1])
{
    static const char scheme[] = "Bearer ";
    size_t length = sizeof(scheme) - 1;

    if (lws_hdr_copy(wsi, room, NET_HTTP_TOKEN_MAX + 1, WSI_TOKEN_HTTP_AUTHORIZATION) <= 0 ||
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
    lws_rx_flow_control(exchange->wsi, 1);
    give_answer(exchange, &(struct answer){ .status = (unsigned int)status,
                                            .content_type = content_type,
                                            .body = body,
                                            .length = length,
                                            .is_gzip = request->is_packed,
                                            .has_gzip = request->is_packed });
}

/* What is behind '?'.  lws has taken it apart at each '&', and decoded it. */
static bool
copy_query(struct lws *wsi, char query[NET_HTTP_QUERY_MAX + 1])
{
    size_t used = 0;

    query[0] = '\0';
    for (int i = 0; lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, i) > 0; i++) {
        size_t start = used == 0 ? 0 : used + 1;
        int length;

        if (start > NET_HTTP_QUERY_MAX) {
            return false;
        }
        length = lws_hdr_copy_fragment(wsi, query + start, (int)(NET_HTTP_QUERY_MAX + 1 - start),
                                       WSI_TOKEN_HTTP_URI_ARGS, i);
        if (length < 0) {
            return false;
        }
        if (start > 0) {
            query[used] = '&';
        }
        used = start + (size_t)length;
    }
    return true;
}

static void
serve_api(struct http_exchange *exchange, struct net *net, const char *path)
{
    char query[NET_HTTP_QUERY_MAX + 1];
    char room[NET_HTTP_TOKEN_MAX + 1];

    if (!copy_query(exchange->wsi, query)) {
        give_text(exchange, HTTP_STATUS_REQ_URI_TOO_LONG, "The query is too long.\n");
        return;
    }
    exchange->request.answer = host_has_answered;
    exchange->request.context = exchange;
    exchange->request.takes_gzip = takes_gzip(exchange->wsi);
    exchange->is_with_host = true;
    host_http_get(net->world.host, &exchange->request, path, query,
                  bearer_token(exchange->wsi, room));
    explicit_bzero(room, sizeof(room));
    if (exchange->is_with_host) {
        /* Else lws 4.1.6 wakes up for what comes meanwhile, again and again, and does not read. */
        lws_rx_flow_control(exchange->wsi, 0);
    }
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

static void
refuse_method(struct http_exchange *exchange)
{
    static const char text[] = "GET and HEAD only.\n";

    /* A body may follow that nobody wants to read. */
    give_answer(exchange, &(struct answer){ .status = HTTP_STATUS_METHOD_NOT_ALLOWED,
                                            .content_type = TEXT,
                                            .body = text,
                                            .length = sizeof(text) - 1,
                                            .must_end = true });
}

int
http_begun(struct http_exchange *exchange, struct lws *wsi, const char *path, size_t length)
{
    struct listener *listener = net_listener_of(wsi);
    const struct http_route *route = find_route(listener->routes, path);
    char *uri;
    int uri_length;
    int method = lws_http_get_uri_and_method(wsi, &uri, &uri_length);

    exchange->wsi = wsi;
    exchange->is_head = method == LWSHUMETH_HEAD;
    if (method != LWSHUMETH_GET && method != LWSHUMETH_HEAD) {
        refuse_method(exchange);
    } else if (length > NET_HTTP_PATH_MAX) {
        give_text(exchange, HTTP_STATUS_REQ_URI_TOO_LONG, "The path is too long.\n");
    } else if (route == NULL) {
        give_text(exchange, HTTP_STATUS_NOT_FOUND, "There is nothing here.\n");
    } else {
        route->serve(exchange, listener->net, path);
    }
    return 0;
}

int
http_ended(struct http_exchange *exchange)
{
    if (exchange->is_with_host) {
        host_http_cancel(&exchange->request);
    }
    free(exchange->bytes);
    memset(exchange, 0, sizeof(*exchange)); /* the connection may bring another request */
    return 0;
}

static int
complete(struct http_exchange *exchange)
{
    bool must_end = exchange->must_end;
    struct lws *wsi = exchange->wsi;

    http_ended(exchange);
    return must_end || lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

static int
write_headers(struct http_exchange *exchange)
{
    enum lws_write_protocol kind = LWS_WRITE_HTTP_HEADERS;

    exchange->headers_are_written = true;
    if (exchange->headers_length == 0 ||
        lws_write(exchange->wsi, exchange->bytes + LWS_PRE, exchange->headers_length, kind) < 0) {
        return -1;
    }
    return 0;
}

static int
write_body(struct http_exchange *exchange)
{
    size_t left = exchange->body_length - exchange->body_written;
    size_t length = left < NET_HTTP_PIECE_BYTES ? left : NET_HTTP_PIECE_BYTES;
    unsigned char *piece =
        exchange->bytes + LWS_PRE + exchange->headers_length + exchange->body_written;

    exchange->body_written += length;
    return lws_write(exchange->wsi, piece, length,
                     length == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0
               ? -1
               : 0;
}

/* One write a call. */
int
http_writable(struct http_exchange *exchange)
{
    int result = 0;

    if (exchange->bytes == NULL) {
        return 0; /* the host has not answered yet */
    }
    if (!exchange->headers_are_written) {
        result = write_headers(exchange);
    } else if (exchange->body_written < exchange->body_length) {
        result = write_body(exchange);
    }
    if (result != 0) {
        return result;
    }
    if (exchange->body_written == exchange->body_length) {
        return complete(exchange);
    }
    lws_set_timeout(exchange->wsi, PENDING_TIMEOUT_HTTP_CONTENT,
                    net_listener_of(exchange->wsi)->net->options.handshake_timeout_ms / 1000);
    lws_callback_on_writable(exchange->wsi);
    return 0;
}
