/*
 * skirmishd - the daemon: reads its options, connects store, host and net,
 * runs, and stops without losing anything.
 *
 * Threads: this one is the loop.  The store has four; review, signals and
 * admin socket have one each; bots have several.  They all wake the loop and
 * touch nothing else of it.
 */
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/status.h"
#include "common/core/registry.h"
#include "server/admin_socket.h"
#include "server/bots/bots.h"
#include "server/clock.h"
#include "server/config.h"
#include "server/daemon_metrics.h"
#include "server/exit.h"
#include "server/kill_point.h"
#include "server/log.h"
#include "server/net/net.h"
#include "server/net/urls.h"
#include "server/notify.h"
#include "server/rated_file.h"
#include "server/review/review.h"
#include "server/signals.h"
#include "server/state_path.h"
#include "server/store/address.h"
#include "server/store/database.h"
#include "server/store/migrate.h"
#include "server/store/store.h"
#include "server/version.h"

#define CPU_READ_US 500

/* See cpu_us. */
struct loop_cpu {
    int64_t read_us; /* when it was read */
    int64_t used_us;
    int64_t told_us;
};

struct daemon {
    int argc;
    char **argv;
    struct config config;
    struct store *store;
    struct store_node node; /* with a shared database */
    char node_path[FRAME_PATH_MAX + 1];
    char *rulesets;
    struct review_desk *review;
    struct bots *bots;
    struct host *host;
    struct net *net;
    struct admin_socket *admin;
    pthread_mutex_t wake_lock;
    struct net *wakeable; /* `net` while it can be woken; behind the lock */
    int64_t round_ms;     /* the clocks when this round of the loop asked for them; 0: not yet */
    int64_t round_wall_ms;
    struct loop_cpu cpu;
    int64_t watchdog_interval_ms;
    int64_t watchdog_next_ms;
    uint64_t started_at_s;
};

/* ---- callbacks for host and net ---------------------------------------------------------- */

/* All that a round of the loop finds came before it, so all of it has the same time. */
static int64_t
round_ms(void *context)
{
    struct daemon *daemon = context;

    if (daemon->round_ms == 0) {
        daemon->round_ms = clock_ms(CLOCK_MONOTONIC);
    }
    return daemon->round_ms;
}

static int64_t
round_wall_ms(void *context)
{
    struct daemon *daemon = context;

    if (daemon->round_wall_ms == 0) {
        daemon->round_wall_ms = clock_ms(CLOCK_REALTIME);
    }
    return daemon->round_wall_ms;
}

static void
end_round(struct daemon *daemon)
{
    daemon->round_ms = 0;
    daemon->round_wall_ms = 0;
    daemon->cpu.read_us = 0; /* the loop may sleep now, which is not its work */
}

static int64_t
now_us(void *context)
{
    (void)context;
    return clock_us(CLOCK_MONOTONIC);
}

/*
 * The loop's processor time.  Reading it is a system call, which costs more
 * than most work that is measured, so it is read only now and then; in between
 * the time that passes counts.  What is measured is wrong by at most
 * CPU_READ_US.
 */
static int64_t
cpu_us(void *context)
{
    struct loop_cpu *cpu = &((struct daemon *)context)->cpu;
    int64_t now = clock_us(CLOCK_MONOTONIC);
    int64_t used;

    if (cpu->read_us == 0 || now - cpu->read_us > CPU_READ_US) {
        cpu->read_us = now;
        cpu->used_us = clock_us(CLOCK_THREAD_CPUTIME_ID);
    }
    used = cpu->used_us + now - cpu->read_us;
    cpu->told_us = used > cpu->told_us ? used : cpu->told_us; /* never backwards */
    return cpu->told_us;
}

static void
random_bytes(void *context, uint8_t *bytes, size_t size)
{
    (void)context;
    randombytes_buf(bytes, size);
}

static void
log_message(void *context, int level, const char *message)
{
    (void)context;
    if (level <= (int)HOST_LOG_WARNING) {
        log_often((enum host_log_level)level, message);
    } else {
        log_line((enum host_log_level)level, message);
    }
}

