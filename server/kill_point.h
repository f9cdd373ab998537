/*
 * Kill points - named places where a test build can be killed; and faults that
 * a test build can be given.
 *
 * Both exist only in the preset `crash`, for tests/crash.  SK_KILL=NAME:COUNT
 * in the environment kills the process, as kill -9 does, when it reaches that
 * point for the COUNT-th time.  SK_FAULT=NAME makes the process misbehave, to
 * check that the tests detect it.  Unknown names end the process at the first
 * point.
 *
 * Owner:   none; the environment is read once.
 * Threads: any.
 */
#ifndef SK_KILL_POINT_H
#define SK_KILL_POINT_H

#include <stdbool.h>

#define SK_KILL_POINTS(X)                                                                          \
    X(KILL_BEFORE_COMMIT, "before_commit") /* jobs are executed, nothing is on disk */             \
    X(KILL_AFTER_COMMIT, "after_commit")   /* on disk, but not reported yet */                     \
    X(KILL_RESOLVING, "resolving")         /* a turn is resolved but not handed to the store */    \
    X(KILL_MIGRATING, "migrating")         /* before and after each step's commit, and its copy */ \
    X(KILL_SNAPSHOT, "snapshot")           /* built; and again when inserted but not committed */  \
    X(KILL_DRAINING, "draining")           /* stopping; before, during and after the flush */

#define SK_TEST_FAULTS(X)                                                           \
    X(FAULT_EARLY_ACK, "early_ack") /* acknowledges before the commit, and waits */ \
    X(FAULT_NO_FENCE, "no_fence")   /* acknowledges what another node's claim has prevented */

#define SK_KILL_POINT_NUMBER(number, name) number,
enum kill_point {
    SK_KILL_POINTS(SK_KILL_POINT_NUMBER) KILL_POINT_COUNT
};
enum test_fault {
    SK_TEST_FAULTS(SK_KILL_POINT_NUMBER) TEST_FAULT_COUNT
};
#undef SK_KILL_POINT_NUMBER

#ifdef SK_CRASH_POINTS
void kill_point_reach(enum kill_point point);
bool test_fault_is(enum test_fault fault);
#define SK_KILL_POINT(point)    kill_point_reach(point)
#define SK_TEST_FAULT_IS(fault) test_fault_is(fault)
#else
#define SK_KILL_POINT(point)    ((void)(point))
#define SK_TEST_FAULT_IS(fault) ((void)(fault), false)
#endif

#endif /* SK_KILL_POINT_H */
