/*
 * Read-only SQL for people.  Values are written as SQLite writes them, so that
 * the same question gives the same text on both databases.
 */
#include <ctype.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/clock.h"
#include "server/memory.h"
#include "server/store/postgres.h"
#include "server/store/question.h"

#define NAMES_MAX      16
#define NAME_SIZE      64
#define NUMBER_SIZE    32
#define HEX_DIGITS_MAX 256
#define OID_BOOL       16
#define OID_BYTEA      17
#define OID_FLOAT4     700
#define OID_FLOAT8     701
#define OID_TEXT       25

/* The parameters of a question, in order: :name became $1. */
struct named {
    char names[NAMES_MAX][NAME_SIZE];
    int count;
};

struct asking {
    struct link link;
    struct sql limits; /* only for sql_must_end */
    struct question_sink *sink;
    struct sk_fault *fault;
    char texts[QUESTION_COLUMNS_MAX][HEX_DIGITS_MAX + 1];
};

/* ---- parameters -------------------------------------------------------------------------- */

static int
number_of(struct named *named, const char *name, size_t length)
{
    for (int i = 0; i < named->count; i++) {
        if (strlen(named->names[i]) == length && strncmp(named->names[i], name, length) == 0) {
            return i + 1;
        }
    }
    if (named->count == NAMES_MAX || length >= NAME_SIZE) {
        return 0;
    }
    memcpy(named->names[named->count], name, length);
    named->names[named->count][length] = '\0';
    return ++named->count;
}

/* The end of a text, a name in quotes, or a comment that begins here. */
static const char *
skip_quoted(const char *sql)
{
    const char *end = NULL;

    if (*sql == '\'' || *sql == '"') {
        end = strchr(sql + 1, *sql);
    } else if (strncmp(sql, "--", 2) == 0) {
        end = strchr(sql, '\n');
    } else {
        return sql;
    }
    return end == NULL ? sql + strlen(sql) : end + 1;
}

/* Replaces :name by $1; :: is a cast.  The caller frees it. */
static char *
translate(const char *sql, struct named *named)
{
    char *text = heap_bytes(2 * strlen(sql) + 1);
    size_t used = 0;

    while (*sql != '\0') {
        const char *end = skip_quoted(sql);
        size_t length = (size_t)(end - sql);

        if (length == 0 && sql[0] == ':' && sql[1] == ':') {
            length = 2;
        } else if (length == 0 && sql[0] == ':' && isalpha((unsigned char)sql[1])) {
            size_t name = 1;

            while (isalnum((unsigned char)sql[name]) || sql[name] == '_') {
                name++;
            }
            used += (size_t)sprintf(text + used, "$%d", number_of(named, sql + 1, name - 1));
            sql += name;
            continue;
        } else if (length == 0) {
            length = 1;
        }
        memcpy(text + used, sql, length);
        used += length;
        sql += length;
    }
    text[used] = '\0';
    return text;
}

/* PostgreSQL's text of a ready-made question, or the text itself. */
static const char *
text_of(const char *sql)
{
    for (size_t i = 0; i < question_count; i++) {
        if (questions[i].postgres != NULL && strcmp(questions[i].sql, sql) == 0) {
            return questions[i].postgres;
        }
    }
    return sql;
}

/* ---- values ------------------------------------------------------------------------------ */

/* As SQLite: 15 digits, and always a point. */
static void
write_real(const char *value, char ret_text[NUMBER_SIZE])
{
    (void)snprintf(ret_text, NUMBER_SIZE, "%.*g", DBL_DIG, strtod(value, NULL));
    if (strpbrk(ret_text, ".en") == NULL) {
        strcat(ret_text, ".0");
    }
}

static bool
is_number(Oid type)
{
    return type == OID_FLOAT4 || type == OID_FLOAT8 || type == 20 || type == 21 || type == 23 ||
           type == 1700 || type == OID_BOOL;
}

static struct question_value
value_of(struct asking *asking, const PGresult *result, int row, int column)
{
    const char *value = PQgetvalue(result, row, column);
    char *text = asking->texts[column];
    Oid type = PQftype(result, column);

    if (PQgetisnull(result, row, column)) {
        return (struct question_value){ QUESTION_NULL, "", 0 };
    }
    if (type == OID_FLOAT4 || type == OID_FLOAT8) {
        write_real(value, text);
    } else if (type == OID_BOOL) {
        (void)snprintf(text, NUMBER_SIZE, "%d", value[0] == 't');
    } else if (type == OID_BYTEA) {
        (void)snprintf(text, HEX_DIGITS_MAX + 1, "%s", value + 2); /* after \x */
    } else {
        return (struct question_value){ is_number(type) ? QUESTION_NUMBER : QUESTION_TEXT, value,
                                        (size_t)PQgetlength(result, row, column) };
    }
    return (struct question_value){ type == OID_BYTEA ? QUESTION_TEXT : QUESTION_NUMBER, text,
                                    strlen(text) };
}

static bool
tell_columns(struct asking *asking, const PGresult *result)
{
    const char *names[QUESTION_COLUMNS_MAX];
    int count = PQnfields(result);

    for (int i = 0; i < count; i++) {
        names[i] = PQfname(result, i);
    }
    return asking->sink->columns == NULL ||
           asking->sink->columns(asking->sink, names, (uint32_t)count);
}

