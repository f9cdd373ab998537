/* server/net/frame: WebSocket frames, received in pieces of any size. */
#include <stdio.h>
#include <string.h>

#include "server/net/frame.h"
#include "tests/support/cases.h"

#define MASK "\x01\x02\x03\x04"

/* Reads all of it, `step` bytes at a time; appends "opcode:data" and marks of what it was. */
static enum frame_state
read_all(const char *bytes, size_t length, size_t step, char *told, const char **ret_error)
{
    struct frame_reader reader = { 0 };
    uint8_t copy[512];
    enum frame_state state = FRAME_MORE;

    cr_assert_leq(length, sizeof(copy));
    memcpy(copy, bytes, length);
    *told = '\0';
    for (size_t at = 0; at < length && state != FRAME_WRONG; at += step) {
        uint8_t *rest = copy + at;
        size_t left = length - at < step ? length - at : step;
        struct frame_piece piece;

        while ((state = frame_read(&reader, &rest, &left, &piece, ret_error)) == FRAME_PIECE) {
            if (piece.is_begin) {
                told += sprintf(told, "%u:", piece.opcode);
            }
            told += sprintf(told, "%.*s", (int)piece.length, (const char *)piece.data);
            if (piece.is_end) {
                told += sprintf(told, piece.is_final ? ". " : "+ ");
            }
        }
    }
    return state;
}

struct frame_case {
    const char *label;
    const char *bytes;
    size_t length;
    enum frame_state state;
    const char *told;
};

#define BYTES(text)  text, sizeof(text) - 1
#define HI(first)    first "\x82" MASK "ik" /* "hi", masked */
#define EMPTY(first) first "\x80" MASK

static const struct frame_case frame_cases[] = {
    { "text", BYTES(HI("\x81")), FRAME_MORE, "1:hi. " },
    { "binary", BYTES(HI("\x82")), FRAME_MORE, "2:hi. " },
    { "nothing in it", BYTES(EMPTY("\x81")), FRAME_MORE, "1:. " },
    { "two", BYTES(HI("\x81") HI("\x81")), FRAME_MORE, "1:hi. 1:hi. " },
    { "in fragments", BYTES(HI("\x01") HI("\x00") HI("\x80")), FRAME_MORE, "1:hi+ 0:hi+ 0:hi. " },
    { "a ping between fragments", BYTES(HI("\x01") HI("\x89") HI("\x80")), FRAME_MORE,
      "1:hi+ 9:hi. 0:hi. " },
    { "close", BYTES("\x88\x82" MASK "\x02\xea"), FRAME_MORE, "8:\x03\xe8. " },
    { "a length of two bytes", BYTES("\x81\xfe\x00\x7e" MASK), FRAME_MORE, "1:" },
    { "a length in more bytes than needed", BYTES("\x81\xfe\x00\x7d" MASK), FRAME_WRONG, "" },
    { "a length of eight bytes, likewise", BYTES("\x81\xff\x00\x00\x00\x00\x00\x00\xff\xff" MASK),
      FRAME_WRONG, "" },
    { "a length of 2^63", BYTES("\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00" MASK), FRAME_WRONG, "" },
    { "unmasked", BYTES("\x81\x02hi"), FRAME_WRONG, "" },
    { "a reserved bit", BYTES(HI("\xc1")), FRAME_WRONG, "" },
    { "an unknown opcode", BYTES(HI("\x83")), FRAME_WRONG, "" },
    { "an unknown control frame", BYTES(HI("\x8b")), FRAME_WRONG, "" },
    { "a ping in fragments", BYTES(HI("\x09")), FRAME_WRONG, "" },
    { "a ping of 126 bytes", BYTES("\x89\xfe\x00\x7e" MASK), FRAME_WRONG, "" },
    { "a continuation of nothing", BYTES(HI("\x80")), FRAME_WRONG, "" },
    { "a message inside another", BYTES(HI("\x01") HI("\x81")), FRAME_WRONG, "1:hi+ " },
};

CASES(net_frame, frames_come_out_the_same_in_whatever_pieces, frame_cases)
{
    const struct frame_case *c = &frame_cases[*index];

    for (size_t step = 1; step <= c->length; step++) {
        char told[512];
        const char *error = NULL;

        cr_assert_eq(read_all(c->bytes, c->length, step, told, &error), c->state, "%s, by %zu",
                     c->label, step);
        cr_expect_str_eq(told, c->told, "%s, by %zu: %s", c->label, step, told);
        cr_expect_eq(error != NULL, c->state == FRAME_WRONG);
    }
}

struct code_case {
    uint32_t code;
    bool is_valid;
};

static const struct code_case code_cases[] = {
    { 0, false },    { 999, false },  { 1000, true }, { 1003, true }, { 1004, false },
    { 1005, false }, { 1006, false }, { 1007, true }, { 1011, true }, { 1015, false },
    { 1016, false }, { 2999, false }, { 3000, true }, { 4999, true }, { 5000, false },
};

CASES(net_frame, close_codes, code_cases)
{
    cr_expect_eq(frame_close_code_is_valid(code_cases[*index].code), code_cases[*index].is_valid,
                 "%u", code_cases[*index].code);
}
