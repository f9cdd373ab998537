/*
 * Who may connect.
 *
 * A connection is counted when it is accepted and given back when it is
 * destroyed.  It counts for the address at its other end; if that is a
 * trusted proxy, for the client that the proxy names, which is known only
 * when the request is read.
 *
 * A WebSocket upgrade passes a table of checks, in order; the first that
 * objects answers.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/net/internal.h"

/* One TCP connection; the wsi's opaque pointer. */
struct peer {
    struct listener *listener;
    struct net_address address;
    struct net_count *count; /* NULL for a trusted proxy until it names its client */
    bool is_proxy;
};

/* ---- connections ------------------------------------------------------------------------- */

/* The metrics stay within reach whoever is full. */
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
    if (!net_networks_hold(&net->trusted, &address) && address_is_full(net, &address)) {
        return refuse(net, REFUSED_ADDRESS);
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

int
gate_refuse_raw(struct listener *listener)
{
    return refuse(listener->net, REFUSED_RAW);
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

/* ---- upgrades ---------------------------------------------------------------------------- */

/* A header that is missing, or longer than the room, reads as "". */
static bool
header(struct lws *wsi, enum lws_token_indexes token, char *text, size_t size)
{
    int length = lws_hdr_copy(wsi, text, (int)size, token);

    if (length <= 0) {
        text[0] = '\0';
    }
    return length > 0;
}

/*
 * libwebsockets would also upgrade to HTTP/2 in the clear ("h2c"), and the
 * code behind that writes out of bounds for some headers.  The callback's
 * `in` points to the same word, but in 4.1.6 perhaps to freed memory.
 */
static bool
check_upgrade(struct net *net, struct lws *wsi)
{
    char word[16];

    (void)net;
    return header(wsi, WSI_TOKEN_UPGRADE, word, sizeof(word)) && strcasecmp(word, "websocket") == 0;
}

/* Later drafts and other methods are let through by lws, but nobody uses them in good faith. */
static bool
check_handshake(struct net *net, struct lws *wsi)
{
    char version[8];

    (void)net;
    return lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0 &&
           header(wsi, WSI_TOKEN_VERSION, version, sizeof(version)) && strcmp(version, "13") == 0;
}

static bool
check_draining(struct net *net, struct lws *wsi)
{
    (void)wsi;
    return !net->is_draining;
}

/* Offering none is fine, offering only others is not. */
static bool
check_subprotocol(struct net *net, struct lws *wsi)
{
    char offered[NET_SUBPROTOCOL_MAX + 1];
    const char *list = offered;
    const char *word;
    size_t length;

    (void)net;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) == 0) {
        return true;
    }
    header(wsi, WSI_TOKEN_PROTOCOL, offered, sizeof(offered));
    while ((word = net_list_next(&list, &length)) != NULL) {
        if (length == strlen(NET_SUBPROTOCOL) && memcmp(word, NET_SUBPROTOCOL, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool
check_origin(struct net *net, struct lws *wsi)
{
    char origin[NET_ORIGIN_MAX + 1];
    char host[NET_ORIGIN_MAX + 1];

    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0) {
        return true;
    }
    header(wsi, WSI_TOKEN_HOST, host, sizeof(host));
    return header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof(origin)) &&
           net_origins_allow(&net->origins, origin, host);
}

/* From a proxy only now is it known whose connection this is. */
static bool
check_address(struct net *net, struct lws *wsi)
{
    struct peer *peer = lws_get_opaque_user_data(wsi);
    char forwarded[NET_FORWARDED_MAX + 1];
    struct net_address client;

    if (peer == NULL) {
        return false;
    }
    if (!peer->is_proxy || peer->count != NULL ||
        !header(wsi, WSI_TOKEN_X_FORWARDED_FOR, forwarded, sizeof(forwarded)) ||
        !net_forwarded_client(forwarded, &net->trusted, &client)) {
        return true;
    }
    if (address_is_full(net, &client)) {
        return false;
    }
    peer->address = client;
    peer->count = net_counts_take(&net->counts, &client);
    return peer->count != NULL;
}

struct upgrade_check {
    bool (*passes)(struct net *net, struct lws *wsi);
    enum net_refusal refusal;
    const char *status; /* NULL = hang up: lws may have answered already */
    const char *text;
};

static const struct upgrade_check upgrade_checks[] = {
    { check_upgrade, REFUSED_UPGRADE, NULL, NULL },
    { check_handshake, REFUSED_UPGRADE, "400 Bad Request",
      "A WebSocket is opened with GET and version 13.\n" },
    { check_draining, REFUSED_DRAINING, "503 Service Unavailable",
      "The server is stopping; try again soon.\n" },
    { check_subprotocol, REFUSED_SUBPROTOCOL, "400 Bad Request",
      "The subprotocol here is " NET_SUBPROTOCOL ".\n" },
    { check_origin, REFUSED_ORIGIN, "403 Forbidden",
      "Pages of this origin may not connect; see the option origins.\n" },
    { check_address, REFUSED_ADDRESS, "429 Too Many Requests",
      "Too many connections from this address.\n" },
};

int
gate_upgrade(struct listener *listener, struct lws *wsi)
{
    struct net *net = listener->net;

    if (listener != &net->game) {
        return refuse(net, REFUSED_UPGRADE);
    }
    for (size_t i = 0; i < LWS_ARRAY_SIZE(upgrade_checks); i++) {
        const struct upgrade_check *check = &upgrade_checks[i];

        if (!check->passes(net, wsi)) {
            if (check->status != NULL) {
                http_turn_away(wsi, check->status, check->text);
            }
            return refuse(net, check->refusal);
        }
    }
    return 0;
}
