#include "server/store/chain.h"

#include <sodium.h>

#include "common/base/bytes.h"

#define NULL_LENGTH 0xffffffffu
#define NUMBER_SIZE 8u

_Static_assert(STORE_HASH_BYTES == crypto_hash_sha256_BYTES, "the chain is SHA-256");

static void
add(crypto_hash_sha256_state *state, const void *bytes, size_t size)
{
    (void)crypto_hash_sha256_update(state, bytes, size); /* it cannot fail */
}

static void
add_number(crypto_hash_sha256_state *state, int64_t value)
{
    uint8_t bytes[4 + NUMBER_SIZE];

    sk_store_u32(bytes, NUMBER_SIZE);
    sk_store_u32(bytes + 4, (uint32_t)(uint64_t)value);
    sk_store_u32(bytes + 8, (uint32_t)((uint64_t)value >> 32));
    add(state, bytes, sizeof(bytes));
}

static void
add_length(crypto_hash_sha256_state *state, uint32_t length)
{
    uint8_t bytes[4];

    sk_store_u32(bytes, length);
    add(state, bytes, sizeof(bytes));
}

static void
add_number_or_null(crypto_hash_sha256_state *state, struct chain_number number)
{
    if (number.is_null) {
        add_length(state, NULL_LENGTH);
    } else {
        add_number(state, number.value);
    }
}

static void
add_text(crypto_hash_sha256_state *state, struct sk_text text)
{
    if (text.at == NULL) {
        add_length(state, NULL_LENGTH);
        return;
    }
    add_length(state, text.length);
    add(state, text.at, text.length);
}

void
chain_hash(const uint8_t previous[STORE_HASH_BYTES], const struct chain_columns *columns,
           uint8_t ret_hash[STORE_HASH_BYTES])
{
    crypto_hash_sha256_state state;

    (void)crypto_hash_sha256_init(&state);
    add(&state, previous, STORE_HASH_BYTES);
    add_number(&state, columns->match);
    add_number(&state, columns->seq);
    add_number(&state, columns->epoch);
    add_number_or_null(&state, columns->turn);
    add_number_or_null(&state, columns->seat);
    add_text(&state, columns->command_id);
    add_text(&state, columns->kind);
    add_text(&state, columns->body);
    add_number(&state, columns->at);
    (void)crypto_hash_sha256_final(&state, ret_hash);
}
