/*
 * sk_referee - `skirmish resolve` without the reading and printing: one JSON
 * request in, one JSON answer out.
 *
 * The forms are those of README.md ("One turn without a server") and of each
 * ruleset's own README.
 *
 * Owner:   the referee owns all memory; an answer is valid until the next.
 * Threads: one at a time; several referees may work side by side.
 */
#ifndef SK_REFEREE_H
#define SK_REFEREE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/text.h"

struct sk_referee;

/* NULL when there is not enough memory. */
struct sk_referee *sk_referee_alloc(void);
void sk_referee_free(struct sk_referee *referee);

/* False when the request was no valid one; the answer is then {"error":{...}}. */
bool sk_referee_answer(struct sk_referee *referee, const char *request, size_t length,
                       struct sk_text *ret_answer);

/* Is the text by itself a JSON object that names a ruleset? */
bool sk_referee_is_request(struct sk_referee *referee, const char *text, size_t length);

#endif /* SK_REFEREE_H */
