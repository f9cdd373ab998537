/*
 * Finds the `id` of a message without reading the rest of it.
 */
#include <string.h>

#include "proto/frames.h"
#include "proto/json_parse.h"

#define ESCAPED_ID_MAX (6 * FRAME_ID_MAX + 2) /* every byte as \u0000, and the quotes */

struct id_scan {
    const char *at;
    const char *end;
};

static void
skip_space(struct id_scan *scan)
{
    while (scan->at < scan->end && memchr(" \t\r\n", *scan->at, 4) != NULL) {
        scan->at++;
    }
}

/* The text that begins here, with its quotes; empty if there is none or it does not end. */
static struct sk_text
take_text(struct id_scan *scan)
{
    const char *begin = scan->at;

    if (begin == scan->end || *begin != '"') {
        return (struct sk_text){ begin, 0 };
    }
    scan->at++;
    while (scan->at < scan->end && *scan->at != '"') {
        scan->at += *scan->at == '\\' && scan->end - scan->at > 1 ? 2 : 1;
    }
    if (scan->at == scan->end) {
        return (struct sk_text){ begin, 0 };
    }
    scan->at++;
    return (struct sk_text){ begin, (uint32_t)(scan->at - begin) };
}

/* After a key of the outermost object: whether it is "id" with a text as its value. */
static struct sk_text
take_id(struct id_scan *scan, struct sk_text key)
{
    skip_space(scan);
    if (!sk_text_same(key, SK_TEXT("\"id\"")) || scan->at == scan->end || *scan->at != ':') {
        return (struct sk_text){ scan->at, 0 };
    }
    scan->at++;
    skip_space(scan);
    return take_text(scan);
}

/* Finds the value of the outermost object's `id`; empty = there is none. */
static struct sk_text
find(struct id_scan *scan)
{
    uint32_t depth = 0;
    bool is_key = false;

    while (scan->at < scan->end) {
        char byte = *scan->at;

        if (byte == '"') {
            struct sk_text text = take_text(scan);
            struct sk_text id = depth == 1 && is_key ? take_id(scan, text) : (struct sk_text){ 0 };

            if (id.length > 0) {
                return id;
            }
            is_key = false;
            continue;
        }
        if (byte == '{' || byte == '[') {
            depth++;
        } else if ((byte == '}' || byte == ']') && depth > 0) {
            depth--;
        }
        is_key = byte == '{' || byte == ',' || (is_key && byte != '[');
        scan->at++;
    }
    return (struct sk_text){ scan->at, 0 };
}

bool
sk_frame_find_id(const char *text, size_t length, char ret_id[FRAME_ID_MAX + 1])
{
    struct id_scan scan = { text, text + length };
    struct sk_text id = find(&scan);
    struct sk_value *value;
    struct sk_fault fault;
    uint32_t used;

    if (id.length <= 2 || id.length > ESCAPED_ID_MAX ||
        sk_json_parse(id.at, id.length, &value, &fault) != SK_OK) {
        return false;
    }
    used = sk_value_copy(value, ret_id, FRAME_ID_MAX + 1);
    ret_id[used > FRAME_ID_MAX ? 0 : used] = '\0';
    sk_json_free(value);
    return used <= FRAME_ID_MAX;
}
