/*
 * One HTTP request, for programs that wait for its answer.
 *
 * Owner:   the caller.
 * Threads: the caller's; the first call of a process before it has others.
 */
#ifndef SK_CALL_GET_H
#define SK_CALL_GET_H

#include <stddef.h>

#define CALL_GET_MS 3000 /* for all of it */

/*
 * The status of HTTP, with the first line of the answer, cut to `size`.  0: there was no answer,
 * and `ret_line` says why.  The certificate is not checked: nothing secret may be asked this way.
 */
long call_get(const char *url, char *ret_line, size_t size);

#endif /* SK_CALL_GET_H */
