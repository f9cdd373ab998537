/*
 * Looks things up in JSON that the server wrote, without building it.
 *
 * The server's writer leaves out all spaces, so what is between two members
 * is known; strings may hold anything.
 *
 * Owner:   what is returned points into the text that was looked at.
 */
#ifndef SK_SIM_SCAN_H
#define SK_SIM_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/text.h"

/* The value of a member of an object, strings with their quotes.  Empty when there is none. */
struct sk_text scan_member(struct sk_text object, const char *name);

/* The next item of a list, or false.  Begin with `rest` the whole list. */
bool scan_item(struct sk_text *rest, struct sk_text *ret_item);
uint32_t scan_count(struct sk_text list);

/* Is the value this string? */
bool scan_is(struct sk_text value, const char *string);
bool scan_is_null(struct sk_text value);
int64_t scan_number(struct sk_text value, int64_t fallback);

/* The string without its quotes, cut to fit; "" when it is no string. */
void scan_copy(struct sk_text value, char *ret_text, size_t size);

#endif /* SK_SIM_SCAN_H */
