/* server/net/head: request lines, fields, bodies and escapes, and heads that come in pieces. */
#include <stdio.h>
#include <string.h>

#include "server/net/head.h"
#include "tests/support/cases.h"

#define TEXT_SIZE 64

/* ---- request lines ----------------------------------------------------------------------- */

struct line_case {
    const char *line;
    enum head_state state;
    const char *path;
    const char *query;
    const char *host; /* with "Host: h" behind the line */
};

static const struct line_case line_cases[] = {
    { "GET / HTTP/1.1", HEAD_WHOLE, "/", "", "h" },
    { "GET /a/b?c=d&e HTTP/1.1", HEAD_WHOLE, "/a/b", "c=d&e", "h" },
    { "GET /? HTTP/1.0", HEAD_WHOLE, "/", "", "h" },
    { "OPTIONS * HTTP/1.1", HEAD_WHOLE, "*", "", "h" },
    { "GET http://a.example/b?c HTTP/1.1", HEAD_WHOLE, "/b", "c", "a.example" },
    { "GET HTTPS://a:81/ HTTP/1.1", HEAD_WHOLE, "/", "", "a:81" },
    { "GET http://[::1]:80/ HTTP/1.1", HEAD_WHOLE, "/", "", "[::1]:80" },
    { "GET http://a HTTP/1.1", HEAD_WHOLE, "/", "", "a" },
    { "GET http://a?b HTTP/1.1", HEAD_WHOLE, "/", "b", "a" },
    { "GET http:///b HTTP/1.1", HEAD_BAD, NULL, NULL, NULL },
    { "GET http://u@a/ HTTP/1.1", HEAD_BAD, NULL, NULL, NULL },
    { "GET http:/a HTTP/1.1", HEAD_BAD, NULL, NULL, NULL },
    { "GET ftp://a/ HTTP/1.1", HEAD_BAD, NULL, NULL, NULL },
    { "GET a HTTP/1.1", HEAD_BAD, NULL, NULL, NULL },
    { "GET *a HTTP/1.1", HEAD_BAD, NULL, NULL, NULL },
    { "GET  / HTTP/1.1", HEAD_BAD, NULL, NULL, NULL },
    { "GET / HTTP/1.1 ", HEAD_BAD, NULL, NULL, NULL },
    { "GET /", HEAD_BAD, NULL, NULL, NULL },
    { "G@T / HTTP/1.1", HEAD_BAD, NULL, NULL, NULL },
    { "GET / HTTP/2.0", HEAD_OTHER_VERSION, NULL, NULL, NULL },
};

static void
expect_slice(const char *bytes, struct head_slice slice, const char *text)
{
    cr_expect(head_is(bytes, slice, text), "%.*s is not %s", (int)slice.length, bytes + slice.at,
              text);
}

CASES(net_head, request_lines, line_cases)
{
    const struct line_case *c = &line_cases[*index];
    struct request_head head = { 0 };
    char bytes[256];
    char host[TEXT_SIZE];
    int length = snprintf(bytes, sizeof(bytes), "%s\r\nHost: h\r\n\r\n", c->line);

    cr_assert_eq(head_read(&head, bytes, (size_t)length), c->state, "%s", c->line);
    if (c->state == HEAD_WHOLE) {
        expect_slice(bytes, head.path, c->path);
        expect_slice(bytes, head.query, c->query);
        cr_expect(head_host(&head, bytes, host, sizeof(host)));
        cr_expect_str_eq(host, c->host);
        cr_expect_eq(head.length, (size_t)length);
    }
}

/* ---- fields ------------------------------------------------------------------------------ */

#define LINE "GET / HTTP/1.1\r\n"

struct field_case {
    const char *fields;
    enum head_state state;
    const char *value; /* of "x" */
    const char *lists; /* a word that is in its list, or NULL */
};

static const struct field_case field_cases[] = {
    { "\r\n", HEAD_WHOLE, "", NULL },
    { "X: y\r\n\r\n", HEAD_WHOLE, "y", "Y" },
    { "x:y\r\n\r\n", HEAD_WHOLE, "y", "y" },
    { "X: \t a, b \t\r\n\r\n", HEAD_WHOLE, "a, b", "b" },
    { "X: a\r\nZ: 1\r\nx: b\r\n\r\n", HEAD_WHOLE, "a, b", "b" },
    { "X:\r\n\r\n", HEAD_WHOLE, "", NULL },
    { "X: y\r\n", HEAD_MORE, NULL, NULL },
    { "X: y", HEAD_MORE, NULL, NULL },
    { "X: y\n\r\n", HEAD_BAD, NULL, NULL },
    { "X : y\r\n\r\n", HEAD_BAD, NULL, NULL },
    { " X: y\r\n\r\n", HEAD_BAD, NULL, NULL },
    { "X: y\r\n z\r\n\r\n", HEAD_BAD, NULL, NULL },
    { ": y\r\n\r\n", HEAD_BAD, NULL, NULL },
    { "X\r\n\r\n", HEAD_BAD, NULL, NULL },
    { "X: \x01\r\n\r\n", HEAD_BAD, NULL, NULL },
    { "X: a\rb\r\n\r\n", HEAD_BAD, NULL, NULL },
};

