/*
 * signals - requests from outside to stop or to reload.
 *
 * A separate thread waits for signals.  So nothing happens in signal handlers,
 * and even a stuck loop can be stopped: the second request to stop ends the
 * process at once.
 *
 * Owner:   the process.
 * Threads: signals_open must be called before any other thread is created, so
 * that all inherit the blocked signals; the loop calls signals_take; the signal
 * thread calls `wake`.
 */
#ifndef SK_SIGNALS_H
#define SK_SIGNALS_H

#include <stdbool.h>

enum signals_asked {
    SIGNALS_STOP = 1,
    SIGNALS_RELOAD = 2,
};

/* Returns false if no thread can be created. */
bool signals_open(void (*wake)(void *context), void *context);
void signals_close(void);

/* The requests since the last call: a sum of enum signals_asked. */
int signals_take(void);

#endif /* SK_SIGNALS_H */