/* Called by other threads. */
static void
wake_loop(void *context)
{
    struct daemon *daemon = context;

    pthread_mutex_lock(&daemon->wake_lock);
    if (daemon->wakeable != NULL) {
        net_wake(daemon->wakeable);
    }
    pthread_mutex_unlock(&daemon->wake_lock);
}

static void
set_wakeable(struct daemon *daemon, struct net *net)
{
    pthread_mutex_lock(&daemon->wake_lock);
    daemon->wakeable = net;
    pthread_mutex_unlock(&daemon->wake_lock);
}

static void
give_to_host(struct daemon *daemon, struct store_job *job)
{
    while (job != NULL) {
        struct store_job *next = job->next;

        host_job_done(daemon->host, job);
        job = next;
    }
}

static void
take_answers(struct daemon *daemon)
{
    struct bot_ask *ask = bots_take_done(daemon->bots);

    while (ask != NULL) {
        struct bot_ask *next = ask->next;

        host_bot_answered(daemon->host, ask);
        ask = next;
    }
}

static void
take_done_jobs(struct daemon *daemon)
{
    give_to_host(daemon, store_take_done(daemon->store));
    give_to_host(daemon, review_take_done(daemon->review));
}

/* Called after another thread has woken the loop. */
static void
take_all(void *context)
{
    struct daemon *daemon = context;

    take_done_jobs(daemon);
    admin_socket_take(daemon->admin, daemon->host);
    take_answers(daemon);
}

/* The jobs of one iteration of the loop are handed over together, to share a commit. */
static void
hand_over(void *context)
{
    struct daemon *daemon = context;

    store_hand_over(daemon->store);
    end_round(daemon);
}

static void
write_more_metrics(void *context, struct metrics_out *out)
{
    static const struct metrics_label version = { "version", SK_VERSION };
    struct daemon *daemon = context;

    store_metrics(daemon->store, daemon->config.database, out);
    metrics_gauges(out, "skirmish_build_info", "Always 1; which version this is.");
    metrics_sample(out, "skirmish_build_info", &version, 1, 1);
    process_metrics(out, daemon->started_at_s);
}

/* Called by the storage thread.  Only reopening the database shows what is on disk. */
static void
storage_failed(void *context, const char *message)
{
    (void)context;
    log_format(HOST_LOG_ERROR, "storage failed, exiting to recover: %s", message);
    _exit(SERVER_EXIT_STORAGE);
}

/* ---- opening ----------------------------------------------------------------------------- */

/* What a node may claim, see struct store_node. */
static char *
list_rulesets(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *comma = "";

    SK_ASSERT(out != NULL);
    for (size_t i = 0; i < sk_registry_count(); i++) {
        for (const struct sk_ruleset *r = sk_registry_at(i); r != NULL; r = r->older) {
            fprintf(out, "%s%s %u", comma, r->name, (unsigned)r->version);
            comma = ",";
        }
    }
    SK_ASSERT(fclose(out) == 0);
    return text;
}

static int
open_store(struct daemon *daemon)
{
    const char *path = daemon->config.database;
    struct store_options options;
    struct database_steps steps;
    struct sk_fault fault;

    store_options_init(&options);
    options.collects = true;
    options.wake = wake_loop;
    options.fatal = storage_failed;
    options.context = daemon;
    if (daemon->config.node_path[0] != '\0') {
        memcpy(daemon->node_path, daemon->config.node_path, sizeof(daemon->node_path));
    } else {
        snprintf(daemon->node_path, sizeof(daemon->node_path), "/n/%s/", daemon->config.node);
    }
    daemon->node.name = daemon->config.node;
    daemon->node.path = daemon->node_path;
    if (address_is_shared(path)) {
        daemon->node.rulesets = daemon->rulesets = list_rulesets();
        options.node = &daemon->node;
    }
    state_make_folders(path);
    if (database_look(path, &steps, &fault) != SK_OK) {
        steps.applied = steps.known = 0; /* a new file; errors are reported below */
    }
    if (store_open(path, &options, &daemon->store, &fault) != SK_OK) {
        log_format(HOST_LOG_ERROR, "cannot use the database %s", fault.message);
        return SERVER_EXIT_DATABASE;
    }
    if (steps.applied < steps.known && address_is_shared(path)) {
        log_format(HOST_LOG_INFO, "migrated the database from version %d to %d", steps.applied,
                   steps.known);
    } else if (steps.applied < steps.known) {
        log_format(HOST_LOG_INFO,
                   "migrated the database from version %d to %d; a copy of it before that "
                   "is " MIGRATE_COPY_FORM,
                   steps.applied, steps.known, path, steps.applied + 1);
    }
    return SERVER_EXIT_OK;
}

