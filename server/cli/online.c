#include "server/cli/online.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "server/cli/guest.h"

/* The caller's events, with an ear for signals. */
struct listener {
    struct online *online;
    const struct client_events *events;
    void *user;
};

static volatile sig_atomic_t is_interrupted;

static void
interrupt(int signal)
{
    (void)signal;
    is_interrupted = 1;
}

static void
on_welcome(void *user, bool is_again)
{
    struct listener *listener = user;

    listener->events->welcome(listener->user, is_again);
}

static void
on_frame(void *user, const struct sk_value *frame)
{
    struct listener *listener = user;

    listener->events->frame(listener->user, frame);
}

static void
on_tick(void *user)
{
    struct listener *listener = user;

    if (is_interrupted) {
        client_stop(listener->online->client);
    } else if (listener->events->tick != NULL) {
        listener->events->tick(listener->user);
    }
}

void
online_fail(struct online *online, const char *what, const char *why)
{
    if (!online->has_failed) {
        fprintf(stderr, "%sskirmish %s: %s: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "",
                online->command, what, why);
    }
    online->has_failed = true;
    if (online->client != NULL) {
        client_stop(online->client);
    }
}

bool
online_run(struct online *online, const struct client_options *options,
           const struct client_events *events, void *user)
{
    static const struct client_events own = { on_welcome, on_frame, on_tick };
    struct listener listener = { online, events, user };
    struct client_options its = *options;
    char name[FRAME_PLAYER_NAME_MAX + 1];
    struct sk_fault fault;

    if (its.name == NULL) {
        cli_guest_name(online->command, name, sizeof(name));
        its.name = name;
    }
    if (client_open(&its, &own, &listener, &online->client, &fault) != SK_OK) {
        online_fail(online, its.url, fault.message);
        return false;
    }
    (void)signal(SIGINT, interrupt);
    (void)signal(SIGTERM, interrupt);
    if (client_run(online->client, &fault) != SK_OK) {
        online_fail(online, its.url, fault.message);
    }
    client_close(online->client);
    online->client = NULL;
    return !online->has_failed;
}
