#include "server/store/address.h"

#include <stdio.h>
#include <string.h>

bool
address_is_shared(const char *path)
{
    return strncmp(path, "postgres://", 11) == 0 || strncmp(path, "postgresql://", 13) == 0;
}

bool
address_is_escaped(const char *path)
{
    const char *rest = strstr(path, "://") + 3;
    size_t user = strcspn(rest, "@/"); /* libpq: up to @, unless / comes first */

    if (rest[user] == '\0') {
        return true;
    }
    return (rest[user] == '/' || memchr(rest, '?', user) == NULL) &&
           memchr(rest + user + 1, '@', strcspn(rest + user + 1, "?")) == NULL;
}

/* USER:PASSWORD@HOST; whatever follows ? may be a password too.  One that is not escaped may
 * contain @. */
void
address_show(const char *path, char ret_shown[ADDRESS_SHOWN_MAX])
{
    const char *host = address_is_shared(path) ? strstr(path, "://") + 3 : path;
    const char *at = address_is_shared(path) ? strrchr(host, '@') : NULL;
    const char *colon = at == NULL ? NULL : memchr(host, ':', (size_t)(at - host));
    size_t length = address_is_shared(path) ? strcspn(path, "?") : strlen(path);

    if (colon == NULL) {
        (void)snprintf(ret_shown, ADDRESS_SHOWN_MAX, "%.*s", (int)length, path);
        return;
    }
    (void)snprintf(ret_shown, ADDRESS_SHOWN_MAX, "%.*s:***%.*s", (int)(colon - path), path,
                   at < path + length ? (int)(path + length - at) : 0, at);
}
