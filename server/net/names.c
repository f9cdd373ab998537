#include "server/net/names.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "server/net/address.h"

static bool
is_name(const char *word)
{
    for (const char *c = word; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("-._", *c) == NULL) {
            return false;
        }
    }
    return word[0] != '\0';
}

bool
net_names_parse(const char *text, struct net_names *ret_names)
{
    struct net_names names = { 0 };
    const char *word;
    size_t length;

    while ((word = net_list_next(&text, &length)) != NULL) {
        if (length == 1 && word[0] == '*') {
            names.is_any = true;
            continue;
        }
        if (length > NET_NAME_MAX || names.count == NET_NAMES_MAX) {
            return false;
        }
        memcpy(names.items[names.count], word, length); /* the rest is zero */
        if (!is_name(names.items[names.count])) {
            return false;
        }
        names.count++;
    }
    if (gethostname(names.own, NET_NAME_MAX) != 0) {
        names.own[0] = '\0';
    }
    *ret_names = names;
    return true;
}

/* The host without port, brackets and trailing dot; false if it is too long. */
static bool
take_name(const char *host, char ret_name[NET_NAME_MAX + 1])
{
    bool has_brackets = host[0] == '[';
    size_t length;

    host += has_brackets ? 1 : 0;
    length = strcspn(host, has_brackets ? "]" : ":");
    if (length > 0 && host[length - 1] == '.') {
        length--;
    }
    if (length > NET_NAME_MAX) {
        return false;
    }
    memcpy(ret_name, host, length);
    ret_name[length] = '\0';
    return true;
}

/* Browsers resolve these themselves. */
static bool
is_localhost(const char *name)
{
    static const char ending[] = ".localhost";
    size_t length = strlen(name);
    size_t end = sizeof(ending) - 1;

    return strcasecmp(name, ending + 1) == 0 ||
           (length > end && strcasecmp(name + length - end, ending) == 0);
}

static bool
is_listed(const struct net_names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++) {
        if (strcasecmp(names->items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

bool
net_names_allow(const struct net_names *names, const char *host, bool is_near)
{
    struct net_address address;
    char name[NET_NAME_MAX + 1];

    if (names->is_any || host[0] == '\0') {
        return true;
    }
    if (!take_name(host, name)) {
        return false;
    }
    return net_address_parse(name, &address) || is_localhost(name) ||
           (names->own[0] != '\0' && strcasecmp(name, names->own) == 0) || is_listed(names, name) ||
           (names->count == 0 && (!is_near || strchr(name, '.') == NULL));
}