static bool
tell_row(struct asking *asking, const PGresult *result)
{
    struct question_value values[QUESTION_COLUMNS_MAX];
    int count = PQnfields(result);

    for (int i = 0; i < count; i++) {
        values[i] = value_of(asking, result, 0, i);
    }
    return asking->sink->row(asking->sink, values, (uint32_t)count);
}

/* ---- asking ------------------------------------------------------------------------------ */

static enum sk_status
refuse(struct asking *asking, const struct question_limits *limits)
{
    if (strcmp(asking->link.state, "57014") == 0) {
        (void)sk_fault_set(asking->fault, "too_slow", "it took longer than ");
        sk_fault_say_number(asking->fault, limits->time_ms / 1000);
        sk_fault_say(asking->fault, " s and was ended");
    } else if (strcmp(asking->link.state, "25006") == 0) {
        (void)sk_fault_set(asking->fault, "writes", "the statement would change the database");
    } else {
        (void)sk_fault_set(asking->fault, "bad_sql", asking->link.message);
    }
    return SK_ERR_REFUSED;
}

/* Takes one result.  False: no more are wanted. */
static bool
take_result(struct asking *asking, const PGresult *result, const struct question_limits *limits,
            int64_t *rows, bool *ret_is_cut)
{
    if (PQnfields(result) > QUESTION_COLUMNS_MAX) {
        return false;
    }
    if (*rows == 0 && !tell_columns(asking, result)) {
        return false;
    }
    if (PQntuples(result) == 0) {
        *rows += *rows == 0; /* the columns are told */
        return true;
    }
    if (limits->rows > 0 && *rows == limits->rows) {
        *ret_is_cut = true;
        return false;
    }
    ++*rows;
    return tell_row(asking, result);
}

/* Whatever is left when no more rows are wanted is not waited for: the connection is closed. */
static enum sk_status
take_all(struct asking *asking, const struct question_limits *limits, bool *ret_is_cut)
{
    enum sk_status status = SK_OK;
    bool goes_on = true;
    int64_t rows = 0;

    *ret_is_cut = false;
    while (goes_on) {
        PGresult *result = link_result(&asking->link);

        if (result == NULL) {
            break;
        }
        if (!link_check(&asking->link, result)) {
            status = refuse(asking, limits);
            goes_on = false;
        } else if (PQnfields(result) == 0) {
            status = sk_fault_set(asking->fault, "bad_sql", "the statement returns no columns");
            goes_on = false;
        } else {
            goes_on = take_result(asking, result, limits, &rows, ret_is_cut);
        }
        PQclear(result);
    }
    return status;
}

static bool
has_parameter(const struct named *named, const char *name)
{
    for (int i = 0; i < named->count; i++) {
        if (strcmp(named->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* All parameters are texts; missing ones are NULL. */
static enum sk_status
send_question(struct asking *asking, const char *sql, const struct question_parameter *parameters,
              size_t count)
{
    struct named named = { .count = 0 };
    char *text = translate(text_of(sql), &named);
    const char *values[NAMES_MAX] = { NULL };
    Oid types[NAMES_MAX];
    enum sk_status status = SK_OK;

    for (int i = 0; i < named.count; i++) {
        types[i] = OID_TEXT;
        for (size_t k = 0; k < count; k++) {
            if (strcmp(parameters[k].name, named.names[i]) == 0) {
                values[i] = parameters[k].value;
            }
        }
    }
    for (size_t k = 0; status == SK_OK && k < count; k++) {
        if (!has_parameter(&named, parameters[k].name)) {
            status = sk_fault_set(asking->fault, "bad_sql", "the question has no parameter :");
            sk_fault_say(asking->fault, parameters[k].name);
        }
    }
    if (status == SK_OK && (PQsendQueryParams(asking->link.connection, text, named.count, types,
                                              values, NULL, NULL, 0) != 1 ||
                            PQsetSingleRowMode(asking->link.connection) != 1)) {
        status =
            sk_fault_set(asking->fault, "cannot_open", PQerrorMessage(asking->link.connection));
    }
    free(text);
    return status;
}

static enum sk_status
begin(struct asking *asking, const char *path, const struct question_limits *limits)
{
    char timeout[64];

    if (!link_open(&asking->link)) {
        return postgres_refuse(&asking->link, path, "cannot_open",
                               "cannot connect; check the address and that the server runs",
                               asking->fault);
    }
    (void)snprintf(timeout, sizeof(timeout), "SET statement_timeout = %lld",
                   (long long)limits->time_ms);
    return link_run(&asking->link, timeout) ? postgres_look(&asking->link, path, asking->fault)
                                            : refuse(asking, limits);
}

enum sk_status
postgres_question_ask(const char *path, const char *sql,
                      const struct question_parameter *parameters, size_t parameter_count,
                      const struct question_limits *limits, struct question_sink *sink,
                      bool *ret_is_cut, struct sk_fault *ret_fault)
{
    struct asking *asking = heap_memory(sizeof(*asking));
    enum sk_status status;

    asking->link.url = heap_copy(path, strlen(path));
    asking->link.settings = "SET default_transaction_read_only = on";
    asking->link.limits = &asking->limits;
    asking->limits.is_unwanted = limits->is_stopped;
    asking->sink = sink;
    asking->fault = ret_fault;
    status = begin(asking, path, limits);
    if (status == SK_OK) {
        status = send_question(asking, sql, parameters, parameter_count);
    }
    if (status == SK_OK) {
        status = take_all(asking, limits, ret_is_cut);
    }
    link_close(&asking->link);
    free(asking->link.url);
    free(asking);
    return status;
}
