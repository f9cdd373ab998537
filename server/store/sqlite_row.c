#include <stdlib.h>
#include <string.h>

#include "common/base/status.h"
#include "server/memory.h"
#include "server/store/sqlite.h"

struct row
sqlite_row(struct sqlite *sqlite, enum sql number)
{
    return (struct row){ .statement = sqlite->statements[number], .next = 1 };
}

/* ---- binding ----------------------------------------------------------------------------- */

/* Binding fails if memory runs out or the statement has no such parameter. */
void
row_put_number(struct row *row, int64_t value)
{
    SK_ASSERT(sqlite3_bind_int64(row->statement, row->next++, value) == SQLITE_OK);
}

void
row_put_number_or_null(struct row *row, int64_t value, int64_t null_value)
{
    if (value == null_value) {
        SK_ASSERT(sqlite3_bind_null(row->statement, row->next++) == SQLITE_OK);
    } else {
        row_put_number(row, value);
    }
}

void
row_put_real(struct row *row, double value)
{
    SK_ASSERT(sqlite3_bind_double(row->statement, row->next++, value) == SQLITE_OK);
}

void
row_put_text(struct row *row, const char *text)
{
    SK_ASSERT(sqlite3_bind_text(row->statement, row->next++, text, -1, SQLITE_STATIC) == SQLITE_OK);
}

void
row_put_text_of(struct row *row, const char *text, size_t length)
{
    SK_ASSERT(sqlite3_bind_text64(row->statement, row->next++, text, length, SQLITE_STATIC,
                                  SQLITE_UTF8) == SQLITE_OK);
}

void
row_put_bytes(struct row *row, const void *bytes, size_t size)
{
    SK_ASSERT(sqlite3_bind_blob64(row->statement, row->next++, bytes, size, SQLITE_STATIC) ==
              SQLITE_OK);
}

/* ---- running ----------------------------------------------------------------------------- */

bool
row_step(struct row *row)
{
    row->next = 0;
    return sqlite3_step(row->statement) == SQLITE_ROW;
}

bool
row_end(struct row *row)
{
    /* sqlite3_reset returns the result of the last step. */
    return sqlite3_reset(row->statement) == SQLITE_OK;
}

bool
row_run(struct row *row)
{
    (void)row_step(row);
    return row_end(row);
}

/* ---- reading ----------------------------------------------------------------------------- */

bool
row_is_null(const struct row *row)
{
    return sqlite3_column_type(row->statement, row->next) == SQLITE_NULL;
}

int64_t
row_take_number(struct row *row)
{
    return sqlite3_column_int64(row->statement, row->next++);
}

double
row_take_real(struct row *row)
{
    return sqlite3_column_double(row->statement, row->next++);
}

int64_t
row_take_number_or(struct row *row, int64_t null_value)
{
    if (row_is_null(row)) {
        row->next++;
        return null_value;
    }
    return row_take_number(row);
}

struct sk_text
row_take_text(struct row *row)
{
    const char *at = (const char *)sqlite3_column_text(row->statement, row->next);
    int length = sqlite3_column_bytes(row->statement, row->next);

    row->next++;
    return (struct sk_text){ at, (uint32_t)length };
}

bool
row_take_copy(struct row *row, char **ret_text)
{
    struct sk_text text = row_take_text(row);

    free(*ret_text);
    *ret_text = text.at == NULL ? NULL : heap_copy(text.at, text.length);
    return text.at == NULL || strlen(*ret_text) == text.length;
}

bool
row_take_bytes(struct row *row, uint8_t *ret_bytes, int size)
{
    const void *bytes = sqlite3_column_blob(row->statement, row->next);
    int length = sqlite3_column_bytes(row->statement, row->next);

    row->next++;
    if (bytes == NULL || length != size) {
        return false;
    }
    memcpy(ret_bytes, bytes, (size_t)size);
    return true;
}
