/*
 * Forms to JSON: any struct that has a member table is written by these.
 *
 * Which members are written:
 *
 *   - A tracked member that is not present is left out when it is optional,
 *     else null when it is nullable.
 *   - The same for an id, name or text that is not tracked and is empty but
 *     may not be, and for JSON that is empty: they have no other form.
 *   - Every other member is written, optional or not.
 *
 * So reading what was written gives an equal form, except that a row is
 * written with the items it keeps, and that the null of a member that is
 * optional too is left out and comes back as its fallback.
 *
 * Requires enums and kinds that have a word in their table: any other number
 * is a bug.
 */
#ifndef SK_SCHEMA_WRITE_H
#define SK_SCHEMA_WRITE_H

#include <stdint.h>

#include "common/core/schema.h"
#include "proto/json_pen.h"

void sk_form_write(struct sk_json_out *out, const struct sk_schema *schema, const void *form);

/* The same in two parts, if the base is a tail: up to the last own member, and the rest. */
void sk_form_write_own(struct sk_json_out *out, const struct sk_schema *schema, const void *form);
void sk_form_write_tail(struct sk_json_out *out, const struct sk_schema *schema, const void *form);

/* The tag comes first. */
void sk_variant_write(struct sk_json_out *out, const struct sk_variants *variants,
                      const void *form);

/* The same with a pen: `to` has space, and the place behind it is returned. */
char *sk_variant_put(struct sk_json_pen *pen, char *to, const struct sk_variants *variants,
                     const void *form);

/* `count` variants that follow each other in memory, as a list. */
void sk_variants_write(struct sk_json_out *out, const struct sk_variants *variants,
                       const void *forms, uint32_t count);

#endif /* SK_SCHEMA_WRITE_H */
