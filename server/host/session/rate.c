#include "server/host/session/rate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "server/host/session/session_struct.h"
#include "server/host/world.h"
#include "server/memory.h"

#define TOKEN 1000 /* thousandths */

struct rate {
    struct rate *next; /* in its hash chain */
    uint32_t references;
    bool is_account; /* false: an address */
    struct bucket bucket;
    int64_t players_us; /* when each quota is full again */
    int64_t creates_us;
    int64_t chats_us; /* of an account */
    int64_t refused_us;
    int64_t work_us;       /* the same for the loop's time, of an address */
    int64_t waiting_bytes; /* waiting to be written to connections of an address */
    int32_t matches;       /* unfinished matches created by this player or address ... */
    int32_t bot_matches;   /* ... and how many of them only bots play */
    struct bucket http;    /* of an address */
    int32_t reads;         /* under way */
    char key[RATE_ADDRESS_MAX + 1];
};

/* ---- buckets ----------------------------------------------------------------------------- */

/* The rate and size of a bucket. 0 = no limit. */
struct pace {
    int64_t per_second;
    int64_t burst;
};

/* The quota of a connection, multiplied. */
static struct pace
frames_pace(const struct host *host, int32_t factor)
{
    return (struct pace){ (int64_t)host->options.frames_per_second * factor,
                          (int64_t)host->options.frames_burst * factor };
}

static struct pace
http_pace(const struct host *host)
{
    return (struct pace){ host->options.http_rate, host->options.http_burst };
}

static int64_t
fullness(struct pace pace)
{
    return pace.burst * TOKEN;
}

static void
fill(const struct host *host, struct bucket *bucket, struct pace pace)
{
    int64_t now_ms = host_now_ms(host);

    bucket->tokens += (now_ms - bucket->filled_ms) * pace.per_second;
    bucket->tokens = bucket->tokens > fullness(pace) ? fullness(pace) : bucket->tokens;
    bucket->filled_ms = now_ms;
}

static struct bucket
full_bucket(const struct host *host, struct pace pace)
{
    return (struct bucket){ fullness(pace), host_now_ms(host) };
}

static bool
has_tokens(const struct host *host, struct bucket *bucket, struct pace pace, int64_t tokens)
{
    fill(host, bucket, pace);
    return pace.burst == 0 || bucket->tokens >= tokens;
}

/* Time until it has them; requires that it has not. */
static int32_t
wait_ms(const struct bucket *bucket, struct pace pace, int64_t tokens)
{
    return (int32_t)((tokens - bucket->tokens + pace.per_second - 1) / pace.per_second);
}

/* A debt is at most the bucket's size, so a client is accepted again soon. */
static void
take_tokens(struct bucket *bucket, struct pace pace, int64_t tokens)
{
    int64_t least = -fullness(pace);

    bucket->tokens -= pace.burst == 0 ? 0 : tokens;
    bucket->tokens = bucket->tokens < least ? least : bucket->tokens;
}

/* ---- quotas: so many in a period, at once or one after the other ------------------------- */

struct quota {
    int64_t count; /* 0 = no limit */
    int64_t period_us;
};

#define MINUTE_US INT64_C(60000000)
#define HOUR_US   (60 * MINUTE_US)

static int64_t
now_us(const struct host *host)
{
    return host_now_ms(host) * 1000;
}

/* Time until one more can be taken; 0 = now. */
static int32_t
quota_wait_ms(const struct host *host, struct quota quota, int64_t taken_us)
{
    int64_t now = now_us(host);
    int64_t from = taken_us > now ? taken_us : now;
    int64_t wait_us =
        quota.count == 0 ? 0 : from + quota.period_us / quota.count - now - quota.period_us;

    return wait_us <= 0 ? 0 : (int32_t)((wait_us + 999) / 1000);
}

static void
quota_take(const struct host *host, struct quota quota, int64_t *taken_us)
{
    int64_t now = now_us(host);

    if (quota.count > 0) {
        *taken_us = (*taken_us > now ? *taken_us : now) + quota.period_us / quota.count;
    }
}

static struct quota
quota_of_players(const struct host *host)
{
    return (struct quota){ host->options.players_per_hour, HOUR_US };
}

/* For an address, the quota of a player, multiplied. */
static struct quota
quota_of_creates(const struct host *host, const struct rate *rate)
{
    int64_t factor = rate->is_account ? 1 : host->options.address_factor;

    return (struct quota){ factor * host->options.creates_per_minute, MINUTE_US };
}

/* For an address, the quota of a connection, multiplied. */
static struct quota
quota_of_refused(const struct host *host, bool is_address)
{
    int64_t factor = is_address ? host->options.address_factor : 1;

    return (struct quota){ factor * host->options.refused_per_minute, MINUTE_US };
}

