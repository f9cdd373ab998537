/* Binding fails if memory runs out or the statement has no such parameter. */
#include <string.h>

#include "common/base/status.h"
#include "server/store/sqlite.h"

struct row
sqlite_row(struct sql *sql, enum sql_number number)
{
    struct sqlite *sqlite = (struct sqlite *)sql;

    return (struct row){ &sqlite_row_calls, sqlite->statements[number], 1 };
}

bool
sqlite_prepare(struct sql *sql, const struct sql_text *text, struct row *ret_row)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(((struct sqlite *)sql)->db, text->sqlite, -1, &statement, NULL);

    *ret_row = (struct row){ &sqlite_row_calls, statement, 1 };
    return code == SQLITE_OK;
}

bool
sqlite_finish(struct row *row)
{
    return sqlite3_finalize(row->statement) == SQLITE_OK;
}

/* ---- binding ----------------------------------------------------------------------------- */

static void
put_null(struct row *row)
{
    SK_ASSERT(sqlite3_bind_null(row->statement, row->next++) == SQLITE_OK);
}

static void
put_number(struct row *row, int64_t value)
{
    SK_ASSERT(sqlite3_bind_int64(row->statement, row->next++, value) == SQLITE_OK);
}

static void
put_real(struct row *row, double value)
{
    SK_ASSERT(sqlite3_bind_double(row->statement, row->next++, value) == SQLITE_OK);
}

static void
put_text(struct row *row, const char *text, size_t length)
{
    SK_ASSERT(sqlite3_bind_text64(row->statement, row->next++, text, length, SQLITE_STATIC,
                                  SQLITE_UTF8) == SQLITE_OK);
}

static void
put_bytes(struct row *row, const void *bytes, size_t size)
{
    SK_ASSERT(sqlite3_bind_blob64(row->statement, row->next++, bytes, size, SQLITE_STATIC) ==
              SQLITE_OK);
}

/* ---- running ----------------------------------------------------------------------------- */

static bool
step(struct row *row)
{
    row->next = 0;
    return sqlite3_step(row->statement) == SQLITE_ROW;
}

static bool
end(struct row *row)
{
    /* sqlite3_reset returns the result of the last step. */
    return sqlite3_reset(row->statement) == SQLITE_OK;
}

/* ---- reading ----------------------------------------------------------------------------- */

static int
column_count(const struct row *row)
{
    return sqlite3_column_count(row->statement);
}

static bool
is_null(const struct row *row)
{
    return sqlite3_column_type(row->statement, row->next) == SQLITE_NULL;
}

static int64_t
take_number(struct row *row)
{
    return sqlite3_column_int64(row->statement, row->next++);
}

static double
take_real(struct row *row)
{
    return sqlite3_column_double(row->statement, row->next++);
}

static struct sk_text
take_text(struct row *row)
{
    const char *at = (const char *)sqlite3_column_text(row->statement, row->next);
    int length = sqlite3_column_bytes(row->statement, row->next);

    row->next++;
    return (struct sk_text){ at, (uint32_t)length };
}

static bool
take_bytes(struct row *row, uint8_t *ret_bytes, size_t size)
{
    const void *bytes = sqlite3_column_blob(row->statement, row->next);
    int length = sqlite3_column_bytes(row->statement, row->next);

    row->next++;
    if (bytes == NULL || (size_t)length != size) {
        return false;
    }
    memcpy(ret_bytes, bytes, size);
    return true;
}

const struct row_calls sqlite_row_calls = {
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
