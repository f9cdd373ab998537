/*
 * notify - reports the daemon's state to systemd (the sd_notify protocol).
 *
 * Does nothing without NOTIFY_SOCKET in the environment.
 *
 * Owner:   the process.
 * Threads: only the loop: if it hangs, the watchdog must expire.
 */
#ifndef SK_NOTIFY_H
#define SK_NOTIFY_H

#include <stdint.h>

/* Sends a line like READY=1. */
void notify_send(const char *line);

/* How often to notify the watchdog, in milliseconds: half of the time it allows; 0 = never. */
int64_t notify_watchdog_interval_ms(void);

#endif /* SK_NOTIFY_H */
