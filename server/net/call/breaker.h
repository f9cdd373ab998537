/*
 * call_breaker - who fails again and again is left alone for a while.
 *
 * After so many failures in a row an address is not called for a second; then
 * one call may try.  If that fails too the pause is twice as long, up to half a
 * minute; a success ends all that.
 *
 * Owner:   whoever embeds it; a zeroed one knows nobody.
 * Threads: one at a time.
 */
#ifndef SK_CALL_BREAKER_H
#define SK_CALL_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

#define BREAKER_FAILURES     10
#define BREAKER_PAUSE_MS     1000
#define BREAKER_PAUSE_MAX_MS 30000
#define BREAKER_ENTRIES      1024 /* the one that failed longest ago is forgotten for a new one */

struct breaker_entry {
    uint64_t key; /* of the address; 0 = empty */
    uint32_t failures;
    int32_t pause_ms;
    int64_t until_ms;
    int64_t failed_ms;
    bool is_trying;
};

struct call_breaker {
    struct breaker_entry entries[BREAKER_ENTRIES];
    uint32_t count; /* entries in use; the others are empty */
};

enum breaker_news {
    BREAKER_FINE,
    BREAKER_DOWN,
    BREAKER_UNKNOWN, /* the call tells nothing of the service */
};

/* May it be called now?  Who is told so says later how it went. */
bool breaker_lets_pass(struct call_breaker *breaker, const char *url, int64_t now_ms);
void breaker_note(struct call_breaker *breaker, const char *url, enum breaker_news news,
                  int64_t now_ms);

#endif /* SK_CALL_BREAKER_H */
