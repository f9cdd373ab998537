/*
 * The part of schema_read that knows single values: the kinds that hold no
 * others, and how a fault is worded.  For proto/schema_read.c only.
 */
#ifndef SK_SCHEMA_SCALAR_H
#define SK_SCHEMA_SCALAR_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/fault.h"
#include "common/base/status.h"
#include "common/core/schema.h"

struct sk_value;

/* What every reader needs; each puts its own step in front of a fault's position. */
struct sk_reading {
    struct sk_arena *arena;
    struct sk_fault *fault;
};

/* ---- faults ------------------------------------------------------------------------------ */

enum sk_status sk_reading_malformed(const struct sk_reading *in, const char *message);
enum sk_status sk_reading_wrong_type(const struct sk_reading *in, const char *expected,
                                     const struct sk_value *json);

/* A number and what it counts, where it counts something: " items". */
enum sk_status sk_reading_out_of_bounds(const struct sk_reading *in, const struct sk_member *bounds,
                                        const char *unit, int64_t found);
enum sk_status sk_reading_used_up(const struct sk_reading *in);

/* Hand the status on; a fault's position gets the step in front. */
enum sk_status sk_reading_inside(const struct sk_reading *in, const char *name,
                                 enum sk_status status);
enum sk_status sk_reading_inside_index(const struct sk_reading *in, size_t index,
                                       enum sk_status status);

/* ---- values ------------------------------------------------------------------------------ */

/* The text in the document, or in the arena if it was escaped. */
enum sk_status sk_reading_borrow_text(const struct sk_reading *in, const struct sk_value *json,
                                      struct sk_text *ret_text);
enum sk_status sk_reading_keep_text(const struct sk_reading *in, struct sk_text text,
                                    struct sk_text *ret_text);

/* Reads one value into its place in a form that is zeroed there. */
typedef enum sk_status sk_read_kind(const struct sk_reading *in, const struct sk_member *member,
                                    const struct sk_value *json, uint8_t *form);

sk_read_kind sk_read_bool;
sk_read_kind sk_read_int;
sk_read_kind sk_read_long;
sk_read_kind sk_read_enum;
sk_read_kind sk_read_id;
sk_read_kind sk_read_id_text;
sk_read_kind sk_read_name;
sk_read_kind sk_read_text;
sk_read_kind sk_read_cell;
sk_read_kind sk_read_json;

#endif /* SK_SCHEMA_SCALAR_H */
