#include "server/net/call/target.h"

#include <ctype.h>
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/*
 * What no public service has: this machine, private networks, carriers' own
 * (CGNAT), link-local, documentation, benchmarks, multicast; and the ways to
 * write an IPv4 address inside an IPv6 one.
 */
static const char *const not_public[] = {
    "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4",
    "::/96",         "64:ff9b::/96",    "64:ff9b:1::/48", "100::/64",       "2001::/32",
    "2001:db8::/32", "2002::/16",       "fc00::/7",       "fe80::/10",      "fec0::/10",
    "ff00::/8",
};

bool
call_hosts_parse(const char *text, struct call_hosts *ret_hosts)
{
    struct call_hosts hosts = { 0 };
    const char *word;
    size_t length;

    while ((word = net_list_next(&text, &length)) != NULL) {
        if (length == 1 && word[0] == '*') {
            hosts.is_any = true;
            continue;
        }
        if (hosts.count == CALL_HOSTS_MAX || length > CALL_HOST_MAX ||
            memchr(word, '/', length) != NULL || memchr(word, '@', length) != NULL) {
            return false;
        }
        memcpy(hosts.items[hosts.count++], word, length);
    }
    *ret_hosts = hosts;
    return true;
}

/* ---- the text ---------------------------------------------------------------------------- */

/* The parts of an address; what is not there is "". */
struct parts {
    char scheme[16];
    char host[CALL_HOST_MAX + 1];
    char port[8];
    bool has_more; /* a user or a password, which nobody should have to write down here */
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
hosts_hold(const struct call_hosts *hosts, const struct parts *parts)
{
    char with_port[sizeof(parts->host) + sizeof(parts->port)];

    if (hosts->is_any) {
        return true;
    }
    (void)snprintf(with_port, sizeof(with_port), "%s:%s", parts->host, parts->port);
    for (uint32_t i = 0; i < hosts->count; i++) {
        if (strcasecmp(hosts->items[i], parts->host) == 0 ||
            strcasecmp(hosts->items[i], with_port) == 0) {
            return true;
        }
    }
    return false;
}

/* A line break would begin another header. */
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
        return "this is not the address of a web service";
    }
    if (parts.has_more) {
        return "the address of a bot has no user, password or fragment";
    }
    if (strcmp(parts.scheme, "https") != 0 &&
        !(targets->allows_plain && strcmp(parts.scheme, "http") == 0)) {
        return targets->allows_plain ? "a bot is called by https or http"
                                     : "a bot is called by https";
    }
    return is_operators || hosts_hold(&targets->hosts, &parts)
               ? NULL
               : "this server does not call that host";
}

/* ---- what it was resolved to ------------------------------------------------------------- */

bool
call_targets_hold(const struct call_targets *targets, const struct net_address *address)
{
    if (net_networks_hold(&targets->networks, address)) {
        return true;
    }
    for (size_t i = 0; i < sizeof(not_public) / sizeof(not_public[0]); i++) {
        struct net_networks network;

        if (!net_networks_parse(not_public[i], &network) || net_networks_hold(&network, address)) {
            return false;
        }
    }
    return true;
}
