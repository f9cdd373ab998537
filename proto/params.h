/*
 * Params of a match as the daemon takes them: read with the ruleset's own
 * defaults, compiled, and written out complete for the store.
 *
 * `skirmish resolve` fills gaps in params with the fallbacks of the forms.  A
 * match that players create fills them from the ruleset's default params: so a
 * tactics match has its placement turn unless the params say otherwise.
 */
#ifndef SK_PARAMS_H
#define SK_PARAMS_H

#include "common/core/ruleset.h"
#include "proto/json_out.h"

struct sk_value;

/* `json` NULL = the default params.  The form and its texts are in the arena. */
enum sk_status sk_params_read(const struct sk_ruleset *ruleset, const struct sk_value *json,
                              struct sk_arena *arena, const void **ret_params,
                              struct sk_fault *ret_fault);

#endif /* SK_PARAMS_H */
