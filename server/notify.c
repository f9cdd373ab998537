#include "server/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A path, or an abstract name after @.  Returns the length of the address, 0 = none. */
static socklen_t
notify_address(struct sockaddr_un *address)
{
    const char *name = getenv("NOTIFY_SOCKET");
    size_t length = name == NULL ? 0 : strlen(name);

    if (length < 2 || length >= sizeof(address->sun_path) || (name[0] != '/' && name[0] != '@')) {
        return 0;
    }
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, name, length);
    if (name[0] == '@') {
        address->sun_path[0] = '\0';
    }
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

void
notify_send(const char *line)
{
    struct sockaddr_un address;
    socklen_t length = notify_address(&address);
    int descriptor;

    if (length == 0) {
        return;
    }
    descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor >= 0) {
        sendto(descriptor, line, strlen(line), MSG_NOSIGNAL, (const struct sockaddr *)&address,
               length);
        close(descriptor);
    }
}

int64_t
notify_watchdog_interval_ms(void)
{
    const char *limit_us = getenv("WATCHDOG_USEC");
    const char *process = getenv("WATCHDOG_PID");
    long long limit = limit_us == NULL ? 0 : strtoll(limit_us, NULL, 10);

    if (limit <= 0 || (process != NULL && strtoll(process, NULL, 10) != (long long)getpid())) {
        return 0;
    }
    return limit / 2000;
}
