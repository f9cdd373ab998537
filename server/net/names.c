#include "server/net/names.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool
is_name(const char *word)
{
    for (const char *c = word; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("-._", *c) == NULL) {
            return false;
        }
    }
    return word[0] != '\0' && strlen(word) <= NET_NAME_MAX;
}

bool
net_names_parse(const char *text, struct net_names *ret_names)
{
    struct net_names names = { 0 };

    if (!net_list_parse(text, is_name, &names.list)) {
        return false;
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

bool
net_names_allow(const struct net_names *names, const char *host, bool is_near)
{
    struct net_address address;
    char name[NET_NAME_MAX + 1];

    if (names->list.is_any || host[0] == '\0') {
        return true;
    }
    if (!take_name(host, name)) {
        return false;
    }
    return net_address_parse(name, &address) || is_localhost(name) ||
           (names->own[0] != '\0' && strcasecmp(name, names->own) == 0) ||
           net_list_holds(&names->list, name) ||
           (names->list.count == 0 && (!is_near || strchr(name, '.') == NULL));
}
