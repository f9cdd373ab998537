#include "server/net/counts.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/status.h"

static struct net_count **
chain_of(struct net_counts *counts, const struct net_address *client)
{
    uint64_t hash =
        sk_hash_keyed(client->bytes, sizeof(client->bytes), counts->key[0], counts->key[1]);

    return &counts->chains[hash % NET_COUNTS_CHAINS];
}

/* The link to the client's count, or the NULL link at the end of its chain. */
static struct net_count **
find(struct net_counts *counts, const struct net_address *client)
{
    struct net_count **place = chain_of(counts, client);

    while (*place != NULL &&
           memcmp((*place)->client.bytes, client->bytes, sizeof(client->bytes)) != 0) {
        place = &(*place)->next;
    }
    return place;
}

void
net_counts_free(struct net_counts *counts)
{
    for (size_t i = 0; i < NET_COUNTS_CHAINS; i++) {
        while (counts->chains[i] != NULL) {
            struct net_count *count = counts->chains[i];

            counts->chains[i] = count->next;
            free(count);
        }
    }
}

int32_t
net_counts_held(struct net_counts *counts, const struct net_address *address)
{
    struct net_address client = net_address_of_client(address);
    const struct net_count *count = *find(counts, &client);

    return count == NULL ? 0 : count->held;
}

/* Returns NULL if memory runs out. */
static struct net_count *
find_or_add(struct net_counts *counts, const struct net_address *address)
{
    struct net_address client = net_address_of_client(address);
    struct net_count **place = find(counts, &client);

    if (*place == NULL && (*place = calloc(1, sizeof(**place))) != NULL) {
        (*place)->client = client;
    }
    return *place;
}

/* Frees counts that equal a new one. */
static void
clear_chain(struct net_count **place, int64_t now_us)
{
    while (*place != NULL) {
        struct net_count *count = *place;

        if (count->held == 0 && count->paid_us <= now_us) {
            *place = count->next;
            free(count);
        } else {
            place = &count->next;
        }
    }
}

bool
net_counts_connects(struct net_counts *counts, const struct net_address *address,
                    int32_t per_second, int64_t now_us)
{
    struct net_address client = net_address_of_client(address);
    struct net_count *count;
    int64_t each_us;
    int64_t paid_us;

    clear_chain(chain_of(counts, &client), now_us);
    if (per_second == 0) {
        return true;
    }
    count = find_or_add(counts, address);
    if (count == NULL) {
        return false;
    }
    each_us = 1000000 / per_second;
    paid_us = (count->paid_us > now_us ? count->paid_us : now_us) + each_us;
    if (paid_us - now_us > each_us * per_second * NET_CONNECTS_AT_ONCE_S) {
        return false;
    }
    count->paid_us = paid_us;
    return true;
}

struct net_count *
net_counts_take(struct net_counts *counts, const struct net_address *address)
{
    struct net_count *count = find_or_add(counts, address);

    if (count != NULL) {
        count->held++;
    }
    return count;
}

void
net_counts_give_back(struct net_counts *counts, struct net_count *count)
{
    SK_ASSERT(count->held > 0);
    if (--count->held == 0 && count->paid_us == 0) {
        clear_chain(chain_of(counts, &count->client), 0);
    }
}
