/*
 * The libwebsockets context, its two listeners and its timers.
 */
#include "server/net/net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server/memory.h"
#include "server/net/internal.h"

/* ---- the log ----------------------------------------------------------------------------- */

void
net_log(struct net *net, enum host_log_level level, const char *format, ...)
{
    char line[SERVER_LOG_MAX + 1];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    net->world.log(net->world.context, (int)level, line);
}

/*
 * libwebsockets has one log for the whole process, without a context.  Clients
 * can cause some of its errors, so once it runs only one per minute is logged.
 */
static struct {
    const struct net_world *world;
    bool is_running;
    time_t logged_at_s;
} lws_log;

static enum host_log_level
lws_log_level(int level)
{
    struct timespec now;

    if (level != LLL_ERR) {
        return HOST_LOG_DEBUG;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (lws_log.is_running && lws_log.logged_at_s != 0 && now.tv_sec - lws_log.logged_at_s < 60) {
        return HOST_LOG_DEBUG;
    }
    lws_log.logged_at_s = now.tv_sec;
    return HOST_LOG_WARNING;
}

static void
lws_log_line(int level, const char *line)
{
    char text[SERVER_LOG_MAX + 1];
    int length = (int)strcspn(line, "\n");

    if (lws_log.world != NULL) {
        snprintf(text, sizeof(text), "libwebsockets: %.*s", length, line);
        lws_log.world->log(lws_log.world->context, (int)lws_log_level(level), text);
    }
}

/*
 * Errors and warnings only: from `notice` on it dumps what clients sent, which
 * may contain tokens or commands.
 */
static void
lws_log_open(const struct net_world *world)
{
    lws_log.world = world;
    lws_log.is_running = false;
    lws_set_log_level(LLL_ERR | LLL_WARN, lws_log_line);
}

/* ---- settings for lws -------------------------------------------------------------------- */

/*
 * Disables lws' idle timers: it keeps all timers in one sorted list, and one
 * per connection would make every change slow.  ws_sweep does their work.
 */
static const lws_retry_bo_t no_idle_policy = { .retry_ms_table_count = 0 };

static const struct lws_protocols *
fill_protocol(struct listener *listener, const char *name)
{
    listener->protocols[0].name = name;
    listener->protocols[0].callback = net_callback;
    listener->protocols[0].per_session_data_size = sizeof(struct connection);
    listener->protocols[0].rx_buffer_size = NET_RECEIVE_BYTES;
    listener->protocols[0].tx_packet_size = NET_SEND_BYTES; /* 0 would mean NET_RECEIVE_BYTES */
    return listener->protocols;
}

/* "0.0.0.0" and "::" mean all interfaces; lws expects NULL for that. */
static const char *
interface_of(const char *address)
{
    bool is_any = strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;

    return is_any ? NULL : address;
}

static void
fill_listener(struct listener *listener, const char *protocol, const char *address, int32_t port,
              struct lws_context_creation_info *info)
{
    memset(info, 0, sizeof(*info));
    info->user = listener;
    info->iface = interface_of(address);
    info->port = port;
    info->retry_and_idle_policy = &no_idle_policy;
    info->options = LWS_SERVER_OPTION_ADOPT_APPLY_LISTEN_ACCEPT_CONFIG |
                    LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
    info->listen_accept_role = "raw-skt";
    info->listen_accept_protocol = protocol;
    info->protocols = fill_protocol(listener, protocol);
    if (strchr(address, ':') == NULL) {
        info->options |= LWS_SERVER_OPTION_DISABLE_IPV6;
    }
}

/* HTTP/2 is not offered: the code of 4.1.6 writes out of bounds for some headers. */
static void
fill_tls(const struct net *net, struct lws_context_creation_info *info)
{
    if (net->options.tls_certificate[0] == '\0') {
        return;
    }
    info->options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT; /* otherwise lws uses no TLS here */
    info->ssl_cert_filepath = net->options.tls_certificate;
    info->ssl_private_key_filepath = net->options.tls_key;
    info->ssl_options_set = (long)(SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1);
    info->alpn = "http/1.1";
}

/* ---- timers ------------------------------------------------------------------------------ */

/* Sends new jobs to the store and frames to the sockets. */
static void
hand_on(struct net *net)
{
    net->world.heard(net->world.context);
    ws_flush(net);
}

/* Timers run before libwebsockets waits for its sockets.  A connection that they cut makes the host
 * read the clock; what the wait brings must not get that time. */
static void
end_timers(struct net *net)
{
    net->world.heard(net->world.context);
}

/* Runs before libwebsockets waits for its sockets, so the effects of a deadline must go out
 * here. */
static void
tick(lws_sorted_usec_list_t *timer)
{
    struct net *net = lws_container_of(timer, struct net, tick);
    int32_t wait_ms = host_tick(net->world.host);

    hand_on(net);
    connection_expire(net);
    http_send_delayed(net);
    end_timers(net);
    wait_ms = wait_ms > NET_TICK_MAX_MS ? NET_TICK_MAX_MS : wait_ms;
    net->is_tick_soon = wait_ms <= NET_TICK_SOON_MS;
    lws_sul_schedule(net->context, 0, timer, tick,
                     wait_ms < 1 ? 1 : (lws_usec_t)wait_ms * LWS_US_PER_MS);
}

void
net_tick_soon(struct net *net)
{
    int32_t due_ms = host_due_in_ms(net->world.host, NET_TICK_SOON_MS);

    if (host_has_work(net->world.host)) {
        net->is_tick_soon = true;
        lws_sul_schedule(net->context, 0, &net->tick, tick, 1);
    } else if (!net->is_tick_soon || due_ms < NET_TICK_SOON_MS) {
        net->is_tick_soon = true;
        lws_sul_schedule(net->context, 0, &net->tick, tick,
                         due_ms < 1 ? 1 : (lws_usec_t)due_ms * LWS_US_PER_MS);
    }
}

static void
sweep(lws_sorted_usec_list_t *timer)
{
    struct net *net = lws_container_of(timer, struct net, sweep);

    ws_sweep(net);
    end_timers(net);
    lws_sul_schedule(net->context, 0, timer, sweep, (lws_usec_t)NET_SWEEP_MS * LWS_US_PER_MS);
}

/* ---- opening ----------------------------------------------------------------------------- */

/*
 * lws sizes its tables by the limit of open files and refuses connections
 * beyond it.  So the limit is set to what the options need: more than the usual
 * 1,024, less than the billion that some containers allow.
 */
static void
set_descriptor_limit(struct net *net)
{
    const rlim_t own = NET_METRICS_CONNECTIONS_MAX + NET_DESCRIPTORS_RESERVE;
    rlim_t wanted = (rlim_t)net->options.connections_max + own;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return;
    }
    if (limit.rlim_max < wanted) {
        wanted = limit.rlim_max;
        net->game.connections_max = wanted > own ? (int32_t)(wanted - own) : 1;
        net_log(net, HOST_LOG_WARNING,
                "connections-max is %d, but the limit of open files (%llu) allows %d",
                net->options.connections_max, (unsigned long long)wanted,
                net->game.connections_max);
    }
    limit.rlim_cur = wanted;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        net_log(net, HOST_LOG_WARNING, "cannot set the limit of open files: %s", strerror(errno));
    }
}

