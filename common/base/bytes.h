/*
 * sk_bytes_out, sk_bytes_in - little-endian bytes, the same on every machine.
 *
 * Snapshots are written with these.  Both are bounded: the writer remembers an
 * overflow and continues counting, the reader remembers that it ran past the
 * end and returns zeros.  So a caller checks once, at the end.
 *
 * Owner:   the caller owns the buffer.
 * Threads: one at a time.
 */
#ifndef SK_BYTES_H
#define SK_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sk_bytes_out {
    uint8_t *at;
    size_t size;
    size_t used; /* may exceed `size`: then it is the size needed, and the rest was not written */
};

struct sk_bytes_in {
    const uint8_t *at;
    size_t size;
    size_t used;
    bool is_short;
};

/* Space for `size` more bytes, or NULL if they do not fit; counted either way. */
static inline uint8_t *
sk_put_space(struct sk_bytes_out *out, size_t size)
{
    bool fits = out->used <= out->size && out->size - out->used >= size;
    uint8_t *space = fits ? out->at + out->used : NULL;

    out->used += size;
    return space;
}

static inline void
sk_store_u32(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    at[2] = (uint8_t)(value >> 16);
    at[3] = (uint8_t)(value >> 24);
}

static inline void
sk_put_u8(struct sk_bytes_out *out, uint8_t value)
{
    uint8_t *at = sk_put_space(out, 1);

    if (at != NULL) {
        at[0] = value;
    }
}

static inline void
sk_put_u16(struct sk_bytes_out *out, uint16_t value)
{
    uint8_t *at = sk_put_space(out, 2);

    if (at != NULL) {
        at[0] = (uint8_t)value;
        at[1] = (uint8_t)(value >> 8);
    }
}

static inline void
sk_put_u32(struct sk_bytes_out *out, uint32_t value)
{
    uint8_t *at = sk_put_space(out, 4);

    if (at != NULL) {
        sk_store_u32(at, value);
    }
}

static inline uint8_t
sk_take_u8(struct sk_bytes_in *in)
{
    if (in->used >= in->size) {
        in->is_short = true;
        return 0;
    }
    return in->at[in->used++];
}

static inline uint16_t
sk_take_u16(struct sk_bytes_in *in)
{
    uint16_t low = sk_take_u8(in);

    return (uint16_t)(low | (uint16_t)(sk_take_u8(in) << 8));
}

static inline uint32_t
sk_take_u32(struct sk_bytes_in *in)
{
    uint32_t low = sk_take_u16(in);

    return low | (uint32_t)sk_take_u16(in) << 16;
}

#endif /* SK_BYTES_H */