/*
 * Time until this much of the loop's time is paid for.  In the long run an
 * address gets as much as all its frames together, but at once only as much as
 * one connection, because other players have to wait meanwhile.  Long frames
 * cause more work than is measured: reading, storing and showing them.
 */
static int64_t
work_paid_us(const struct host *host, int64_t cpu_us)
{
    const struct host_options *options = &host->options;
    int64_t per_second =
        (int64_t)options->frame_work_us * options->frames_per_second * options->address_factor;

    return per_second == 0 ? 0 : cpu_us * 1000000 / per_second;
}

/* ---- what connections share -------------------------------------------------------------- */

static struct pace
pace_of(const struct host *host, const struct rate *rate)
{
    return frames_pace(host, rate->is_account ? host->options.account_factor
                                              : host->options.address_factor);
}

static struct rate **
chain_of(struct host *host, const char *key)
{
    return &host->rates[sk_hash((const uint8_t *)key, strlen(key)) % HOST_BUCKETS];
}

static bool
is_over(const struct host *host, struct rate *rate)
{
    struct pace pace = pace_of(host, rate);

    if (rate->references > 0) {
        return false;
    }
    fill(host, &rate->bucket, pace);
    fill(host, &rate->http, http_pace(host));
    return rate->bucket.tokens == fullness(pace) &&
           rate->http.tokens == fullness(http_pace(host)) && rate->players_us <= now_us(host) &&
           rate->creates_us <= now_us(host) && rate->chats_us <= now_us(host) &&
           rate->refused_us <= now_us(host) && rate->work_us <= now_us(host);
}

/* Frees the entries of the chain that equal a new one. */
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
        rate = heap_memory(sizeof(*rate));
        strncpy(rate->key, key, sizeof(rate->key) - 1);
        rate->is_account = is_account;
        rate->bucket = full_bucket(host, pace_of(host, rate));
        rate->http = full_bucket(host, http_pace(host));
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

/* No address begins with this character. */
struct rate *
rate_of_account(struct host *host, int64_t player)
{
    char key[RATE_ADDRESS_MAX + 1];

    snprintf(key, sizeof(key), "#%" PRId64, player);
    return take(host, key, true);
}

struct rate *
rate_hold(struct rate *rate)
{
    if (rate != NULL) {
        rate->references++;
    }
    return rate;
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

/* ---- refusals ---------------------------------------------------------------------------- */

static const char *
refuse(const struct session *session, enum host_limit limit, const char *why)
{
    session->host->counters.limited[limit]++;
    return why;
}

/* ---- sessions ---------------------------------------------------------------------------- */

void
rate_open(struct session *session, const char *address)
{
    session->bucket = full_bucket(session->host, frames_pace(session->host, 1));
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
    if (rate == NULL || has_tokens(host, &rate->bucket, pace_of(host, rate), TOKEN)) {
        return true;
    }
    *ret_retry_ms = wait_ms(&rate->bucket, pace_of(host, rate), TOKEN);
    return false;
}

/* For the connection, its player and its address. */
static void
take_all(struct session *session, int64_t tokens)
{
    const struct host *host = session->host;
    struct rate *shared[] = { session->player == NULL ? NULL : session->player->rate,
                              session->address };

    take_tokens(&session->bucket, frames_pace(host, 1), tokens);
    for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
        if (shared[i] != NULL) {
            take_tokens(&shared[i]->bucket, pace_of(host, shared[i]), tokens);
        }
    }
}

/* Whole tokens. */
static int64_t
tokens_for(const struct host *host, size_t length, int64_t cpu_us)
{
    return ((int64_t)(length / RATE_FRAME_BYTES) + cpu_us / host->options.frame_work_us) * TOKEN;
}

void
rate_charge(struct session *session, size_t length, int64_t cpu_us)
{
    const struct host *host = session->host;

    if (length < RATE_FRAME_BYTES && cpu_us == 0) {
        return; /* as nearly always: the frame's own token pays for it */
    }
    take_all(session, tokens_for(host, length, cpu_us));
    if (session->address != NULL) {
        int64_t *paid = &session->address->work_us;
        int64_t now = now_us(host);

        cpu_us += (int64_t)(length / RATE_FRAME_BYTES) * host->options.frame_work_us;
        *paid = (*paid > now ? *paid : now) + work_paid_us(host, cpu_us);
    }
}

