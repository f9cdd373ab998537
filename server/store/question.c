#include "server/store/question.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/clock.h"
#include "server/store/address.h"
#include "server/store/migrate.h"
#include "server/store/reader.h"
#include "server/store/tally.h"

#define BUSY_MS        2000
#define STEPS_A_LOOK   10000 /* steps of SQLite's virtual machine between two checks of the clock */
#define HEX_DIGITS_MAX 256   /* per blob; the rest is left out */

struct asking {
    sqlite3 *db;
    sqlite3_stmt *statement;
    int64_t deadline_ms;
    const atomic_bool *is_stopped;
    struct question_sink *sink;
    struct sk_fault *fault;
    char hex[QUESTION_COLUMNS_MAX][HEX_DIGITS_MAX + 1];
};

const struct question *
question_find(const char *name)
{
    for (size_t i = 0; i < question_count; i++) {
        if (strcmp(questions[i].name, name) == 0) {
            return &questions[i];
        }
    }
    return NULL;
}

const char *
question_text(const char *path, const char *sqlite, const char *postgres)
{
    return address_is_shared(path) ? postgres : sqlite;
}

static int
is_late(void *context)
{
    const struct asking *asking = context;

    return (asking->is_stopped != NULL && atomic_load(asking->is_stopped)) ||
           (asking->deadline_ms != 0 && clock_ms(CLOCK_MONOTONIC) > asking->deadline_ms);
}

/* Denies access to other files. */
static int
authorize(void *context, int action, const char *first, const char *second, const char *database,
          const char *trigger)
{
    (void)context;
    (void)first;
    (void)second;
    (void)database;
    (void)trigger;
    return action == SQLITE_ATTACH || action == SQLITE_DETACH ? SQLITE_DENY : SQLITE_OK;
}

static enum sk_status
refuse(struct asking *asking, const char *code)
{
    (void)sk_fault_set(asking->fault, code, sqlite3_errmsg(asking->db));
    return SK_ERR_REFUSED;
}

/* ---- opening ----------------------------------------------------------------------------- */

static enum sk_status
open_file(struct asking *asking, const char *path)
{
    enum sk_status status =
        reader_open(path, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, &asking->db, asking->fault);

    if (status != SK_OK) {
        return status;
    }
    (void)sqlite3_busy_timeout(asking->db, BUSY_MS);
    return migrate_look(asking->db, path, migrations_sqlite, migrations_sqlite_count,
                        asking->fault);
}

static bool
is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n;")] == '\0';
}

static enum sk_status
prepare(struct asking *asking, const char *sql)
{
    const char *rest = NULL;

    (void)sqlite3_set_authorizer(asking->db, authorize, NULL);
    if (sqlite3_prepare_v2(asking->db, sql, -1, &asking->statement, &rest) != SQLITE_OK) {
        return refuse(asking, "bad_sql");
    }
    if (asking->statement == NULL || !is_blank(rest)) {
        return sk_fault_set(asking->fault, "bad_sql", "only one statement is allowed");
    }
    if (!sqlite3_stmt_readonly(asking->statement)) {
        return sk_fault_set(asking->fault, "writes", "the statement would change the database");
    }
    if (sqlite3_column_count(asking->statement) == 0 ||
        sqlite3_column_count(asking->statement) > QUESTION_COLUMNS_MAX) {
        return sk_fault_set(asking->fault, "bad_sql",
                            "the statement returns no columns, or too many");
    }
    sqlite3_progress_handler(asking->db, STEPS_A_LOOK, is_late, asking);
    return SK_OK;
}

static enum sk_status
bind(struct asking *asking, const struct question_parameter *parameters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[64];
        int place;

        (void)snprintf(name, sizeof(name), ":%s", parameters[i].name);
        place = sqlite3_bind_parameter_index(asking->statement, name);
        if (place == 0) {
            (void)sk_fault_set(asking->fault, "bad_sql", "the question has no parameter ");
            sk_fault_say(asking->fault, name);
            return SK_ERR_REFUSED;
        }
        if (sqlite3_bind_text(asking->statement, place, parameters[i].value, -1,
                              SQLITE_TRANSIENT) != SQLITE_OK) {
            return refuse(asking, "bad_sql");
        }
    }
    return SK_OK;
}

/* ---- rows -------------------------------------------------------------------------------- */

static struct question_value
blob_value(struct asking *asking, int column)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = sqlite3_column_blob(asking->statement, column);
    int size = sqlite3_column_bytes(asking->statement, column);
    char *hex = asking->hex[column];
    size_t length = 0;

    for (int i = 0; i < size && length < HEX_DIGITS_MAX; i++) {
        hex[length++] = digits[bytes[i] >> 4];
        hex[length++] = digits[bytes[i] & 15];
    }
    hex[length] = '\0';
    return (struct question_value){ QUESTION_TEXT, hex, length };
}

