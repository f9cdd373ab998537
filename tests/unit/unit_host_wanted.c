/*
 * The queue of matches that a node has to load.
 */
#include <criterion/criterion.h>

#include "server/host/room/wanted.h"

Test(wanted, has_each_match_once_and_in_order)
{
    static struct wanted_matches wanted;
    static const int64_t order[] = { 7, 7 + WANTED_BUCKETS, 8 };

    wanted_add(&wanted, 8, 0);
    wanted_add(&wanted, 7, 0);
    wanted_add(&wanted, 7 + WANTED_BUCKETS, 0);
    wanted_add(&wanted, 7, 0);
    wanted_put_off(&wanted); /* 8 */
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert_eq(wanted.count, 3 - i);
        cr_expect_eq(wanted.first->id, order[i]);
        wanted_drop(&wanted);
    }
    cr_expect_eq(wanted.count, 0);
    wanted_add(&wanted, 9, 0);
    wanted_put_off(&wanted);
    wanted_add(&wanted, 10, 0);
    cr_expect_eq(wanted.first->id, 9);
    wanted_fini(&wanted);
    cr_expect_null(wanted.first);
}

Test(wanted, knows_the_last_moment_at_which_clocks_ran)
{
    static struct wanted_matches wanted;

    wanted_add(&wanted, 7, 500);
    wanted_add(&wanted, 7 + WANTED_BUCKETS, 600);
    wanted_add(&wanted, 7, 0); /* claimed again */
    cr_expect_eq(wanted_stopped_ms(&wanted, 7), 500);
    wanted_add(&wanted, 7, 800);
    wanted_put_off(&wanted);
    cr_expect_eq(wanted_stopped_ms(&wanted, 7), 800);
    cr_expect_eq(wanted_stopped_ms(&wanted, 7 + WANTED_BUCKETS), 600);
    cr_expect_eq(wanted_stopped_ms(&wanted, 8), 0);
    wanted_fini(&wanted);
    cr_expect_eq(wanted_stopped_ms(&wanted, 7), 0);
}
