#include "proto/json_tree.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static char *
text_of(struct json_object *json)
{
    const char *text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN |
                                                                JSON_C_TO_STRING_NOSLASHESCAPE);
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);

    return copy == NULL ? NULL : memcpy(copy, text, size);
}

char *
sk_json_member_text(const char *document, size_t length, const char *name)
{
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *json;
    struct json_object *member;
    char *text = NULL;

    if (tokener == NULL) {
        return NULL;
    }
    json = json_tokener_parse_ex(tokener, document, (int)length);
    if (json_object_object_get_ex(json, name, &member)) {
        text = text_of(member);
    }
    json_object_put(json);
    json_tokener_free(tokener);
    return text;
}
