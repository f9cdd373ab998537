#include "server/net/tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static int
try_to_bind(const struct sockaddr *address, socklen_t length)
{
    int descriptor = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int one = 1;
    int error = 0;

    if (descriptor < 0) {
        return errno;
    }
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (bind(descriptor, address, length) != 0 || listen(descriptor, 1) != 0) {
        error = errno;
    }
    close(descriptor);
    return error;
}

int
net_tcp_listen_error(const char *address, int32_t port)
{
    struct sockaddr_in four = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port) };
    int error = EINVAL;

    if (inet_pton(AF_INET, address, &four.sin_addr) == 1) {
        error = try_to_bind((const struct sockaddr *)&four, sizeof(four));
    } else if (inet_pton(AF_INET6, address, &six.sin6_addr) == 1) {
        error = try_to_bind((const struct sockaddr *)&six, sizeof(six));
    }
    return error;
}
