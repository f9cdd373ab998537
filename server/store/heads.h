/*
 * heads - what storage remembers of a match between two jobs: where its chain
 * ends, and which generation of its jobs must not go on.
 *
 * A head is only a memory of what the database has: it may be forgotten at
 * any time that it is not moved, and is read again.  A failed generation is in no database; it is
 * kept until the match's jobs come with another one.
 *
 * Owner:   the store.
 * Threads: the storage thread's only.
 */
#ifndef SK_STORE_HEADS_H
#define SK_STORE_HEADS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/host/store_port.h"

/* Heads kept at once; with more matches than that some are read again. */
#define STORE_HEADS_MAX 32768u

struct head {
    int64_t match; /* 0 = the place is free */
    int64_t epoch;
    int64_t last_seq;
    uint8_t hash[STORE_HASH_BYTES];
    uint32_t failed_generation;
    bool has_failed;
    bool is_known; /* epoch, last_seq and hash are as in the database ... */
    bool is_moved; /* ... but for its table of chains, which is told at the latest at the commit */
};

struct heads {
    struct head *places;
    uint32_t size; /* a power of two */
    uint32_t used;
};

void heads_init(struct heads *heads);
void heads_fini(struct heads *heads);

/* The match's head, added if it is not there.  Valid until the next call. */
struct head *heads_of(struct heads *heads, int64_t match);

/* It is read again at the next touch. */
void heads_forget(struct heads *heads, int64_t match);

void heads_fail(struct heads *heads, int64_t match, uint32_t generation);

/* Did a job of that generation fail?  Another generation makes the failure history. */
bool heads_has_failed(struct heads *heads, int64_t match, uint32_t generation);

#endif /* SK_STORE_HEADS_H */
