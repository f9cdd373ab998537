#include "server/net/call/target.h"

#include <ctype.h>
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

/* All public addresses are in these: IPv4, and the unicast range that IANA assigns. */
static const char assigned[] = "0.0.0.0/0, 2000::/3";

/*
 * Addresses that no public service has: this machine, private networks,
 * carrier-grade NAT, link-local, IETF protocols, documentation, benchmarks,
 * multicast; and encodings of IPv4 in IPv6 (Teredo, 6to4).
 */
static const char special[] =
    "0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, "
    "192.0.0.0/24, 192.0.2.0/24, 192.88.99.0/24, 192.168.0.0/16, 198.18.0.0/15, "
    "198.51.100.0/24, 203.0.113.0/24, 224.0.0.0/4, 240.0.0.0/4, "
    "2001::/23, 2001:db8::/32, 2002::/16, 3fff::/20";

static bool
is_host(const char *word)
{
    return strpbrk(word, "/@") == NULL;
}

bool
call_hosts_parse(const char *text, struct net_list *ret_hosts)
{
    return net_list_parse(text, is_host, ret_hosts);
}

/* ---- the URL as text --------------------------------------------------------------------- */

/* The parts of a URL; missing ones are "". */
struct parts {
    char scheme[16];
    char host[NET_WORD_MAX + 1];
    char port[8];
    bool has_more; /* a user or password: not allowed */
};

static bool
take_part(CURLU *url, CURLUPart part, unsigned flags, char *ret_text, size_t size)
{
    char *text = NULL;
    bool is_there = curl_url_get(url, part, &text, flags) == CURLUE_OK;
    bool fits = is_there && strlen(text) < size;

    if (fits) {
        memcpy(ret_text, text, strlen(text) + 1);
    }
    curl_free(text);
    return fits;
}

static bool
has_part(CURLU *url, CURLUPart part)
{
    char *text = NULL;
    bool is_there = curl_url_get(url, part, &text, 0) == CURLUE_OK;

    curl_free(text);
    return is_there;
}

static bool
split(const char *text, struct parts *ret_parts)
{
    CURLU *url = curl_url();
    bool is_whole = false;

    if (url != NULL && curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK) {
        is_whole =
            take_part(url, CURLUPART_SCHEME, 0, ret_parts->scheme, sizeof(ret_parts->scheme)) &&
            take_part(url, CURLUPART_HOST, 0, ret_parts->host, sizeof(ret_parts->host)) &&
            take_part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT, ret_parts->port,
                      sizeof(ret_parts->port));
        ret_parts->has_more = has_part(url, CURLUPART_USER) || has_part(url, CURLUPART_PASSWORD) ||
                              has_part(url, CURLUPART_FRAGMENT);
    }
    curl_url_cleanup(url);
    return is_whole;
}

static bool
hosts_hold(const struct net_list *hosts, const struct parts *parts)
{
    char with_port[sizeof(parts->host) + sizeof(parts->port)];

    (void)snprintf(with_port, sizeof(with_port), "%s:%s", parts->host, parts->port);
    return net_list_holds(hosts, parts->host) || net_list_holds(hosts, with_port);
}

/* A line break would start another header. */
static bool
is_printable(const char *text)
{
    for (; *text != '\0'; text++) {
        if (!isgraph((unsigned char)*text)) {
            return false;
        }
    }
    return true;
}

const char *
call_targets_refuse(const struct call_targets *targets, const char *url, bool is_operators)
{
    struct parts parts = { 0 };

    if (!is_operators && !targets->hosts.is_any && targets->hosts.count == 0) {
        return "this server calls no web services";
    }
    if (strlen(url) > CALL_URL_MAX || !is_printable(url) || !split(url, &parts)) {
        return "this is not the URL of a web service";
    }
    if (parts.has_more) {
        return "a bot's URL must not have a user, password or fragment";
    }
    if (strcmp(parts.scheme, "https") != 0 &&
        !(targets->allows_plain && strcmp(parts.scheme, "http") == 0)) {
        return targets->allows_plain ? "a bot's URL must be https or http"
                                     : "a bot's URL must be https";
    }
    return is_operators || hosts_hold(&targets->hosts, &parts)
               ? NULL
               : "this server does not call that host";
}

/* ---- the resolved address ---------------------------------------------------------------- */

static bool
is_public(const struct net_address *address)
{
    struct net_networks inside;
    struct net_networks outside;

    return net_networks_parse(assigned, &inside) && net_networks_parse(special, &outside) &&
           net_networks_hold(&inside, address) && !net_networks_hold(&outside, address);
}

bool
call_targets_hold(const struct call_targets *targets, const struct net_address *address)
{
    return net_networks_hold(&targets->networks, address) || is_public(address);
}
