#include "server/store/address.h"

#include <stdio.h>
#include <string.h>

bool
address_is_shared(const char *path)
{
    return strncmp(path, "postgres://", 11) == 0 || strncmp(path, "postgresql://", 13) == 0;
}

/* USER:PASSWORD@HOST; whatever follows ? may be a password too. */
void
address_show(const char *path, char ret_shown[ADDRESS_SHOWN_MAX])
{
    const char *host = address_is_shared(path) ? strstr(path, "://") + 3 : path;
    const char *at = address_is_shared(path) ? strchr(host, '@') : NULL;
    const char *colon = at == NULL ? NULL : memchr(host, ':', (size_t)(at - host));
    size_t length = address_is_shared(path) ? strcspn(path, "?") : strlen(path);

    if (colon == NULL) {
        (void)snprintf(ret_shown, ADDRESS_SHOWN_MAX, "%.*s", (int)length, path);
        return;
    }
    (void)snprintf(ret_shown, ADDRESS_SHOWN_MAX, "%.*s:***%.*s", (int)(colon - path), path,
                   at < path + length ? (int)(path + length - at) : 0, at);
}
