#include "server/net/head.h"

#include <string.h>
#include <strings.h>

#include "common/base/text.h"
#include "proto/utf8.h"

_Static_assert(NET_HTTP_HEAD_MAX + NET_RECEIVE_BYTES <= UINT16_MAX, "offsets are 16 bits");

/* ---- characters -------------------------------------------------------------------------- */

static bool
is_token_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Values may contain anything except control characters. */
static bool
is_text(const char *at, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)at[i];

        if ((c < 0x20 && c != '\t') || c == 0x7f) {
            return false;
        }
    }
    return true;
}

static size_t
token_length(const char *at, size_t length)
{
    size_t i = 0;

    while (i < length && is_token_char(at[i])) {
        i++;
    }
    return i;
}

/* Whether a request line could begin with these bytes.  Most other protocols fail here. */
static bool
can_begin(const char *at, size_t length)
{
    size_t token = token_length(at, length);

    if (length == 0 || (length == 1 && at[0] == '\r')) {
        return true;
    }
    if (token == 0 || token > NET_HTTP_METHOD_MAX) {
        return false;
    }
    for (size_t i = token; i < length; i++) {
        if ((at[i] < ' ' || at[i] > '~') && !(at[i] == '\r' && i + 1 == length)) {
            return false;
        }
    }
    return true;
}

/* ---- lines ------------------------------------------------------------------------------- */

static struct head_slice
slice_of(const char *bytes, const char *at, size_t length)
{
    return (struct head_slice){ (uint16_t)(at - bytes), (uint16_t)length };
}

static enum head_state
check_version(const char *at, size_t length, bool *ret_is_1_0)
{
    static const char name[] = "HTTP/";
    size_t name_length = sizeof(name) - 1;

    if (length != name_length + 3 || memcmp(at, name, name_length) != 0) {
        return HEAD_BAD;
    }
    at += name_length;
    *ret_is_1_0 = memcmp(at, "1.0", 3) == 0;
    return *ret_is_1_0 || memcmp(at, "1.1", 3) == 0 ? HEAD_MORE : HEAD_OTHER_VERSION;
}

/*
 * Parses "http://host:port/path", which a server must accept (RFC 9112, 3.2.2).
 * Returns the start of the path, or NULL.  User names are not accepted.
 */
static const char *
read_authority(struct request_head *head, const char *bytes, const char *at, const char *end)
{
    size_t length = (size_t)(end - at);
    size_t scheme = length >= 7 && strncasecmp(at, "http://", 7) == 0    ? 7
                    : length >= 8 && strncasecmp(at, "https://", 8) == 0 ? 8
                                                                         : 0;
    const char *host = at + scheme;
    const char *path = host;

    while (path < end && *path != '/' && *path != '?') {
        path++;
    }
    if (scheme == 0 || path == host || memchr(host, '@', (size_t)(path - host)) != NULL) {
        return NULL;
    }
    head->authority = slice_of(bytes, host, (size_t)(path - host));
    return path;
}

/* "GET /path?query HTTP/1.1" */
static enum head_state
read_request_line(struct request_head *head, const char *bytes, const char *at, size_t length)
{
    size_t method = token_length(at, length);
    const char *target = at + method + 1;
    const char *end;
    const char *mark;
    enum head_state state;

    if (!can_begin(at, length) || method == length || at[method] != ' ') {
        return HEAD_BAD;
    }
    end = memchr(target, ' ', length - method - 1);
    if (end == NULL) {
        return HEAD_BAD;
    }
    state = check_version(end + 1, (size_t)(at + length - end - 1), &head->is_1_0);
    if (state != HEAD_MORE) {
        return state;
    }
    if (target[0] != '/' && !(target[0] == '*' && end == target + 1)) {
        target = read_authority(head, bytes, target, end);
    }
    if (target == NULL) {
        return HEAD_BAD;
    }
    head->method = slice_of(bytes, at, method);
    mark = memchr(target, '?', (size_t)(end - target));
    head->path = slice_of(bytes, target, (size_t)((mark == NULL ? end : mark) - target));
    if (head->path.length == 0) { /* for http://host the path is "/", taken from its "//" */
        head->path = slice_of(bytes, bytes + head->authority.at - 1, 1);
    }
    if (mark != NULL) {
        head->query = slice_of(bytes, mark + 1, (size_t)(end - mark - 1));
    }
    return HEAD_MORE;
}

/* "Name: value" */
static enum head_state
read_field(struct request_head *head, const char *bytes, const char *at, size_t length)
{
    size_t name = token_length(at, length);
    const char *value = at + name + 1;
    const char *end = at + length;

    if (name == 0 || name == length || at[name] != ':' || !is_text(at, length)) {
        return HEAD_BAD;
    }
    if (head->count == NET_HTTP_FIELDS_MAX) {
        return HEAD_TOO_LONG;
    }
    while (value < end && is_blank(*value)) {
        value++;
    }
    while (end > value && is_blank(end[-1])) {
        end--;
    }
    head->fields[head->count++] = (struct head_field){
        slice_of(bytes, at, name),
        slice_of(bytes, value, (size_t)(end - value)),
    };
    return HEAD_MORE;
}

static enum head_state
read_line(struct request_head *head, const char *bytes, const char *at, size_t length)
{
    if (head->method.length == 0) {
        return length == 0 ? HEAD_MORE : read_request_line(head, bytes, at, length);
    }
    return length == 0 ? HEAD_WHOLE : read_field(head, bytes, at, length);
}

