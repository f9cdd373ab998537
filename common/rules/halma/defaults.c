/*
 * The default board: 18 x 18, twelve pieces per side at the bottom, nine
 * destinations in the opposite upper corner.  All in reading order.
 */
#include "common/rules/halma/internal.h"

#define ROW_OF_3(x, y)              \
    { (x), (y) }, { (x) + 1, (y) }, \
    {                               \
        (x) + 2, (y)                \
    }
#define CAMP(x) ROW_OF_3(x, 14), ROW_OF_3(x, 15), ROW_OF_3(x, 16), ROW_OF_3(x, 17)
#define HOME(x) ROW_OF_3(x, 0), ROW_OF_3(x, 1), ROW_OF_3(x, 2)

static const struct sk_cell left_camp[] = { CAMP(0) };
static const struct sk_cell right_camp[] = { CAMP(15) };
static const struct sk_cell left_home[] = { HOME(0) };
static const struct sk_cell right_home[] = { HOME(15) };

/* Lists of constants: struct sk_list is not const because readers fill it. */
#define LIST(array)                         \
    {                                       \
        (void *)(array), SK_COUNT_OF(array) \
    }

static const struct sk_list pieces[SK_HALMA_SEATS] = { LIST(left_camp), LIST(right_camp) };
static const struct sk_list destinations[SK_HALMA_SEATS] = { LIST(right_home), LIST(left_home) };

const struct halma_params halma_default_params = {
    .size = SK_HALMA_SIZE_DEFAULT,
    .turn_limit = SK_HALMA_TURN_LIMIT_DEFAULT,
    .stall_limit = SK_HALMA_STALL_LIMIT_DEFAULT,
    .cycle_ms = 0,
    .has_pieces = true,
    .has_destinations = true,
    .pieces = LIST(pieces),
    .destinations = LIST(destinations),
};