static int
open_review(struct daemon *daemon)
{
    struct review_options options;

    review_options_init(&options);
    options.wake = wake_loop;
    options.context = daemon;
    daemon->review = review_open(daemon->config.database, &options);
    if (daemon->review == NULL) {
        log_line(HOST_LOG_ERROR, "cannot start: no memory or no threads");
        return SERVER_EXIT_AT_ONCE;
    }
    return SERVER_EXIT_OK;
}

static int
open_bots(struct daemon *daemon)
{
    struct bots_options options = {
        .services = daemon->config.bots,
        .wake = wake_loop,
        .context = daemon,
    };
    char error[SERVER_ERROR_MAX + 1];

    daemon->bots = bots_open(&options, error);
    if (daemon->bots == NULL) {
        log_line(HOST_LOG_ERROR, error);
        return SERVER_EXIT_USAGE;
    }
    return SERVER_EXIT_OK;
}

static int
open_host(struct daemon *daemon)
{
    struct host_world world = {
        .store = store_port(daemon->store),
        .reviews = review_port(daemon->review),
        .transport = net_transport(),
        .bots = bots_port(daemon->bots),
        .now_ms = round_ms,
        .wall_ms = round_wall_ms,
        .now_us = now_us,
        .cpu_us = cpu_us,
        .random = random_bytes,
        .log = log_message,
        .context = daemon,
    };
    char error[SERVER_ERROR_MAX + 1];

    daemon->host = host_alloc(&daemon->config.host, &world);
    if (daemon->host == NULL) {
        log_line(HOST_LOG_ERROR, "out of memory");
        return SERVER_EXIT_AT_ONCE;
    }
    if (!rated_file_apply(daemon->config.rated_params_file, daemon->host, error)) {
        log_line(HOST_LOG_ERROR, error);
        return SERVER_EXIT_USAGE;
    }
    return SERVER_EXIT_OK;
}

static int
open_net(struct daemon *daemon)
{
    struct net_world world = {
        .host = daemon->host,
        .woken = take_all,
        .heard = hand_over,
        .metrics = write_more_metrics,
        .log = log_message,
        .context = daemon,
    };
    char error[SERVER_ERROR_MAX + 1];

    if (!net_open(&daemon->config.net, &world, &daemon->net, error)) {
        log_line(HOST_LOG_ERROR, error);
        return SERVER_EXIT_LISTEN;
    }
    set_wakeable(daemon, daemon->net);
    return SERVER_EXIT_OK;
}

/* The default is beside the database, where the path may be too long for a socket. */
static int
open_admin(struct daemon *daemon)
{
    const struct config *config = &daemon->config;
    bool is_named = config->admin_socket[0] != '\0';
    char path[SERVER_PATH_MAX + sizeof(".admin")];
    char error[SERVER_ERROR_MAX + 1];
    struct admin_socket_options options = {
        .path = is_named ? config->admin_socket : path,
        .users = config->admin_users,
        .wake = wake_loop,
        .context = daemon,
    };

    if (strcmp(config->admin_socket, "none") == 0) {
        return SERVER_EXIT_OK;
    }
    path[0] = '\0';
    if (!is_named && state_admin_socket(config->database, path, sizeof(path))) {
        state_make_folders(path); /* with PostgreSQL, nothing else has created them */
    }
    daemon->admin = admin_socket_open(&options, error);
    if (daemon->admin == NULL) {
        log_line(is_named ? HOST_LOG_ERROR : HOST_LOG_WARNING, error);
    }
    return daemon->admin == NULL && is_named ? SERVER_EXIT_LISTEN : SERVER_EXIT_OK;
}

