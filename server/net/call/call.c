/*
 * Allocation and signing of calls.
 */
#include "server/net/call/call.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/hex.h"
#include "server/memory.h"

_Static_assert(CALL_SIGNATURE_DIGITS == 2 * crypto_auth_hmacsha256_BYTES, "all of it");

struct call *
call_alloc(void)
{
    return heap_memory(sizeof(struct call));
}

void
call_free(struct call *call)
{
    if (call != NULL) {
        free(call->body);
        free(call->answer);
        free(call);
    }
}

void
call_add_header(struct call *call, const char *format, ...)
{
    va_list arguments;

    if (call->header_count < CALL_HEADERS_MAX) {
        va_start(arguments, format);
        (void)vsnprintf(call->headers[call->header_count++], CALL_HEADER_MAX + 1, format,
                        arguments);
        va_end(arguments);
    }
}

void
call_sign(const char *secret, int64_t timestamp, const char *body, size_t length,
          char ret_digits[CALL_SIGNATURE_DIGITS + 1])
{
    crypto_auth_hmacsha256_state state;
    uint8_t bytes[crypto_auth_hmacsha256_BYTES];
    char head[32];
    int head_length = snprintf(head, sizeof(head), "%lld.", (long long)timestamp);

    (void)crypto_auth_hmacsha256_init(&state, (const unsigned char *)secret, strlen(secret));
    (void)crypto_auth_hmacsha256_update(&state, (const unsigned char *)head,
                                        (unsigned long long)head_length);
    (void)crypto_auth_hmacsha256_update(&state, (const unsigned char *)body, length);
    (void)crypto_auth_hmacsha256_final(&state, bytes);
    hex_encode(bytes, sizeof(bytes), ret_digits);
}
