#include "server/net/frame.h"

#include <string.h>

/* ---- headers ----------------------------------------------------------------------------- */

static uint8_t
opcode_of(const struct frame_reader *reader)
{
    return reader->header[0] & 0x0f;
}

static bool
is_final(const struct frame_reader *reader)
{
    return (reader->header[0] & FRAME_FINAL) != 0;
}

static bool
is_control(const struct frame_reader *reader)
{
    return (opcode_of(reader) & FRAME_CONTROL_FLAG) != 0;
}

/* Checks the first two bytes; returns an error or NULL. */
static const char *
check_start(const struct frame_reader *reader)
{
    uint8_t opcode = opcode_of(reader);

    if ((reader->header[0] & 0x70) != 0) {
        return "a reserved bit is set";
    }
    if ((reader->header[1] & 0x80) == 0) {
        return "a client's frame must be masked";
    }
    if (is_control(reader)) {
        if (opcode > FRAME_PONG) {
            return "an unknown opcode";
        }
        if (!is_final(reader)) {
            return "a control frame is fragmented";
        }
        return (reader->header[1] & 0x7f) > FRAME_CONTROL_MAX ? "a control frame is too long"
                                                              : NULL;
    }
    if (opcode > FRAME_BINARY) {
        return "an unknown opcode";
    }
    if (opcode == FRAME_CONTINUATION && !reader->is_in_message) {
        return "there is no message to continue";
    }
    if (opcode != FRAME_CONTINUATION && reader->is_in_message) {
        return "a message begins inside another";
    }
    return NULL;
}

/* The number of length bytes after the first two. */
static size_t
length_bytes(const struct frame_reader *reader)
{
    uint8_t word = reader->header[1] & 0x7f;

    return word == 127 ? 8 : word == 126 ? 2 : 0;
}

static const char *
read_length(struct frame_reader *reader)
{
    size_t bytes = length_bytes(reader);
    uint64_t length = bytes == 0 ? reader->header[1] & 0x7f : 0;

    for (size_t i = 0; i < bytes; i++) {
        length = length << 8 | reader->header[2 + i];
    }
    reader->length = length;
    if (length > INT64_MAX) {
        return "a length is negative";
    }
    if ((bytes == 2 && length < 126) || (bytes == 8 && length <= UINT16_MAX)) {
        return "a length is not in its shortest form";
    }
    return NULL;
}

static void
begin_payload(struct frame_reader *reader)
{
    reader->is_in_payload = true;
    reader->done = 0;
    if (!is_control(reader)) {
        reader->is_in_message = !is_final(reader);
    }
}

/* Returns an error or NULL.  The header is complete once is_in_payload is set. */
static const char *
read_header(struct frame_reader *reader, uint8_t **bytes, size_t *length)
{
    size_t needed = 2;

    while (*length > 0) {
        const char *error = NULL;

        reader->header[reader->header_length++] = *(*bytes)++;
        (*length)--;
        if (reader->header_length == 2) {
            error = check_start(reader);
        }
        if (reader->header_length >= 2) {
            needed = 2 + length_bytes(reader) + 4;
        }
        if (error == NULL && reader->header_length == needed - 4) {
            error = read_length(reader);
        }
        if (error != NULL) {
            return error;
        }
        if (reader->header_length == needed && needed > 2) {
            begin_payload(reader);
            return NULL;
        }
    }
    return NULL;
}

/* ---- payload ----------------------------------------------------------------------------- */

/* `done`: payload bytes before this piece. */
static void
unmask(uint8_t *data, size_t length, const uint8_t mask[4], uint64_t done)
{
    uint8_t bytes[8];
    uint64_t key;
    size_t i = 0;

    for (size_t k = 0; k < sizeof(bytes); k++) {
        bytes[k] = mask[(done + k) & 3];
    }
    memcpy(&key, bytes, sizeof(key));
    for (; length - i >= sizeof(key); i += sizeof(key)) {
        uint64_t word;

        memcpy(&word, data + i, sizeof(word));
        word ^= key;
        memcpy(data + i, &word, sizeof(word));
    }
    for (; i < length; i++) {
        data[i] ^= bytes[i & 7];
    }
}

enum frame_state
frame_read(struct frame_reader *reader, uint8_t **bytes, size_t *length,
           struct frame_piece *ret_piece, const char **ret_error)
{
    bool is_begin = !reader->is_in_payload;
    uint64_t left;

    if (is_begin) {
        *ret_error = read_header(reader, bytes, length);
        if (*ret_error != NULL) {
            return FRAME_WRONG;
        }
    }
    if (!reader->is_in_payload || (!is_begin && *length == 0)) {
        return FRAME_MORE;
    }
    left = reader->length - reader->done;
    *ret_piece = (struct frame_piece){
        .opcode = opcode_of(reader),
        .is_final = is_final(reader),
        .is_begin = is_begin,
        .data = *bytes,
        .length = left < *length ? (size_t)left : *length,
    };
    unmask(*bytes, ret_piece->length, reader->header + reader->header_length - 4, reader->done);
    reader->done += ret_piece->length;
    *bytes += ret_piece->length;
    *length -= ret_piece->length;
    ret_piece->left = reader->length - reader->done;
    ret_piece->is_end = ret_piece->left == 0;
    if (ret_piece->is_end) {
        reader->is_in_payload = false;
        reader->header_length = 0;
    }
    return FRAME_PIECE;
}

/* 1004 to 1006 and 1015 mean that there is no code; below 3000 only registered codes are valid. */
bool
frame_close_code_is_valid(uint32_t code)
{
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}
