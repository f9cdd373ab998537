/*
 * Commands of all seats at once: one list per seat, as the referee and what-if
 * take them.
 */
#ifndef SK_COMMAND_LISTS_H
#define SK_COMMAND_LISTS_H

#include "common/core/ruleset.h"

struct sk_value;

/*
 * Exactly `seat_count` lists of at most SK_COMMANDS_MAX each; positions begin at the value.
 * With `own` lists (else NULL), null means the seat's list of those.
 */
enum sk_status sk_command_lists_read(const struct sk_variants *variants,
                                     const struct sk_value *json, const struct sk_value *own,
                                     uint8_t seat_count, struct sk_arena *arena,
                                     struct sk_commands *ret_commands, struct sk_fault *ret_fault);

#endif /* SK_COMMAND_LISTS_H */
