#include "server/cli/turn_clock.h"

#include <stdio.h>

#include "server/client/look.h"
#include "server/clock.h"

/* The seat's item of the list, or NULL. */
static const struct sk_value *
item_of_seat(const struct sk_value *list, int32_t seat)
{
    const struct sk_value *item = list == NULL ? NULL : list + 1;

    if (!sk_value_is(list, SK_VALUE_LIST) || seat < 0 || (uint32_t)seat >= list->count) {
        return NULL;
    }
    while (seat-- > 0) {
        item = sk_value_next(item);
    }
    return item;
}

void
turn_clock_take(struct turn_clock *clock, const struct sk_value *open, int32_t seat)
{
    const struct sk_value *list = sk_value_member(open, "deadline_ms");
    int32_t left_ms = look_number(item_of_seat(list, seat), -1);

    clock->deadline_ms = left_ms < 0 ? 0 : clock_ms(CLOCK_MONOTONIC) + left_ms;
}

bool
turn_clock_text(struct turn_clock *clock, char ret_text[TURN_CLOCK_TEXT_MAX])
{
    int64_t left_ms = clock->deadline_ms - clock_ms(CLOCK_MONOTONIC);
    int64_t seconds = left_ms < 0 ? 0 : (left_ms + 999) / 1000;
    bool has_changed = seconds != clock->seconds && clock->deadline_ms != 0;

    ret_text[0] = '\0';
    if (clock->deadline_ms != 0) {
        (void)snprintf(ret_text, TURN_CLOCK_TEXT_MAX, "[%2d:%02d] ", (int)(seconds / 60),
                       (int)(seconds % 60));
    }
    clock->seconds = seconds;
    return has_changed;
}
