/*
 * Matches to load because they are this node's: claimed ones, and those whose
 * room was lost.  A queue; it stays empty unless several nodes share the database.
 */
#ifndef SK_HOST_ROOM_WANTED_H
#define SK_HOST_ROOM_WANTED_H

#include <stdbool.h>
#include <stdint.h>

struct wanted_match {
    int64_t id;
    int64_t stopped_ms; /* until when its clocks ran here, wall clock; 0: they did not */
};

struct wanted_matches {
    struct wanted_match *at; /* a ring ... */
    uint32_t size;           /* ... of this capacity */
    uint32_t first;
    uint32_t count;
};

void wanted_add(struct wanted_matches *wanted, int64_t id, int64_t stopped_ms);

/* The first, which stays in the queue or leaves it; count > 0. */
struct wanted_match wanted_first(const struct wanted_matches *wanted);
struct wanted_match wanted_take(struct wanted_matches *wanted);

/* That of the match's newest entry that has one; 0 if there is none. */
int64_t wanted_stopped_ms(const struct wanted_matches *wanted, int64_t id);
void wanted_fini(struct wanted_matches *wanted);

#endif /* SK_HOST_ROOM_WANTED_H */