static bool
parse_lists(const struct net_options *options, struct net *net, char error[SERVER_ERROR_MAX + 1])
{
    if (!net_networks_parse(options->trusted_proxies, &net->trusted)) {
        snprintf(error, SERVER_ERROR_MAX + 1, "trusted-proxies: not a list of networks");
        return false;
    }
    if (!net_names_parse(options->hosts, &net->names)) {
        snprintf(error, SERVER_ERROR_MAX + 1, "hosts: not a list of names");
        return false;
    }
    if (!net_origins_parse(options->origins, &net->origins)) {
        snprintf(error, SERVER_ERROR_MAX + 1, "origins: not a list of origins");
        return false;
    }
    return true;
}

static bool
open_context(struct net *net, char error[SERVER_ERROR_MAX + 1])
{
    struct lws_context_creation_info info;

    memset(&info, 0, sizeof(info));
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    info.pt_serv_buf_size = NET_RECEIVE_BYTES + LWS_PRE;
    if (net->options.tls_certificate[0] != '\0') {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    }
    info.user = net;
    net->context = lws_create_context(&info);
    if (net->context == NULL) {
        snprintf(error, SERVER_ERROR_MAX + 1, "libwebsockets failed to start");
        return false;
    }
    return true;
}

static int
try_to_bind(const struct sockaddr *address, socklen_t length)
{
    int descriptor = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int one = 1;
    int error = 0;

    if (descriptor < 0) {
        return errno;
    }
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (bind(descriptor, address, length) != 0 || listen(descriptor, 1) != 0) {
        error = errno;
    }
    close(descriptor);
    return error;
}

