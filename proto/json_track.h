/*
 * sk_json_track - detects when a JSON text that arrives in pieces is complete.
 *
 * `skirmish resolve` uses it to join lines until a request is complete.  It
 * follows strings and brackets and checks nothing else.  A text that can no
 * longer become valid counts as complete, so that the parser reports the
 * error.
 *
 * Owner:   the caller; holds no pointers.
 */
#ifndef SK_JSON_TRACK_H
#define SK_JSON_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/limits.h"

/* All zeros is the initial state. */
struct sk_json_track {
    uint64_t objects; /* bit n: the bracket at depth n is { and not [ */
    uint32_t depth;
    bool has_begun;
    bool in_string;
    bool after_backslash;
    bool is_broken;
};

_Static_assert(SK_JSON_DEPTH_MAX <= 64, "one bit per level");

enum sk_json_progress {
    SK_JSON_NOTHING, /* white space only */
    SK_JSON_PART,    /* inside a string or a bracket */
    SK_JSON_WHOLE,   /* every bracket is closed, or a fault is certain */
};

/* Takes the next bytes; returns the state after the last one. */
enum sk_json_progress sk_json_track_feed(struct sk_json_track *track, const char *bytes,
                                         size_t length);

#endif /* SK_JSON_TRACK_H */
