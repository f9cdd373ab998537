#include "proto/json_parse.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

/* json-c counts a scalar as a level and keeps one in reserve. */
#define TOKENER_DEPTH (SK_JSON_DEPTH_MAX + 2)

bool
sk_json_reader_init(struct sk_json_reader *reader)
{
    reader->tokener = json_tokener_new_ex(TOKENER_DEPTH);
    if (reader->tokener == NULL) {
        return false;
    }
    json_tokener_set_flags(reader->tokener, JSON_TOKENER_STRICT);
    return true;
}

void
sk_json_reader_fini(struct sk_json_reader *reader)
{
    json_tokener_free(reader->tokener);
    reader->tokener = NULL;
}

enum sk_status
sk_json_parse(struct sk_json_reader *reader, const char *text, size_t length,
              struct json_object **ret_object, struct sk_fault *ret_fault)
{
    enum sk_status status = sk_json_scan_text(&reader->scan, text, length, ret_fault);

    return status == SK_OK ? sk_json_parse_trusted(reader, text, length, ret_object, ret_fault)
                           : status;
}

enum sk_status
sk_json_parse_trusted(struct sk_json_reader *reader, const char *text, size_t length,
                      struct json_object **ret_object, struct sk_fault *ret_fault)
{
    struct json_tokener *tokener = reader->tokener;
    struct json_object *object;
    enum json_tokener_error error;

    json_tokener_reset(tokener);
    object = json_tokener_parse_ex(tokener, text, (int)length);
    error = json_tokener_get_error(tokener);
    if (error == json_tokener_continue) {
        /* A number or a word that ends with the text could go on, as far as json-c knows. */
        object = json_tokener_parse_ex(tokener, " ", 1);
        error = json_tokener_get_error(tokener);
    }
    if (error != json_tokener_success) {
        json_object_put(object);
        (void)sk_fault_set(ret_fault, "malformed", "json-c: ");
        sk_fault_say(ret_fault, json_tokener_error_desc(error));
        return SK_ERR_REFUSED;
    }
    *ret_object = object;
    return SK_OK;
}

void
sk_json_free(struct json_object *object)
{
    json_object_put(object);
}

char *
sk_json_text_of(struct json_object *object)
{
    const char *text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);

    return copy == NULL ? NULL : memcpy(copy, text, size);
}

char *
sk_json_member_text(struct json_object *object, const char *name)
{
    struct json_object *member;

    return json_object_object_get_ex(object, name, &member) ? sk_json_text_of(member) : NULL;
}

bool
sk_json_same(struct json_object *a, struct json_object *b)
{
    return json_object_equal(a, b) != 0;
}
