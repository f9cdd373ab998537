/*
 * HTTP: a few pages of our own, API answers from the host, the metrics.
 *
 * An exchange is one request and its answer.  The answer may come later, when
 * the store has replied; the client may be gone by then.  It is written in
 * pieces, one per writable callback.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/status.h"
#include "server/host/card.h"
#include "server/metrics_out.h"
#include "server/net/internal.h"

#define TEXT "text/plain; charset=utf-8"

/* ---- answers ----------------------------------------------------------------------------- */

/* Policy of all answers except the page: nothing is allowed. */
#define NO_CONTENT "default-src 'none'; frame-ancestors 'none'"

/* The page: its own files and this server; no inline script, no markup from text. */
#define PAGE_CONTENT                                                                              \
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' " \
    "data:; "                                                                                     \
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "              \
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker"

struct answer {
    unsigned int status;
    const char *content_type;
    const char *body;
    size_t length;
    char *owned;         /* the body, if it is freed once written */
    int32_t retry_ms;    /* 0 = unknown */
    const char *cache;   /* NULL: not cached */
    const char *content; /* content security policy; NULL: NO_CONTENT */
    bool is_gzip;
    bool has_gzip; /* varies with Accept-Encoding */
    bool is_worker;
};

struct status {
    unsigned int number;
    const char *words;
    const char *headers; /* additional headers of this status */
};

/* The last row is for all other statuses. */
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
    char retry[40] = "";
    int length;

    if (answer->retry_ms > 0) { /* in seconds, rounded up */
        snprintf(retry, sizeof(retry), "retry-after: %d\r\n", (answer->retry_ms + 999) / 1000);
    }
    length = snprintf(text, NET_HTTP_HEADERS_MAX,
                      "HTTP/1.1 %u %s\r\n"
                      "x-content-type-options: nosniff\r\n"
                      "x-frame-options: DENY\r\n"
                      "referrer-policy: no-referrer\r\n"
                      "content-type: %s\r\n"
                      "cache-control: %s\r\n"
                      "content-security-policy: %s\r\n"
                      "content-length: %zu\r\n"
                      "%s%s%s%s%s%s\r\n",
                      answer->status, status->words, answer->content_type,
                      answer->cache == NULL ? "no-store" : answer->cache,
                      answer->content == NULL ? NO_CONTENT : answer->content, answer->length,
                      status->headers, retry, answer->is_gzip ? "content-encoding: gzip\r\n" : "",
                      answer->has_gzip ? "vary: accept-encoding\r\n" : "",
                      answer->is_worker ? "service-worker-allowed: /\r\n" : "",
                      must_end ? "connection: close\r\n" : "");

    return length > 0 && length < NET_HTTP_HEADERS_MAX ? (size_t)length : 0;
}

/*
 * A client that is over its limit and retries at once would keep the loop busy
 * with refusals.  So refusals are delayed, and nothing is read meanwhile.
 */
static void
wait_in(struct lws_dll2_owner *list, struct http_exchange *exchange, lws_usec_t wait_ms)
{
    exchange->due_us = lws_now_usecs() + wait_ms * LWS_US_PER_MS;
    lws_dll2_add_tail(&exchange->delayed, list);
}

/* Takes the first one out of the list if it is due. */
static struct connection *
take_due(struct lws_dll2_owner *list)
{
    struct http_exchange *exchange;

    if (list->head == NULL) {
        return NULL;
    }
    exchange = lws_container_of(list->head, struct http_exchange, delayed);
    if (exchange->due_us > lws_now_usecs()) {
        return NULL;
    }
    lws_dll2_remove(&exchange->delayed);
    return lws_container_of(exchange, struct connection, http);
}

