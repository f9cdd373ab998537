#include "server/net/origin.h"

#include <string.h>
#include <strings.h>

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
net_origins_parse(const char *text, struct net_list *ret_origins)
{
    return net_list_parse(text, is_origin, ret_origins);
}

bool
net_origins_allow(const struct net_list *origins, const char *origin, const char *host)
{
    const char *authority = authority_of(origin);

    return net_list_holds(origins, origin) ||
           (authority != NULL && host[0] != '\0' && strcasecmp(authority, host) == 0);
}
