/*
 * question - SQL that only reads, for people: with a time limit, a row limit
 * and values for its parameters.
 *
 * A reader of a WAL never stops the daemon's turns; what it can do is let the
 * log grow, and against that there is the time limit.
 *
 * Owner:   texts handed to the sink are valid during the call.
 * Threads: the caller's; every question has a connection of its own.
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

/* Readers never make a turn wait for a lock, but they could take its processor: whoever asks gives
 * way by so much. */
#define QUESTION_NICE 15

/* A ready-made question: migrations/queries/NAME.sql. */
struct question {
    const char *name;
    const char *sql;
};

/* Made at build time, in the order of their names. */
extern const struct question questions[];
extern const size_t question_count;

/* NULL: there is none of that name. */
const struct question *question_find(const char *name);

enum question_kind {
    QUESTION_NULL,
    QUESTION_NUMBER, /* as text, and JSON by itself */
    QUESTION_TEXT,
};

struct question_value {
    enum question_kind kind;
    const char *text; /* terminated; blobs are hex */
    size_t length;
};

struct question_sink {
    /* False ends the question early. */
    bool (*columns)(struct question_sink *sink, const char *const *names, uint32_t count);
    bool (*row)(struct question_sink *sink, const struct question_value *values, uint32_t count);
};

/* :name in the SQL.  Parameters that are not given are NULL. */
struct question_parameter {
    const char *name;
    const char *value;
};

struct question_limits {
    int64_t time_ms;               /* 0 = none */
    int64_t rows;                  /* 0 = none */
    const atomic_bool *is_stopped; /* may be NULL; from when it is true the question ends early */
};

/*
 * Faults: cannot_open and the others of archive.h, bad_sql (with SQLite's own
 * words), writes (it is not a question), too_slow.  *ret_is_cut says that there
 * would have been more rows.
 */
enum sk_status question_ask(const char *path, const char *sql,
                            const struct question_parameter *parameters, size_t parameter_count,
                            const struct question_limits *limits, struct question_sink *sink,
                            bool *ret_is_cut, struct sk_fault *ret_fault);

#endif /* SK_STORE_QUESTION_H */
