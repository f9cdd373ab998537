#include "server/cli/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/status.h"
#include "server/cli/cli.h"
#include "server/cli/printable.h"
#include "server/memory.h"

#define NARROW    6u  /* a column is not made narrower to fit a terminal */
#define WIDTH_MAX 60u /* a wider cell shifts only its own row */

static const char *const form_words[] = {
    [TABLE_PLAIN] = "table",
    [TABLE_CSV] = "csv",
    [TABLE_JSON] = "json",
    [TABLE_MARKDOWN] = "markdown",
};

bool
table_form_read(const char *command, const char *word, enum table_form *ret_form)
{
    for (int i = 0; i <= TABLE_MARKDOWN; i++) {
        if (strcmp(word, form_words[i]) == 0) {
            *ret_form = (enum table_form)i;
            return true;
        }
    }
    (void)cli_usage_error(command, "--form is " TABLE_FORMS ", not", word);
    return false;
}

/* ---- cells ------------------------------------------------------------------------------- */

/* Each character takes one column. */
static void
print_safe(const char *text, const char *end)
{
    while (text < end) {
        struct printable next = printable_next(text, end);

        (void)fwrite(next.is_safe ? text : "?", 1, next.is_safe ? next.length : 1, stdout);
        text += next.length;
    }
}

/* Where the text's first `width` characters end; how many there are is in *ret_width. */
static const char *
end_of(const char *text, size_t width, size_t *ret_width)
{
    const char *end = text + strlen(text);
    size_t count = 0;

    for (; text < end && count < width; count++) {
        text += printable_next(text, end).length;
    }
    *ret_width = count;
    return text;
}

static size_t
width_of(const char *text)
{
    size_t width;

    (void)end_of(text, SIZE_MAX, &width);
    return width;
}

/* Unsafe characters are escaped as in JSON, except `besides`. */
static void
print_escaped(const char *text, char besides, char quote, char escape)
{
    const char *end = text + strlen(text);

    while (text < end) {
        struct printable next = printable_next(text, end);

        if (!next.is_safe && *text != besides) {
            printf("\\u%04x", (unsigned)next.code);
        } else {
            fputs(*text == quote || *text == escape ? (char[]){ escape, '\0' } : "", stdout);
            (void)fwrite(text, 1, next.length, stdout);
        }
        text += next.length;
    }
}

static void
print_csv(const char *text)
{
    const char *quote = text[strcspn(text, ",\"\n")] == '\0' ? "" : "\"";

    fputs(quote, stdout);
    print_escaped(text, '\n', '"', '"');
    fputs(quote, stdout);
}

static void
print_json_text(const char *text)
{
    putchar('"');
    print_escaped(text, '\0', '"', '\\');
    putchar('"');
}

static void
print_markdown(const char *text)
{
    const char *end = text + strlen(text);

    while (text < end) {
        struct printable next = printable_next(text, end);

        if (strchr("|\\<`", *text) != NULL) {
            putchar('\\');
        }
        (void)fwrite(next.is_safe ? text : " ", 1, next.is_safe ? next.length : 1, stdout);
        text += next.length;
    }
}

/* ---- rows -------------------------------------------------------------------------------- */

static void
keep_cell(struct table *table, const char *text, size_t length, bool is_number)
{
    if (table->cell_count == table->cell_capacity) {
        table->cell_capacity = table->cell_capacity == 0 ? 64 : 2 * table->cell_capacity;
        table->cells = heap_grow(table->cells, table->cell_capacity * sizeof(*table->cells));
    }
    table->cells[table->cell_count++] = (struct table_cell){ heap_copy(text, length), is_number };
}

static bool
take_columns(struct question_sink *sink, const char *const *names, uint32_t count)
{
    struct table *table = (struct table *)(void *)sink;

    table->columns = count;
    for (uint32_t i = 0; i < count; i++) {
        table->names[i] = heap_copy(names[i], strlen(names[i]));
        if (table->form == TABLE_CSV && !table->has_no_header) {
            fputs(i == 0 ? "" : ",", stdout);
            print_csv(names[i]);
        } else if (table->form == TABLE_MARKDOWN) {
            fputs(i == 0 ? "| " : " | ", stdout);
            print_markdown(names[i]);
        }
    }
    if (table->form == TABLE_CSV && !table->has_no_header) {
        printf("\n");
    } else if (table->form == TABLE_MARKDOWN) {
        printf(" |\n");
        for (uint32_t i = 0; i < count; i++) {
            fputs("|---", stdout);
        }
        printf("|\n");
    }
    return true;
}

