/*
 * Matches to load because they are this node's: claimed ones, and those whose
 * room was lost.  A queue; it stays empty unless several nodes share the database.
 */
#ifndef SK_HOST_ROOM_WANTED_H
#define SK_HOST_ROOM_WANTED_H

#include <stdbool.h>
#include <stdint.h>

#define WANTED_BUCKETS 4096u

struct wanted_match {
    int64_t id;
    int64_t stopped_ms; /* until when its clocks ran here, wall clock; 0: they did not */
    struct wanted_match *next;
    struct wanted_match *beside; /* in its bucket */
};

struct wanted_matches {
    struct wanted_match *first;
    struct wanted_match *last;
    uint32_t count;
    struct wanted_match *buckets[WANTED_BUCKETS];
};

/* A match is in it once: if it is there already, its stopped_ms changes, unless this one is 0. */
void wanted_add(struct wanted_matches *wanted, int64_t id, int64_t stopped_ms);

/* The first goes to the end or leaves the queue; count > 0. */
void wanted_put_off(struct wanted_matches *wanted);
void wanted_drop(struct wanted_matches *wanted);

/* 0 if the match is not wanted. */
int64_t wanted_stopped_ms(const struct wanted_matches *wanted, int64_t id);
void wanted_fini(struct wanted_matches *wanted);

#endif /* SK_HOST_ROOM_WANTED_H */