CASES(net_head, fields, field_cases)
{
    const struct field_case *c = &field_cases[*index];
    struct request_head head = { 0 };
    char bytes[256];
    char value[TEXT_SIZE];
    int length = snprintf(bytes, sizeof(bytes), LINE "%s", c->fields);

    cr_assert_eq(head_read(&head, bytes, (size_t)length), c->state, "%s", c->fields);
    if (c->state == HEAD_WHOLE) {
        cr_expect_eq(head_copy(&head, bytes, "x", value, sizeof(value)), c->value[0] != '\0');
        cr_expect_str_eq(value, c->value);
        cr_expect(c->lists == NULL || head_lists(&head, bytes, "X", c->lists, HEAD_ANY_CASE));
        cr_expect(!head_lists(&head, bytes, "X", "q", HEAD_ANY_CASE));
    }
}

Test(net_head, a_value_that_does_not_fit_is_none)
{
    static const char bytes[] = LINE "X: abcd\r\n\r\n";
    struct request_head head = { 0 };
    char value[5];

    cr_assert_eq(head_read(&head, bytes, strlen(bytes)), HEAD_WHOLE);
    cr_expect(head_copy(&head, bytes, "x", value, 5));
    cr_expect_str_eq(value, "abcd");
    cr_expect(!head_copy(&head, bytes, "x", value, 4));
    cr_expect_str_eq(value, "");
}

Test(net_head, byte_by_byte_gives_the_same)
{
    static const char bytes[] = LINE "Host: h\r\nX: y\r\n\r\n";
    struct request_head head = { 0 };

    for (size_t i = 0; i < strlen(bytes); i++) {
        cr_assert_eq(head_read(&head, bytes, i), HEAD_MORE, "%zu", i);
    }
    cr_assert_eq(head_read(&head, bytes, strlen(bytes)), HEAD_WHOLE);
    cr_expect_eq(head.count, 2);
    expect_slice(bytes, head.fields[1].value, "y");
}

Test(net_head, what_cannot_become_a_request_is_refused_at_once)
{
    struct request_head head = { 0 };

    cr_expect_eq(head_read(&head, "\x16\x03\x01", 3), HEAD_BAD);
}

struct limit_case {
    uint32_t fields;
    enum head_state state;
};

static const struct limit_case limit_cases[] = {
    { NET_HTTP_FIELDS_MAX - 1, HEAD_WHOLE },
    { NET_HTTP_FIELDS_MAX, HEAD_WHOLE },
    { NET_HTTP_FIELDS_MAX + 1, HEAD_TOO_LONG },
};

CASES(net_head, only_so_many_fields, limit_cases)
{
    static char bytes[NET_HTTP_HEAD_MAX];
    struct request_head head = { 0 };
    size_t length = (size_t)sprintf(bytes, LINE);

    for (uint32_t i = 0; i < limit_cases[*index].fields; i++) {
        length += (size_t)sprintf(bytes + length, "X: y\r\n");
    }
    length += (size_t)sprintf(bytes + length, "\r\n");
    cr_expect_eq(head_read(&head, bytes, length), limit_cases[*index].state);
}

/* ---- bodies ------------------------------------------------------------------------------ */

struct body_case {
    const char *fields;
    bool is_fine;
    uint64_t length;
};

static const struct body_case body_cases[] = {
    { "", true, 0 },
    { "Content-Length: 0\r\n", true, 0 },
    { "Content-Length: 4294967296\r\n", true, 4294967296 },
    { "Content-Length: 99999999999999999999\r\n", false, 0 },
    { "Content-Length: -1\r\n", false, 0 },
    { "Content-Length: 1, 1\r\n", false, 0 },
    { "Content-Length:\r\n", false, 0 },
    { "Content-Length: 1\r\nContent-Length: 1\r\n", false, 0 },
    { "Transfer-Encoding: chunked\r\n", false, 0 },
};

CASES(net_head, bodies, body_cases)
{
    const struct body_case *c = &body_cases[*index];
    struct request_head head = { 0 };
    char bytes[256];
    int length = snprintf(bytes, sizeof(bytes), LINE "%s\r\n", c->fields);
    uint64_t body = 0;

    cr_assert_eq(head_read(&head, bytes, (size_t)length), HEAD_WHOLE);
    cr_expect_eq(head_body_length(&head, bytes, &body), c->is_fine, "%s", c->fields);
    cr_expect(!c->is_fine || body == c->length, "%s", c->fields);
}

/* ---- escapes ----------------------------------------------------------------------------- */

struct escape_case {
    const char *text;
    bool is_query;
    enum head_state state;
    const char *decoded;
};

static const struct escape_case escape_cases[] = {
    { "", false, HEAD_WHOLE, "" },
    { "/a%2Fb%20", false, HEAD_WHOLE, "/a/b " },
    { "a+b", false, HEAD_WHOLE, "a+b" },
    { "a+b%2b", true, HEAD_WHOLE, "a b+" },
    { "%", false, HEAD_BAD, NULL },
    { "%2", false, HEAD_BAD, NULL },
    { "%zz", false, HEAD_BAD, NULL },
    { "%00", false, HEAD_BAD, NULL },
    { "%C3%A4", false, HEAD_WHOLE, "\xc3\xa4" },
    { "a%FF", false, HEAD_BAD, NULL },
    { "a%C3", true, HEAD_BAD, NULL },
    { "%C0%80", true, HEAD_BAD, NULL },
    { "1234567", false, HEAD_WHOLE, "1234567" },
    { "12345678", false, HEAD_TOO_LONG, NULL },
};

CASES(net_head, escapes, escape_cases)
{
    const struct escape_case *c = &escape_cases[*index];
    struct head_slice slice = { 0, (uint16_t)strlen(c->text) };
    char text[8];

    cr_assert_eq(head_decode(c->text, slice, c->is_query, text, sizeof(text)), c->state, "%s",
                 c->text);
    if (c->state == HEAD_WHOLE) {
        cr_expect_str_eq(text, c->decoded);
    }
}
