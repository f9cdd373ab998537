/*
 * The bytes of a fuzzer, taken one after the other; zeros once they are used up, so that every
 * prefix is valid input.
 */
#ifndef SK_FUZZ_INPUT_H
#define SK_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct input {
    const uint8_t *at;
    size_t size;
};

static inline uint8_t
input_take(struct input *input)
{
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->at++;
}

static inline uint32_t
input_take_number(struct input *input)
{
    uint32_t low = input_take(input);

    return low | (uint32_t)input_take(input) << 8;
}

/* Aborts if the condition does not hold: a finding. */
static inline void
must(bool holds)
{
    if (!holds) {
        abort();
    }
}

#endif /* SK_FUZZ_INPUT_H */
