/*
 * table - rows on standard output: as a table for people, or as CSV, JSON or
 * Markdown.
 *
 * A table for people is printed after its last row, because the widths depend on
 * all of them; the other forms are printed row by row.  On a terminal, lines are
 * cut to its width: the widest columns first, and ~ ends a cell that was cut.
 *
 * Owner:   the caller; table_end frees what was kept.
 */
#ifndef SK_CLI_TABLE_H
#define SK_CLI_TABLE_H

#include "server/store/question.h"

enum table_form {
    TABLE_PLAIN,
    TABLE_CSV,
    TABLE_JSON, /* one list of objects */
    TABLE_MARKDOWN,
};

struct table_cell {
    char *text;
    bool is_number;
};

struct table {
    struct question_sink sink; /* first: hand it to question_ask */
    enum table_form form;
    bool has_no_header; /* of TABLE_CSV; to be set after table_begin */
    char *names[QUESTION_COLUMNS_MAX];
    uint32_t columns;
    struct table_cell *cells; /* of TABLE_PLAIN, row after row */
    size_t cell_count;
    size_t cell_capacity;
    uint64_t rows;
};

void table_begin(struct table *table, enum table_form form);
void table_end(struct table *table);

/* Frees without printing the rest. */
void table_drop(struct table *table);

/* The words of the forms; false, with an error printed, when it is none of them. */
#define TABLE_FORMS "table, csv, json or markdown"
bool table_form_read(const char *command, const char *word, enum table_form *ret_form);

#endif /* SK_CLI_TABLE_H */
