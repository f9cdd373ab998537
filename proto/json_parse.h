/*
 * sk_json_parse - JSON text to values, strictly: see json_scan.h for what it
 * accepts and json_value.h for the result.
 *
 * Threads: any.
 */
#ifndef SK_JSON_PARSE_H
#define SK_JSON_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "proto/json_scan.h"
#include "proto/json_value.h"

/*
 * Returns a document with its own copy of the text, to be freed with
 * sk_json_free.  A fault has the code "malformed".
 */
enum sk_status sk_json_parse(const char *text, size_t length, struct sk_value **ret_document,
                             struct sk_fault *ret_fault);

/* The same around a member that was read before. */
enum sk_status sk_json_parse_around(const char *text, size_t length,
                                    const struct sk_json_known *known,
                                    struct sk_value **ret_document, struct sk_fault *ret_fault);

/* The same for frames of servers: integers may have up to SK_JSON_LONG_DIGITS digits. */
enum sk_status sk_json_parse_long(const char *text, size_t length, struct sk_value **ret_document,
                                  struct sk_fault *ret_fault);

/* A document, or NULL. */
void sk_json_free(struct sk_value *document);

/* The value's own text without white space, on the heap; the caller frees it. */
char *sk_json_text_of(const struct sk_value *value);

/* The same in the caller's memory, zero-terminated; and the size that is enough for it. */
size_t sk_json_text_space(const struct sk_value *value);
struct sk_text sk_json_text_copy(const struct sk_value *value, char *to);

#endif /* SK_JSON_PARSE_H */
