#include "server/host/session/player.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/hex.h"
#include "server/host/session/rate.h"
#include "server/version.h"

#define COUNT_MAX_MS 5000 /* how old a count is that a refusal is based on */

/* ---- who is there ------------------------------------------------------------------------ */

static struct player **
bucket_of(struct host *host, int64_t id)
{
    return &host->players[(uint64_t)id % HOST_BUCKETS];
}

struct player *
player_find(struct host *host, int64_t id)
{
    struct player *player = *bucket_of(host, id);

    while (player != NULL && player->id != id) {
        player = player->next;
    }
    return player;
}

void
player_joins(struct host *host, int64_t id)
{
    struct player *player = player_find(host, id);

    if (player != NULL) {
        player->joining++;
    }
}

/* A player who came back meanwhile was counted again, so the number under way may be smaller. */
void
player_joined(struct host *host, int64_t id, bool is_stored)
{
    struct player *player = player_find(host, id);

    if (player != NULL) {
        player->joining -= player->joining > 0 ? 1 : 0;
        player->match_count += is_stored ? 1 : 0;
    }
}

void
player_left(struct host *host, int64_t id)
{
    struct player *player = player_find(host, id);

    if (player != NULL && player->match_count > 0) {
        player->match_count--;
    }
}

bool
player_may_join(const struct host *host, const struct player *player)
{
    return player->match_count + player->joining < (uint32_t)host->options.matches_per_player_max;
}

static void
counted(struct store_job *job, struct host *host)
{
    struct player *player = player_find(host, job->player.id);

    if (player == NULL) {
        return;
    }
    player->is_counting = false;
    if (job->result == STORE_OK) {
        player->match_count = job->matches.count;
        player->counted_ms = host_now_ms(host);
    }
}

bool
player_is_counted_again(struct host *host, struct player *player)
{
    struct store_job *job;

    if (!host->world.store->is_shared ||
        (player->counted_ms != 0 && host_now_ms(host) < player->counted_ms + COUNT_MAX_MS)) {
        player->counted_ms = 0;
        return false;
    }
    if (!player->is_counting) {
        job = host_job(JOB_PLAYER_MATCHES, counted, NULL);
        job->player.id = player->id;
        player->is_counting = host_submit(host, job);
    }
    return true;
}

/* Stored with the next beat, so at most once per second, however often players come and go. */
void
player_seen(struct host *host, int64_t player)
{
    if (host->seen_count == host->seen_capacity) {
        uint32_t capacity = host->seen_capacity == 0 ? 16 : 2 * host->seen_capacity;
        int64_t *seen = heap_memory(capacity * sizeof(*seen));

        if (host->seen_count > 0) {
            memcpy(seen, host->seen, host->seen_count * sizeof(*seen));
        }
        free(host->seen);
        host->seen = seen;
        host->seen_capacity = capacity;
    }
    host->seen[host->seen_count++] = player;
}

static void
player_enter(struct session *session, int64_t id, const char *name, bool is_bot)
{
    struct host *host = session->host;
    struct player *player = player_find(host, id);

    if (player == NULL) {
        player = heap_memory(sizeof(*player));
        player->id = id;
        player->is_bot = is_bot;
        player->rate = rate_of_account(host, id);
        strncpy(player->name, name, sizeof(player->name) - 1);
        player->next = *bucket_of(host, id);
        *bucket_of(host, id) = player;
        host->player_count++;
    }
    session->player = player;
    session->next_of_player = player->sessions;
    player->sessions = session;
}

void
player_leave(struct session *session)
{
    struct player *player = session->player;
    struct session **at;
    struct player **chain;

    if (player == NULL) {
        return;
    }
    for (at = &player->sessions; *at != session; at = &(*at)->next_of_player) {
    }
    *at = session->next_of_player;
    session->player = NULL;
    if (player->sessions != NULL) {
        return;
    }
    player_seen(session->host, player->id);
    for (chain = bucket_of(session->host, player->id); *chain != player; chain = &(*chain)->next) {
    }
    *chain = player->next;
    session->host->player_count--;
    rate_release(session->host, player->rate);
    free(player);
}

/* ---- names that look like the server's own ------------------------------------------------- */

static const char *const reserved[] = {
    "admin",  "administrator", "moderator", "operator", "root",      "server",
    "system", "support",       "staff",     "skirmish", "skirmishd",
};

/* Characters that look like the letter after them. */
static const char looks[] = "0o1l3e4a5s7t8b9g!l|l@a$sil";

static char
look_of(char character)
{
    char small = (char)tolower((unsigned char)character);

    for (size_t i = 0; i + 1 < sizeof(looks); i += 2) {
        if (looks[i] == small) {
            return looks[i + 1];
        }
    }
    return small;
}

/* Removes separators, and makes characters that look alike equal. */
static void
fold(struct sk_text name, char ret_folded[FRAME_PLAYER_NAME_MAX + 1])
{
    size_t length = 0;

    for (uint32_t i = 0; i < name.length && length < FRAME_PLAYER_NAME_MAX; i++) {
        char look = look_of(name.at[i]);

        if (isalnum((unsigned char)look)) {
            ret_folded[length++] = look;
        }
    }
    ret_folded[length] = '\0';
}

