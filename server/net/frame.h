/*
 * frame_reader - WebSocket frames as a client sends them (RFC 6455, 5).
 *
 * Bytes go in as they come, pieces of frames come out, unmasked where they
 * lie.  Whether messages make sense together (5.4) is checked here too; what
 * they mean and how long they may be is the caller's matter.
 *
 * Owner:   the caller; holds no pointers.
 * Threads: none of its own.
 */
#ifndef SK_NET_FRAME_H
#define SK_NET_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_HEADER_MAX  14 /* two bytes, eight of a length, four of a mask */
#define FRAME_CONTROL_MAX 125

/* What one costs beside its data, for the limit of their rate: the least on the wire. */
#define FRAME_CONTROL_COST 6

enum frame_opcode {
    FRAME_CONTINUATION = 0,
    FRAME_TEXT = 1,
    FRAME_BINARY = 2,
    FRAME_CLOSE = 8,
    FRAME_PING = 9,
    FRAME_PONG = 10
};

#define FRAME_FINAL        0x80 /* in the first byte: the last frame of a message */
#define FRAME_CONTROL_FLAG 0x08 /* in an opcode */

/* All zero is the beginning. */
struct frame_reader {
    uint8_t header[FRAME_HEADER_MAX];
    uint8_t header_length; /* of these, how many have come */
    bool is_in_payload;
    bool is_in_message; /* its last frame has not begun */
    uint64_t length;    /* of the payload */
    uint64_t done;      /* of these bytes, handed out */
};

struct frame_piece {
    uint8_t opcode;
    bool is_final; /* the frame is its message's last */
    bool is_begin; /* of the frame */
    bool is_end;
    uint8_t *data;
    size_t length;
    uint64_t left; /* of the frame, behind this piece */
};

enum frame_state {
    FRAME_MORE,  /* all bytes are used, there is no piece */
    FRAME_PIECE, /* there is one, and perhaps more behind it */
    FRAME_WRONG  /* the connection must fail with 1002 */
};

/*
 * Takes bytes off the front, which moves `*bytes` and `*length`.  A frame's
 * first piece comes with its header, perhaps without data.
 */
enum frame_state frame_read(struct frame_reader *reader, uint8_t **bytes, size_t *length,
                            struct frame_piece *ret_piece, const char **ret_error);

/* May a client say this in a close frame (7.4)? */
bool frame_close_code_is_valid(uint32_t code);

#endif /* SK_NET_FRAME_H */
