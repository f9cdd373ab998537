#include "tests/sim/scan.h"

#include <stdlib.h>
#include <string.h>

/* Where the value that begins here ends. */
static const char *
value_end(const char *at, const char *end)
{
    int depth = 0;

    while (at < end) {
        char first = *at;

        if (first == '"') {
            for (at++; at < end && *at != '"'; at++) {
                at += *at == '\\' ? 1 : 0;
            }
        } else if (first == '{' || first == '[') {
            depth++;
        } else if (first == '}' || first == ']') {
            if (depth == 0) {
                return at;
            }
            depth--;
        } else if (first == ',' && depth == 0) {
            return at;
        }
        at++;
    }
    return end;
}

struct sk_text
scan_member(struct sk_text object, const char *name)
{
    const char *end = object.at + object.length;
    const char *at = object.at + 1;
    size_t length = strlen(name);

    if (object.length < 2 || object.at[0] != '{') {
        return (struct sk_text){ 0 };
    }
    while (at < end && *at == '"') {
        const char *colon = at + 1;
        const char *value;
        const char *next;

        while (colon < end && *colon != '"') {
            colon++;
        }
        value = colon + 2;
        next = value_end(value, end);
        if ((size_t)(colon - at) == length + 1 && memcmp(at + 1, name, length) == 0) {
            return (struct sk_text){ value, (uint32_t)(next - value) };
        }
        at = next + 1;
    }
    return (struct sk_text){ 0 };
}

bool
scan_item(struct sk_text *rest, struct sk_text *ret_item)
{
    const char *end = rest->at + rest->length;
    const char *next;

    if (rest->length < 2 || *rest->at == ']' || rest->at[1] == ']') {
        return false;
    }
    next = value_end(rest->at + 1, end);
    *ret_item = (struct sk_text){ rest->at + 1, (uint32_t)(next - rest->at - 1) };
    *rest = (struct sk_text){ next, (uint32_t)(end - next) };
    return true;
}

uint32_t
scan_count(struct sk_text list)
{
    struct sk_text item;
    uint32_t count = 0;

    while (scan_item(&list, &item)) {
        count++;
    }
    return count;
}

bool
scan_is(struct sk_text value, const char *string)
{
    size_t length = strlen(string);

    return value.length == length + 2 && memcmp(value.at + 1, string, length) == 0;
}

bool
scan_is_null(struct sk_text value)
{
    return sk_text_same(value, SK_TEXT("null"));
}

int64_t
scan_number(struct sk_text value, int64_t fallback)
{
    char text[32];

    if (value.length == 0 || value.length >= sizeof(text) ||
        (value.at[0] != '-' && (value.at[0] < '0' || value.at[0] > '9'))) {
        return fallback;
    }
    memcpy(text, value.at, value.length);
    text[value.length] = '\0';
    return strtoll(text, NULL, 10);
}

void
scan_copy(struct sk_text value, char *ret_text, size_t size)
{
    size_t length = value.length < 2 || value.at[0] != '"' ? 0 : (size_t)value.length - 2;

    length = length < size ? length : size - 1;
    if (length > 0) {
        memcpy(ret_text, value.at + 1, length);
    }
    ret_text[length] = '\0';
}
