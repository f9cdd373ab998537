/*
 * call_targets - where calls may go.
 *
 * Who asks for a call names an address that a stranger has written, so it is
 * judged twice: as a text before anything is done (scheme, host and port
 * against the operator's list), and again when its name is resolved, because a
 * name may lead anywhere.  Addresses that only this machine or its own network
 * can reach are refused unless the operator has named them.
 *
 * Owner:   the caller; holds no pointers.
 * Threads: none of its own.
 */
#ifndef SK_CALL_TARGET_H
#define SK_CALL_TARGET_H

#include <stdbool.h>

#include "server/net/address.h"

#define CALL_HOSTS_MAX 64
#define CALL_HOST_MAX  255 /* characters of a host's name, with its port */
#define CALL_URL_MAX   500

struct call_hosts {
    bool is_any; /* the list holds "*" */
    uint32_t count;
    char items[CALL_HOSTS_MAX][CALL_HOST_MAX + 1]; /* "host" or "host:port" */
};

struct call_targets {
    struct call_hosts hosts;
    struct net_networks networks; /* that may be called although they are not public */
    bool allows_plain;            /* http, not only https */
};

/* A list "bots.example.org, 127.0.0.1:8001", separated by commas or blanks; "*" is every host. */
bool call_hosts_parse(const char *text, struct call_hosts *ret_hosts);

/*
 * NULL when the address may be called as far as its text tells, else a
 * sentence.  One that the operator has written need not be in his list of hosts.
 */
const char *call_targets_refuse(const struct call_targets *targets, const char *url,
                                bool is_operators);

/* May a connection be made to what the name was resolved to? */
bool call_targets_hold(const struct call_targets *targets, const struct net_address *address);

#endif /* SK_CALL_TARGET_H */
