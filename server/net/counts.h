/*
 * net_counts - how many connections each client has open, and how fast it opens
 * new ones.
 *
 * A hash table of clients with open or recent connections.  The hash has a
 * secret key, so nobody can choose addresses that collide.
 *
 * Owner:   the caller frees it; a struct net_count belongs to the table and
 * lives at least while it is held.
 * Threads: only the loop.
 */
#ifndef SK_NET_COUNTS_H
#define SK_NET_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/net/address.h"

#define NET_COUNTS_CHAINS 1024

/* A burst may be as large as the number of connections allowed in this many seconds. */
#define NET_CONNECTS_AT_ONCE_S 3

struct net_count {
    struct net_count *next;
    struct net_address client;
    int32_t held;
    int64_t kept_bytes; /* of incomplete messages */
    int64_t paid_us;    /* when the connections opened so far are paid for */
};

struct net_counts {
    uint64_t key[2]; /* random, set by the owner before the first use */
    struct net_count *chains[NET_COUNTS_CHAINS];
};

void net_counts_free(struct net_counts *counts);

/* Whether the client may open one more now, at that rate (0 = unlimited); if so, counts it. */
bool net_counts_connects(struct net_counts *counts, const struct net_address *address,
                         int32_t per_second, int64_t now_us);

int32_t net_counts_held(struct net_counts *counts, const struct net_address *address);

/* Returns NULL if memory runs out. */
struct net_count *net_counts_take(struct net_counts *counts, const struct net_address *address);
void net_counts_give_back(struct net_counts *counts, struct net_count *count);

#endif /* SK_NET_COUNTS_H */
