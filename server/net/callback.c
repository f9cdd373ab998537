/*
 * What libwebsockets tells us.
 *
 * One protocol serves both HTTP and WebSocket.  With two, and the second as
 * the default for clients that offer no subprotocol, 4.1.6 tells the default
 * one of arriving connections and of upgrades, and the first one nothing.
 */
#include "server/net/internal.h"

/* It is said to every listener; once is enough. */
static int
woken(struct listener *listener)
{
    struct net *net = listener->net;

    if (listener == &net->game) {
        net->world.woken(net->world.context);
        net_tick_soon(net);
    }
    return 0;
}

static int
http_ended_if_begun(struct client *client)
{
    return client == NULL ? 0 : http_ended(&client->http);
}

static int
ws_closed_if_opened(struct client *client)
{
    return client == NULL ? 0 : ws_closed(&client->ws);
}

int
net_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    struct client *client = user; /* NULL or something else before a request is read */

    switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        return gate_accept(net_listener_of(wsi), user);
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        return gate_open(net_listener_of(wsi), wsi);
    case LWS_CALLBACK_WSI_DESTROY:
        return gate_close(wsi);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return gate_upgrade(net_listener_of(wsi), wsi);
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
    case LWS_CALLBACK_RAW_WRITEABLE:
        return gate_refuse_raw(net_listener_of(wsi));

    case LWS_CALLBACK_HTTP:
        return http_begun(&client->http, wsi, in, length);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return http_writable(&client->http);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        return http_ended_if_begun(client);

    case LWS_CALLBACK_ESTABLISHED:
        return ws_opened(&client->ws, wsi);
    case LWS_CALLBACK_RECEIVE:
        return ws_received(&client->ws, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return ws_writable(&client->ws);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return ws_peer_closes(&client->ws);
    case LWS_CALLBACK_CLOSED:
        return ws_closed_if_opened(client);

    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        return woken(net_listener_of(wsi));
    default:
        return 0;
    }
}
