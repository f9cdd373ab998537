/*
 * JSON to forms: any struct that has a member table is read by these.
 *
 * The value comes from sk_json_parse, so its keys are unique and its numbers
 * are 32-bit integers.  Exactly what the table describes is accepted.  A wrong
 * type, a value out of bounds, an unknown key, an unknown word and a missing
 * member are faults.  A fault says what was expected and where: its position is
 * a JSON pointer that begins at the given value.
 *
 *   - A missing optional member gets its fallback (bool, int and enum) or
 *     zero; an object that is missing is zero and not made of fallbacks.
 *   - null for a nullable member is zero and not present.
 *   - A map's keys are 1 to SK_NAME_MAX bytes of UTF-8; the
 *     ruleset decides which characters they may have.
 *   - Items of a row past its `max` are checked and counted but not kept.
 *
 * Faults have the code "malformed", but "too_large" when the arena is used up.
 * After a fault the form and what the arena gave for it must not be used;
 * the caller may go back to an earlier mark of the arena.
 *
 * Owner:   texts and lists are copied into the arena; the document stays the
 *          caller's and may be freed at once, unless the form has members of
 *          kind JSON: those are borrowed from it.
 */
#ifndef SK_SCHEMA_READ_H
#define SK_SCHEMA_READ_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/fault.h"
#include "common/base/status.h"
#include "common/core/schema.h"

struct sk_value;

/* Fills all schema->size bytes; what they held before does not matter. */
enum sk_status sk_form_read(const struct sk_schema *schema, const struct sk_value *json,
                            struct sk_arena *arena, void *ret_form, struct sk_fault *ret_fault);

/* One value into its place in a form that is zeroed there.  The position begins at the value. */
enum sk_status sk_member_read(const struct sk_member *member, const struct sk_value *json,
                              struct sk_arena *arena, void *form, struct sk_fault *ret_fault);

/* Chosen by the tag, a member like "kind"; fills all variants->size bytes. */
enum sk_status sk_variant_read(const struct sk_variants *variants, const struct sk_value *json,
                               struct sk_arena *arena, void *ret_form, struct sk_fault *ret_fault);

/* A list of at most `count_max` variants: a seat's commands. */
enum sk_status sk_commands_read(const struct sk_variants *variants, const struct sk_value *json,
                                uint32_t count_max, struct sk_arena *arena,
                                struct sk_list *ret_commands, struct sk_fault *ret_fault);

#endif /* SK_SCHEMA_READ_H */
