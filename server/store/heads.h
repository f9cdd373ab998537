/*
 * heads - what the storage thread remembers about a match between jobs: the end
 * of its chain, and a generation of jobs that failed.
 *
 * A head caches what the database holds.  It may be dropped whenever it is not
 * moved, and is then read again.  A failed generation is not stored anywhere;
 * it is kept until a job of the match has another generation.
 *
 * Owner:   the store.
 * Threads: only the storage thread.
 */
#ifndef SK_STORE_HEADS_H
#define SK_STORE_HEADS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/host/store_port.h"

/* Heads kept at once; with more matches some are read again. */
#define STORE_HEADS_MAX 32768u

struct head {
    int64_t match; /* 0 = the slot is free */
    int64_t epoch;
    int64_t last_seq;
    int64_t last_record;  /* its id; 0 = none */
    int64_t first_record; /* known while the match is being created */
    uint8_t hash[STORE_HASH_BYTES];
    uint32_t in_group;   /* while is_moved, on PostgreSQL: its place in the group */
    uint32_t generation; /* for which it was read, there: another node may have appended since */
    uint32_t failed_generation;
    bool has_failed;
    bool is_known; /* epoch, last_seq, last_record and hash are as in the database ... */
    bool is_moved; /* ... but the table chain is updated later, by the commit at the latest */
};

struct heads {
    struct head *places;
    uint32_t size; /* a power of two */
    uint32_t used;
};

void heads_init(struct heads *heads);
void heads_fini(struct heads *heads);

/* Returns the match's head, adding it if needed.  Valid until the next call. */
struct head *heads_of(struct heads *heads, int64_t match);

/* The next use reads it again. */
void heads_forget(struct heads *heads, int64_t match);

void heads_fail(struct heads *heads, int64_t match, uint32_t generation);

/* Whether a job of that generation failed.  A different generation clears the failure. */
bool heads_has_failed(struct heads *heads, int64_t match, uint32_t generation);

#endif /* SK_STORE_HEADS_H */
