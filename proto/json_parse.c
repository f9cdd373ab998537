#include "proto/json_parse.h"

#include <stdlib.h>
#include <string.h>

bool
sk_json_reader_init(struct sk_json_reader *reader)
{
    memset(&reader->scan, 0, sizeof(reader->scan));
    return true;
}

void
sk_json_reader_fini(struct sk_json_reader *reader)
{
    (void)reader;
}

/* Room for the values, and behind it a copy of the text, which is what they point into. */
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

enum sk_status
sk_json_parse(struct sk_json_reader *reader, const char *text, size_t length,
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
    status = sk_json_scan_text(&reader->scan, copy, length, document, ret_fault);
    if (status != SK_OK) {
        free(document);
        return status;
    }
    *ret_document = document;
    return SK_OK;
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

char *
sk_json_text_of(const struct sk_value *value)
{
    uint32_t quotes = value->kind == SK_VALUE_TEXT ? 1 : 0;
    uint32_t length = value->length + 2 * quotes;
    char *copy = malloc((size_t)length + 1);

    if (copy == NULL) {
        return NULL;
    }
    if (value->is_spaced) {
        *copy_dense(value->at, length, copy) = '\0';
    } else {
        memcpy(copy, value->at - quotes, length);
        copy[length] = '\0';
    }
    return copy;
}
