/*
 * postgres_list - a list of values as PostgreSQL receives an array in binary
 * form, so that bodies are neither quoted nor copied twice.
 *
 * Owner:   the caller, who frees `at`.
 * Threads: one at a time.
 */
#ifndef SK_STORE_POSTGRES_LIST_H
#define SK_STORE_POSTGRES_LIST_H

#include <stddef.h>
#include <stdint.h>

/* The types of the values. */
#define OID_BYTEA 17
#define OID_INT8  20
#define OID_INT4  23
#define OID_TEXT  25

struct postgres_list {
    char *at;
    size_t used;
    size_t capacity;
    uint32_t count;
};

void postgres_list_init(struct postgres_list *list, uint32_t oid);
void postgres_list_put_number(struct postgres_list *list, int64_t value);

/* 4 bytes, or NULL. */
void postgres_list_put_small(struct postgres_list *list, int32_t value, int32_t null_value);

/* NULL becomes SQL NULL. */
void postgres_list_put_bytes(struct postgres_list *list, const void *bytes, size_t size);

/* Must be called after the last value. */
void postgres_list_end(struct postgres_list *list);

#endif /* SK_STORE_POSTGRES_LIST_H */