static struct question_value
value_of(struct asking *asking, int column)
{
    sqlite3_stmt *statement = asking->statement;
    int type = sqlite3_column_type(statement, column);
    const char *text;

    if (type == SQLITE_NULL) {
        return (struct question_value){ QUESTION_NULL, "", 0 };
    }
    if (type == SQLITE_BLOB) {
        return blob_value(asking, column);
    }
    text = (const char *)sqlite3_column_text(statement, column);
    return (struct question_value){ type == SQLITE_TEXT ? QUESTION_TEXT : QUESTION_NUMBER,
                                    text == NULL ? "" : text,
                                    (size_t)sqlite3_column_bytes(statement, column) };
}

static bool
tell_columns(struct asking *asking)
{
    const char *names[QUESTION_COLUMNS_MAX];
    int count = sqlite3_column_count(asking->statement);

    for (int i = 0; i < count; i++) {
        names[i] = sqlite3_column_name(asking->statement, i);
    }
    return asking->sink->columns == NULL ||
           asking->sink->columns(asking->sink, names, (uint32_t)count);
}

static bool
tell_row(struct asking *asking)
{
    struct question_value values[QUESTION_COLUMNS_MAX];
    int count = sqlite3_column_count(asking->statement);

    for (int i = 0; i < count; i++) {
        values[i] = value_of(asking, i);
    }
    return asking->sink->row(asking->sink, values, (uint32_t)count);
}

static enum sk_status
refuse_code(struct asking *asking, const struct question_limits *limits, int code)
{
    if (code != SQLITE_INTERRUPT) {
        return refuse(asking, "bad_sql");
    }
    (void)sk_fault_set(asking->fault, "too_slow", "it took longer than ");
    sk_fault_say_number(asking->fault, limits->time_ms / 1000);
    sk_fault_say(asking->fault, " s and was ended");
    return SK_ERR_REFUSED;
}

/*
 * A predefined question over all records is counted here, which is faster.  A
 * user's own question may concern a single match, so it is left to SQLite.
 * SQLite prepares the statement again by itself once the temporary view exists.
 */
static enum sk_status
count(struct asking *asking, const char *sql, const struct question_limits *limits)
{
    for (size_t i = 0; i < question_count; i++) {
        if (strcmp(questions[i].sql, sql) == 0) {
            int code = tally_make(asking->db, sql);

            return code == SQLITE_OK ? SK_OK : refuse_code(asking, limits, code);
        }
    }
    return SK_OK;
}

static enum sk_status
step_all(struct asking *asking, const struct question_limits *limits, bool *ret_is_cut)
{
    bool goes_on = tell_columns(asking);
    int64_t rows = 0;
    int code = SQLITE_ROW;

    *ret_is_cut = false;
    while (goes_on && (code = sqlite3_step(asking->statement)) == SQLITE_ROW) {
        if (limits->rows > 0 && rows == limits->rows) {
            *ret_is_cut = true;
            return SK_OK;
        }
        goes_on = tell_row(asking);
        rows++;
    }
    return code == SQLITE_DONE || code == SQLITE_ROW ? SK_OK : refuse_code(asking, limits, code);
}

enum sk_status
question_ask(const char *path, const char *sql, const struct question_parameter *parameters,
             size_t parameter_count, const struct question_limits *limits,
             struct question_sink *sink, bool *ret_is_cut, struct sk_fault *ret_fault)
{
    struct asking *asking = NULL;
    enum sk_status status;

    if (address_is_shared(path)) {
        return postgres_question_ask(path, sql, parameters, parameter_count, limits, sink,
                                     ret_is_cut, ret_fault);
    }
    asking = calloc(1, sizeof(*asking));
    if (asking == NULL) {
        return sk_fault_set(ret_fault, "cannot_open", "not enough memory");
    }
    asking->sink = sink;
    asking->fault = ret_fault;
    asking->is_stopped = limits->is_stopped;
    asking->deadline_ms = limits->time_ms == 0 ? 0 : clock_ms(CLOCK_MONOTONIC) + limits->time_ms;
    status = open_file(asking, path);
    if (status == SK_OK) {
        status = prepare(asking, sql);
    }
    if (status == SK_OK) {
        status = bind(asking, parameters, parameter_count);
    }
    if (status == SK_OK) {
        status = count(asking, sql, limits);
    }
    if (status == SK_OK) {
        status = step_all(asking, limits, ret_is_cut);
    }
    (void)sqlite3_finalize(asking->statement);
    reader_close(asking->db);
    free(asking);
    return status;
}
