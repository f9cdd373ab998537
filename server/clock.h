/*
 * The time of one of the system's clocks.  common/, proto/, server/match and
 * server/host get their time from their callers.
 */
#ifndef SK_SERVER_CLOCK_H
#define SK_SERVER_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t
clock_us(clockid_t clock)
{
    struct timespec now;

    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static inline int64_t
clock_ms(clockid_t clock)
{
    return clock_us(clock) / 1000;
}

#endif /* SK_SERVER_CLOCK_H */
