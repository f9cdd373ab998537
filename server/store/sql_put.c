#include "server/store/sql_put.h"

#include "proto/json_parse.h"
#include "proto/utf8.h"

void
row_write_number(struct sk_json_out *out, const char *key, struct row *row)
{
    bool is_null = row_is_null(row);
    int64_t number = row_take_number(row);

    sk_json_key(out, key);
    if (is_null) {
        sk_json_null(out);
    } else {
        sk_json_int(out, number);
    }
}

void
row_write_bool(struct sk_json_out *out, const char *key, struct row *row)
{
    sk_json_key(out, key);
    sk_json_bool(out, row_take_number(row) != 0);
}

void
row_write_text(struct sk_json_out *out, const char *key, struct row *row)
{
    struct sk_text text = row_take_text(row);

    sk_json_key(out, key);
    if (text.at == NULL) {
        sk_json_null(out);
    } else {
        sk_json_text(out, text);
    }
}

/* Omits a member that there is not (yet). */
void
row_write_text_if_any(struct sk_json_out *out, const char *key, struct row *row)
{
    if (row_is_null(row)) {
        row->next++;
    } else {
        row_write_text(out, key, row);
    }
}

static bool
is_utf8(struct sk_text text)
{
    return sk_utf8_is_valid((const uint8_t *)text.at, (const uint8_t *)text.at + text.length);
}

/* A column that holds JSON.  SQLite does not validate the bytes of its strings. */
void
row_write_json(struct sk_json_out *out, const char *key, struct row *row)
{
    struct sk_text json = row_take_text(row);

    sk_json_key(out, key);
    if (json.at != NULL && is_utf8(json)) {
        sk_json_raw(out, json);
    } else {
        sk_json_null(out);
    }
}

/* A column of text, which anybody with the database may have written into: null if it is not
 * JSON, so that a list of many matches stays readable. */
void
row_write_json_checked(struct sk_json_out *out, const char *key, struct row *row)
{
    struct sk_text json = row_take_text(row);
    struct sk_value *document = NULL;
    struct sk_fault fault;

    sk_json_key(out, key);
    if (json.length > 0 && sk_json_parse_long(json.at, json.length, &document, &fault) == SK_OK) {
        sk_json_raw(out, json);
    } else {
        sk_json_null(out);
    }
    sk_json_free(document);
}

enum outcome
text_finish(struct sql *sql, struct row *row)
{
    return sql->calls->finish(row) ? OUTCOME_OK : OUTCOME_ERROR;
}

int32_t
text_limit(const struct store_text_query *query, int32_t standard, int32_t max)
{
    if (query->limit <= 0) {
        return standard;
    }
    return query->limit < max ? query->limit : max;
}

void
text_begin_list(struct sk_json_out *out, const void *context)
{
    const char *key = context;

    sk_json_begin_object(out);
    sk_json_key(out, key);
    sk_json_begin_list(out);
}