/* Why listening there fails now: an errno, or 0 if it would work. */
static int
listen_error(const char *address, int32_t port)
{
    struct sockaddr_in four = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port) };
    int error = EINVAL;

    if (inet_pton(AF_INET, address, &four.sin_addr) == 1) {
        error = try_to_bind((const struct sockaddr *)&four, sizeof(four));
    } else if (inet_pton(AF_INET6, address, &six.sin6_addr) == 1) {
        error = try_to_bind((const struct sockaddr *)&six, sizeof(six));
    }
    return error;
}

/* `prefix` starts the names of both options: "--" or "--metrics-". */
static void
explain_listen(const char *prefix, const char *address, int32_t port, int why,
               char error[SERVER_ERROR_MAX + 1])
{
    int used =
        snprintf(error, SERVER_ERROR_MAX + 1, "cannot listen on %s port %d: ", address, port);
    char *rest = error + used;
    size_t size = (size_t)(SERVER_ERROR_MAX + 1 - used);

    switch (why) {
    case EADDRINUSE:
        snprintf(rest, size,
                 "the port is in use; stop the other program, or choose another port with %sport",
                 prefix);
        break;
    case EADDRNOTAVAIL:
        snprintf(rest, size, "this machine has no such address; choose another with %saddress",
                 prefix);
        break;
    case EACCES:
        snprintf(rest, size, "this user may not use that port; choose one above 1023 with %sport",
                 prefix);
        break;
    default:
        snprintf(rest, size, "%s; change it with %saddress or %sport",
                 why == 0 ? "see the lines before this one" : strerror(why), prefix, prefix);
        break;
    }
}

/* Checked before lws tries, which would only log the failure. */
static bool
can_listen(const char *prefix, const char *address, int32_t port, char error[SERVER_ERROR_MAX + 1])
{
    int why = listen_error(address, port);

    if (why != 0) {
        explain_listen(prefix, address, port, why, error);
    }
    return why == 0;
}

static bool
open_game(struct net *net, char error[SERVER_ERROR_MAX + 1])
{
    const struct net_options *options = &net->options;
    struct lws_context_creation_info info;

    if (!can_listen("--", options->address, options->port, error)) {
        return false;
    }
    fill_listener(&net->game, NET_SUBPROTOCOL, options->address, options->port, &info);
    fill_tls(net, &info);
    info.vhost_name = "game";
    net->game.vhost = lws_create_vhost(net->context, &info);
    if (net->game.vhost == NULL) {
        explain_listen("--", options->address, options->port, 0, error);
        return false;
    }
    return true;
}

static bool
open_metrics(struct net *net, char error[SERVER_ERROR_MAX + 1])
{
    const struct net_options *options = &net->options;
    struct lws_context_creation_info info;

    if (options->metrics_port < 0) {
        return true;
    }
    if (!can_listen("--metrics-", options->metrics_address, options->metrics_port, error)) {
        return false;
    }
    fill_listener(&net->metrics, "metrics", options->metrics_address, options->metrics_port, &info);
    info.vhost_name = "metrics";
    net->metrics.vhost = lws_create_vhost(net->context, &info);
    if (net->metrics.vhost == NULL) {
        explain_listen("--metrics-", options->metrics_address, options->metrics_port, 0, error);
        return false;
    }
    return true;
}

static struct net *
net_alloc(const struct net_options *options, const struct net_world *world)
{
    struct net *net = heap_memory(sizeof(*net));

    net->options = *options;
    net->world = *world;
    net->game = (struct listener){ .net = net,
                                   .routes = http_game_routes,
                                   .connections_max = options->connections_max };
    net->metrics = (struct listener){ .net = net,
                                      .routes = http_metrics_routes,
                                      .connections_max = NET_METRICS_CONNECTIONS_MAX };
    return net;
}

