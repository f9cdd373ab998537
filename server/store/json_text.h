/*
 * json_text - JSON text in a buffer that grows.
 *
 * sk_json_out writes into fixed memory.  This enlarges it and repeats the piece
 * that did not fit.
 *
 * Owner:   the caller, until json_text_take returns the text.
 * Threads: one at a time.
 */
#ifndef SK_STORE_JSON_TEXT_H
#define SK_STORE_JSON_TEXT_H

#include <stddef.h>

#include "proto/json_out.h"

struct json_text {
    struct sk_json_out out;
};

void json_text_init(struct json_text *text);
void json_text_fini(struct json_text *text);

/* Writes a piece.  `write` may be called again and must then write the same. */
void json_text_add(struct json_text *text,
                   void (*write)(struct sk_json_out *out, const void *context),
                   const void *context);

/* Returns the text, zero-terminated, and leaves the json_text empty. */
char *json_text_take(struct json_text *text, size_t *ret_length);

#endif /* SK_STORE_JSON_TEXT_H */