static int
open_all(struct daemon *daemon)
{
    int (*const parts[])(struct daemon *) = { open_store, open_review, open_bots,
                                              open_host,  open_net,    open_admin };
    int code = SERVER_EXIT_OK;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && code == SERVER_EXIT_OK; i++) {
        code = parts[i](daemon);
    }
    return code;
}

/* Connections first, because their requests may wait for jobs; then the store and its thread. */
static void
close_all(struct daemon *daemon)
{
    if (daemon->host != NULL) {
        take_done_jobs(daemon);
    }
    set_wakeable(daemon, NULL);
    admin_socket_close(daemon->admin);
    net_close(daemon->net);
    if (daemon->review != NULL) {
        review_stop(daemon->review);
    }
    if (daemon->host != NULL) {
        take_done_jobs(daemon);
    }
    if (daemon->review != NULL) {
        review_close(daemon->review);
    }
    if (daemon->store != NULL) {
        store_close(daemon->store);
    }
    bots_close(daemon->bots);
    if (daemon->host != NULL) {
        host_free(daemon->host);
    }
    free(daemon->rulesets);
}

static void
say_ready(const struct daemon *daemon)
{
    const struct net_options *options = &daemon->config.net;
    char urls[NET_URLS_SIZE];
    char database[ADDRESS_SHOWN_MAX];

    address_show(daemon->config.database, database);
    if (net_metrics_port(daemon->net) >= 0) {
        log_format(HOST_LOG_INFO, "metrics on %s port %d", options->metrics_address,
                   net_metrics_port(daemon->net));
    }
    net_urls(options->tls_certificate[0] == '\0' ? "http" : "https", options->address,
             net_port(daemon->net), urls);
    printf("skirmishd %s listening on %s (database %s)\n", SK_VERSION, urls, database);
    fflush(stdout);
    notify_send("READY=1\nSTATUS=serving");
}

/* ---- running ----------------------------------------------------------------------------- */

static void
apply_log_options(const struct config *config)
{
    log_set((enum host_log_level)config->log_level, (enum log_form)config->log_form);
}

/* If the new configuration is wrong, logs why and keeps the old one. */
static void
reload(struct daemon *daemon)
{
    struct config config;
    struct config_error error;
    enum config_wish wish;
    char text[SERVER_ERROR_MAX + 1];

    if (!config_read(daemon->argc, daemon->argv, &config, &wish, &error)) {
        log_format(HOST_LOG_ERROR, "not reloaded: %s", error.text);
        return;
    }
    if (!rated_file_apply(config.rated_params_file, daemon->host, text)) {
        log_format(HOST_LOG_ERROR, "not reloaded: %s", text);
        return;
    }
    apply_log_options(&config);
    host_reload(daemon->host, &config.host);
    if (!net_reload(daemon->net, &config.net, text)) {
        log_format(HOST_LOG_ERROR, "not everything was reloaded: %s", text);
        return;
    }
    config_needs_restart(&daemon->config, &config, text);
    if (text[0] != '\0') {
        log_format(HOST_LOG_WARNING, "reloaded; these need a restart: %s", text);
    } else {
        log_line(HOST_LOG_INFO, "reloaded");
    }
}

static void
feed_watchdog(struct daemon *daemon)
{
    int64_t now = clock_ms(CLOCK_MONOTONIC);

    if (daemon->watchdog_interval_ms > 0 && now >= daemon->watchdog_next_ms) {
        daemon->watchdog_next_ms = now + daemon->watchdog_interval_ms;
        notify_send("WATCHDOG=1");
    }
}

static bool
run_once(struct daemon *daemon)
{
    feed_watchdog(daemon);
    log_tick();
    hand_over(daemon); /* jobs from outside net_run, which may block for long */
    return net_run(daemon->net);
}

/* Runs until asked to stop. */
static int
run(struct daemon *daemon)
{
    for (;;) {
        int asked = signals_take();

        if ((asked & SIGNALS_STOP) != 0) {
            return SERVER_EXIT_OK;
        }
        if ((asked & SIGNALS_RELOAD) != 0) {
            reload(daemon);
        }
        if (!run_once(daemon)) {
            log_line(HOST_LOG_ERROR, "libwebsockets cannot continue");
            return SERVER_EXIT_LISTEN;
        }
    }
}

