/*
 * table - rows on standard output: as a table for eyes, or as CSV, JSON or
 * Markdown.
 *
 * A table for eyes is printed when all its rows are there, because the widths
 * depend on them; the other forms row by row.  On a terminal its lines are cut
 * to the terminal's width: the widest columns first, ~ ends a cell that was
 * cut.  Into files and pipes all of it goes.
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
    size_t cell_room;
    uint64_t rows;
};

void table_begin(struct table *table, enum table_form form);
void table_end(struct table *table);

/* Prints no more and frees: half an answer is none. */
void table_drop(struct table *table);

/* table, csv, json or markdown; false when it is none of them. */
bool table_form_read(const char *word, enum table_form *ret_form);

#endif /* SK_CLI_TABLE_H */
