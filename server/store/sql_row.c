#include <stdlib.h>
#include <string.h>

#include "server/memory.h"
#include "server/store/sql.h"

#define SQL_BOTH(sqlite, postgres, ...) \
    {                                   \
        sqlite, postgres                \
    }
#define SQL_TEXT(number, ...) [number] = SQL_BOTH(__VA_ARGS__, NULL, NULL),
const struct sql_text sql_texts[SQL_COUNT] = { SQL_STATEMENTS(SQL_TEXT) };
#undef SQL_TEXT
#undef SQL_BOTH

void
row_put_number_or_null(struct row *row, int64_t value, int64_t null_value)
{
    if (value == null_value) {
        row->calls->put_null(row);
    } else {
        row->calls->put_number(row, value);
    }
}

void
row_put_text(struct row *row, const char *text)
{
    if (text == NULL) {
        row->calls->put_null(row);
    } else {
        row->calls->put_text(row, text, strlen(text));
    }
}

bool
row_run(struct row *row)
{
    (void)row_step(row);
    return row_end(row);
}

bool
row_run_for(struct row *row, int64_t *ret_number)
{
    *ret_number = row_step(row) ? row_take_number(row) : 0;
    return row_end(row);
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

bool
row_take_copy(struct row *row, char **ret_text)
{
    struct sk_text text = row_take_text(row);

    free(*ret_text);
    *ret_text = text.at == NULL ? NULL : heap_copy(text.at, text.length);
    return text.at == NULL || strlen(*ret_text) == text.length;
}
