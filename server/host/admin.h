/*
 * admin - what an operator asks of a running host.
 *
 * Every request is written to admin_log first, and done when that is on
 * disk; one that makes no sense is refused and not written.  Who may ask is
 * settled by whoever hands requests in: nothing of this is reached from the
 * public port.
 *
 * Owner:   the caller owns the request until it is answered.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_ADMIN_H
#define SK_HOST_ADMIN_H

#include <stddef.h>
#include <stdint.h>

struct host;

struct admin_request {
    /* The answer's line, without a newline; exactly once. */
    void (*answer)(struct admin_request *request, const char *text, size_t length);
    void *context;
    int64_t uid; /* of the system's user who asks */
};

/* A line as proto/admin_lines.h describes it. */
void host_admin(struct host *host, struct admin_request *request, const char *line, size_t length);

#endif /* SK_HOST_ADMIN_H */