enum head_state
head_read(struct request_head *head, const char *bytes, size_t length)
{
    enum head_state state = HEAD_MORE;

    while (state == HEAD_MORE) {
        const char *start = bytes + head->length;
        const char *end = memchr(bytes + head->searched, '\n', length - head->searched);

        if (end == NULL) {
            head->searched = length;
            if (head->method.length == 0 && !can_begin(start, length - head->length)) {
                return HEAD_BAD;
            }
            return length < NET_HTTP_HEAD_MAX ? HEAD_MORE : HEAD_TOO_LONG;
        }
        head->length = (size_t)(end + 1 - bytes);
        head->searched = head->length;
        if (end == start || end[-1] != '\r') {
            return HEAD_BAD;
        }
        if (head->length > NET_HTTP_HEAD_MAX) {
            return HEAD_TOO_LONG;
        }
        state = read_line(head, bytes, start, (size_t)(end - 1 - start));
    }
    return state;
}

/* ---- fields ------------------------------------------------------------------------------ */

bool
head_is(const char *bytes, struct head_slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(bytes + slice.at, text, slice.length) == 0;
}

/* The next field of this name, from `index` on; NULL at the end. */
static const struct head_field *
next_field(const struct request_head *head, const char *bytes, const char *name, uint32_t *index)
{
    size_t length = strlen(name);

    while (*index < head->count) {
        const struct head_field *field = &head->fields[(*index)++];

        if (field->name.length == length &&
            strncasecmp(bytes + field->name.at, name, length) == 0) {
            return field;
        }
    }
    return NULL;
}

uint32_t
head_count(const struct request_head *head, const char *bytes, const char *name)
{
    uint32_t index = 0;
    uint32_t count = 0;

    while (next_field(head, bytes, name, &index) != NULL) {
        count++;
    }
    return count;
}

bool
head_copy(const struct request_head *head, const char *bytes, const char *name, char *text,
          size_t size)
{
    const struct head_field *field;
    uint32_t index = 0;
    size_t used = 0;

    text[0] = '\0';
    while ((field = next_field(head, bytes, name, &index)) != NULL) {
        size_t comma = used > 0 ? 2 : 0;

        if (used + comma + field->value.length >= size) {
            text[0] = '\0';
            return false;
        }
        memcpy(text + used, ", ", comma);
        memcpy(text + used + comma, bytes + field->value.at, field->value.length);
        used += comma + field->value.length;
        text[used] = '\0';
    }
    return used > 0;
}

bool
head_host(const struct request_head *head, const char *bytes, char *text, size_t size)
{
    if (head->authority.length == 0) {
        return head_copy(head, bytes, "host", text, size);
    }
    if (head->authority.length >= size) {
        text[0] = '\0';
        return false;
    }
    memcpy(text, bytes + head->authority.at, head->authority.length);
    text[head->authority.length] = '\0';
    return true;
}

static bool
value_lists(const char *at, const char *end, const char *word, enum head_case letters)
{
    int (*compare)(const char *, const char *, size_t) =
        letters == HEAD_ANY_CASE ? strncasecmp : strncmp;
    size_t length = strlen(word);

    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma == NULL ? end : comma;
        const char *next = comma == NULL ? end : comma + 1;

        while (at < stop && is_blank(*at)) {
            at++;
        }
        while (stop > at && is_blank(stop[-1])) {
            stop--;
        }
        if ((size_t)(stop - at) == length && compare(at, word, length) == 0) {
            return true;
        }
        at = next;
    }
    return false;
}

bool
head_lists(const struct request_head *head, const char *bytes, const char *name, const char *word,
           enum head_case letters)
{
    const struct head_field *field;
    uint32_t index = 0;

    while ((field = next_field(head, bytes, name, &index)) != NULL) {
        const char *value = bytes + field->value.at;

        if (value_lists(value, value + field->value.length, word, letters)) {
            return true;
        }
    }
    return false;
}

bool
head_body_length(const struct request_head *head, const char *bytes, uint64_t *ret_length)
{
    const struct head_field *field;
    uint32_t index = 0;

    *ret_length = 0;
    if (head_count(head, bytes, "transfer-encoding") > 0 ||
        head_count(head, bytes, "content-length") > 1) {
        return false;
    }
    field = next_field(head, bytes, "content-length", &index);
    if (field == NULL) {
        return true;
    }
    for (uint16_t i = 0; i < field->value.length; i++) {
        char c = bytes[field->value.at + i];

        if (c < '0' || c > '9' || *ret_length > UINT32_MAX) {
            return false;
        }
        *ret_length = *ret_length * 10 + (uint64_t)(c - '0');
    }
    return field->value.length > 0;
}

/* ---- paths ------------------------------------------------------------------------------- */

enum head_state
head_decode(const char *bytes, struct head_slice slice, bool is_query, char *text, size_t size)
{
    const char *at = bytes + slice.at;
    const char *end = at + slice.length;
    size_t used = 0;

    while (at < end) {
        char c = *at++;

        if (c == '%') {
            if (end - at < 2 || sk_hex_value(at[0]) < 0 || sk_hex_value(at[1]) < 0) {
                return HEAD_BAD;
            }
            c = (char)(sk_hex_value(at[0]) * 16 + sk_hex_value(at[1]));
            at += 2;
        } else if (c == '+' && is_query) {
            c = ' ';
        }
        if (c == '\0') {
            return HEAD_BAD;
        }
        if (used + 1 >= size) {
            return HEAD_TOO_LONG;
        }
        text[used++] = c;
    }
    text[used] = '\0';
    return sk_utf8_is_valid((const uint8_t *)text, (const uint8_t *)text + used) ? HEAD_WHOLE
                                                                                 : HEAD_BAD;
}
