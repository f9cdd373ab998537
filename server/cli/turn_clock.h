/*
 * turn_clock - the time that a seat has left in the open turn, as text for a
 * prompt.
 */
#ifndef SK_CLI_TURN_CLOCK_H
#define SK_CLI_TURN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/json_value.h"

#define TURN_CLOCK_TEXT_MAX 32

struct turn_clock {
    int64_t deadline_ms; /* on the monotonic clock; 0 = there is none */
    int64_t seconds;     /* as last shown */
};

/* What a frame's `turn_open` says of the seat. */
void turn_clock_take(struct turn_clock *clock, const struct sk_value *open, int32_t seat);

/* "[ 1:05] ", always of this width; empty without a deadline.  True when it has changed. */
bool turn_clock_text(struct turn_clock *clock, char ret_text[TURN_CLOCK_TEXT_MAX]);

#endif /* SK_CLI_TURN_CLOCK_H */
