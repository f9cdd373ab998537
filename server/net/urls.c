#include "server/net/urls.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "server/net/address.h"

struct urls {
    const char *scheme;
    int32_t port;
    char *text;
    size_t used;
    int count;
};

static void
add(struct urls *urls, const char *address)
{
    bool is_six = strchr(address, ':') != NULL;

    if (urls->count == NET_URLS_MAX) {
        return;
    }
    urls->used += (size_t)snprintf(urls->text + urls->used, NET_URLS_SIZE - urls->used,
                                   "%s%s://%s%s%s:%d/", urls->count == 0 ? "" : ", ", urls->scheme,
                                   is_six ? "[" : "", address, is_six ? "]" : "", urls->port);
    urls->count++;
}

/* Skips addresses that need an interface: browsers do not accept them. */
static void
add_interface(struct urls *urls, const struct ifaddrs *one, bool with_six)
{
    const struct sockaddr *address = one->ifa_addr;
    char text[NET_ADDRESS_TEXT_SIZE];

    if (address->sa_family == AF_INET) {
        struct sockaddr_in four;

        memcpy(&four, address, sizeof(four));
        inet_ntop(AF_INET, &four.sin_addr, text, sizeof(text));
        add(urls, text);
    } else if (address->sa_family == AF_INET6 && with_six) {
        struct sockaddr_in6 six;

        memcpy(&six, address, sizeof(six));
        if (!IN6_IS_ADDR_LINKLOCAL(&six.sin6_addr)) {
            inet_ntop(AF_INET6, &six.sin6_addr, text, sizeof(text));
            add(urls, text);
        }
    }
}

static void
add_interfaces(struct urls *urls, const struct ifaddrs *all, bool is_loopback, bool with_six)
{
    for (const struct ifaddrs *one = all; one != NULL; one = one->ifa_next) {
        if (one->ifa_addr != NULL && (one->ifa_flags & IFF_UP) != 0 &&
            ((one->ifa_flags & IFF_LOOPBACK) != 0) == is_loopback) {
            add_interface(urls, one, with_six);
        }
    }
}

void
net_urls(const char *scheme, const char *address, int32_t port, char ret_urls[NET_URLS_SIZE])
{
    struct urls urls = { .scheme = scheme, .port = port, .text = ret_urls };
    bool is_any_six = strcmp(address, "::") == 0;
    struct ifaddrs *all = NULL;

    if (!is_any_six && strcmp(address, "0.0.0.0") != 0) {
        add(&urls, address);
        return;
    }
    if (getifaddrs(&all) == 0) {
        add_interfaces(&urls, all, true, is_any_six);
        add_interfaces(&urls, all, false, is_any_six);
        freeifaddrs(all);
    }
    if (urls.count == 0) { /* in a sandbox that hides the interfaces */
        add(&urls, is_any_six ? "::1" : "127.0.0.1");
    }
}
