/* server/host/timers: compared with a search through all of them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "server/host/timers.h"

#define TIMERS 300
#define STEPS  20000

struct thing {
    struct timer timer;
    int64_t due_ms; /* as it should be; TIMER_NEVER = not set */
    int fired;
};

static struct timers timers;
static struct thing things[TIMERS];
static int64_t last_due_ms;
static int64_t again_ms; /* set anew for then when it fires; TIMER_NEVER = not */

static void
fire(struct timer *timer, int64_t now_ms)
{
    struct thing *thing = TIMER_OWNER(timer, struct thing, timer);

    cr_assert_leq(thing->due_ms, now_ms, "too early");
    cr_assert_leq(last_due_ms, thing->due_ms, "an earlier one came later");
    last_due_ms = thing->due_ms;
    thing->fired++;
    thing->due_ms = again_ms;
    timers_set(&timers, timer, again_ms);
}

static void
start(void)
{
    for (size_t i = 0; i < TIMERS; i++) {
        things[i] = (struct thing){ .timer.fire = fire, .due_ms = TIMER_NEVER };
    }
    last_due_ms = INT64_MIN;
    again_ms = TIMER_NEVER;
}

static void
set(size_t i, int64_t due_ms)
{
    things[i].due_ms = due_ms;
    timers_set(&timers, &things[i].timer, due_ms);
}

Test(timers, that_are_not_set_are_never_due)
{
    start();
    cr_expect_eq(timers_next_ms(&timers), TIMER_NEVER);
    timers_fire(&timers, INT64_MAX - 1);
    timers_clear(&timers, &things[0].timer);
    set(0, 5);
    set(0, TIMER_NEVER);
    cr_expect_eq(timers_next_ms(&timers), TIMER_NEVER);
    timers_fire(&timers, INT64_MAX - 1);
    cr_expect_eq(things[0].fired, 0);
    timers_fini(&timers);
}

Test(timers, fire_when_they_are_due_and_not_before)
{
    start();
    set(0, 100);
    timers_fire(&timers, 99);
    cr_expect_eq(things[0].fired, 0);
    timers_fire(&timers, 100);
    cr_expect_eq(things[0].fired, 1);
    timers_fire(&timers, 1000);
    cr_expect_eq(things[0].fired, 1);
    timers_fini(&timers);
}

Test(timers, that_are_set_while_they_fire_wait_for_the_next_time)
{
    start();
    set(0, 1);
    set(1, 2);
    again_ms = 2;
    timers_fire(&timers, 10);
    cr_expect_eq(things[0].fired + things[1].fired, 2);
    cr_expect_eq(timers_next_ms(&timers), 2);
    timers_fini(&timers);
}

static int64_t
earliest(void)
{
    int64_t due_ms = TIMER_NEVER;

    for (size_t i = 0; i < TIMERS; i++) {
        due_ms = things[i].due_ms < due_ms ? things[i].due_ms : due_ms;
    }
    return due_ms;
}

Test(timers, are_what_looking_at_all_of_them_would_find)
{
    const char *given = getenv("SEED");
    unsigned seed = given != NULL ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    int64_t now_ms = 0;

    printf("SEED=%u\n", seed);
    srand(seed);
    start();
    for (int step = 0; step < STEPS; step++) {
        size_t i = (size_t)rand() % TIMERS;

        switch (rand() % 8) {
        case 0:
            now_ms += rand() % 5;
            last_due_ms = INT64_MIN;
            timers_fire(&timers, now_ms);
            cr_assert_gt(earliest(), now_ms);
            break;
        case 1:
            things[i].due_ms = TIMER_NEVER;
            timers_clear(&timers, &things[i].timer);
            break;
        default:
            set(i, now_ms + rand() % 50);
        }
        cr_assert_eq(timers_next_ms(&timers), earliest(), "step %d", step);
    }
    timers_fini(&timers);
}
