/*
 * question - read-only SQL for people, with a time limit, a row limit and
 * parameters.
 *
 * A WAL reader never blocks the daemon's turns, but a long one makes the log
 * grow.  The time limit bounds that.
 *
 * Owner:   texts passed to the sink are valid during the call.
 * Threads: any; every question opens its own connection.
 */
#ifndef SK_STORE_QUESTION_H
#define SK_STORE_QUESTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"

#define QUESTION_COLUMNS_MAX 256

/* A reader never holds a lock that a turn needs, but it competes for the processor.  So the process
 * that asks lowers its priority by this much. */
#define QUESTION_NICE 15

/* A predefined question: migrations/queries/NAME.sql. */
struct question {
    const char *name;
    const char *sql;
    const char *postgres; /* the text for PostgreSQL; NULL if it is the same */
};

/* Generated at build time, sorted by name. */
extern const struct question questions[];
extern const size_t question_count;

/* Returns NULL if the name is unknown. */
const struct question *question_find(const char *name);

enum question_kind {
    QUESTION_NULL,
    QUESTION_NUMBER, /* as text that is valid JSON */
    QUESTION_TEXT,
};

struct question_value {
    enum question_kind kind;
    const char *text; /* zero-terminated; blobs are hex */
    size_t length;
};

struct question_sink {
    /* Returning false ends the question early.  `columns` may be NULL: nobody needs the names. */
    bool (*columns)(struct question_sink *sink, const char *const *names, uint32_t count);
    bool (*row)(struct question_sink *sink, const struct question_value *values, uint32_t count);
};

/* :name in the SQL.  Missing parameters are NULL. */
struct question_parameter {
    const char *name;
    const char *value;
};

struct question_limits {
    int64_t time_ms;               /* 0 = none */
    int64_t rows;                  /* 0 = none */
    const atomic_bool *is_stopped; /* may be NULL; once true the question ends early */
};

/*
 * Faults: those of archive_open, bad_sql (with SQLite's message), writes (the
 * SQL is not read-only), too_slow.  *ret_is_cut: the row limit cut the result.
 */
enum sk_status question_ask(const char *path, const char *sql,
                            const struct question_parameter *parameters, size_t parameter_count,
                            const struct question_limits *limits, struct question_sink *sink,
                            bool *ret_is_cut, struct sk_fault *ret_fault);

/* The text for the kind of database that `path` is. */
const char *question_text(const char *path, const char *sqlite, const char *postgres);

/* The same on a PostgreSQL database. */
enum sk_status postgres_question_ask(const char *path, const char *sql,
                                     const struct question_parameter *parameters,
                                     size_t parameter_count, const struct question_limits *limits,
                                     struct question_sink *sink, bool *ret_is_cut,
                                     struct sk_fault *ret_fault);

#endif /* SK_STORE_QUESTION_H */
