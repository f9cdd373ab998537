#include "server/store/pack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

#include "server/host/store_port.h"

/* deflateInit2: a window of 2^15 bytes, and 16 more for gzip's header. */
#define GZIP_WINDOW (15 + 16)
#define GZIP_MEMORY 8

#define PIECE_BYTES \
    (64u << 10) /* compressed between two checks whether the result is still
                                 * wanted */

static bool
is_true(const atomic_bool *flag)
{
    return flag != NULL && atomic_load(flag);
}

static bool
deflate_all(z_stream *stream, const char *text, size_t length, const atomic_bool *is_unwanted)
{
    size_t at = 0;

    do {
        size_t piece = length - at < PIECE_BYTES ? length - at : PIECE_BYTES;
        bool is_last = at + piece == length;

        stream->next_in = (Bytef *)(uintptr_t)(text + at);
        stream->avail_in = (uInt)piece;
        if (is_true(is_unwanted) ||
            deflate(stream, is_last ? Z_FINISH : Z_NO_FLUSH) != (is_last ? Z_STREAM_END : Z_OK)) {
            return false;
        }
        at += piece;
    } while (at < length);
    return true;
}

/* The text may wait long for a slow client, so unused memory is returned. */
static char *
shrink(char *bytes, size_t length)
{
    char *shrunk = realloc(bytes, length);

    return shrunk == NULL ? bytes : shrunk;
}

char *
pack_text(const char *text, size_t length, const atomic_bool *is_unwanted, size_t *ret_length)
{
    z_stream stream = { .next_in = NULL };
    uLong capacity;
    char *packed;

    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return NULL;
    }
    capacity = deflateBound(&stream, (uLong)length);
    packed = malloc(capacity);
    stream.next_out = (Bytef *)packed;
    stream.avail_out = (uInt)capacity;
    if (packed != NULL && !deflate_all(&stream, text, length, is_unwanted)) {
        free(packed);
        packed = NULL;
    }
    *ret_length = (size_t)stream.total_out;
    (void)deflateEnd(&stream);
    return packed == NULL ? NULL : shrink(packed, *ret_length);
}

void
pack_job(struct store_job *job, const atomic_bool *is_unwanted)
{
    size_t length;
    char *packed;

    if (!job->query.takes_gzip || job->result != STORE_OK || job->text.at == NULL ||
        job->text.length < PACK_BYTES_MIN) {
        return;
    }
    packed = pack_text(job->text.at, job->text.length, is_unwanted, &length);
    if (packed == NULL) {
        return;
    }
    free(job->text.at);
    job->text.at = packed;
    job->text.length = length;
    job->text.is_packed = true;
}
