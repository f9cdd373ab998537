/*
 * admin_socket - where an operator speaks to a running daemon: a Unix socket
 * that asks the kernel who is there.
 *
 * Root, the daemon's own user and the users named in the configuration are
 * heard, everybody else is told to go.  A connection brings one line and gets
 * one line.
 *
 * Owner:   the daemon.
 * Threads: it has one of its own, which accepts, reads and writes.  Lines go to
 *          the loop one at a time: admin_socket_take there, and the answer
 *          back through the request.
 */
#ifndef SK_ADMIN_SOCKET_H
#define SK_ADMIN_SOCKET_H

#include <stdbool.h>

#include "server/limits.h"

struct admin_socket;
struct host;

struct admin_socket_options {
    const char *path;
    const char *users;           /* a list of names or numbers */
    void (*wake)(void *context); /* of the socket's thread: a line waits for the loop */
    void *context;
};

/* NULL with what is wrong.  A socket that nobody answers at is replaced. */
struct admin_socket *admin_socket_open(const struct admin_socket_options *options,
                                       char error[SERVER_ERROR_MAX + 1]);
void admin_socket_close(struct admin_socket *admin);

/* Hands the line that waits, if there is one, to the host. */
void admin_socket_take(struct admin_socket *admin, struct host *host);

/* Is the list one of users that this system knows? */
bool admin_users_are_right(const char *users);

#endif /* SK_ADMIN_SOCKET_H */