/* If memory runs out the connection ends.  A body that is not owned must outlive the answer. */
static void
give_answer(struct connection *connection, const struct answer *answer)
{
    struct http_exchange *exchange = &connection->http;
    char head[NET_HTTP_HEADERS_MAX];
    size_t length = put_headers(answer, exchange->must_end, head);

    exchange->owned = answer->owned;
    exchange->body = answer->body;
    exchange->head = length == 0 ? NULL : malloc(length);
    if (exchange->head == NULL) {
        connection_cut(connection);
        return;
    }
    memcpy(exchange->head, head, length);
    exchange->head_length = length;
    exchange->length = length + (exchange->is_head ? 0 : answer->length);
    connection_wait(connection);
    if (answer->status == 429) {
        wait_in(&connection->listener->net->delayed, exchange, NET_HTTP_DELAY_MS);
    } else {
        lws_callback_on_writable(connection->wsi);
    }
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

/* On false the text is too long or not a valid URL part, and the request is answered. */
static bool
decode(struct connection *connection, struct head_slice slice, bool is_query, char *text,
       size_t size)
{
    switch (head_decode(connection_bytes(connection), slice, is_query, text, size)) {
    case HEAD_WHOLE:
        return true;
    case HEAD_TOO_LONG:
        net_of(connection)->refused[REFUSED_REQUEST]++;
        give_text(connection, 414,
                  is_query ? "The query is too long.\n" : "The path is too long.\n");
        return false;
    default:
        give_text(connection, 400, "The address has an invalid % sequence, or is not UTF-8.\n");
        return false;
    }
}

static bool
copy_header(const struct connection *connection, const char *name, char *text, size_t size)
{
    return head_copy(connection_head(connection), connection_bytes(connection), name, text, size);
}

/* Parses "deflate, gzip;q=0.8"; a weight of zero means no. */
static bool
accepts_gzip(const struct connection *connection)
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
give_file(struct connection *connection, const struct page_file *file, bool takes_gzip)
{
    bool is_gzip = file->gzip != NULL && takes_gzip;

    give_answer(connection,
                &(struct answer){ .status = 200,
                                  .content_type = file->content_type,
                                  .body = is_gzip ? file->gzip : file->plain,
                                  .length = is_gzip ? file->gzip_length : file->plain_length,
                                  .cache = file->is_for_ever ? "public, max-age=31536000, immutable"
                                                             : "no-cache",
                                  .content = PAGE_CONTENT,
                                  .is_gzip = is_gzip,
                                  .has_gzip = file->gzip != NULL,
                                  .is_worker = file->is_worker });
}

static void
serve_asset(struct connection *connection, const char *path)
{
    const struct page_file *file = page_find(&net_of(connection)->page, path);

    if (file == NULL) {
        give_text(connection, 404, "Not found.\n");
    } else {
        give_file(connection, file, accepts_gzip(connection));
    }
}

/* Serves the page, or a text if there is none. */
static void
serve_root(struct connection *connection, const char *path)
{
    const struct page_file *file = page_find(&net_of(connection)->page, path);

    if (file != NULL) {
        give_file(connection, file, accepts_gzip(connection));
        return;
    }
    give_text(
        connection, 200,
        "This is a Skirmish server.\n"
        "\n"
        "Play: open a WebSocket to this address, subprotocol " NET_SUBPROTOCOL ", and send\n"
        "  {\"type\":\"hello\",\"protocol\":1,\"name\":\"your name\"}\n"
        "Then {\"type\":\"list\"} shows the open matches.  PROTOCOL.md describes every frame.\n"
        "\n"
        "Read:\n"
        "  /api/v1/rulesets      the rulesets of this server, with JSON Schemas\n"
        "  /api/v1/matches       the matches\n"
        "  /api/v1/queue         who waits for an opponent\n"
        "  /api/v1/leaderboard   with ratings if ?ruleset=NAME\n"
        "  /api/v1/statistics\n");
}

static void
serve_nothing(struct connection *connection, const char *path)
{
    (void)path;
    give_text(connection, 404, "Not found.\n");
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
    struct metrics_out out = { .text = text, .size = NET_METRICS_BYTES_MAX };

    (void)path;
    if (text == NULL) {
        give_text(connection, 503, "out of memory\n");
        return;
    }
    net_metrics(net, &out);
    host_metrics(net->world.host, &out);
    net->world.metrics(net->world.context, &out);
    give_answer(connection,
                &(struct answer){ .status = 200,
                                  .content_type = "text/plain; version=0.0.4; charset=utf-8",
                                  .body = text,
                                  .length = out.used,
                                  .owned = text });
}

/* The token of "Bearer TOKEN"; NULL if there is none or it cannot be ours. */
static const char *
bearer_token(const struct connection *connection, char space[NET_HTTP_TOKEN_MAX + 1])
{
    static const char scheme[] = "Bearer ";
    size_t length = sizeof(scheme) - 1;

    if (!copy_header(connection, "authorization", space, NET_HTTP_TOKEN_MAX + 1) ||
        strncasecmp(space, scheme, length) != 0) {
        return NULL;
    }
    return space + length + strspn(space + length, " ");
}

static void
host_has_answered(struct http_request *request, const struct http_answer *answer)
{
    struct http_exchange *exchange = request->context;

    give_answer(lws_container_of(exchange, struct connection, http),
                &(struct answer){ .status = (unsigned int)answer->status,
                                  .content_type = answer->content_type,
                                  .body = answer->body,
                                  .length = answer->length,
                                  .owned = answer->is_constant ? NULL : answer->body,
                                  .retry_ms = answer->retry_ms,
                                  .is_gzip = answer->is_packed,
                                  .has_gzip = answer->is_packed });
}

static void
serve_api(struct connection *connection, const char *path)
{
    struct http_exchange *exchange = &connection->http;
    char query[NET_HTTP_QUERY_MAX + 1];
    char space[NET_HTTP_TOKEN_MAX + 1];

    if (!decode(connection, connection_head(connection)->query, true, query, sizeof(query))) {
        return;
    }
    exchange->request.takes_gzip = accepts_gzip(connection);
    host_http_get(net_of(connection)->world.host, &exchange->request, path, query,
                  bearer_token(connection, space));
    explicit_bzero(space, sizeof(space));
}

/* ---- links to matches -------------------------------------------------------------------- */

/* What a card replaces in the page, and the picture, whose path has the page's hash. */
#define CARD_TITLE "<meta property=\"og:title\""
#define CARD_IMAGE "<meta property=\"og:image\" content=\""

/* Puts the card into the page's head, which then is the caller's; NULL: the page has no place. */
static char *
card_page(const struct page_file *page, const struct http_answer *answer, const char *link)
{
    const char *title = strstr(page->plain, CARD_TITLE);
    const char *image = title == NULL ? NULL : strstr(title, CARD_IMAGE);
    const char *end = image == NULL ? NULL : strstr(image + strlen(CARD_IMAGE), "\">\n");
    struct card card = { .used = 0 };
    char *html = NULL;

    if (end == NULL) {
        return NULL;
    }
    if (link != NULL) {
        char path[NET_HTTP_LINK_MAX + 1];

        image += strlen(CARD_IMAGE);
        card_tag(&card, "url", link);
        (void)snprintf(path, sizeof(path), "%.*s%.*s", (int)strcspn(link, "?"), link,
                       (int)(end - image), image);
        card_tag(&card, "image", path);
        image = end + strlen("\">\n");
    }
    if (asprintf(&html, "%.*s%.*s%s%s", (int)(title - page->plain), page->plain,
                 (int)answer->length, answer->body, card.text, image) < 0) {
        return NULL;
    }
    return html;
}

/* The page as it is, if there is no such match, it is private, or the server is busy. */
static void
card_has_answered(struct http_request *request, const struct http_answer *answer)
{
    struct http_exchange *exchange = request->context;
    struct connection *connection = lws_container_of(exchange, struct connection, http);
    const struct page_file *page = page_find(&net_of(connection)->page, "/");
    char *html = answer->status == 200 ? card_page(page, answer, exchange->link) : NULL;

    lws_dll2_remove(&exchange->delayed);
    if (!answer->is_constant) {
        free(answer->body);
    }
    if (html == NULL) {
        give_file(connection, page, request->takes_gzip);
        return;
    }
    give_answer(connection, &(struct answer){ .status = 200,
                                              .content_type = page->content_type,
                                              .body = html,
                                              .length = strlen(html),
                                              .owned = html,
                                              .content = PAGE_CONTENT });
}

/*
 * Where the client sees the page: scheme and path.  A proxy knows, and says both in its headers:
 * one that names no path may have removed one.  NULL: it does not; then the address is left out,
 * and readers of the card take the one that they asked for.
 */
static const char *
place_of(const struct connection *connection, char path[NET_HTTP_PATH_MAX + 1])
{
    char scheme[8];
    size_t length;

    path[0] = '\0';
    if (!gate_is_proxied(connection)) {
        return net_of(connection)->options.tls_certificate[0] != '\0' ? "https" : "http";
    }
    if (!copy_header(connection, "x-forwarded-proto", scheme, sizeof(scheme)) ||
        !copy_header(connection, "x-forwarded-prefix", path, NET_HTTP_PATH_MAX + 1) ||
        path[0] != '/' || strpbrk(path, ", ") != NULL) { /* several proxies contradict each other */
        return NULL;
    }
    length = strlen(path);
    if (path[length - 1] == '/') {
        path[length - 1] = '\0';
    }
    return strcmp(scheme, "https") == 0 ? "https" : strcmp(scheme, "http") == 0 ? "http" : NULL;
}

/* The link as the client wrote it; NULL: unknown. */
static char *
link_of(const struct connection *connection)
{
    const struct request_head *head = connection_head(connection);
    const char *bytes = connection_bytes(connection);
    char path[NET_HTTP_PATH_MAX + 1];
    const char *scheme = place_of(connection, path);
    char host[NET_WORD_MAX + 1];
    char *link = NULL;

    if (scheme == NULL || !head_host(head, bytes, host, sizeof(host)) ||
        asprintf(&link, "%s://%s%s/?%.*s", scheme, host, path, (int)head->query.length,
                 bytes + head->query.at) < 0) {
        return NULL;
    }
    return link;
}

static void
serve_card(struct connection *connection, const char *path)
{
    struct http_exchange *exchange = &connection->http;
    char query[NET_HTTP_QUERY_MAX + 1];

    if (page_find(&net_of(connection)->page, path) == NULL) {
        serve_root(connection, path);
    } else if (decode(connection, connection_head(connection)->query, true, query, sizeof(query))) {
        exchange->link = link_of(connection);
        exchange->request.takes_gzip = accepts_gzip(connection);
        exchange->request.answer = card_has_answered;
        wait_in(&net_of(connection)->cards, exchange, NET_HTTP_CARD_MS);
        host_http_card(net_of(connection)->world.host, &exchange->request, query);
    }
}

void
http_send_delayed(struct net *net)
{
    struct connection *connection;

    while ((connection = take_due(&net->delayed)) != NULL) {
        lws_callback_on_writable(connection->wsi);
    }
    while ((connection = take_due(&net->cards)) != NULL) {
        struct http_request *request = &connection->http.request;

        host_http_abandon(net->world.host, request);
        give_file(connection, page_find(&net->page, "/"), request->takes_gzip);
    }
}

/* ---- the table --------------------------------------------------------------------------- */

/* Files cost little: they are in memory, and one page consists of many. */
const struct http_route http_game_routes[] = {
    { "/", false, true, HTTP_COST_API, false, serve_card },
    { "/", false, false, HTTP_COST_FILE, false, serve_root },
    { NET_PAGE_ASSETS, true, false, HTTP_COST_FILE, false, serve_asset },
    { "/healthz", false, false, HTTP_COST_FILE, true, serve_health },
    { "/readyz", false, false, HTTP_COST_FILE, true, serve_readiness },
    { "/api/v1/", true, false, HTTP_COST_API, false, serve_api },
    { NULL, false, false, HTTP_COST_FILE, false, serve_nothing },
};

const struct http_route http_metrics_routes[] = {
    { "/metrics", false, false, HTTP_COST_FREE, false, serve_metrics },
    { NULL, false, false, HTTP_COST_FREE, false, serve_nothing },
};

/* The last route, without a path, is for all others. */
static const struct http_route *
find_route(const struct http_route *route, const char *path, bool has_query)
{
    for (; route->path != NULL; route++) {
        size_t length = strlen(route->path);

        if (strncmp(path, route->path, length) == 0 && (route->is_prefix || path[length] == '\0') &&
            (has_query || !route->has_query)) {
            return route;
        }
    }
    return route;
}

/* Checks the client's request limit.  On false the request is answered. */
static bool
is_within_limits(struct connection *connection, const struct http_route *route)
{
    struct http_exchange *exchange = &connection->http;
    bool is_free = route->cost == 0 || (route->is_free_near && gate_is_near(connection));
    char address[NET_ADDRESS_TEXT_SIZE];

    gate_request_address(connection, address);
    exchange->request.answer = host_has_answered;
    exchange->request.context = exchange;
    exchange->is_begun = true;
    return host_http_begin(net_of(connection)->world.host, &exchange->request, address,
                           is_free ? HTTP_COST_FREE : route->cost);
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
        /* A body may follow that is not read. */
        http_refuse(connection, 405, "GET and HEAD only.\n");
        return;
    }
    if (connection->body_left > NET_HTTP_BODY_MAX) {
        net_of(connection)->refused[REFUSED_REQUEST]++;
        http_refuse(connection, 413, "No body is needed here.\n");
        return;
    }
    if (!decode(connection, head->path, false, path, sizeof(path))) {
        return;
    }
    route = find_route(connection->listener->routes, path, head->query.length > 0);
    if (is_within_limits(connection, route)) {
        route->serve(connection, path);
    }
}