static void
print_json_row(const struct table *table, const struct question_value *values, uint32_t count)
{
    fputs(table->rows == 0 ? "[{" : ",\n {", stdout);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ",", stdout);
        print_json_text(table->names[i]);
        putchar(':');
        if (values[i].kind == QUESTION_TEXT) {
            print_json_text(values[i].text);
        } else {
            fputs(values[i].kind == QUESTION_NULL ? "null" : values[i].text, stdout);
        }
    }
    putchar('}');
}

static bool
take_row(struct question_sink *sink, const struct question_value *values, uint32_t count)
{
    struct table *table = (struct table *)(void *)sink;

    if (table->form == TABLE_JSON) {
        print_json_row(table, values, count);
    }
    for (uint32_t i = 0; i < count && table->form != TABLE_JSON; i++) {
        if (table->form == TABLE_PLAIN) {
            keep_cell(table, values[i].text, values[i].length, values[i].kind == QUESTION_NUMBER);
        } else if (table->form == TABLE_CSV) {
            fputs(i == 0 ? "" : ",", stdout);
            print_csv(values[i].text);
        } else {
            fputs(i == 0 ? "| " : " | ", stdout);
            print_markdown(values[i].text);
        }
    }
    fputs(table->form == TABLE_CSV ? "\n" : table->form == TABLE_MARKDOWN ? " |\n" : "", stdout);
    table->rows++;
    return ferror(stdout) == 0;
}

/* ---- plain ------------------------------------------------------------------------------- */

static void
measure(const struct table *table, size_t *ret_widths)
{
    for (uint32_t i = 0; i < table->columns; i++) {
        ret_widths[i] = width_of(table->names[i]);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t width = width_of(table->cells[i].text);
        size_t *place = &ret_widths[i % table->columns];

        width = width > WIDTH_MAX ? WIDTH_MAX : width;
        *place = width > *place ? width : *place;
    }
}

/* The terminal's width; 0 = no terminal. */
static size_t
terminal_width(void)
{
    struct winsize size;

    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Narrows the widest column until all fit, or all are narrow. */
static void
fit(size_t *widths, uint32_t count, size_t terminal)
{
    for (;;) {
        size_t all = 2 * ((size_t)count - 1);
        uint32_t widest = 0;

        for (uint32_t i = 0; i < count; i++) {
            all += widths[i];
            widest = widths[i] > widths[widest] ? i : widest;
        }
        if (all <= terminal || widths[widest] <= NARROW) {
            return;
        }
        widths[widest]--;
    }
}

static void
print_cell(const char *text, bool is_right, size_t width, bool is_last, bool is_cut)
{
    size_t own = width_of(text);
    int padding = own < width ? (int)(width - own) : 0;

    printf("%*s", is_right ? padding : 0, "");
    if (is_cut && own > width) {
        print_safe(text, end_of(text, width - 1, &own));
        putchar('~');
    } else {
        print_safe(text, text + strlen(text));
    }
    printf("%*s%s", is_right || is_last ? 0 : padding, "", is_last ? "\n" : "  ");
}

static void
print_plain(const struct table *table)
{
    size_t widths[QUESTION_COLUMNS_MAX] = { 0 };
    size_t terminal = terminal_width();

    measure(table, widths);
    if (terminal > 0) {
        fit(widths, table->columns, terminal);
    }
    for (uint32_t i = 0; i < table->columns; i++) {
        bool is_right = table->cell_count > i && table->cells[i].is_number;

        print_cell(table->names[i], is_right, widths[i], i + 1 == table->columns, terminal > 0);
    }
    for (uint32_t i = 0; i < table->columns; i++) {
        for (size_t j = 0; j < widths[i]; j++) {
            putchar('-');
        }
        fputs(i + 1 == table->columns ? "\n" : "  ", stdout);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        uint32_t column = (uint32_t)(i % table->columns);

        print_cell(table->cells[i].text, table->cells[i].is_number, widths[column],
                   column + 1 == table->columns, terminal > 0);
    }
    printf("(%llu %s)\n", (unsigned long long)table->rows,
           sk_plural((int64_t)table->rows, "row", "rows"));
}

void
table_begin(struct table *table, enum table_form form)
{
    *table = (struct table){ .sink = { take_columns, take_row }, .form = form };
}

void
table_end(struct table *table)
{
    if (table->columns > 0 && table->form == TABLE_PLAIN) {
        print_plain(table);
    } else if (table->columns > 0 && table->form == TABLE_JSON) {
        printf(table->rows == 0 ? "[]\n" : "]\n");
    }
    table_drop(table);
}

void
table_drop(struct table *table)
{
    for (uint32_t i = 0; i < table->columns; i++) {
        free(table->names[i]);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        free(table->cells[i].text);
    }
    free(table->cells);
}
