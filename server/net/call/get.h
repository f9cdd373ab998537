/*
 * One HTTP request, for programs that wait for its answer.
 *
 * Owner:   the caller.
 * Threads: any; before it has others, the process must make its first call or call_prepare.
 */
#ifndef SK_CALL_GET_H
#define SK_CALL_GET_H

#include <stdbool.h>
#include <stddef.h>

#define CALL_GET_MS 3000 /* total time */

/* False: there will be no calls. */
bool call_prepare(void);

/*
 * Returns the HTTP status and the first line of the answer, cut to `size`.  0:
 * no answer, and `ret_line` says why.  The certificate is not checked, so
 * nothing secret may be sent or asked.
 */
long call_get(const char *url, char *ret_line, size_t size);

struct call_question {
    const char *url;
    const char *const *headers; /* each as "Name: value" */
    size_t header_count;
    const char *body;
    size_t length;
    long limit_ms;
};

/* The same for a POST and the whole body of its answer. */
long call_post(const struct call_question *question, char *ret_answer, size_t size);

#endif /* SK_CALL_GET_H */
