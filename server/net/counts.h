/*
 * net_counts - how many connections each client has open.
 *
 * A table of those clients that have any.  Its hash has a secret key: who
 * picks addresses cannot pick chains.
 *
 * Owner:   the caller, who frees it; a struct net_count belongs to the table
 *          and lives while somebody holds it.
 * Threads: the loop's only.
 */
#ifndef SK_NET_COUNTS_H
#define SK_NET_COUNTS_H

#include <stdint.h>

#include "server/net/address.h"

#define NET_COUNTS_CHAINS 1024

struct net_count {
    struct net_count *next;
    struct net_address client;
    int32_t held;
};

struct net_counts {
    uint64_t key[2]; /* random, set by the owner before the first use */
    struct net_count *chains[NET_COUNTS_CHAINS];
};

void net_counts_free(struct net_counts *counts);

int32_t net_counts_held(struct net_counts *counts, const struct net_address *address);

/* NULL when there is not enough memory. */
struct net_count *net_counts_take(struct net_counts *counts, const struct net_address *address);
void net_counts_give_back(struct net_counts *counts, struct net_count *count);

#endif /* SK_NET_COUNTS_H */
