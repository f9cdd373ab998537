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
    sk_json_scan_fini(&reader->scan);
}

/* Values and text in one block; what pointed into the text points into the copy. */
static struct sk_value *
make_document(const struct sk_json_scan *scan, const char *text, size_t length)
{
    size_t count = (size_t)(scan->values_end - scan->values);
    struct sk_value *document = malloc(count * sizeof(*document) + length);
    char *copy;

    if (document == NULL) {
        return NULL;
    }
    copy = (char *)(document + count);
    memcpy(document, scan->values, count * sizeof(*document));
    memcpy(copy, text, length);
    for (size_t i = 0; i < count; i++) {
        document[i].at = copy + (document[i].at - text);
    }
    return document;
}

enum sk_status
sk_json_parse(struct sk_json_reader *reader, const char *text, size_t length,
              struct sk_value **ret_document, struct sk_fault *ret_fault)
{
    enum sk_status status = sk_json_scan_text(&reader->scan, text, length, ret_fault);
    struct sk_value *document;

    if (status != SK_OK) {
        return status;
    }
    document = make_document(&reader->scan, text, length);
    if (document == NULL) {
        return sk_fault_set(ret_fault, "too_large", "there is no memory for so much");
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