static bool
has_work_left(const struct host *host, const struct rate *address, int32_t *ret_retry_ms)
{
    const struct host_options *options = &host->options;
    int64_t owed_us = address == NULL ? 0 : address->work_us - now_us(host);
    int64_t wait_us;

    if (owed_us <= 0) {
        return true;
    }
    wait_us = owed_us - work_paid_us(host, (int64_t)options->frames_burst * options->frame_work_us);
    if (wait_us > 0) {
        *ret_retry_ms = (int32_t)((wait_us + 999) / 1000);
    }
    return wait_us <= 0;
}

const char *
rate_refuses(struct session *session, int32_t *ret_retry_ms)
{
    const struct host *host = session->host;
    struct rate *account = session->player == NULL ? NULL : session->player->rate;

    if (!has_tokens(host, &session->bucket, frames_pace(host, 1), TOKEN)) {
        *ret_retry_ms = wait_ms(&session->bucket, frames_pace(host, 1), TOKEN);
        return refuse(session, LIMIT_FRAMES, "too many frames of this connection");
    }
    if (!shares_token(host, account, ret_retry_ms)) {
        return refuse(session, LIMIT_FRAMES,
                      "too many frames of this player's connections together");
    }
    if (!shares_token(host, session->address, ret_retry_ms) ||
        !has_work_left(host, session->address, ret_retry_ms)) {
        return refuse(session, LIMIT_FRAMES, "too many frames from this address");
    }
    take_all(session, TOKEN);
    return NULL;
}

static bool
is_too_much(const struct host *host, struct quota quota, int64_t *taken_us, size_t length)
{
    bool is_over = false;

    for (size_t i = 0; i <= length / RATE_FRAME_BYTES; i++) {
        is_over = is_over || quota_wait_ms(host, quota, *taken_us) > 0;
        quota_take(host, quota, taken_us);
    }
    return is_over;
}

bool
rate_is_flood(struct session *session, size_t length)
{
    const struct host *host = session->host;
    struct rate *address = session->address;
    bool is_flood = is_too_much(host, quota_of_refused(host, false), &session->refused_us, length);

    if (address != NULL) {
        is_flood = is_too_much(host, quota_of_refused(host, true), &address->refused_us, length) ||
                   is_flood;
    }
    if (is_flood) {
        session->host->counters.limited[LIMIT_REFUSED]++;
    }
    return is_flood;
}

int64_t
rate_waits(struct session *session, int64_t bytes)
{
    if (session->address == NULL) {
        return 0;
    }
    session->address->waiting_bytes += bytes;
    return session->address->waiting_bytes;
}

/* ---- players and matches ------------------------------------------------------------------ */

const char *
rate_refuses_player(struct session *session, int32_t *ret_retry_ms)
{
    const struct host *host = session->host;
    struct rate *address = session->address;

    if (address == NULL) {
        return NULL;
    }
    *ret_retry_ms = quota_wait_ms(host, quota_of_players(host), address->players_us);
    if (*ret_retry_ms > 0) {
        return refuse(session, LIMIT_PLAYERS, "too many new players from this address");
    }
    quota_take(host, quota_of_players(host), &address->players_us);
    return NULL;
}

const char *
rate_refuses_create(struct session *session, int32_t *ret_retry_ms)
{
    const struct host *host = session->host;
    struct rate *rates[] = { session->player->rate, session->address };

    for (size_t i = 0; i < SK_COUNT_OF(rates); i++) {
        *ret_retry_ms = rates[i] == NULL ? 0
                                         : quota_wait_ms(host, quota_of_creates(host, rates[i]),
                                                         rates[i]->creates_us);
        if (*ret_retry_ms > 0) {
            return refuse(session, LIMIT_CREATES,
                          rates[i]->is_account
                              ? "this player creates too many matches"
                              : "too many matches are being created from this address");
        }
    }
    for (size_t i = 0; i < SK_COUNT_OF(rates); i++) {
        if (rates[i] != NULL) {
            quota_take(host, quota_of_creates(host, rates[i]), &rates[i]->creates_us);
        }
    }
    return NULL;
}

bool
rate_allows_chat(const struct session *session, int32_t *ret_retry_ms)
{
    const struct host *host = session->host;
    struct quota quota = { host->options.chat_per_minute, MINUTE_US };
    int64_t *taken_us = &session->player->rate->chats_us;

    *ret_retry_ms = quota.count == 0 ? (int32_t)(MINUTE_US / 1000) /* nobody may chat */
                                     : quota_wait_ms(host, quota, *taken_us);
    if (*ret_retry_ms == 0) {
        quota_take(host, quota, taken_us);
    }
    return *ret_retry_ms == 0;
}

static bool
is_below(int32_t count, int32_t max)
{
    return max == 0 || count < max;
}

