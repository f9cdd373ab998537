/*
 * Any bytes as an HTTP request and as WebSocket frames.  The result does not depend on the pieces
 * in which they arrive and stays inside the bytes, and frames are unmasked as in RFC 6455.
 */
#include <string.h>

#include "server/net/frame.h"
#include "server/net/head.h"
#include "tests/fuzz/input.h"

#define BYTES_MAX ((size_t)NET_HTTP_HEAD_MAX + NET_RECEIVE_BYTES)

static void
check_slice(const struct request_head *head, struct head_slice slice)
{
    must((size_t)slice.at + slice.length <= head->length);
}

static void
check_head(const char *bytes, size_t size)
{
    static struct request_head whole;
    static struct request_head pieces;
    static char text[BYTES_MAX];
    enum head_state state;
    enum head_state other = HEAD_MORE;
    uint64_t length;

    memset(&whole, 0, sizeof(whole));
    memset(&pieces, 0, sizeof(pieces));
    state = head_read(&whole, bytes, size);
    for (size_t i = 1; i <= size && other == HEAD_MORE; i++) {
        other = head_read(&pieces, bytes, i);
    }
    must(size == 0 || (state == HEAD_WHOLE) == (other == HEAD_WHOLE));
    if (state != HEAD_WHOLE) {
        return;
    }
    must(memcmp(&whole, &pieces, sizeof(whole)) == 0 && whole.length <= size);
    check_slice(&whole, whole.method);
    check_slice(&whole, whole.path);
    check_slice(&whole, whole.query);
    for (uint32_t i = 0; i < whole.count; i++) {
        check_slice(&whole, whole.fields[i].name);
        check_slice(&whole, whole.fields[i].value);
    }
    head_decode(bytes, whole.path, false, text, sizeof(text));
    head_decode(bytes, whole.query, true, text, sizeof(text));
    head_body_length(&whole, bytes, &length);
    must(head_copy(&whole, bytes, "x", text, 8) == (text[0] != '\0'));
    must(!head_lists(&whole, bytes, "upgrade", "websocket", HEAD_ANY_CASE) ||
         head_count(&whole, bytes, "upgrade") > 0);
}

/* The sum of all pieces of all frames. */
struct frames {
    uint32_t count;
    uint32_t hash;
    const char *error;
};

static struct frames
read_frames(uint8_t *bytes, size_t size, size_t step)
{
    struct frame_reader reader = { .header_length = 0 };
    struct frames frames = { 0, 0, NULL };

    for (size_t at = 0; at < size && frames.error == NULL; at += step) {
        uint8_t *next = bytes + at;
        size_t left = size - at < step ? size - at : step;
        struct frame_piece piece;

        while (frame_read(&reader, &next, &left, &piece, &frames.error) == FRAME_PIECE) {
            must(piece.data >= bytes && piece.data + piece.length <= bytes + size);
            must(piece.is_end == (piece.left == 0));
            frames.count += piece.is_end ? 1 : 0;
            for (size_t i = 0; i < piece.length; i++) {
                frames.hash = frames.hash * 31 + piece.data[i];
            }
        }
        must(frames.error != NULL || left == 0);
    }
    return frames;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t copy[BYTES_MAX];
    struct frames whole;
    struct frames pieces;

    size = size < BYTES_MAX ? size : BYTES_MAX;
    check_head((const char *)bytes, size);
    memcpy(copy, bytes, size);
    whole = read_frames(copy, size, size + 1);
    memcpy(copy, bytes, size);
    pieces = read_frames(copy, size, 1 + size % 7);
    must(whole.count == pieces.count && whole.hash == pieces.hash && whole.error == pieces.error);
    return 0;
}
