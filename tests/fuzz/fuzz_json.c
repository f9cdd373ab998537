/*
 * Our JSON reader compared with json-c: what we accept, json-c accepts too, and both read the same
 * values.
 */
#include <json-c/json.h>
#include <string.h>

#include "proto/json_parse.h"
#include "tests/fuzz/input.h"

#define TEXT_MAX 65536u

static bool
is_ascii(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char)text[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

/* In strict mode json-c 0.18 treats bytes from 0x80 on as control characters (its issue 892). */
static bool
is_strict_about_ascii_only(struct json_tokener *tokener)
{
    static const char text[] = "\"\xc3\xa4\" ";

    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    json_object_put(json_tokener_parse_ex(tokener, text, sizeof(text) - 1));
    return json_tokener_get_error(tokener) != json_tokener_success;
}

static struct json_object *
read_by_json_c(const char *text, size_t size)
{
    static struct json_tokener *tokener;
    static bool is_ascii_only;
    struct json_object *json;

    if (tokener == NULL) {
        tokener = json_tokener_new_ex(SK_JSON_DEPTH_MAX + 2);
        must(tokener != NULL);
        is_ascii_only = is_strict_about_ascii_only(tokener);
    }
    json_tokener_reset(tokener);
    json_tokener_set_flags(tokener,
                           JSON_TOKENER_VALIDATE_UTF8 |
                               (is_ascii_only && !is_ascii(text, size) ? 0 : JSON_TOKENER_STRICT));
    json = json_tokener_parse_ex(tokener, text, (int)size);
    if (json_tokener_get_error(tokener) ==
        json_tokener_continue) { /* a number ends with the text */
        json = json_tokener_parse_ex(tokener, " ", 1);
    }
    must(json_tokener_get_error(tokener) == json_tokener_success);
    return json;
}

/*
 * Of an escaped surrogate pair, json-c treats the low 16 bits of the code point as half a pair if
 * they look like one (its pull request 893), and reads another value. The unit tests cover these.
 */
static bool
is_misread_by_json_c(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 6 <= size; i++) {
        if (bytes[i] == '\\' && bytes[i + 1] == 'u') {
            char digits[5] = { 0 };

            memcpy(digits, bytes + i + 2, 4);
            if ((strtoul(digits, NULL, 16) & 0xfc3e) == 0xd836) {
                return true;
            }
        }
    }
    return false;
}

static void
check_text(const struct sk_value *value, const char *text, size_t length)
{
    static char memory[TEXT_MAX];
    struct sk_arena arena;
    struct sk_text found;

    sk_arena_init(&arena, memory, sizeof(memory));
    must(sk_value_text(value, &arena, &found));
    must(found.length == length && (length == 0 || memcmp(found.at, text, length) == 0));
}

static void
check(const struct sk_value *value, struct json_object *json)
{
    switch (json_object_get_type(json)) {
    case json_type_null:
        must(value->kind == SK_VALUE_NULL);
        break;
    case json_type_boolean:
        must(value->kind == SK_VALUE_BOOL && sk_value_bool(value) == json_object_get_boolean(json));
        break;
    case json_type_int:
        must(value->kind == SK_VALUE_INT && sk_value_int(value) == json_object_get_int64(json));
        break;
    case json_type_string:
        must(value->kind == SK_VALUE_TEXT);
        check_text(value, json_object_get_string(json), (size_t)json_object_get_string_len(json));
        break;
    case json_type_array: {
        const struct sk_value *item = sk_value_first(value);

        must(value->kind == SK_VALUE_LIST && value->count == json_object_array_length(json));
        for (size_t i = 0; i < value->count; i++, item = sk_value_next(item)) {
            check(item, json_object_array_get_idx(json, i));
        }
        break;
    }
    case json_type_object: {
        const struct sk_value *key = sk_value_first(value);

        must(value->kind == SK_VALUE_OBJECT &&
             value->count == (uint32_t)json_object_object_length(json));
        json_object_object_foreach(json, name, member)
        {
            check_text(key, name, strlen(name));
            check(sk_value_next(key), member);
            key = sk_value_next(sk_value_next(key));
        }
        break;
    }
    default: /* we read no doubles */
        must(false);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct sk_value *document = NULL;
    struct json_object *json;
    struct sk_fault fault;
    char *text;

    if (size > TEXT_MAX || sk_json_parse((const char *)bytes, size, &document, &fault) != SK_OK) {
        return 0;
    }
    if (is_misread_by_json_c(bytes, size)) {
        sk_json_free(document);
        return 0;
    }
    json = read_by_json_c((const char *)bytes, size);
    check(document, json);
    json_object_put(json);
    text = sk_json_text_of(document);
    json = read_by_json_c(text, strlen(text));
    check(document, json);
    json_object_put(json);
    free(text);
    sk_json_free(document);
    return 0;
}
