/* pack - gzip compression of responses, for clients that accept it. */
#ifndef SK_STORE_PACK_H
#define SK_STORE_PACK_H

#include <stdatomic.h>
#include <stddef.h>

struct store_job;

/* Shorter texts fit a packet or two anyway. */
#define PACK_BYTES_MIN 1024

/* Returns NULL if memory runs out, or once `*is_unwanted` is true (the pointer may be NULL). */
char *pack_text(const char *text, size_t length, const atomic_bool *is_unwanted,
                size_t *ret_length);

/* Compresses the job's text if it has one, it is long enough and compression was asked for. */
void pack_job(struct store_job *job, const atomic_bool *is_unwanted);

#endif /* SK_STORE_PACK_H */
