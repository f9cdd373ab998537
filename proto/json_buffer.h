/*
 * sk_json_buffer - JSON of any length, written into memory that grows.
 *
 * Owner:   the caller; a text is valid until the next is written.
 * Threads: one at a time.
 */
#ifndef SK_JSON_BUFFER_H
#define SK_JSON_BUFFER_H

#include <stdlib.h>

#include "common/base/status.h"
#include "proto/json_out.h"

struct sk_json_buffer {
    char *at;
    size_t size;
};

/* `write` may be called twice: the first call finds out the size.  False: no memory. */
static inline bool
sk_json_buffer_fill(struct sk_json_buffer *buffer,
                    void (*write)(struct sk_json_out *out, const void *what), const void *what,
                    struct sk_text *ret_text)
{
    struct sk_json_out out;

    for (;;) {
        sk_json_out_init(&out, buffer->at, buffer->size);
        write(&out, what);
        if (sk_json_out_is_whole(&out)) {
            *ret_text = (struct sk_text){ buffer->at, (uint32_t)out.used };
            return true;
        }
        free(buffer->at);
        buffer->size = 2 * out.used;
        buffer->at = malloc(buffer->size);
        if (buffer->at == NULL) {
            buffer->size = 0;
            return false;
        }
    }
}

/* The same for programs: out of memory ends the process. */
static inline struct sk_text
sk_json_buffer_write(struct sk_json_buffer *buffer,
                     void (*write)(struct sk_json_out *out, const void *what), const void *what)
{
    struct sk_text text = { NULL, 0 };
    bool is_written = sk_json_buffer_fill(buffer, write, what, &text);

    SK_ASSERT(is_written);
    return text;
}

#endif /* SK_JSON_BUFFER_H */
