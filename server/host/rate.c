#include "server/host/rate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "server/host/internal.h"

#define TOKEN 1000 /* thousandths */

struct rate {
    struct rate *next; /* in its hash chain */
    uint32_t references;
    bool is_account; /* else it is an address */
    struct bucket bucket;
    char key[RATE_ADDRESS_MAX + 1];
};

/* ---- buckets ----------------------------------------------------------------------------- */

/* How large it is and how fast it fills is so many times that of a connection; 0 = no limit. */
static int64_t
fullness(const struct host *host, int32_t factor)
{
    return (int64_t)host->options.frames_burst * factor * TOKEN;
}

static void
fill(const struct host *host, struct bucket *bucket, int32_t factor)
{
    int64_t now_ms = host->world.now_ms(host->world.context);
    int64_t full = fullness(host, factor);

    bucket->tokens +=
        (now_ms - bucket->filled_ms) * (int64_t)host->options.frames_per_second * factor;
    bucket->tokens = bucket->tokens > full ? full : bucket->tokens;
    bucket->filled_ms = now_ms;
}

static struct bucket
full_bucket(const struct host *host, int32_t factor)
{
    return (struct bucket){ fullness(host, factor), host->world.now_ms(host->world.context) };
}

static bool
has_token(const struct host *host, struct bucket *bucket, int32_t factor)
{
    fill(host, bucket, factor);
    return factor == 0 || bucket->tokens >= TOKEN;
}

/* Until it has a token again.  Requires that it has none. */
static int32_t
wait_ms(const struct host *host, const struct bucket *bucket, int32_t factor)
{
    int64_t per_ms = (int64_t)host->options.frames_per_second * factor;

    return (int32_t)((TOKEN - bucket->tokens + per_ms - 1) / per_ms);
}

/* No bucket owes more than it holds: who was expensive once is heard again soon. */
static void
take_tokens(const struct host *host, struct bucket *bucket, int32_t factor, int64_t tokens)
{
    int64_t least = -fullness(host, factor);

    bucket->tokens -= factor == 0 ? 0 : tokens;
    bucket->tokens = bucket->tokens < least ? least : bucket->tokens;
}

/* ---- what connections share -------------------------------------------------------------- */

static int32_t
factor_of(const struct host *host, const struct rate *rate)
{
    return rate->is_account ? host->options.account_factor : host->options.address_factor;
}

static struct rate **
chain_of(struct host *host, const char *key)
{
    return &host->rates[sk_hash((const uint8_t *)key, strlen(key)) % HOST_BUCKETS];
}

static bool
is_over(const struct host *host, struct rate *rate)
{
    int32_t factor = factor_of(host, rate);

    fill(host, &rate->bucket, factor);
    return rate->references == 0 && rate->bucket.tokens == fullness(host, factor);
}

/* Those of the chain that would be made anew just as they are. */
static void
clear_chain(struct host *host, struct rate **at)
{
    while (*at != NULL) {
        struct rate *rate = *at;

        if (is_over(host, rate)) {
            *at = rate->next;
            host->rate_count--;
            free(rate);
        } else {
            at = &rate->next;
        }
    }
}

static struct rate *
take(struct host *host, const char *key, bool is_account)
{
    struct rate **chain = chain_of(host, key);
    struct rate *rate;

    clear_chain(host, chain);
    rate = *chain;
    while (rate != NULL && strcmp(rate->key, key) != 0) {
        rate = rate->next;
    }
    if (rate == NULL) {
        rate = host_memory(sizeof(*rate));
        strncpy(rate->key, key, sizeof(rate->key) - 1);
        rate->is_account = is_account;
        rate->bucket = full_bucket(host, factor_of(host, rate));
        rate->next = *chain;
        *chain = rate;
        host->rate_count++;
    }
    rate->references++;
    return rate;
}

struct rate *
rate_of_address(struct host *host, const char *address)
{
    return address[0] == '\0' ? NULL : take(host, address, false);
}

/* No address begins with that. */
struct rate *
rate_of_account(struct host *host, int64_t player)
{
    char key[RATE_ADDRESS_MAX + 1];

    snprintf(key, sizeof(key), "#%" PRId64, player);
    return take(host, key, true);
}

void
rate_release(struct host *host, struct rate *rate)
{
    if (rate != NULL) {
        rate->references--;
        clear_chain(host, chain_of(host, rate->key));
    }
}

void
rates_free(struct host *host)
{
    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        while (host->rates[i] != NULL) {
            struct rate *rate = host->rates[i];

            host->rates[i] = rate->next;
            free(rate);
        }
    }
}

/* ---- sessions ---------------------------------------------------------------------------- */

void
rate_open(struct session *session, const char *address)
{
    session->bucket = full_bucket(session->host, 1);
    session->address = rate_of_address(session->host, address);
}

void
rate_close(struct session *session)
{
    rate_release(session->host, session->address);
    session->address = NULL;
}

const char *
rate_address(const struct session *session)
{
    return session->address == NULL ? "" : session->address->key;
}

static bool
shares_token(const struct host *host, struct rate *rate, int32_t *ret_retry_ms)
{
    if (rate == NULL || has_token(host, &rate->bucket, factor_of(host, rate))) {
        return true;
    }
    *ret_retry_ms = wait_ms(host, &rate->bucket, factor_of(host, rate));
    return false;
}

/* Of the connection, its player and its address. */
static void
take_all(struct session *session, int64_t tokens)
{
    const struct host *host = session->host;
    struct rate *shared[] = { session->player == NULL ? NULL : session->player->rate,
                              session->address };

    take_tokens(host, &session->bucket, 1, tokens);
    for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
        if (shared[i] != NULL) {
            take_tokens(host, &shared[i]->bucket, factor_of(host, shared[i]), tokens);
        }
    }
}

void
rate_charge(struct session *session, size_t length, int64_t cpu_us)
{
    int64_t by_length = (int64_t)(length / RATE_FRAME_BYTES);
    int64_t by_work = cpu_us / session->host->options.frame_work_us;

    take_all(session, (by_length + by_work) * TOKEN);
}

const char *
rate_refuses(struct session *session, int32_t *ret_retry_ms)
{
    const struct host *host = session->host;
    struct rate *account = session->player == NULL ? NULL : session->player->rate;

    if (!has_token(host, &session->bucket, 1)) {
        *ret_retry_ms = wait_ms(host, &session->bucket, 1);
        return "too many frames of this connection";
    }
    if (!shares_token(host, account, ret_retry_ms)) {
        return "too many frames of this player's connections together";
    }
    if (!shares_token(host, session->address, ret_retry_ms)) {
        return "too many frames from this address";
    }
    take_all(session, TOKEN);
    return NULL;
}
