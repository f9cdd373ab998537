/*
 * request_head - the head of an HTTP/1.1 request, taken apart (RFC 9112).
 *
 * It is read line by line as bytes come, so a head that cannot become a
 * request is refused before it is whole.  Where a lax reading would let two
 * programs understand one request differently, it is an error: bare line
 * feeds, folded lines, blanks before a colon, control characters.
 *
 * Owner:   the caller, who keeps the bytes.  Places are offsets, so the bytes
 *          may move between two calls; each call takes the same bytes and more.
 * Threads: none of its own.
 */
#ifndef SK_NET_HEAD_H
#define SK_NET_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/limits.h"

enum head_state {
    HEAD_MORE, /* it is not whole yet */
    HEAD_WHOLE,
    HEAD_BAD,
    HEAD_TOO_LONG,
    HEAD_OTHER_VERSION
};

enum head_case {
    HEAD_ANY_CASE,
    HEAD_EXACT_CASE
};

struct head_slice {
    uint16_t at;
    uint16_t length;
};

struct head_field {
    struct head_slice name;
    struct head_slice value; /* without the blanks around it */
};

/* All zero is one of which nothing has come. */
struct request_head {
    size_t length;   /* of the lines that are read; of the whole head in the end */
    size_t searched; /* for the end of the next line */
    struct head_slice method;
    struct head_slice path;
    struct head_slice query; /* without its '?' */
    bool is_1_0;
    uint32_t count;
    struct head_field fields[NET_HTTP_FIELDS_MAX];
};

enum head_state head_read(struct request_head *head, const char *bytes, size_t length);

bool head_is(const char *bytes, struct head_slice slice, const char *text);

/* How many lines have this name. */
uint32_t head_count(const struct request_head *head, const char *bytes, const char *name);

/* All lines of this name, joined by ", ".  False, and "", if there is none or not enough space. */
bool head_copy(const struct request_head *head, const char *bytes, const char *name, char *text,
               size_t size);

/* Is the word in the comma-separated list of this name? */
bool head_lists(const struct request_head *head, const char *bytes, const char *name,
                const char *word, enum head_case letters);

/*
 * The length of the body that the request announces, 0 without one.  False
 * if that cannot be said, or is said in two ways.
 */
bool head_body_length(const struct request_head *head, const char *bytes, uint64_t *ret_length);

/* Decodes %XX, and in a query '+'.  HEAD_WHOLE, HEAD_BAD or HEAD_TOO_LONG. */
enum head_state head_decode(const char *bytes, struct head_slice slice, bool is_query, char *text,
                            size_t size);

#endif /* SK_NET_HEAD_H */
