#include "server/signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "server/exit.h"
#include "server/log.h"

#define END_THREAD SIGUSR2

static struct {
    pthread_t thread;
    sigset_t set;
    atomic_int asked;
    bool is_stopping; /* of the thread */
    void (*wake)(void *context);
    void *context;
} signals;

static void
ask_to_stop(void)
{
    if (signals.is_stopping) {
        log_line(HOST_LOG_WARNING, "asked to stop again: stopping at once");
        _exit(SERVER_EXIT_AT_ONCE);
    }
    signals.is_stopping = true;
    atomic_fetch_or(&signals.asked, SIGNALS_STOP);
}

static void *
wait_for_signals(void *unused)
{
    int number;

    (void)unused;
    while (sigwait(&signals.set, &number) == 0 && number != END_THREAD) {
        if (number == SIGHUP) {
            atomic_fetch_or(&signals.asked, SIGNALS_RELOAD);
        } else {
            ask_to_stop();
        }
        signals.wake(signals.context);
    }
    return NULL;
}

bool
signals_open(void (*wake)(void *context), void *context)
{
    signals.wake = wake;
    signals.context = context;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit counts as a full disk, not as a reason to die */
    sigemptyset(&signals.set);
    sigaddset(&signals.set, SIGTERM);
    sigaddset(&signals.set, SIGINT);
    sigaddset(&signals.set, SIGHUP);
    sigaddset(&signals.set, END_THREAD);
    return pthread_sigmask(SIG_BLOCK, &signals.set, NULL) == 0 &&
           pthread_create(&signals.thread, NULL, wait_for_signals, NULL) == 0;
}

void
signals_close(void)
{
    pthread_kill(signals.thread, END_THREAD);
    pthread_join(signals.thread, NULL);
}

int
signals_take(void)
{
    return atomic_exchange(&signals.asked, 0);
}