void
http_ended(struct connection *connection)
{
    struct http_exchange *exchange = &connection->http;

    lws_dll2_remove(&exchange->delayed);
    if (exchange->is_begun) {
        host_http_end(net_of(connection)->world.host, &exchange->request);
    }
    free(exchange->head);
    free(exchange->owned);
    free(exchange->link);
    memset(exchange, 0, sizeof(*exchange)); /* the connection may carry another request */
}

/* The next piece of head and body; both go out together if they fit. */
static size_t
take_piece(struct http_exchange *exchange, unsigned char *piece)
{
    size_t left = exchange->length - exchange->written;
    size_t length = left < NET_HTTP_PIECE_BYTES ? left : NET_HTTP_PIECE_BYTES;
    size_t of_head = 0;

    if (exchange->written < exchange->head_length) {
        of_head = exchange->head_length - exchange->written; /* the head is shorter than a piece */
        memcpy(piece, exchange->head + exchange->written, of_head);
    }
    if (length > of_head) {
        memcpy(piece + of_head,
               exchange->body + exchange->written + of_head - exchange->head_length,
               length - of_head);
    }
    exchange->written += length;
    return length;
}

/* One write per call. */
int
http_writable(struct connection *connection)
{
    struct http_exchange *exchange = &connection->http;
    unsigned char *piece = net_of(connection)->out;
    bool must_end = exchange->must_end;
    size_t length;

    if (exchange->head == NULL || exchange->delayed.owner != NULL) {
        return 0; /* not answered yet, or delayed */
    }
    length = take_piece(exchange, piece);
    if (lws_write(connection->wsi, piece, length, LWS_WRITE_RAW) < (int)length) {
        return -1;
    }
    if (exchange->written < exchange->length) {
        connection_wait(connection);
        lws_callback_on_writable(connection->wsi);
        return 0;
    }
    http_ended(connection);
    connection_answered(connection, must_end);
    return 0;
}
