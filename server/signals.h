/*
 * signals - what the process is asked to do from outside.
 *
 * A thread of its own waits for signals, so that nothing happens in signal
 * handlers and even a stuck loop can be stopped: the second request to stop
 * ends the process at once.
 *
 * Owner:   the process.
 * Threads: signals_open comes before any other thread is made, so that all
 *          inherit the blocked signals; signals_take is the loop's.  `wake` is
 *          called by the signal thread.
 */
#ifndef SK_SIGNALS_H
#define SK_SIGNALS_H

#include <stdbool.h>

enum signals_asked {
    SIGNALS_STOP = 1,
    SIGNALS_RELOAD = 2,
};

/* False when no thread can be made. */
bool signals_open(void (*wake)(void *context), void *context);
void signals_close(void);

/* What was asked since the last time: enum signals_asked, added up. */
int signals_take(void);

#endif /* SK_SIGNALS_H */
