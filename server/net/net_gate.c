/*
 * Decides who may connect.
 *
 * A connection counts from accept until it is destroyed.  It counts for the
 * peer's address.  If that is a trusted proxy, it counts for the client that
 * the proxy names, which is known only after the request is read.
 *
 * A WebSocket upgrade passes a table of checks in order; the first that fails
 * answers the request.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/net/internal.h"

/* One TCP connection; the wsi's opaque pointer. */
struct peer {
    struct listener *listener;
    struct net_address address;
    struct net_count *count; /* NULL for a trusted proxy that has not named its client */
    bool is_proxy;
};

/* ---- connections ------------------------------------------------------------------------- */

/* The metrics port is not limited per address: it must stay reachable. */
static bool
counts_addresses(const struct listener *listener)
{
    return listener == &listener->net->game;
}

static bool
address_is_full(struct net *net, const struct net_address *address)
{
    int32_t max = net->options.connections_per_address_max;

    return max > 0 && net_counts_held(&net->counts, address) >= max;
}

static int
refuse(struct net *net, enum net_refusal why)
{
    net->refused[why]++;
    return -1;
}

int
gate_accept(struct listener *listener, const struct lws_filter_network_conn_args *arrival)
{
    struct net *net = listener->net;
    struct net_address address;

    if (listener->connections >= listener->connections_max) {
        return refuse(net, REFUSED_FULL);
    }
    if (!counts_addresses(listener) ||
        !net_address_from_socket((const struct sockaddr *)&arrival->cli_addr, &address)) {
        return 0;
    }
    if (net_networks_hold(&net->trusted, &address)) {
        return 0; /* its client is not known yet */
    }
    if (address_is_full(net, &address)) {
        return refuse(net, REFUSED_ADDRESS);
    }
    if (!net_counts_connects(&net->counts, &address, net->options.connects_per_second,
                             lws_now_usecs())) {
        return refuse(net, REFUSED_CONNECTS);
    }
    return 0;
}

int
gate_open(struct listener *listener, struct lws *wsi)
{
    struct net *net = listener->net;
    struct peer *peer = calloc(1, sizeof(*peer));
    struct sockaddr_storage from;
    socklen_t length = sizeof(from);

    if (peer == NULL) {
        return 0; /* not counted; the upgrade will be refused */
    }
    peer->listener = listener;
    if (getpeername(lws_get_socket_fd(wsi), (struct sockaddr *)&from, &length) == 0 &&
        net_address_from_socket((const struct sockaddr *)&from, &peer->address)) {
        peer->is_proxy = net_networks_hold(&net->trusted, &peer->address);
        if (counts_addresses(listener) && !peer->is_proxy) {
            peer->count = net_counts_take(&net->counts, &peer->address);
        }
    }
    listener->connections++;
    net->accepted++;
    lws_set_opaque_user_data(wsi, peer);
    return 0;
}

int
gate_close(struct lws *wsi)
{
    struct peer *peer = lws_get_opaque_user_data(wsi);

    if (peer == NULL) {
        return 0;
    }
    lws_set_opaque_user_data(wsi, NULL);
    if (peer->count != NULL) {
        net_counts_give_back(&peer->listener->net->counts, peer->count);
    }
    peer->listener->connections--;
    free(peer);
    return 0;
}

void
gate_client_address(struct lws *wsi, char text[NET_ADDRESS_TEXT_SIZE])
{
    const struct peer *peer = lws_get_opaque_user_data(wsi);

    struct net_address client;

    text[0] = '\0';
    if (peer != NULL && (!peer->is_proxy || peer->count != NULL)) {
        client = net_address_of_client(&peer->address);
        net_address_format(&client, text);
    }
}

bool
gate_keeps(struct lws *wsi, int64_t bytes)
{
    const struct peer *peer = lws_get_opaque_user_data(wsi);
    int64_t kept;

    if (peer == NULL || peer->count == NULL) {
        return true;
    }
    kept = peer->count->kept_bytes + bytes;
    if (bytes > 0 && kept > peer->listener->net->options.inbox_address_bytes_max) {
        return false;
    }
    peer->count->kept_bytes = kept;
    return true;
}

/* ---- requests ---------------------------------------------------------------------------- */