/* Runs until nothing is left to wait for, or the time is over. */
static void
run_while(struct daemon *daemon, bool (*waits)(const struct daemon *daemon), int64_t until_ms)
{
    while (waits(daemon) && clock_ms(CLOCK_MONOTONIC) < until_ms) {
        run_once(daemon);
    }
}

static bool
waits_for_storage(const struct daemon *daemon)
{
    return !host_is_drained(daemon->host);
}

static bool
has_unclosed_clients(const struct daemon *daemon)
{
    return net_unclosed_count(daemon->net) > 0;
}

static bool
has_clients(const struct daemon *daemon)
{
    return net_connection_count(daemon->net) > 0;
}

/* Notifies all clients and writes everything.  What was acknowledged is on disk in any case. */
static int
drain(struct daemon *daemon)
{
    int64_t began_ms = clock_ms(CLOCK_MONOTONIC);
    int64_t send_until_ms;

    notify_send("STOPPING=1");
    log_line(HOST_LOG_INFO, "stopping");
    net_refuse_new(daemon->net);
    host_drain(daemon->host);
    SK_KILL_POINT(KILL_DRAINING);
    run_while(daemon, waits_for_storage, began_ms + SERVER_FLUSH_MS);
    if (waits_for_storage(daemon)) {
        log_line(HOST_LOG_ERROR, "storage does not respond; stopping without it");
        _exit(SERVER_EXIT_STORAGE);
    }
    SK_KILL_POINT(KILL_DRAINING);
    net_close_all(daemon->net, CLOSE_GOING_AWAY, "the server is stopping");
    send_until_ms = clock_ms(CLOCK_MONOTONIC) + SERVER_SEND_MS;
    run_while(daemon, has_unclosed_clients,
              send_until_ms > began_ms + SERVER_CLOSE_MS ? send_until_ms
                                                         : began_ms + SERVER_CLOSE_MS);
    run_while(daemon, has_clients, clock_ms(CLOCK_MONOTONIC) + SERVER_ANSWER_MS);
    SK_KILL_POINT(KILL_DRAINING);
    log_line(HOST_LOG_INFO, "stopped");
    return SERVER_EXIT_OK;
}

static int
serve(struct daemon *daemon)
{
    int code;

    if (sodium_init() < 0 || !signals_open(wake_loop, daemon)) {
        log_line(HOST_LOG_ERROR, "cannot start: no random numbers or no threads");
        return SERVER_EXIT_AT_ONCE;
    }
    daemon->started_at_s = (uint64_t)clock_ms(CLOCK_REALTIME) / 1000;
    daemon->watchdog_interval_ms = notify_watchdog_interval_ms();
    code = open_all(daemon);
    if (code == SERVER_EXIT_OK) {
        host_start(daemon->host);
        say_ready(daemon);
        code = run(daemon);
        if (code == SERVER_EXIT_OK) {
            code = drain(daemon);
        }
    }
    signals_close();
    close_all(daemon);
    log_flush();
    return code;
}

/* Prints what was asked for instead of running. */
static int
print(enum config_wish wish)
{
    switch (wish) {
    case CONFIG_HELP:
        config_print_help(stdout);
        break;
    case CONFIG_VERSION:
        printf("skirmishd %s\n", SK_VERSION);
        break;
    case CONFIG_PRINT_DEFAULTS:
        config_print_defaults(stdout);
        break;
    default:
        printf("The configuration is valid.\n");
        break;
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? SERVER_EXIT_OK : SERVER_EXIT_AT_ONCE;
}

int
main(int argc, char **argv)
{
    struct daemon daemon = { .argc = argc, .argv = argv, .wake_lock = PTHREAD_MUTEX_INITIALIZER };
    struct config_error error;
    enum config_wish wish;

    if (!config_read(argc, argv, &daemon.config, &wish, &error)) {
        fprintf(stderr, "skirmishd: %s\n", error.text);
        return SERVER_EXIT_USAGE;
    }
    if (wish != CONFIG_RUN) {
        return print(wish);
    }
    apply_log_options(&daemon.config);
    return serve(&daemon);
}
