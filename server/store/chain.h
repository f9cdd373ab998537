/*
 * The chain: each record's hash covers all its columns and the previous hash.
 *
 * SHA-256 over the previous hash (32 zero bytes for the first record) and then
 * the columns match, seq, epoch, turn, seat, command_id, kind, body and at,
 * each as its length in 4 bytes followed by that many bytes.  Integers are 8
 * bytes in two's complement; the length of NULL is 0xffffffff.  All
 * little-endian.  So two different records never give the same input, and every
 * byte of a record is covered.  migrations/README.md documents the format.
 *
 * Owner:   the caller; nothing is kept.
 * Threads: any.
 */
#ifndef SK_STORE_CHAIN_H
#define SK_STORE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/text.h"
#include "server/host/store_port.h"

struct chain_number {
    bool is_null;
    int64_t value;
};

/* A record's columns as stored; a text whose `at` is NULL is an SQL NULL. */
struct chain_columns {
    int64_t match;
    int64_t seq;
    int64_t epoch;
    struct chain_number turn;
    struct chain_number seat;
    struct sk_text command_id;
    struct sk_text kind;
    struct sk_text body;
    int64_t at;
};

/* `previous` and the result may be the same memory. */
void chain_hash(const uint8_t previous[STORE_HASH_BYTES], const struct chain_columns *columns,
                uint8_t ret_hash[STORE_HASH_BYTES]);

#endif /* SK_STORE_CHAIN_H */
