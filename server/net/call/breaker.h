/*
 * call_breaker - stops calling a service that keeps failing.
 *
 * After BREAKER_FAILURES failures in a row a URL is not called for a second;
 * then one call may try.  Each further failure doubles the pause, up to half a
 * minute.  A success resets it.
 *
 * Owner:   the struct that embeds it; all zeros is empty.
 * Threads: one at a time.
 */
#ifndef SK_CALL_BREAKER_H
#define SK_CALL_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

#define BREAKER_FAILURES     10
#define BREAKER_PAUSE_MS     1000
#define BREAKER_PAUSE_MAX_MS 30000
#define BREAKER_ENTRIES      1024 /* a new entry replaces the one that failed longest ago */

struct breaker_entry {
    uint64_t key; /* hash of the URL; 0 = empty */
    uint32_t failures;
    int32_t pause_ms;
    int64_t until_ms;
    int64_t failed_ms;
    bool is_trying;
};

struct call_breaker {
    struct breaker_entry entries[BREAKER_ENTRIES];
    uint32_t count; /* entries in use; the rest are empty */
};

enum breaker_news {
    BREAKER_FINE,
    BREAKER_DOWN,
    BREAKER_UNKNOWN, /* says nothing about the service */
};

/* Whether the URL may be called now.  If so, the caller must report the result with
 * breaker_note. */
bool breaker_lets_pass(struct call_breaker *breaker, const char *url, int64_t now_ms);
void breaker_note(struct call_breaker *breaker, const char *url, enum breaker_news news,
                  int64_t now_ms);

#endif /* SK_CALL_BREAKER_H */
