#include "common/base/fault.h"

#include <string.h>

#define NUMBER_TEXT_MAX 20 /* the digits of a 64-bit number with its sign */

static struct sk_text
number_text(int64_t number, char space[NUMBER_TEXT_MAX])
{
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char *start = space + NUMBER_TEXT_MAX;

    do {
        *--start = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0) {
        *--start = '-';
    }
    return (struct sk_text){ start, (uint32_t)(space + NUMBER_TEXT_MAX - start) };
}

enum sk_status
sk_fault_set(struct sk_fault *fault, const char *code, const char *message)
{
    fault->code = code;
    fault->message[0] = '\0';
    fault->at[0] = '\0';
    sk_fault_say(fault, message);
    return SK_ERR_REFUSED;
}

enum sk_status
sk_fault_set_about(struct sk_fault *fault, const char *code, const char *about, const char *message)
{
    (void)sk_fault_set(fault, code, about);
    sk_fault_say(fault, ": ");
    sk_fault_say(fault, message);
    return SK_ERR_REFUSED;
}

void
sk_fault_say(struct sk_fault *fault, const char *words)
{
    sk_fault_say_text(fault, sk_text_of(words));
}

void
sk_fault_say_text(struct sk_fault *fault, struct sk_text words)
{
    size_t used = strlen(fault->message);
    size_t space = SK_FAULT_MESSAGE_MAX - used;
    size_t length = words.length < space ? words.length : space;

    memcpy(fault->message + used, words.at, length);
    fault->message[used + length] = '\0';
}

void
sk_fault_say_number(struct sk_fault *fault, int64_t number)
{
    char space[NUMBER_TEXT_MAX];

    sk_fault_say_text(fault, number_text(number, space));
}

/* A pointer that does not fit loses its innermost steps, because the outer ones say more. */
static void
put_in_front(struct sk_fault *fault, struct sk_text step)
{
    size_t used = strlen(fault->at);

    if (step.length > SK_FAULT_AT_MAX) {
        step.length = SK_FAULT_AT_MAX;
    }
    if (used > SK_FAULT_AT_MAX - step.length) {
        used = SK_FAULT_AT_MAX - step.length;
        used -= used > 0 && fault->at[used - 1] == '~' ? 1 : 0; /* do not leave half an escape */
    }
    memmove(fault->at + step.length, fault->at, used);
    memcpy(fault->at, step.at, step.length);
    fault->at[step.length + used] = '\0';
}

/* RFC 6901: '~' is written ~0 and '/' is written ~1. */
enum sk_status
sk_fault_inside(struct sk_fault *fault, struct sk_text member)
{
    for (uint32_t i = member.length; i > 0; i--) {
        char c = member.at[i - 1];

        if (c == '~') {
            put_in_front(fault, SK_TEXT("~0"));
        } else if (c == '/') {
            put_in_front(fault, SK_TEXT("~1"));
        } else {
            put_in_front(fault, (struct sk_text){ &c, 1 });
        }
    }
    put_in_front(fault, SK_TEXT("/"));
    return SK_ERR_REFUSED;
}

enum sk_status
sk_fault_inside_index(struct sk_fault *fault, uint32_t index)
{
    char space[NUMBER_TEXT_MAX];

    put_in_front(fault, number_text(index, space));
    put_in_front(fault, SK_TEXT("/"));
    return SK_ERR_REFUSED;
}

enum sk_status
sk_fault_inside_item(struct sk_fault *fault, const char *list, uint32_t index)
{
    sk_fault_inside_index(fault, index);
    return sk_fault_inside(fault, sk_text_of(list));
}

enum sk_status
sk_fault_set_at(struct sk_fault *fault, const char *code, const char *message, const char *member)
{
    sk_fault_set(fault, code, message);
    return sk_fault_inside(fault, sk_text_of(member));
}

enum sk_status
sk_fault_state(struct sk_fault *fault, const char *message, const char *member)
{
    return sk_fault_set_at(fault, "invalid_state", message, member);
}

enum sk_status
sk_fault_too_large(struct sk_fault *fault)
{
    return sk_fault_set(fault, "too_large", "the params need too much memory");
}
