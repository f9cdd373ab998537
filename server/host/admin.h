/*
 * admin - commands of an operator to a running host.
 *
 * Every request is written to admin_log first, and executed when that is on
 * disk.  An invalid request is refused and not written.  The caller decides who
 * may send requests; they cannot come through the public port.
 *
 * On a shared database the beat brings the rows of the other nodes, and their
 * commands are executed here, too, except those that concern one node.
 *
 * Owner:   the caller owns the request until it is answered.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_ADMIN_H
#define SK_HOST_ADMIN_H

#include <stddef.h>
#include <stdint.h>

struct host;
struct store_beat;

struct admin_request {
    /* Called exactly once, with the line of the answer, without a newline. */
    void (*answer)(struct admin_request *request, const char *text, size_t length);
    void *context;
    int64_t uid; /* the system user who sent it */
};

/* A line as proto/admin_lines.h describes it. */
void host_admin(struct host *host, struct admin_request *request, const char *line, size_t length);

/* Executes what operators did at other nodes. */
void admin_hear(struct host *host, const struct store_beat *beat);

#endif /* SK_HOST_ADMIN_H */