const char *
rate_refuses_match(const struct session *session, bool is_of_bots)
{
    const struct host *host = session->host;
    const struct host_options *options = &host->options;
    const struct rate *account = session->player->rate;
    const struct rate *address = session->address;

    if (is_of_bots && host->bot_matches >= options->bot_matches_max) {
        return refuse(session, LIMIT_BOTS,
                      "too many matches between bots are running on this server");
    }
    if (is_of_bots && !is_below(account->bot_matches, options->bot_matches_per_player_max)) {
        return refuse(session, LIMIT_BOTS_OF_PLAYER,
                      "this player has created too many unfinished matches between bots");
    }
    if (is_of_bots && address != NULL &&
        !is_below(address->bot_matches, options->bot_matches_per_address_max)) {
        return refuse(session, LIMIT_BOTS_OF_ADDRESS,
                      "too many unfinished matches between bots were created from this address");
    }
    if (!is_of_bots && !is_below(account->matches, options->matches_per_player_max)) {
        return refuse(session, LIMIT_MATCHES_OF_PLAYER,
                      "this player has created too many unfinished matches");
    }
    if (!is_of_bots && address != NULL &&
        !is_below(address->matches, options->matches_per_address_max)) {
        return refuse(session, LIMIT_MATCHES_OF_ADDRESS,
                      "too many unfinished matches were created from this address");
    }
    return NULL;
}

static void
count_match(struct host *host, const struct maker *maker, int32_t by)
{
    struct rate *rates[] = { maker->account, maker->address };

    for (size_t i = 0; i < SK_COUNT_OF(rates); i++) {
        if (rates[i] != NULL && maker->is_of_bots) {
            rates[i]->bot_matches += by;
        } else if (rates[i] != NULL) {
            rates[i]->matches += by;
        }
    }
    host->bot_matches += maker->is_of_bots ? by : 0;
}

struct maker
maker_of(struct session *session, bool is_of_bots)
{
    struct host *host = session->host;
    struct maker maker = { .account = rate_of_account(host, session->player->id),
                           .address = rate_of_address(host, rate_address(session)),
                           .is_of_bots = is_of_bots };

    count_match(host, &maker, 1);
    return maker;
}

struct maker
maker_restored(struct host *host, int64_t player)
{
    struct maker maker = { .account = player == 0 ? NULL : rate_of_account(host, player),
                           .is_of_bots = true };

    count_match(host, &maker, 1);
    return maker;
}

void
maker_release(struct host *host, struct maker *maker)
{
    count_match(host, maker, -1);
    rate_release(host, maker->account);
    rate_release(host, maker->address);
    *maker = (struct maker){ 0 };
}

int64_t
maker_charge(const struct host *host, const struct maker *maker, size_t length, int64_t cpu_us)
{
    struct rate *rates[] = { maker->account, maker->address };
    int32_t longest_ms = 0;

    for (size_t i = 0; i < SK_COUNT_OF(rates); i++) {
        struct pace pace = rates[i] == NULL ? (struct pace){ 0 } : pace_of(host, rates[i]);

        if (pace.burst == 0) {
            continue;
        }
        fill(host, &rates[i]->bucket, pace);
        take_tokens(&rates[i]->bucket, pace, tokens_for(host, length, cpu_us));
        if (rates[i]->bucket.tokens < 0 && wait_ms(&rates[i]->bucket, pace, 0) > longest_ms) {
            longest_ms = wait_ms(&rates[i]->bucket, pace, 0);
        }
    }
    return host_now_ms(host) + longest_ms;
}

/* ---- HTTP, and work on other threads ------------------------------------------------------ */

bool
rate_http_takes(const struct host *host, struct rate *rate, int32_t cost, int32_t *ret_retry_ms)
{
    struct pace pace = http_pace(host);

    if (rate == NULL) {
        return true;
    }
    if (!has_tokens(host, &rate->http, pace, cost)) {
        *ret_retry_ms = wait_ms(&rate->http, pace, cost);
        return false;
    }
    take_tokens(&rate->http, pace, cost);
    return true;
}

void
rate_http_charge(const struct host *host, struct rate *rate, int64_t work_us)
{
    if (rate != NULL) {
        take_tokens(&rate->http, http_pace(host), work_us * TOKEN / host->options.http_work_us);
    }
}

bool
rate_read_begins(struct host *host, struct rate *rate)
{
    int32_t most;

    if (rate == NULL) {
        return true;
    }
    most = rate->is_account ? host->options.reads_per_player : host->options.reads_per_address;
    if (most > 0 && rate->reads >= most) {
        return false;
    }
    rate->reads++;
    rate->references++;
    return true;
}

void
rate_read_ends(struct host *host, struct rate *rate)
{
    if (rate != NULL) {
        rate->reads--;
        rate_release(host, rate);
    }
}
