#include "server/net/call/breaker.h"

#include <string.h>

#include "common/base/hash.h"

static uint64_t
key_of(const char *url)
{
    uint64_t key = sk_hash((const uint8_t *)url, strlen(url));

    return key == 0 ? 1 : key;
}

static struct breaker_entry *
find(struct call_breaker *breaker, uint64_t key)
{
    for (uint32_t i = 0; i < breaker->count; i++) {
        if (breaker->entries[i].key == key) {
            return &breaker->entries[i];
        }
    }
    return NULL;
}

static struct breaker_entry *
add(struct call_breaker *breaker, uint64_t key)
{
    struct breaker_entry *entry = &breaker->entries[0];

    if (breaker->count < BREAKER_ENTRIES) {
        entry = &breaker->entries[breaker->count++];
    } else {
        for (uint32_t i = 1; i < BREAKER_ENTRIES; i++) {
            entry = breaker->entries[i].failed_ms < entry->failed_ms ? &breaker->entries[i] : entry;
        }
    }
    *entry = (struct breaker_entry){ .key = key };
    return entry;
}

bool
breaker_lets_pass(struct call_breaker *breaker, const char *url, int64_t now_ms)
{
    struct breaker_entry *entry = find(breaker, key_of(url));

    if (entry == NULL || entry->failures < BREAKER_FAILURES) {
        return true;
    }
    if (now_ms < entry->until_ms || entry->is_trying) {
        return false;
    }
    entry->is_trying = true;
    return true;
}

static void
note_failure(struct breaker_entry *entry, int64_t now_ms)
{
    entry->failed_ms = now_ms;
    entry->failures += entry->failures < BREAKER_FAILURES ? 1 : 0;
    if (entry->failures < BREAKER_FAILURES || (!entry->is_trying && now_ms < entry->until_ms)) {
        return; /* a call that was under way when the pause began does not extend it */
    }
    entry->is_trying = false;
    entry->pause_ms = entry->pause_ms == 0 ? BREAKER_PAUSE_MS : 2 * entry->pause_ms;
    if (entry->pause_ms > BREAKER_PAUSE_MAX_MS) {
        entry->pause_ms = BREAKER_PAUSE_MAX_MS;
    }
    entry->until_ms = now_ms + entry->pause_ms;
}

void
breaker_note(struct call_breaker *breaker, const char *url, enum breaker_news news, int64_t now_ms)
{
    uint64_t key = key_of(url);
    struct breaker_entry *entry = find(breaker, key);

    if (news == BREAKER_DOWN) {
        note_failure(entry == NULL ? add(breaker, key) : entry, now_ms);
    } else if (entry != NULL && news == BREAKER_FINE) {
        *entry = breaker->entries[--breaker->count];
    } else if (entry != NULL) {
        entry->is_trying = false;
    }
}
