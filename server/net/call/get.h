/*
 * One HTTP request, for programs that wait for its answer.
 *
 * Owner:   the caller.
 * Threads: any; the process must make its first call before it has other
 * threads.
 */
#ifndef SK_CALL_GET_H
#define SK_CALL_GET_H

#include <stddef.h>

#define CALL_GET_MS 3000 /* total time */

/*
 * Returns the HTTP status and the first line of the answer, cut to `size`.  0:
 * no answer, and `ret_line` says why.  The certificate is not checked, so
 * nothing secret may be sent or asked.
 */
long call_get(const char *url, char *ret_line, size_t size);

#endif /* SK_CALL_GET_H */
