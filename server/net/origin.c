#include "server/net/origin.h"

#include <string.h>
#include <strings.h>

#include "server/net/address.h"

/* The part after "http://" or "https://"; NULL for anything else. */
static const char *
authority_of(const char *origin)
{
    if (strncasecmp(origin, "http://", 7) == 0) {
        return origin + 7;
    }
    if (strncasecmp(origin, "https://", 8) == 0) {
        return origin + 8;
    }
    return NULL;
}

/* Scheme, host and an optional port; no path, and nothing that could hide one. */
static bool
is_origin(const char *word)
{
    const char *authority = authority_of(word);

    if (strcmp(word, "null") == 0) {
        return true;
    }
    return authority != NULL && authority[0] != '\0' && strpbrk(authority, "/?#@\\") == NULL;
}

bool
net_origins_parse(const char *text, struct net_origins *ret_origins)
{
    struct net_origins origins = { 0 };
    const char *word;
    size_t length;

    while ((word = net_list_next(&text, &length)) != NULL) {
        if (length == 1 && word[0] == '*') {
            origins.is_any = true;
            continue;
        }
        if (length > NET_ORIGIN_MAX || origins.count == NET_ORIGINS_MAX) {
            return false;
        }
        memcpy(origins.items[origins.count], word, length); /* the rest is zero */
        if (!is_origin(origins.items[origins.count])) {
            return false;
        }
        origins.count++;
    }
    *ret_origins = origins;
    return true;
}

bool
net_origins_allow(const struct net_origins *origins, const char *origin, const char *host)
{
    const char *authority = authority_of(origin);

    if (origins->is_any) {
        return true;
    }
    if (authority != NULL && host[0] != '\0' && strcasecmp(authority, host) == 0) {
        return true;
    }
    for (uint32_t i = 0; i < origins->count; i++) {
        if (strcasecmp(origins->items[i], origin) == 0) {
            return true;
        }
    }
    return false;
}
