/*
 * request_head - parses the head of an HTTP/1.1 request (RFC 9112).
 *
 * Lines are parsed as bytes arrive, so an invalid head is refused before it is
 * complete.  Anything that a lax parser could understand differently is an
 * error: bare line feeds, folded lines, spaces before a colon, control
 * characters.
 *
 * Owner:   the caller keeps the bytes.  Positions are offsets, so the bytes
 * may move between calls; each call gets the same bytes and more.
 * Threads: any.
 */
#ifndef SK_NET_HEAD_H
#define SK_NET_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/server_limits.h"

enum head_state {
    HEAD_MORE, /* not complete yet */
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
    struct head_slice value; /* without surrounding blanks */
};

/* All zeros is the initial state. */
struct request_head {
    size_t length;   /* of the lines parsed so far; finally of the whole head */
    size_t searched; /* how far the end of the next line was searched */
    struct head_slice method;
    struct head_slice authority; /* from a target like http://host:port/path, else empty */
    struct head_slice path;
    struct head_slice query; /* without '?' */
    bool is_1_0;
    uint32_t count;
    struct head_field fields[NET_HTTP_FIELDS_MAX];
};

enum head_state head_read(struct request_head *head, const char *bytes, size_t length);

bool head_is(const char *bytes, struct head_slice slice, const char *text);

/* The number of fields of this name. */
uint32_t head_count(const struct request_head *head, const char *bytes, const char *name);

/* Copies all fields of this name, joined by ", ".  False and "" if there is none or no space. */
bool head_copy(const struct request_head *head, const char *bytes, const char *name, char *text,
               size_t size);

/* The host that is addressed: the target's authority, else the Host field.  Like head_copy. */
bool head_host(const struct request_head *head, const char *bytes, char *text, size_t size);

/* Whether the comma-separated list of this name contains the word. */
bool head_lists(const struct request_head *head, const char *bytes, const char *name,
                const char *word, enum head_case letters);

/*
 * The length of the request's body, 0 without one.  Returns false if it is
 * invalid or ambiguous.
 */
bool head_body_length(const struct request_head *head, const char *bytes, uint64_t *ret_length);

/* Decodes %XX, and '+' in a query.  Returns HEAD_WHOLE, HEAD_TOO_LONG, or HEAD_BAD: also for what
 * is not UTF-8 or contains a NUL, which a database may refuse. */
enum head_state head_decode(const char *bytes, struct head_slice slice, bool is_query, char *text,
                            size_t size);

#endif /* SK_NET_HEAD_H */
