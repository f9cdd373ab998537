/*
 * notify - tells systemd how we are (the protocol of sd_notify, by hand).
 *
 * Without NOTIFY_SOCKET in the environment all of it does nothing.
 *
 * Owner:   the process.
 * Threads: the loop's only: a stuck loop shall miss its watchdog.
 */
#ifndef SK_NOTIFY_H
#define SK_NOTIFY_H

#include <stdint.h>

/* A line like READY=1. */
void notify_send(const char *line);

/* How often systemd wants to hear of us, in milliseconds: half of what it allows; 0 = never. */
int64_t notify_watchdog_interval_ms(void);

#endif /* SK_NOTIFY_H */
