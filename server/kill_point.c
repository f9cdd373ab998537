#include "server/kill_point.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/exit.h"

#define POINT_NAME(number, name) [number] = name,
static const char *const point_names[] = { SK_KILL_POINTS(POINT_NAME) };
static const char *const fault_names[] = { SK_TEST_FAULTS(POINT_NAME) };
#undef POINT_NAME

#define NONE (-1)

/* From the environment; written once. */
static struct {
    int point;
    atomic_long passes_left;
    int fault;
} asked = { .point = NONE, .fault = NONE };

/* Refuses unknown names: a test that uses one would never fail. */
static int
find(const char *const *names, int count, const char *name, size_t length)
{
    for (int i = 0; i < count; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
            return i;
        }
    }
    (void)fprintf(stderr, "kill_point: there is no %s\n", name);
    _exit(SERVER_EXIT_USAGE);
}

static void
read_environment(void)
{
    const char *point = getenv("SK_KILL");
    const char *fault = getenv("SK_FAULT");

    if (point != NULL) {
        size_t length = strcspn(point, ":");

        asked.point = find(point_names, KILL_POINT_COUNT, point, length);
        atomic_store(&asked.passes_left, point[length] == ':' ? atol(point + length + 1) : 1);
    }
    if (fault != NULL) {
        asked.fault = find(fault_names, TEST_FAULT_COUNT, fault, strlen(fault));
    }
}

static void
read_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, read_environment);
}

void
kill_point_reach(enum kill_point point)
{
    read_once();
    if ((int)point == asked.point && atomic_fetch_sub(&asked.passes_left, 1) == 1) {
        (void)raise(SIGKILL);
    }
}

bool
test_fault_is(enum test_fault fault)
{
    read_once();
    return (int)fault == asked.fault;
}