bool
net_open(const struct net_options *options, const struct net_world *world, struct net **ret_net,
         char error[SERVER_ERROR_MAX + 1])
{
    struct net *net = net_alloc(options, world);

    lws_log_open(&net->world);
    if (getrandom(net->counts.key, sizeof(net->counts.key), 0) != sizeof(net->counts.key)) {
        snprintf(error, SERVER_ERROR_MAX + 1, "no random numbers: %s", strerror(errno));
        goto failed;
    }
    set_descriptor_limit(net);
    if (!parse_lists(options, net, error) || !certificate_look(options, &net->certificate, error) ||
        !page_open(&net->page, options->web, error) || !open_context(net, error) ||
        !open_game(net, error) || !open_metrics(net, error)) {
        goto failed;
    }
    lws_sul_schedule(net->context, 0, &net->tick, tick, 1);
    lws_sul_schedule(net->context, 0, &net->sweep, sweep, (lws_usec_t)NET_SWEEP_MS * LWS_US_PER_MS);
    lws_log.is_running = true;
    *ret_net = net;
    return true;
failed:
    net_close(net);
    return false;
}

void
net_close(struct net *net)
{
    if (net == NULL) {
        return;
    }
    if (net->context != NULL) {
        lws_sul_cancel(&net->tick);
        lws_sul_cancel(&net->sweep);
        lws_context_destroy(net->context);
    }
    lws_log.world = NULL;
    net_counts_free(&net->counts);
    page_close(&net->page);
    free(net);
}

/* ---- running ----------------------------------------------------------------------------- */

bool
net_run(struct net *net)
{
    bool goes_on = lws_service(net->context, 0) >= 0;

    hand_on(net);
    return goes_on;
}

void
net_wake(struct net *net)
{
    lws_cancel_service(net->context);
}

/* Logs whether a renewed certificate is in use. */
static bool
reload_certificate(struct net *net, char error[SERVER_ERROR_MAX + 1])
{
    const struct net_options *options = &net->options;
    struct certificate_mark mark;

    if (options->tls_certificate[0] == '\0') {
        return true;
    }
    if (!certificate_look(options, &mark, error)) {
        return false;
    }
    if (memcmp(&mark, &net->certificate, sizeof(mark)) == 0) {
        net_log(net, HOST_LOG_INFO, "%s has not changed; the certificate stays in use",
                options->tls_certificate);
        return true;
    }
    if (lws_tls_cert_updated(net->context, options->tls_certificate, options->tls_key, NULL, 0,
                             NULL, 0) != 0) {
        snprintf(error, SERVER_ERROR_MAX + 1, "cannot read the certificate again");
        return false;
    }
    net->certificate = mark;
    net_log(net, HOST_LOG_INFO, "new connections use the new certificate in %s",
            options->tls_certificate);
    return true;
}

bool
net_reload(struct net *net, const struct net_options *options, char error[SERVER_ERROR_MAX + 1])
{
    if (!parse_lists(options, net, error)) {
        return false;
    }
    net->options.connections_per_address_max = options->connections_per_address_max;
    net->options.connects_per_second = options->connects_per_second;
    net->options.inbox_address_bytes_max = options->inbox_address_bytes_max;
    net->options.ping_interval_ms = options->ping_interval_ms;
    return reload_certificate(net, error);
}

void
net_refuse_new(struct net *net)
{
    net->is_draining = true;
}

uint32_t
net_connection_count(const struct net *net)
{
    return net->sockets.count;
}

uint32_t
net_unclosed_count(const struct net *net)
{
    return net->sockets.count - net->closes_sent;
}

int32_t
net_port(const struct net *net)
{
    return lws_get_vhost_listen_port(net->game.vhost);
}

int32_t
net_metrics_port(const struct net *net)
{
    return net->metrics.vhost == NULL ? -1 : lws_get_vhost_listen_port(net->metrics.vhost);
}

struct listener *
net_listener_of(struct lws *wsi)
{
    return lws_vhost_user(lws_get_vhost(wsi));
}
