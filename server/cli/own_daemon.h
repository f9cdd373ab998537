/*
 * own_daemon - a skirmishd that a command starts for itself, on a free port of
 * this machine, and stops when it is done.
 *
 * Owner:   the caller; own_daemon_stop ends the process and removes a
 *          temporary database.
 * Threads: one.
 */
#ifndef SK_CLI_OWN_DAEMON_H
#define SK_CLI_OWN_DAEMON_H

#include <stdbool.h>
#include <sys/types.h>

#define OWN_PATH_MAX 1023

struct own_daemon {
    pid_t process;
    char url[OWN_PATH_MAX + 1];
    char folder[OWN_PATH_MAX + 1]; /* of a temporary database, or empty */
};

/* `database` NULL = a temporary one; `config` NULL = none.  False = it did not start; the
 * reason was printed. */
bool own_daemon_start(struct own_daemon *daemon, const char *database, const char *config);
void own_daemon_stop(struct own_daemon *daemon);

#endif /* SK_CLI_OWN_DAEMON_H */