static bool
looks_like(const char *folded, const char *name)
{
    char other[FRAME_PLAYER_NAME_MAX + 1];

    fold(sk_text_of(name), other);
    return strcmp(folded, other) == 0;
}

bool
name_is_reserved(struct sk_text name)
{
    char folded[FRAME_PLAYER_NAME_MAX + 1];
    char bot[FRAME_PLAYER_NAME_MAX + 1];

    while (name.length > 0 &&
           (isdigit((unsigned char)name.at[name.length - 1]) || name.at[name.length - 1] == ' ')) {
        name.length--; /* a second bot of that name has a number appended */
    }
    fold(name, folded);
    for (size_t i = 0; i < SK_COUNT_OF(reserved); i++) {
        if (looks_like(folded, reserved[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < LEVEL_COUNT; i++) {
        (void)snprintf(bot, sizeof(bot), "%.20sbot", sk_frame_levels[i]);
        if (looks_like(folded, bot)) {
            return true;
        }
    }
    return false;
}

/* ---- tokens ------------------------------------------------------------------------------ */

#define TOKEN_DIGITS ((size_t)2 * HOST_TOKEN_BYTES)

/* The token goes to the client; only its hash is stored. */
static void
token_make(struct host *host, char ret_token[TOKEN_DIGITS + 1], uint8_t ret_hash[STORE_HASH_BYTES])
{
    uint8_t bytes[HOST_TOKEN_BYTES];

    host->world.random(host->world.context, bytes, sizeof(bytes));
    hex_encode(bytes, sizeof(bytes), ret_token);
    crypto_hash_sha256(ret_hash, bytes, sizeof(bytes));
}

bool
token_hash(struct sk_text token, uint8_t ret_hash[STORE_HASH_BYTES])
{
    uint8_t bytes[HOST_TOKEN_BYTES];

    if (!hex_decode(token, bytes, sizeof(bytes))) {
        return false;
    }
    crypto_hash_sha256(ret_hash, bytes, sizeof(bytes));
    return true;
}

/* ---- hello ------------------------------------------------------------------------------- */

/* What must outlive the job: the frame's id and, for a new guest, the token. */
struct greeting {
    struct reply reply;
    char token[TOKEN_DIGITS + 1];
};

static struct greeting *
greeting_alloc(const struct session *session, const struct frame_head *head)
{
    struct greeting *greeting = heap_memory(sizeof(*greeting));

    greeting->reply = reply_to(session, head);
    return greeting;
}

/* Without a player it is a spectator's session. */
static void
welcome(struct session *session, const struct frame_head *head, const char *token)
{
    struct host *host = session->host;
    const struct player *player = session->player;
    struct server_welcome frame = {
        .head = *head,
        .protocol = SK_PROTOCOL,
        .has_player = player != NULL,
        .player = player == NULL ? 0 : player->id,
        .name = sk_text_of(player == NULL ? "" : player->name),
        .token = sk_text_of(token),
        .bot = player != NULL && player->is_bot,
        .server = SK_TEXT("skirmishd " SK_VERSION),
        .time_ms = host_wall_ms(host),
        .frames_per_second = host->options.frames_per_second,
        .frames_burst = host->options.frames_burst,
    };

    frame.head.type = SERVER_WELCOME;
    session->phase = SESSION_READY;
    session->since_ms = frame.time_ms;
    if (player != NULL) {
        player_seen(host, player->id);
    }
    timers_clear(&host->timers, &session->timer);
    session_send_frame(session, &frame);
}

/* The error for a hello that failed in the store. */
static enum error_code
greeting_error(enum store_result result)
{
    return result == STORE_TAKEN       ? ERROR_NAME_TAKEN
           : result == STORE_NOT_FOUND ? ERROR_BAD_TOKEN
           : result == STORE_BANNED    ? ERROR_BANNED
                                       : ERROR_STORE_UNAVAILABLE;
}

/*
 * The job has the player and the ids of their unfinished matches.  Jobs come
 * back in order, so no match is counted twice or missed.
 */
static void
greeted(struct store_job *job, struct host *host)
{
    struct greeting *greeting = job->context;
    struct session *session = reply_session(host, &greeting->reply);
    struct frame_head head = reply_head(&greeting->reply);

    if (session != NULL && session->phase == SESSION_GREETING) {
        session->phase = SESSION_NEW;
        if (job->result == STORE_OK) {
            player_enter(session, job->player.id, job->player.name, job->player.is_bot);
            session->player->match_count = job->kind == JOB_PLAYER_MATCHES ? job->matches.count : 0;
            welcome(session, &head, greeting->token);
        } else {
            session_error(session, &head, greeting_error(job->result),
                          job->result == STORE_BANNED && job->message[0] != '\0' ? job->message
                                                                                 : NULL);
        }
    }
    free(greeting);
}

static void greet(struct session *session, struct store_job *job, struct greeting *greeting);

/* The player is known; next, load the ids of their matches. */
static void
recognised(struct store_job *job, struct host *host)
{
    struct greeting *greeting = job->context;
    struct session *session = reply_session(host, &greeting->reply);
    struct store_job *matches;

    if (job->result != STORE_OK || session == NULL || session->phase != SESSION_GREETING) {
        greeted(job, host);
        return;
    }
    matches = host_job(JOB_PLAYER_MATCHES, greeted, NULL);
    matches->player = job->player;
    job->player.name = NULL; /* taken over */
    greet(session, matches, greeting);
}

static bool
is_name(struct sk_text name)
{
    if (name.length >= sizeof(STORE_FORGOTTEN) - 1 &&
        strncasecmp(name.at, STORE_FORGOTTEN, sizeof(STORE_FORGOTTEN) - 1) == 0) {
        return false;
    }
    return name.length >= 1 && name.length <= FRAME_PLAYER_NAME_MAX && sk_name_is_valid(name) &&
           name.at[0] != ' ' && name.at[name.length - 1] != ' ';
}

static void
greet(struct session *session, struct store_job *job, struct greeting *greeting)
{
    job->context = greeting;
    session->phase = SESSION_GREETING;
    if (!host_submit(session->host, job)) {
        session->phase = SESSION_NEW;
        reply_error(session->host, &greeting->reply, ERROR_BUSY);
        free(greeting);
    }
}

static void
greet_guest(struct session *session, const struct frame_hello *hello)
{
    struct greeting *greeting;
    struct store_job *job;
    const char *refusal;
    int32_t retry_ms;

    if (!is_name(hello->name)) {
        session_error(session, &hello->head, ERROR_BAD_NAME, NULL);
        return;
    }
    if (name_is_reserved(hello->name)) {
        session_error(session, &hello->head, ERROR_BAD_NAME,
                      "the name looks like the server's own");
        return;
    }
    refusal = rate_refuses_player(session, &retry_ms);
    if (refusal != NULL) {
        session_error_until(session, &hello->head, ERROR_RATE_LIMITED, refusal, retry_ms);
        return;
    }
    greeting = greeting_alloc(session, &hello->head);
    job = host_job(JOB_PLAYER_CREATE, greeted, NULL);
    token_make(session->host, greeting->token, job->player.token_hash);
    job->player.name = heap_text(hello->name);
    job->player.is_bot = hello->bot;
    greet(session, job, greeting);
}

void
handle_hello(struct session *session, const union client_frame *frame)
{
    const struct frame_hello *hello = &frame->hello;
    struct store_job *job;

    if (session->phase != SESSION_NEW) {
        session_error(session, &hello->head, ERROR_ALREADY_HELLO, NULL);
        return;
    }
    if (hello->protocol != SK_PROTOCOL) {
        session_error(session, &hello->head, ERROR_UNSUPPORTED_PROTOCOL, NULL);
        return;
    }
    if ((hello->token.length > 0) + (hello->name.length > 0) + hello->spectator != 1 ||
        (hello->spectator && hello->bot)) {
        session_error(session, &hello->head, ERROR_MALFORMED,
                      "hello needs one of token, name and spectator; a bot needs a token or name");
        return;
    }
    if (hello->spectator) {
        welcome(session, &hello->head, "");
        return;
    }
    if (hello->token.length == 0) {
        greet_guest(session, hello);
        return;
    }
    job = host_job(JOB_PLAYER_LOGIN, recognised, NULL);
    job->at_ms = host_wall_ms(session->host);
    if (!token_hash(hello->token, job->player.token_hash)) {
        store_job_free(job);
        session_error(session, &hello->head, ERROR_BAD_TOKEN, NULL);
        return;
    }
    greet(session, job, greeting_alloc(session, &hello->head));
}

/* ---- another token ----------------------------------------------------------------------- */

static void
renewed(struct store_job *job, struct host *host)
{
    struct greeting *greeting = job->context;
    struct session *session = reply_session(host, &greeting->reply);
    struct server_token frame = { .head = reply_head(&greeting->reply),
                                  .token = sk_text_of(greeting->token) };

    if (session != NULL && job->result == STORE_OK) {
        frame.head.type = SERVER_TOKEN;
        session_send_frame(session, &frame);
    } else {
        reply_error(host, &greeting->reply, ERROR_STORE_UNAVAILABLE);
    }
    free(greeting);
}

void
handle_renew_token(struct session *session, const union client_frame *frame)
{
    struct greeting *greeting = greeting_alloc(session, &frame->head);
    struct store_job *job = host_job(JOB_TOKEN_RENEW, renewed, greeting);

    token_make(session->host, greeting->token, job->player.token_hash);
    job->player.id = session->player->id;
    if (!host_submit(session->host, job)) {
        session_error(session, &frame->head, ERROR_BUSY, NULL);
        free(greeting);
    }
}