/* The client that a trusted proxy names. */
static bool
named_client(const struct peer *peer, const struct request_head *head, const char *bytes,
             struct net_address *ret_client)
{
    char forwarded[NET_HTTP_HEAD_MAX];

    return peer->is_proxy &&
           head_copy(head, bytes, "x-forwarded-for", forwarded, sizeof(forwarded)) &&
           net_forwarded_client(forwarded, &peer->listener->net->trusted, ret_client);
}

/* One connection of a proxy may carry requests of many clients. */
static bool
client_of(const struct connection *connection, struct net_address *ret_client)
{
    const struct peer *peer = lws_get_opaque_user_data(connection->wsi);

    if (peer != NULL && !named_client(peer, connection_head(connection),
                                      connection_bytes(connection), ret_client)) {
        *ret_client = peer->address;
    }
    return peer != NULL;
}

void
gate_request_address(const struct connection *connection, char text[NET_ADDRESS_TEXT_SIZE])
{
    struct net_address client;

    text[0] = '\0';
    if (client_of(connection, &client)) {
        client = net_address_of_client(&client);
        net_address_format(&client, text);
    }
}

bool
gate_is_near(const struct connection *connection)
{
    struct net_address client;

    return client_of(connection, &client) && net_address_is_loopback(&client);
}

bool
gate_is_proxied(const struct connection *connection)
{
    const struct peer *peer = lws_get_opaque_user_data(connection->wsi);

    return peer == NULL || peer->is_proxy;
}

/* Returns false if it was logged recently, else how many were not logged since. */
static bool
is_logged(struct net_seldom *seldom, uint32_t *ret_unlogged)
{
    lws_usec_t now_us = lws_now_usecs();

    if (seldom->logged_us != 0 && now_us - seldom->logged_us < 60 * LWS_US_PER_SEC) {
        seldom->unlogged++;
        return false;
    }
    *ret_unlogged = seldom->unlogged;
    *seldom = (struct net_seldom){ .logged_us = now_us };
    return true;
}

/* A request through a trusted proxy counts as remote, even if the proxy runs on this machine. */
static bool
is_near_by_itself(const struct connection *connection)
{
    const struct peer *peer = lws_get_opaque_user_data(connection->wsi);

    return peer == NULL || (!peer->is_proxy && net_address_is_loopback(&peer->address));
}

bool
gate_name(struct connection *connection)
{
    struct net *net = connection->listener->net;
    char host[NET_WORD_MAX + 1];
    uint32_t unlogged;
    bool is_whole =
        head_copy(connection_head(connection), connection_bytes(connection), "host", host,
                  sizeof(host)) ||
        head_count(connection_head(connection), connection_bytes(connection), "host") == 0;

    if (is_whole && net_names_allow(&net->names, host, is_near_by_itself(connection))) {
        return true;
    }
    if (is_logged(&net->name_log, &unlogged)) {
        net_log(net, HOST_LOG_WARNING,
                "refused a request for the host %s: if that is a name of this server, add it to "
                "hosts (%u more since the last such line)",
                is_whole ? host : "(a name that is too long)", unlogged);
    }
    net->refused[REFUSED_NAME]++;
    http_refuse(connection, 403,
                "This server does not accept that host name; see the option hosts.\n");
    return false;
}

/* ---- upgrades ---------------------------------------------------------------------------- */

/* The parts of an upgrade request, and its sender. */
struct upgrade {
    struct net *net;
    struct lws *wsi;
    const struct request_head *head;
    const char *bytes;
};

static bool
header(const struct upgrade *upgrade, const char *name, char *text, size_t size)
{
    return head_copy(upgrade->head, upgrade->bytes, name, text, size);
}

/*
 * Other protocols are not an error: some clients offer HTTP/2 ("h2c") with
 * every request and accept HTTP/1.1.
 */
bool
gate_is_upgrade(const struct connection *connection)
{
    return connection->listener == &connection->listener->net->game &&
           head_lists(connection_head(connection), connection_bytes(connection), "upgrade",
                      "websocket", HEAD_ANY_CASE);
}

/* The key is 16 bytes in base64. */
static bool
check_handshake(const struct upgrade *upgrade)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char key[NET_KEY_LENGTH + 1];

    return head_is(upgrade->bytes, upgrade->head->method, "GET") && !upgrade->head->is_1_0 &&
           head_lists(upgrade->head, upgrade->bytes, "connection", "upgrade", HEAD_ANY_CASE) &&
           header(upgrade, "sec-websocket-key", key, sizeof(key)) &&
           strspn(key, digits) == NET_KEY_LENGTH - 2 && strcmp(key + NET_KEY_LENGTH - 2, "==") == 0;
}

