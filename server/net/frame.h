/*
 * frame_reader - parses WebSocket frames from clients (RFC 6455, 5).
 *
 * Takes bytes as they arrive and returns pieces of frames, unmasked in place.
 * Checks also the order of frames within messages (5.4).  The meaning and the
 * maximum length of messages are up to the caller.
 *
 * Owner:   the caller; holds no pointers.
 * Threads: any.
 */
#ifndef SK_NET_FRAME_H
#define SK_NET_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_HEADER_MAX  14 /* 2 bytes, 8 of length, 4 of mask */
#define FRAME_CONTROL_MAX 125

/* Counted per control frame in addition to its data: its minimum size on the wire. */
#define FRAME_CONTROL_COST 6

enum frame_opcode {
    FRAME_CONTINUATION = 0,
    FRAME_TEXT = 1,
    FRAME_BINARY = 2,
    FRAME_CLOSE = 8,
    FRAME_PING = 9,
    FRAME_PONG = 10
};

#define FRAME_FINAL        0x80 /* in the first byte: last frame of a message */
#define FRAME_CONTROL_FLAG 0x08 /* in an opcode */

/* All zeros is the initial state. */
struct frame_reader {
    uint8_t header[FRAME_HEADER_MAX];
    uint8_t header_length; /* header bytes received so far */
    bool is_in_payload;
    bool is_in_message; /* its last frame has not begun */
    uint64_t length;    /* of the payload */
    uint64_t done;      /* payload bytes returned so far */
};

struct frame_piece {
    uint8_t opcode;
    bool is_final; /* the last frame of its message */
    bool is_begin; /* the first piece of the frame */
    bool is_end;
    uint8_t *data;
    size_t length;
    uint64_t left; /* bytes of the frame after this piece */
};

enum frame_state {
    FRAME_MORE,  /* all bytes are consumed, no piece */
    FRAME_PIECE, /* a piece is returned; there may be more */
    FRAME_WRONG  /* the connection must fail with 1002 */
};

/*
 * Consumes bytes from the front and moves `*bytes` and `*length`.  The first
 * piece of a frame comes with its header, perhaps without data.
 */
enum frame_state frame_read(struct frame_reader *reader, uint8_t **bytes, size_t *length,
                            struct frame_piece *ret_piece, const char **ret_error);

/* Whether a client may send this code in a close frame (7.4). */
bool frame_close_code_is_valid(uint32_t code);

#endif /* SK_NET_FRAME_H */
