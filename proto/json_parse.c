#include "proto/json_parse.h"

#include <stdlib.h>
#include <string.h>

/* Space for the values, and behind it a copy of the text, which is what they point into. */
static struct sk_value *
make_document(const char *text, size_t length, const char **ret_copy)
{
    size_t count = sk_json_values_max(length);
    struct sk_value *document = malloc(count * sizeof(*document) + length + SK_JSON_PADDING);
    char *copy;

    if (document == NULL) {
        return NULL;
    }
    copy = (char *)(document + count);
    memcpy(copy, text, length);
    memset(copy + length, 0, SK_JSON_PADDING);
    *ret_copy = copy;
    return document;
}

static enum sk_status
parse(const char *text, size_t length, bool takes_long, const struct sk_json_known *known,
      struct sk_value **ret_document, struct sk_fault *ret_fault)
{
    const char *copy;
    struct sk_value *document;
    enum sk_status status;

    if (length == 0 || length > SK_JSON_LENGTH_MAX) {
        return sk_fault_set(ret_fault, "malformed",
                            length == 0 ? "the text is empty" : "the text is too long");
    }
    document = make_document(text, length, &copy);
    if (document == NULL) {
        return sk_fault_set(ret_fault, "too_large", "there is no memory for so much");
    }
    status = sk_json_scan_text(copy, length, takes_long, known, document, ret_fault);
    if (status != SK_OK) {
        free(document);
        return status;
    }
    *ret_document = document;
    return SK_OK;
}

enum sk_status
sk_json_parse(const char *text, size_t length, struct sk_value **ret_document,
              struct sk_fault *ret_fault)
{
    return parse(text, length, false, NULL, ret_document, ret_fault);
}

enum sk_status
sk_json_parse_around(const char *text, size_t length, const struct sk_json_known *known,
                     struct sk_value **ret_document, struct sk_fault *ret_fault)
{
    return parse(text, length, false, known, ret_document, ret_fault);
}

enum sk_status
sk_json_parse_long(const char *text, size_t length, struct sk_value **ret_document,
                   struct sk_fault *ret_fault)
{
    return parse(text, length, true, NULL, ret_document, ret_fault);
}

void
sk_json_free(struct sk_value *document)
{
    free(document);
}

/* Copies what is not white space between texts; returns the end of the copy. */
static char *
copy_dense(const char *from, uint32_t length, char *to)
{
    bool in_text = false;

    for (uint32_t i = 0; i < length; i++) {
        if (in_text || (from[i] != ' ' && from[i] != '\n' && from[i] != '\r' && from[i] != '\t')) {
            *to++ = from[i];
        }
        if (in_text && from[i] == '\\') {
            *to++ = from[++i];
        } else if (from[i] == '"') {
            in_text = !in_text;
        }
    }
    return to;
}

static uint32_t
quotes_of(const struct sk_value *value)
{
    return value->kind == SK_VALUE_TEXT ? 1 : 0;
}

size_t
sk_json_text_space(const struct sk_value *value)
{
    return (size_t)value->length + 2 * quotes_of(value) + 1;
}

struct sk_text
sk_json_text_copy(const struct sk_value *value, char *to)
{
    uint32_t quotes = quotes_of(value);
    uint32_t length = value->length + 2 * quotes;
    char *end = to + length;

    if (value->is_spaced) {
        end = copy_dense(value->at, length, to);
    } else {
        memcpy(to, value->at - quotes, length);
    }
    *end = '\0';
    return (struct sk_text){ to, (uint32_t)(end - to) };
}

char *
sk_json_text_of(const struct sk_value *value)
{
    char *copy = malloc(sk_json_text_space(value));

    if (copy != NULL) {
        (void)sk_json_text_copy(value, copy);
    }
    return copy;
}
