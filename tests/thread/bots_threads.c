/*
 * Questions to the server's own bots and to a web service that does not exist, for ThreadSanitizer:
 * each is answered exactly once, on the loop, and nothing leaks at the end.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/bots/bots.h"
#include "server/bots/thinkers.h"

#define ASK_COUNT   300u
#define WAIT_MAX_MS 60000
#define LEFT_AT_END 50u

struct run {
    struct bots *bots;
    int pipe[2];
    uint32_t put;
    uint32_t refused;
    uint32_t taken;
    uint8_t seen[ASK_COUNT];
};

static void
die(const char *what)
{
    (void)fprintf(stderr, "bots_threads: %s\n", what);
    exit(1);
}

static void
wake(void *context)
{
    struct run *run = context;

    (void)!write(run->pipe[1], "x", 1);
}

static char *
copy(const char *text)
{
    char *copied = strdup(text);

    if (copied == NULL) {
        die("out of memory");
    }
    return copied;
}

/* An invalid question, which fails at once. */
static struct bot_ask *
make(uint64_t number)
{
    struct bot_ask *ask = bot_ask_alloc();

    ask->number = number;
    ask->who.kind = number % 2 == 0 ? BOT_OF_HTTP : BOT_OF_LEVEL;
    ask->who.word = copy(number % 2 == 0 ? "http://127.0.0.1:1/" : "greedy");
    ask->ruleset = "tactics";
    ask->version = 1;
    ask->params = copy("{}");
    ask->view = copy("{}");
    ask->hints = copy("nonsense");
    ask->limit_ms = 60000;
    return ask;
}

static void
take(struct run *run)
{
    struct bot_ask *ask = bots_take_done(run->bots);

    while (ask != NULL) {
        struct bot_ask *next = ask->next;

        if (ask->number >= ASK_COUNT || run->seen[ask->number]++ != 0) {
            die("a question was answered twice");
        }
        if (ask->failure == BOT_ANSWERED) {
            die("nonsense was answered");
        }
        run->taken++;
        bot_ask_free(ask);
        ask = next;
    }
}

static void
wait_for_some(struct run *run)
{
    struct pollfd poll_for = { .fd = run->pipe[0], .events = POLLIN };
    char bytes[256];

    if (poll(&poll_for, 1, WAIT_MAX_MS) <= 0) {
        die("no answer came");
    }
    (void)!read(run->pipe[0], bytes, sizeof(bytes));
    take(run);
}

int
main(void)
{
    static struct run run;
    struct bots_options options = {
        .services = { .hosts = "127.0.0.1", .networks = "127.0.0.1", .plain_http = 1 },
        .wake = wake,
        .context = &run,
    };
    char error[SERVER_ERROR_MAX + 1];
    struct bot_port *port;

    if (pipe(run.pipe) != 0 || (run.bots = bots_open(&options, error)) == NULL) {
        die("cannot begin");
    }
    port = bots_port(run.bots);
    while (run.put < ASK_COUNT) {
        struct bot_ask *ask = make(run.put);

        if (port->ask(port, ask)) {
            run.put++;
        } else {
            bot_ask_free(ask);
            run.refused++;
            wait_for_some(&run);
        }
    }
    while (run.taken < ASK_COUNT) {
        wait_for_some(&run);
    }
    for (uint32_t i = 0; i < LEFT_AT_END; i++) {
        struct bot_ask *ask = make(i);

        if (!port->ask(port, ask)) {
            die("a question was refused");
        }
    }
    bots_close(run.bots);
    (void)printf("%u questions were answered\n1 passed, 0 failed\n", run.taken);
    return 0;
}
