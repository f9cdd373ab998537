#include "server/cli/turn_clock.h"

#include <stdio.h>
#include <time.h>

#include "server/client/look.h"

static int64_t
now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The item of the list that is this seat's, or NULL. */
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

    clock->deadline_ms = left_ms < 0 ? 0 : now_ms() + left_ms;
}

bool
turn_clock_text(struct turn_clock *clock, char ret_text[TURN_CLOCK_TEXT_MAX])
{
    int64_t left_ms = clock->deadline_ms - now_ms();
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
