#include <stdlib.h>
#include <zlib.h>

#include "server/review/internal.h"

/* deflateInit2: a window of 2^15 bytes, and 16 more for gzip's header. */
#define GZIP_WINDOW (15 + 16)
#define GZIP_MEMORY 8

char *
review_pack(const char *text, size_t length, size_t *ret_length)
{
    z_stream stream = { .next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)length };
    uLong room;
    char *packed;

    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return NULL;
    }
    room = deflateBound(&stream, (uLong)length);
    packed = malloc(room);
    stream.next_out = (Bytef *)packed;
    stream.avail_out = (uInt)room;
    if (packed != NULL && deflate(&stream, Z_FINISH) != Z_STREAM_END) {
        free(packed);
        packed = NULL;
    }
    *ret_length = (size_t)stream.total_out;
    (void)deflateEnd(&stream);
    return packed;
}