static bool
check_version(const struct upgrade *upgrade)
{
    char version[8];

    return header(upgrade, "sec-websocket-version", version, sizeof(version)) &&
           strcmp(version, "13") == 0;
}

static bool
check_draining(const struct upgrade *upgrade)
{
    return !upgrade->net->is_draining;
}

/* Offering no subprotocol is allowed, offering only others is not. */
static bool
check_subprotocol(const struct upgrade *upgrade)
{
    return head_count(upgrade->head, upgrade->bytes, NET_SUBPROTOCOL_HEADER) == 0 ||
           head_lists(upgrade->head, upgrade->bytes, NET_SUBPROTOCOL_HEADER, NET_SUBPROTOCOL,
                      HEAD_EXACT_CASE);
}

/* Logged at most once per minute, for operators whose proxy breaks the origin check. */
static void
log_origin(struct net *net, const char *origin, const char *host)
{
    uint32_t unlogged;

    if (!is_logged(&net->origin_log, &unlogged)) {
        return;
    }
    net_log(net, HOST_LOG_WARNING,
            "refused a WebSocket from a page of %s: it is neither the request's Host (%s) nor in "
            "origins; let the proxy pass the Host on, or add the origin (%u more since the last "
            "such line)",
            origin[0] == '\0' ? "an origin that is too long" : origin,
            host[0] == '\0' ? "none" : host, unlogged);
}

static bool
check_origin(const struct upgrade *upgrade)
{
    char origin[NET_WORD_MAX + 1];
    char host[NET_WORD_MAX + 1];

    if (head_count(upgrade->head, upgrade->bytes, "origin") == 0) {
        return true;
    }
    (void)head_host(upgrade->head, upgrade->bytes, host, sizeof(host));
    if (header(upgrade, "origin", origin, sizeof(origin)) &&
        net_origins_allow(&upgrade->net->origins, origin, host)) {
        return true;
    }
    log_origin(upgrade->net, origin, host);
    return false;
}

/* For a proxy the client is known only now. */
static bool
check_address(const struct upgrade *upgrade)
{
    struct peer *peer = lws_get_opaque_user_data(upgrade->wsi);
    struct net_address client;

    if (peer == NULL) {
        return false;
    }
    if (peer->count != NULL || !named_client(peer, upgrade->head, upgrade->bytes, &client)) {
        return true;
    }
    if (address_is_full(upgrade->net, &client)) {
        return false;
    }
    peer->address = client;
    peer->count = net_counts_take(&upgrade->net->counts, &client);
    return peer->count != NULL;
}

struct upgrade_check {
    bool (*passes)(const struct upgrade *upgrade);
    enum net_refusal refusal;
    unsigned int status;
    const char *text;
};

static const struct upgrade_check upgrade_checks[] = {
    { check_handshake, REFUSED_UPGRADE, 400,
      "A WebSocket is opened with GET, Connection: Upgrade and a Sec-WebSocket-Key.\n" },
    { check_version, REFUSED_UPGRADE, 426, "This server speaks version 13 of WebSocket.\n" },
    { check_draining, REFUSED_DRAINING, 503, "The server is stopping; try again soon.\n" },
    { check_subprotocol, REFUSED_SUBPROTOCOL, 400,
      "This server speaks the subprotocol " NET_SUBPROTOCOL ".\n" },
    { check_origin, REFUSED_ORIGIN, 403,
      "Pages of this origin may not connect; see the option origins.\n" },
    { check_address, REFUSED_ADDRESS, 429, "Too many connections from this address.\n" },
};

bool
gate_upgrade(struct connection *connection)
{
    struct upgrade upgrade = { connection->listener->net, connection->wsi,
                               connection_head(connection), connection_bytes(connection) };

    for (size_t i = 0; i < LWS_ARRAY_SIZE(upgrade_checks); i++) {
        const struct upgrade_check *check = &upgrade_checks[i];

        if (!check->passes(&upgrade)) {
            upgrade.net->refused[check->refusal]++;
            http_refuse(connection, check->status, check->text);
            return false;
        }
    }
    return true;
}
