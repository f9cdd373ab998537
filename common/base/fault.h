/*
 * sk_fault - what is wrong with input from outside, and where.
 *
 * The code is a stable word for programs, the message a sentence for people,
 * `at` a JSON pointer.  The code that finds the fault knows only the inner part
 * of the pointer; each outer layer puts its own part in front.
 *
 * Owner:   the caller; holds no pointers except `code`, a literal.
 */
#ifndef SK_FAULT_H
#define SK_FAULT_H

#include <stdint.h>

#include "common/base/limits.h"
#include "common/base/status.h"
#include "common/base/text.h"

struct sk_fault {
    const char *code;
    char message[SK_FAULT_MESSAGE_MAX + 1];
    char at[SK_FAULT_AT_MAX + 1];
};

/* Begins a fault with an empty position.  Returns SK_ERR_REFUSED so that a check can return it. */
enum sk_status sk_fault_set(struct sk_fault *fault, const char *code, const char *message);

/* The message is "about: message". */
enum sk_status sk_fault_set_about(struct sk_fault *fault, const char *code, const char *about,
                                  const char *message);

/* Append to the message; the excess is cut. */
void sk_fault_say(struct sk_fault *fault, const char *words);
void sk_fault_say_text(struct sk_fault *fault, struct sk_text words);
void sk_fault_say_number(struct sk_fault *fault, int64_t number);

/* Put a step in front of the position: an object's member or a list's index.  Return
 * SK_ERR_REFUSED. */
enum sk_status sk_fault_inside(struct sk_fault *fault, struct sk_text member);
enum sk_status sk_fault_inside_index(struct sk_fault *fault, uint32_t index);

/* Both: an item of a list that is a member. */
enum sk_status sk_fault_inside_item(struct sk_fault *fault, const char *list, uint32_t index);

/* Faults at a member; of a state from outside, with the code invalid_state; and of params that do
 * not fit the arena. */
enum sk_status sk_fault_set_at(struct sk_fault *fault, const char *code, const char *message,
                               const char *member);
enum sk_status sk_fault_state(struct sk_fault *fault, const char *message, const char *member);
enum sk_status sk_fault_too_large(struct sk_fault *fault);

#endif /* SK_FAULT_H */
