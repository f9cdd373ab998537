#include "server/host/room/lease.h"

#include "server/host/world.h"
#include "server/kill_point.h"

bool
node_is_fenced(const struct host *host)
{
    return host->world.store->is_shared && host_now_ms(host) >= host->node.leased_until_ms &&
           !SK_TEST_FAULT_IS(FAULT_NO_FENCE);
}

bool
node_may_claim(const struct host *host)
{
    return host_now_ms(host) >= host->node.claims_from_ms && !node_is_fenced(host);
}
