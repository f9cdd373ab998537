/*
 * sk_json_reader - JSON text to values, strictly: see sk_json_scan for what
 * it lets through and sk_value for what comes out.
 *
 * Owner:   the caller; large, see sk_json_scan.
 * Threads: one at a time.
 */
#ifndef SK_JSON_PARSE_H
#define SK_JSON_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "proto/json_scan.h"
#include "proto/json_value.h"

struct sk_json_reader {
    struct sk_json_scan scan;
};

/* False when there is no memory; then there is nothing to fini. */
bool sk_json_reader_init(struct sk_json_reader *reader);
void sk_json_reader_fini(struct sk_json_reader *reader);

/*
 * The caller gets a document, which has its own copy of the text, and gives
 * it back with sk_json_free.  A fault has the code "malformed".
 */
enum sk_status sk_json_parse(struct sk_json_reader *reader, const char *text, size_t length,
                             struct sk_value **ret_document, struct sk_fault *ret_fault);

/* A document, or NULL. */
void sk_json_free(struct sk_value *document);

/* The value's own text without white space, on the heap and the caller's. */
char *sk_json_text_of(const struct sk_value *value);

#endif /* SK_JSON_PARSE_H */
