/*
 * sk_json_reader - JSON text to json-c's objects, strictly.
 *
 * Every text goes through sk_json_scan first, so what json-c is known to let
 * through never reaches it.
 *
 * Owner:   the caller; large, see sk_json_scan.  The tokener inside is kept
 *          from one text to the next.
 * Threads: one at a time.
 */
#ifndef SK_JSON_PARSE_H
#define SK_JSON_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "proto/json_scan.h"

struct json_object;
struct json_tokener;

struct sk_json_reader {
    struct json_tokener *tokener;
    struct sk_json_scan scan;
};

/* False when there is no memory; then there is nothing to fini. */
bool sk_json_reader_init(struct sk_json_reader *reader);
void sk_json_reader_fini(struct sk_json_reader *reader);

/*
 * The caller gets the object and gives it back with json_object_put.  JSON's
 * null is SK_OK with the object NULL, as everywhere in json-c.  A fault has
 * the code "malformed".
 */
enum sk_status sk_json_parse(struct sk_json_reader *reader, const char *text, size_t length,
                             struct json_object **ret_object, struct sk_fault *ret_fault);

/* The same for JSON that we wrote ourselves: without the scan, so numbers may be large. */
enum sk_status sk_json_parse_trusted(struct sk_json_reader *reader, const char *text, size_t length,
                                     struct json_object **ret_object, struct sk_fault *ret_fault);

/* For those who do not know json-c.  The text is compact, on the heap, and the caller's. */
char *sk_json_text_of(struct json_object *object);

/* The text of an object's member, likewise; NULL when it has none of that name. */
char *sk_json_member_text(struct json_object *object, const char *name);
void sk_json_free(struct json_object *object);

/* The same value, whatever the order of members. */
bool sk_json_same(struct json_object *a, struct json_object *b);

#endif /* SK_JSON_PARSE_H */
