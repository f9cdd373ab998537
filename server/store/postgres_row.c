/*
 * Numbers are sent as text, so that their type is the column's; texts and
 * bytes as they are.  Results are text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/status.h"
#include "server/memory.h"
#include "server/store/postgres.h"

void
postgres_statement_init(struct postgres *postgres, struct postgres_statement *statement,
                        const struct sql_text *text)
{
    *statement = (struct postgres_statement){
        .link = &postgres->link,
        .text = text->postgres == NULL ? text->sqlite : text->postgres,
        .changes = &postgres->changes,
    };
}

void
postgres_statement_fini(struct postgres_statement *statement)
{
    PQclear(statement->result);
    free(statement->translated);
    statement->result = NULL;
    statement->translated = NULL;
}

struct row
postgres_row(struct sql *sql, enum sql_number number)
{
    struct postgres *postgres = (struct postgres *)sql;
    struct postgres_statement *statement = &postgres->statements[number];

    if (statement->text == NULL) {
        postgres_statement_init(postgres, statement, &sql_texts[number]);
        (void)snprintf(statement->name, sizeof(statement->name), "s%d", (int)number);
    }
    statement->param_count = 0;
    return (struct row){ &postgres_row_calls, statement, 1 };
}

bool
postgres_prepare(struct sql *sql, const struct sql_text *text, struct row *ret_row)
{
    struct postgres_statement *statement = heap_memory(sizeof(*statement));

    postgres_statement_init((struct postgres *)sql, statement, text);
    statement->translated = link_translate(statement->text);
    statement->text = NULL; /* the caller's may be gone when it runs */
    *ret_row = (struct row){ &postgres_row_calls, statement, 1 };
    return true;
}

bool
postgres_own(struct postgres *postgres, const char *text, struct row *ret_row)
{
    return postgres_prepare(&postgres->sql, &(struct sql_text){ text, NULL }, ret_row);
}

/* ---- binding ----------------------------------------------------------------------------- */

static struct postgres_param *
param_of(struct row *row)
{
    struct postgres_statement *statement = row->statement;
    struct postgres_param *param = &statement->params[row->next - 1];

    SK_ASSERT(row->next <= POSTGRES_PARAMS_MAX);
    statement->param_count = row->next++;
    *param = (struct postgres_param){ .format = 0 };
    return param;
}

static void
put_null(struct row *row)
{
    (void)param_of(row);
}

static void
put_number(struct row *row, int64_t value)
{
    struct postgres_param *param = param_of(row);

    param->length = snprintf(param->number, sizeof(param->number), "%" PRId64, value);
    param->value = param->number;
}

static void
put_real(struct row *row, double value)
{
    struct postgres_param *param = param_of(row);

    param->length = snprintf(param->number, sizeof(param->number), "%.17g", value);
    param->value = param->number;
}

static void
put_bytes(struct row *row, const void *bytes, size_t size)
{
    struct postgres_param *param = param_of(row);

    param->value = bytes;
    param->length = (int)size;
    param->format = 1;
}

static void
put_text(struct row *row, const char *text, size_t length)
{
    put_bytes(row, text, length);
}

/* ---- running ----------------------------------------------------------------------------- */

static bool
prepare(struct postgres_statement *statement)
{
    struct link *link = statement->link;
    PGresult *result;
    bool is_fine;

    if (statement->translated == NULL) {
        statement->translated = link_translate(statement->text);
    }
    if (statement->name[0] == '\0' || statement->prepared == link->number) {
        return true;
    }
    result = PQprepare(link->connection, statement->name, statement->translated, 0, NULL);
    is_fine = link_check(link, result);
    PQclear(result);
    statement->prepared = is_fine ? link->number : 0;
    return is_fine;
}

static bool
send(struct postgres_statement *statement)
{
    PGconn *connection = statement->link->connection;
    const char *values[POSTGRES_PARAMS_MAX];
    int lengths[POSTGRES_PARAMS_MAX];
    int formats[POSTGRES_PARAMS_MAX];
    int count = statement->param_count;

    for (int i = 0; i < count; i++) {
        values[i] = statement->params[i].value;
        lengths[i] = statement->params[i].length;
        formats[i] = statement->params[i].format;
    }
    return statement->name[0] != '\0' ? PQsendQueryPrepared(connection, statement->name, count,
                                                            values, lengths, formats, 0)
                                      : PQsendQueryParams(connection, statement->translated, count,
                                                          NULL, values, lengths, formats, 0);
}

