/*
 * Starts a thread.
 */
#ifndef SK_SERVER_THREAD_H
#define SK_SERVER_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* With all signals blocked: they are the main thread's.  False when there is no thread. */
static inline bool
thread_start(pthread_t *ret_thread, void *(*run)(void *context), void *context)
{
    sigset_t all;
    sigset_t before;
    int error;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(ret_thread, NULL, run, context);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

#endif /* SK_SERVER_THREAD_H */
