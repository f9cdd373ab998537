/*
 * sk_referee - `skirmish resolve` without the reading and printing: one JSON
 * request in, one JSON answer out.
 *
 * proto/referee/README.md and each ruleset's README describe the forms.
 *
 * Owner:   the referee owns all memory; an answer is valid until the next.
 * Threads: one at a time; several referees may work side by side.
 */
#ifndef SK_REFEREE_H
#define SK_REFEREE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/core/turn.h"
#include "proto/json_out.h"

struct sk_referee;

/* NULL when there is not enough memory. */
struct sk_referee *sk_referee_alloc(void);
void sk_referee_free(struct sk_referee *referee);

/* Returns false if the request is invalid; the answer is then {"error":{...}}. */
bool sk_referee_answer(struct sk_referee *referee, const char *request, size_t length,
                       struct sk_text *ret_answer);

/*
 * The turn that a request leads to, its commands played, and an arena with the
 * request's forms and space for others.  Both are valid until the next call.
 */
enum sk_status sk_referee_play(struct sk_referee *referee, const char *request, size_t length,
                               struct sk_turn *ret_turn, struct sk_arena **ret_arena,
                               struct sk_fault *ret_fault);

/*
 * Reads and compiles params alone; NULL = the default params.  The form and
 * the config are valid until the next call.
 */
enum sk_status sk_referee_compile(struct sk_referee *referee, const struct sk_ruleset *ruleset,
                                  const char *params, size_t length, const void **ret_params,
                                  const struct sk_arena **ret_config, struct sk_fault *ret_fault);

/* Writes an answer of another kind; `write` may be called twice.  False with an error
 * as the answer: no memory. */
bool sk_referee_write(struct sk_referee *referee,
                      void (*write)(struct sk_json_out *out, const void *what), const void *what,
                      struct sk_text *ret_answer);

#endif /* SK_REFEREE_H */
