/*
 * admin_socket - a Unix socket over which operators send commands to a running
 * daemon.  The kernel reports which user connects.
 *
 * Root, the daemon's own user and the users named in the configuration are
 * allowed; all others are refused.  A connection sends one line and gets one
 * line back.
 *
 * Owner:   the daemon.
 * Threads: its own thread accepts, reads and writes.  Lines go to the loop one
 * at a time: the loop calls admin_socket_take, and the answer comes back
 * through the request.
 */
#ifndef SK_ADMIN_SOCKET_H
#define SK_ADMIN_SOCKET_H

#include <stdbool.h>

#include "server/server_limits.h"

struct admin_socket;
struct host;

struct admin_socket_options {
    const char *path;
    const char *users;           /* a list of names or numbers */
    void (*wake)(void *context); /* called by the socket's thread: a line waits for the loop */
    void *context;
};

/* On failure returns NULL and an error.  Replaces a socket that nobody answers at. */
struct admin_socket *admin_socket_open(const struct admin_socket_options *options,
                                       char error[SERVER_ERROR_MAX + 1]);
void admin_socket_close(struct admin_socket *admin);

/* Passes the waiting line, if there is one, to the host. */
void admin_socket_take(struct admin_socket *admin, struct host *host);

/* Whether this system knows all users of the list. */
bool admin_users_are_right(const char *users);

#endif /* SK_ADMIN_SOCKET_H */
