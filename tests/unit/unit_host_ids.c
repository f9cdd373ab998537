/* server/host/id_set: which command ids were used. */
#include <criterion/criterion.h>

#include "server/host/room/id_set.h"

#define KEYS 500u

/* Keys with the same place in the table, so that they collide. */
static uint64_t
crowded(uint32_t i)
{
    return (uint64_t)(i / 4 + 1) << 32 | i % 4;
}

static uint64_t
spread(uint32_t i)
{
    return i * UINT64_C(0x9e3779b97f4a7c15);
}

static void
expect_as_said(uint64_t (*key_of)(uint32_t i))
{
    struct id_set set = { 0 };
    bool is_in[KEYS] = { false };
    uint32_t state = 1;

    for (uint32_t step = 0; step < 20000; step++) {
        uint32_t i;

        state = state * 1664525u + 1013904223u;
        i = (state >> 8) % KEYS;
        if ((state >> 30) < 2) {
            id_set_add(&set, key_of(i));
            is_in[i] = true;
        } else {
            id_set_remove(&set, key_of(i));
            is_in[i] = false;
        }
        if (step % 100 == 0) {
            uint32_t count = 0;

            for (uint32_t j = 0; j < KEYS; j++) {
                cr_assert_eq(id_set_has(&set, key_of(j)), is_in[j], "key %u, step %u", j, step);
                count += is_in[j] ? 1 : 0;
            }
            cr_assert_eq(set.count, count);
        }
    }
    id_set_fini(&set);
}

Test(host_ids, holds_what_was_added_and_not_removed)
{
    expect_as_said(spread);
}

Test(host_ids, holds_keys_that_stand_in_each_others_way)
{
    expect_as_said(crowded);
}

Test(host_ids, is_empty_before_the_first)
{
    struct id_set set = { 0 };

    cr_expect_not(id_set_has(&set, 7));
    id_set_remove(&set, 7);
    id_set_add(&set, 7);
    id_set_add(&set, 7);
    cr_expect_eq(set.count, 1, "twice is once");
    cr_expect(id_set_has(&set, 7));
    id_set_fini(&set);
}
