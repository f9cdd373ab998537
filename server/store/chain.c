#include "server/store/chain.h"

#include <string.h>

#include "common/base/bytes.h"
#include "proto/sha256.h"

#define NULL_LENGTH 0xffffffffu
#define NUMBER_SIZE 8u

_Static_assert(STORE_HASH_BYTES == SK_SHA256_BYTES, "the chain is SHA-256");

/* Short columns are gathered, so that the hash is updated only a few times. */
struct gathering {
    struct sk_sha256 hash;
    size_t used;
    uint8_t bytes[256];
};

static void
feed(struct gathering *gathering)
{
    sk_sha256_update(&gathering->hash, gathering->bytes, gathering->used);
    gathering->used = 0;
}

static void
add(struct gathering *gathering, const void *bytes, size_t size)
{
    if (size > sizeof(gathering->bytes) - gathering->used) {
        feed(gathering);
    }
    if (size > sizeof(gathering->bytes)) {
        sk_sha256_update(&gathering->hash, bytes, size);
    } else if (size > 0) {
        memcpy(gathering->bytes + gathering->used, bytes, size);
        gathering->used += size;
    }
}

static void
add_number(struct gathering *gathering, int64_t value)
{
    uint8_t bytes[4 + NUMBER_SIZE];

    sk_store_u32(bytes, NUMBER_SIZE);
    sk_store_u32(bytes + 4, (uint32_t)(uint64_t)value);
    sk_store_u32(bytes + 8, (uint32_t)((uint64_t)value >> 32));
    add(gathering, bytes, sizeof(bytes));
}

static void
add_length(struct gathering *gathering, uint32_t length)
{
    uint8_t bytes[4];

    sk_store_u32(bytes, length);
    add(gathering, bytes, sizeof(bytes));
}

static void
add_number_or_null(struct gathering *gathering, struct chain_number number)
{
    if (number.is_null) {
        add_length(gathering, NULL_LENGTH);
    } else {
        add_number(gathering, number.value);
    }
}

static void
add_text(struct gathering *gathering, struct sk_text text)
{
    if (text.at == NULL) {
        add_length(gathering, NULL_LENGTH);
        return;
    }
    add_length(gathering, text.length);
    add(gathering, text.at, text.length);
}

void
chain_hash(const uint8_t previous[STORE_HASH_BYTES], const struct chain_columns *columns,
           uint8_t ret_hash[STORE_HASH_BYTES])
{
    struct gathering gathering;

    gathering.used = 0;
    sk_sha256_init(&gathering.hash);
    add(&gathering, previous, STORE_HASH_BYTES);
    add_number(&gathering, columns->match);
    add_number(&gathering, columns->seq);
    add_number(&gathering, columns->epoch);
    add_number_or_null(&gathering, columns->turn);
    add_number_or_null(&gathering, columns->seat);
    add_text(&gathering, columns->command_id);
    add_text(&gathering, columns->kind);
    add_text(&gathering, columns->body);
    add_number(&gathering, columns->at);
    feed(&gathering);
    sk_sha256_final(&gathering.hash, ret_hash);
}