/* Takes what is left, so that the connection is free again. */
static void
drain(struct postgres_statement *statement)
{
    PGresult *result;

    while (link_is_open(statement->link) && (result = link_result(statement->link)) != NULL) {
        if (!link_check(statement->link, result)) {
            statement->has_failed = true;
        }
        PQclear(result);
    }
}

static void
run(struct postgres_statement *statement)
{
    struct link *link = statement->link;

    statement->at = -1;
    statement->has_failed = true;
    *statement->changes = 0;
    if (!link_is_open(link) || !prepare(statement) || !send(statement)) {
        if (!link_is_open(link)) {
            (void)snprintf(link->state, sizeof(link->state), "08006");
            (void)snprintf(link->message, sizeof(link->message), "the connection is lost");
        }
        return;
    }
    if (statement->is_streamed) {
        (void)PQsetSingleRowMode(link->connection);
    }
    statement->result = link_result(link);
    statement->has_failed = !link_check(link, statement->result);
    if (!statement->has_failed) {
        *statement->changes = strtoll(PQcmdTuples(statement->result), NULL, 10);
    }
    if (!statement->is_streamed) {
        drain(statement);
    }
}

static bool
next_streamed(struct postgres_statement *statement)
{
    if (PQresultStatus(statement->result) != PGRES_SINGLE_TUPLE) {
        return false;
    }
    PQclear(statement->result);
    statement->result = link_result(statement->link);
    statement->has_failed = !link_check(statement->link, statement->result);
    return !statement->has_failed && PQntuples(statement->result) > 0;
}

static bool
step(struct row *row)
{
    struct postgres_statement *statement = row->statement;

    row->next = 0;
    if (statement->result == NULL) {
        run(statement);
    } else if (statement->is_streamed) {
        return next_streamed(statement);
    }
    statement->at++;
    if (statement->is_streamed) {
        statement->at = 0;
    }
    return !statement->has_failed && statement->at < PQntuples(statement->result);
}

static bool
end(struct row *row)
{
    struct postgres_statement *statement = row->statement;

    if (statement->is_streamed) {
        drain(statement);
    }
    PQclear(statement->result);
    statement->result = NULL;
    return !statement->has_failed;
}

bool
postgres_finish(struct row *row)
{
    struct postgres_statement *statement = row->statement;
    bool is_fine = statement->result == NULL ? !statement->has_failed : end(row);

    postgres_statement_fini(statement);
    free(statement);
    return is_fine;
}

/* ---- reading ----------------------------------------------------------------------------- */

static int
column_count(const struct row *row)
{
    const struct postgres_statement *statement = row->statement;

    return PQnfields(statement->result);
}

static bool
is_null(const struct row *row)
{
    const struct postgres_statement *statement = row->statement;

    return PQgetisnull(statement->result, statement->at, row->next) != 0;
}

static const char *
value_of(struct row *row)
{
    const struct postgres_statement *statement = row->statement;

    return PQgetvalue(statement->result, statement->at, row->next++);
}

/* A truth value is t or f. */
static int64_t
take_number(struct row *row)
{
    const char *value = value_of(row);

    return value[0] == 't' ? 1 : strtoll(value, NULL, 10);
}

static double
take_real(struct row *row)
{
    return strtod(value_of(row), NULL);
}

static struct sk_text
take_text(struct row *row)
{
    const struct postgres_statement *statement = row->statement;
    bool is_nothing = is_null(row);
    int length = PQgetlength(statement->result, statement->at, row->next);
    const char *at = value_of(row);

    return is_nothing ? (struct sk_text){ 0 } : (struct sk_text){ at, (uint32_t)length };
}

static uint8_t
digit_of(char c)
{
    return (uint8_t)(c >= 'a' ? c - 'a' + 10 : c - '0');
}

/* \x and two digits per byte. */
static bool
take_bytes(struct row *row, uint8_t *ret_bytes, size_t size)
{
    struct sk_text text = take_text(row);

    if (text.at == NULL || text.length != 2 + 2 * size || text.at[0] != '\\') {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        ret_bytes[i] = (uint8_t)(digit_of(text.at[2 + 2 * i]) << 4 | digit_of(text.at[3 + 2 * i]));
    }
    return true;
}

const struct row_calls postgres_row_calls = {
    .put_null = put_null,
    .put_number = put_number,
    .put_real = put_real,
    .put_text = put_text,
    .put_bytes = put_bytes,
    .step = step,
    .end = end,
    .column_count = column_count,
    .is_null = is_null,
    .take_number = take_number,
    .take_real = take_real,
    .take_text = take_text,
    .take_bytes = take_bytes,
};
