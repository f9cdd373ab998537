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
#include <stddef.h>
#include <sys/types.h>

#define OWN_PATH_MAX 1023

struct own_daemon_options {
    const char *database; /* NULL = a temporary one; all texts stay with the caller */
    const char *config;   /* NULL = none */
    const char *services; /* hosts of web services that it may call, as in bot-hosts; NULL = none */
};

struct own_daemon {
    pid_t process;
    char url[OWN_PATH_MAX + 1];
    char folder[OWN_PATH_MAX + 1]; /* of a temporary database, or empty */
    struct own_daemon_options options;
};

/* False = it did not start; the reason was printed. */
bool own_daemon_start(struct own_daemon *daemon, const struct own_daemon_options *options);
void own_daemon_stop(struct own_daemon *daemon);

/* Kills it and starts it again, at the same address and with the same database. */
bool own_daemon_restart(struct own_daemon *daemon);

/* Adds the host and port of a web service's address to a list for `services`. */
void own_daemon_allow(char *services, size_t size, const char *url);

#endif /* SK_CLI_OWN_DAEMON_H */
