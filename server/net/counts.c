#include "server/net/counts.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/status.h"

/* The place in the table that points to the client's count, or to NULL at the chain's end. */
static struct net_count **
find(struct net_counts *counts, const struct net_address *client)
{
    uint64_t hash =
        sk_hash_keyed(client->bytes, sizeof(client->bytes), counts->key[0], counts->key[1]);
    struct net_count **place = &counts->chains[hash % NET_COUNTS_CHAINS];

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

struct net_count *
net_counts_take(struct net_counts *counts, const struct net_address *address)
{
    struct net_address client = net_address_of_client(address);
    struct net_count **place = find(counts, &client);

    if (*place == NULL) {
        struct net_count *count = calloc(1, sizeof(*count));

        if (count == NULL) {
            return NULL;
        }
        count->client = client;
        *place = count;
    }
    (*place)->held++;
    return *place;
}

void
net_counts_give_back(struct net_counts *counts, struct net_count *count)
{
    SK_ASSERT(count->held > 0);
    if (--count->held == 0) {
        struct net_count **place = find(counts, &count->client);

        SK_ASSERT(*place == count);
        *place = count->next;
        free(count);
    }
}
