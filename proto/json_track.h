/*
 * sk_json_track - is the JSON text that came so far a whole one?
 *
 * For readers that get a text in pieces and must know when to hand it over:
 * `skirmish resolve` joins lines until a request is whole.  It follows
 * strings and brackets and checks nothing else.  A text that can no longer become
 * valid counts as whole, so that the reader passes it on and gets the error.
 *
 * Owner:   the caller; holds no pointers.
 */
#ifndef SK_JSON_TRACK_H
#define SK_JSON_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/limits.h"

/* One struct full of zeros is one that has seen nothing. */
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

/* Follows the bytes and says how things stand behind the last one. */
enum sk_json_progress sk_json_track_feed(struct sk_json_track *track, const char *bytes,
                                         size_t length);

#endif /* SK_JSON_TRACK_H */
