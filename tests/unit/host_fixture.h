/*
 * A host with a manual clock, clients that are function calls, and the real
 * store behind a gate.
 *
 * The gate lets every job pass unless the test holds it.  Then the test
 * decides when a job is stored or refused, and what happens in between, so
 * races are tested reliably.
 *
 * Owner:   the test; table_close frees everything.
 * Threads: the test's own is the loop.
 */
#ifndef SK_TEST_HOST_FIXTURE_H
#define SK_TEST_HOST_FIXTURE_H

#include <json-c/json.h>
#include <semaphore.h>
#include <stdarg.h>

#include "store_fixture.h"
#include "tests/support/look.h"

#define TABLE_PEERS_MAX 16
#define TABLE_TEXT_MAX  8192

struct table;

/* One connection. */
struct peer {
    struct table *table;
    struct session *session; /* NULL once it is closed */
    struct json_object *inbox;
    char *heard; /* every message so far, one per line */
    size_t heard_length;
    char token[2 * HOST_TOKEN_BYTES + 1];
    bool wants_close;
    bool is_deaf; /* does not read what is sent */
    int close_code;
};

struct table {
    struct store_port gate; /* first: the port leads back to the table */
    struct transport transport;
    struct bot_port *bots; /* NULL: there are none */
    struct fixture store;
    struct host_options options;
    struct host *host;
    sem_t done;
    struct store_job *held; /* in order */
    uint32_t held_count;
    uint32_t stored; /* in the store */
    bool is_holding;
    bool is_full; /* the gate is full: busy */
    bool is_lazy; /* long work waits for host_work */

    /* The other nodes, for tests with several; NULL: there are none. */
    bool (*answers)(struct table *table, struct store_job *job); /* instead of the store */
    void (*twists)(struct table *table, struct store_job *job);  /* the store's answer */
    struct store_job *answered;
    int64_t now_ms;
    int64_t step_ms; /* how far it moves each time it is read */
    int64_t wall_ms;
    uint64_t random;
    struct peer peers[TABLE_PEERS_MAX];
    uint32_t peer_count;
    char logged[256]; /* the last line of the log */
};

/* ---- the world --------------------------------------------------------------------------- */

static inline int64_t
table_now(void *context)
{
    struct table *table = context;

    table->now_ms += table->step_ms;
    return table->now_ms;
}

static inline int64_t
table_wall(void *context)
{
    return ((struct table *)context)->wall_ms;
}

static inline void
table_random(void *context, uint8_t *bytes, size_t size)
{
    struct table *table = context;

    for (size_t i = 0; i < size; i++) {
        table->random = table->random * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (uint8_t)(table->random >> 56);
    }
}

static inline void
table_log(void *context, int level, const char *message)
{
    struct table *table = context;

    (void)level;
    (void)snprintf(table->logged, sizeof(table->logged), "%s", message);
}

static inline void
table_wake(void *context)
{
    (void)sem_post(&((struct table *)context)->done);
}

static inline void
table_want_write(struct transport *transport, void *connection)
{
    (void)transport;
    (void)connection;
}

static inline void
table_transport_close(struct transport *transport, void *connection, enum close_code code,
                      const char *reason)
{
    struct peer *peer = connection;

    (void)transport;
    (void)reason;
    peer->wants_close = true;
    peer->close_code = (int)code;
}

/* ---- the gate ---------------------------------------------------------------------------- */

static inline void
table_hand_over(struct table *table, struct store_job *job)
{
    struct store_port *port = store_port(table->store.store);

    job->next = NULL;
    if (table->answers != NULL && table->answers(table, job)) {
        struct store_job **end = &table->answered;

        while (*end != NULL) {
            end = &(*end)->next;
        }
        *end = job;
        return;
    }
    cr_assert(port->submit(port, job));
    table->stored++;
}

static inline bool
table_take_job(struct store_port *port, struct store_job *job)
{
    struct table *table = (struct table *)(void *)port;
    struct store_job **at = &table->held;

    if (table->is_full) {
        return false;
    }
    if (!table->is_holding) {
        table_hand_over(table, job);
        return true;
    }
    while (*at != NULL) {
        at = &(*at)->next;
    }
    job->next = NULL;
    *at = job;
    table->held_count++;
    return true;
}

static inline struct store_job *
table_take_held(struct table *table)
{
    struct store_job *job = table->held;

    cr_assert_not_null(job, "no job is held");
    table->held = job->next;
    table->held_count--;
    job->next = NULL;
    return job;
}

/* ---- messages ---------------------------------------------------------------------------- */

static inline void
peer_drop(struct peer *peer)
{
    struct session *session = peer->session;

    if (session != NULL) {
        peer->session = NULL;
        host_disconnect(peer->table->host, session);
    }
}

static inline void
peer_write_down(struct peer *peer, const struct message *message)
{
    size_t length = peer->heard_length + message->length + 1;

    peer->heard = realloc(peer->heard, length + 1);
    cr_assert_not_null(peer->heard);
    memcpy(peer->heard + peer->heard_length, message->text, message->length);
    memcpy(peer->heard + length - 1, "\n", 2);
    peer->heard_length = length;
}

static inline void
peer_read(struct peer *peer)
{
    const struct message *message;

    while (peer->session != NULL && !peer->is_deaf &&
           (message = host_next_message(peer->session)) != NULL) {
        struct json_tokener *tokener = json_tokener_new();
        struct json_object *frame =
            json_tokener_parse_ex(tokener, message->text, (int)message->length);

        cr_assert_not_null(frame, "%.*s", (int)message->length, message->text);
        json_tokener_free(tokener);
        json_object_array_add(peer->inbox, frame);
        peer_write_down(peer, message);
        host_written(peer->table->host, peer->session);
    }
    if (peer->wants_close) {
        peer_drop(peer);
    }
}

static inline void
table_read(struct table *table)
{
    for (uint32_t i = 0; i < table->peer_count; i++) {
        peer_read(&table->peers[i]);
    }
}

/* Every room's timer is set for when something in it is due. */
static inline void
table_check_timers(const struct table *table)
{
    cr_assert_eq(look_for_mistimed(table->host), 0, "match %lld is not scheduled as it should be",
                 (long long)look_for_mistimed(table->host));
}

static inline bool
table_has_work(const struct table *table)
{
    return !table->is_lazy && host_has_work(table->host);
}

/* Executes everything that the gate has let pass, and its consequences. */
static inline void
table_settle(struct table *table)
{
    while (table->stored > 0 || table->answered != NULL || table_has_work(table)) {
        struct store_job *jobs = store_take_done(table->store.store);
        struct store_job *answered = table->answered;

        if (answered != NULL) {
            table->answered = answered->next;
            answered->next = NULL;
            host_job_done(table->host, answered);
        } else if (table_has_work(table)) {
            (void)host_work(table->host);
        } else if (jobs == NULL) {
            (void)sem_wait(&table->done);
        }
        while (jobs != NULL) {
            struct store_job *next = jobs->next;

            jobs->next = NULL;
            table->stored--;
            if (table->twists != NULL) {
                table->twists(table, jobs);
            }
            host_job_done(table->host, jobs);
            jobs = next;
        }
    }
    table_read(table);
    table_check_timers(table);
}

/* From now on jobs wait until they are passed or refused. */
static inline void
table_hold(struct table *table)
{
    table_settle(table);
    table->is_holding = true;
}

/* Lets the first of them be stored. */
static inline void
table_pass(struct table *table)
{
    table_hand_over(table, table_take_held(table));
    table_settle(table);
}

/* Lets the first of them fail, with the later ones of its match, as in the store. */
static inline void
table_refuse(struct table *table)
{
    int64_t match = table->held == NULL ? 0 : table->held->match_id;
    struct store_job **at = &table->held;
    struct store_job *failed = NULL;
    struct store_job **end = &failed;

    cr_assert_not_null(table->held, "no job is held");
    do {
        struct store_job *job = *at;

        if (job == table->held || (job->kind == JOB_MATCH_APPEND && job->match_id == match)) {
            *at = job->next;
            table->held_count--;
            job->next = NULL;
            *end = job;
            end = &job->next;
        } else {
            at = &job->next;
        }
    } while (*at != NULL && match != 0);
    while (failed != NULL) {
        struct store_job *next = failed->next;

        failed->next = NULL;
        failed->result = STORE_UNAVAILABLE;
        host_job_done(table->host, failed);
        failed = next;
    }
    table_settle(table);
}

/* Lets all of them pass, and those that they cause. */
static inline void
table_let_go(struct table *table)
{
    table->is_holding = false;
    while (table->held != NULL) {
        table_hand_over(table, table_take_held(table));
    }
    table_settle(table);
}

/* ---- opening ----------------------------------------------------------------------------- */

static inline void
table_start(struct table *table)
{
    struct host_world world = {
        .store = &table->gate,
        .transport = &table->transport,
        .bots = table->bots,
        .now_ms = table_now,
        .wall_ms = table_wall,
        .random = table_random,
        .log = table_log,
        .context = table,
    };

    table->host = host_alloc(&table->options, &world);
    cr_assert_not_null(table->host);
    host_start(table->host);
    table_settle(table);
}

static inline void
table_open_with(struct table *table, struct bot_port *bots)
{
    *table = (struct table){ .bots = bots, .now_ms = 1000, .wall_ms = 1767225600000, .random = 1 };
    table->gate.submit = table_take_job;
    table->transport.want_write = table_want_write;
    table->transport.close = table_transport_close;
    cr_assert_eq(sem_init(&table->done, 0, 0), 0);
    fixture_init(&table->store);
    table->store.options.wake = table_wake;
    table->store.options.context = table;
    fixture_open(&table->store);
    host_options_init(&table->options);
    table_start(table);
}

static inline void
table_open(struct table *table)
{
    table_open_with(table, NULL);
}

/* Drops the held jobs, as in a crash. */
static inline void
table_stop(struct table *table)
{
    table_settle(table);
    for (uint32_t i = 0; i < table->peer_count; i++) {
        peer_drop(&table->peers[i]);
        json_object_put(table->peers[i].inbox);
        free(table->peers[i].heard);
    }
    table->peer_count = 0;
    table->is_holding = false;
    table->is_full = false;
    while (table->held != NULL) {
        struct store_job *job = table_take_held(table);

        job->result = STORE_UNAVAILABLE;
        host_job_done(table->host, job);
    }
    table_settle(table);
    host_free(table->host);
    table->host = NULL;
}

static inline void
table_close(struct table *table)
{
    table_stop(table);
    fixture_close(&table->store);
    (void)sem_destroy(&table->done);
}

/* The server is down for this long; all connections are gone. */
static inline void
table_restart(struct table *table, int64_t down_ms)
{
    table_stop(table);
    table->now_ms = 5000; /* as if on another machine */
    table->wall_ms += down_ms;
    table_start(table);
}

/* Time passes; everything is done when it is due. */
static inline void
table_wait(struct table *table, int64_t ms)
{
    int64_t until_ms = table->now_ms + ms;

    for (;;) {
        int32_t next_ms = host_tick(table->host);
        int64_t step_ms = until_ms - table->now_ms < next_ms ? until_ms - table->now_ms : next_ms;

        table_settle(table);
        if (table->now_ms == until_ms) {
            return;
        }
        table->now_ms += step_ms;
        table->wall_ms += step_ms;
    }
}

/* The clock jumps; what was due meanwhile is done now. */
static inline void
table_jump(struct table *table, int64_t ms)
{
    table->now_ms += ms;
    table->wall_ms += ms;
    (void)host_tick(table->host);
    table_settle(table);
}

/* ---- clients ----------------------------------------------------------------------------- */

/* Sends one message, written with ' for ". */
__attribute__((format(printf, 2, 3))) static inline void
say(struct peer *peer, const char *format, ...)
{
    char text[TABLE_TEXT_MAX];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    cr_assert(length > 0 && (size_t)length < sizeof(text));
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    cr_assert_not_null(peer->session, "the connection is closed: %s", text);
    host_message(peer->session, text, (size_t)length);
    table_settle(peer->table);
}

static inline const char *
word_of(struct json_object *frame, const char *name)
{
    struct json_object *member = NULL;

    return json_object_object_get_ex(frame, name, &member) ? json_object_get_string(member) : "";
}

static inline int64_t
number_of(struct json_object *frame, const char *name)
{
    struct json_object *member = NULL;

    cr_assert(json_object_object_get_ex(frame, name, &member), "no %s in %s", name,
              json_object_to_json_string(frame));
    return json_object_get_int64(member);
}

/* The first received frame of this type, or NULL; owned by the inbox. */
static inline struct json_object *
find_frame(const struct peer *peer, const char *type)
{
    for (size_t i = 0; i < json_object_array_length(peer->inbox); i++) {
        struct json_object *frame = json_object_array_get_idx(peer->inbox, i);

        if (strcmp(word_of(frame, "type"), type) == 0) {
            return frame;
        }
    }
    return NULL;
}

/* Takes it out of the inbox and keeps it until the next call. */
static inline struct json_object *
hear(struct peer *peer, const char *type)
{
    static struct json_object *last;

    for (size_t i = 0; i < json_object_array_length(peer->inbox); i++) {
        struct json_object *frame = json_object_array_get_idx(peer->inbox, i);

        if (strcmp(word_of(frame, "type"), type) == 0) {
            json_object_put(last);
            last = json_object_get(frame);
            json_object_array_del_idx(peer->inbox, i, 1);
            return last;
        }
    }
    cr_assert_fail("no %s came, but %s", type, json_object_to_json_string(peer->inbox));
    return NULL;
}

/* Expects an error of this code. */
static inline struct json_object *
hear_error(struct peer *peer, const char *code)
{
    struct json_object *frame = hear(peer, "error");

    cr_assert_str_eq(word_of(frame, "code"), code, "%s", json_object_to_json_string(frame));
    return frame;
}

static inline void
hear_nothing(const struct peer *peer, const char *type)
{
    struct json_object *frame = find_frame(peer, type);

    cr_assert_null(frame, "%s", json_object_to_json_string(frame));
}

static inline void
forget(struct peer *peer)
{
    json_object_put(peer->inbox);
    peer->inbox = json_object_new_array();
}

static inline struct peer *
table_connect_from(struct table *table, const char *address)
{
    struct peer *peer = &table->peers[table->peer_count++];

    cr_assert_leq(table->peer_count, TABLE_PEERS_MAX);
    *peer = (struct peer){ .table = table, .inbox = json_object_new_array() };
    peer->session = host_connect(table->host, peer, address);
    cr_assert_not_null(peer->session);
    return peer;
}

static inline struct peer *
table_connect(struct table *table)
{
    return table_connect_from(table, "127.0.0.1");
}

static inline void
keep_token(struct peer *peer, const char *token)
{
    size_t length = strlen(token);

    cr_assert(length < sizeof(peer->token), "a token of %zu characters", length);
    memcpy(peer->token, token, length + 1);
}

/* A new player. */
static inline struct peer *
table_player(struct table *table, const char *name)
{
    struct peer *peer = table_connect(table);

    say(peer, "{'type':'hello','protocol':1,'name':'%s'}", name);
    keep_token(peer, word_of(hear(peer, "welcome"), "token"));
    return peer;
}

/* Another connection of the player with this token. */
static inline struct peer *
table_return(struct table *table, const char *token)
{
    struct peer *peer = table_connect(table);

    keep_token(peer, token);
    say(peer, "{'type':'hello','protocol':1,'token':'%s'}", token);
    (void)hear(peer, "welcome");
    return peer;
}

/* ---- matches ----------------------------------------------------------------------------- */

/* Three columns and four rows, with one pike per side, or with these units. */
#define TABLE_PIKES_OF(units)                                                                     \
    "{'rows':4,'cols':3,'placement':false,'start_rows':1,'turn_limit':100,"                       \
    "'patterns':{'step':{'rows':[' x ','x x',' x ']},"                                            \
    "'sweep':{'rows':[' o ','   ','   '],'map':{'o':'row'}},'row':{'rows':['   ','xxx','   ']}}," \
    "'models':{'pike':{'description':'','health':10,'power':10,'move':['step'],"                  \
    "'attack':['sweep']}},'units':[" units "]}"
#define TABLE_PIKE_A "{'id':'a1','model':'pike','seat':0,'at':[1,3]}"
#define TABLE_PIKES  TABLE_PIKES_OF(TABLE_PIKE_A ",{'id':'b1','model':'pike','seat':1,'at':[1,0]}")

/* Creates one; `more` are further members, each with a comma before it. */
static inline int64_t
table_create(struct peer *peer, const char *more)
{
    say(peer, "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES "%s}", more);
    return number_of(hear(peer, "joined"), "match");
}

/* Both join, and their inboxes are emptied. */
static inline int64_t
table_pair(struct peer *alice, struct peer *bob, const char *more)
{
    int64_t match = table_create(alice, more);

    say(bob, "{'type':'join','match':%lld}", (long long)match);
    (void)hear(bob, "joined");
    forget(alice);
    forget(bob);
    return match;
}

static inline void
follow_again(struct peer *peer, int64_t match)
{
    say(peer, "{'type':'resume','match':%lld,'seq':0}", (long long)match);
    (void)hear(peer, "state");
}

static inline void
submit(struct peer *peer, int64_t match, int turn, const char *id, const char *commands)
{
    say(peer, "{'type':'submit','match':%lld,'turn':%d,'command_id':'%s','commands':[%s]}",
        (long long)match, turn, id, commands);
}

/* ---- a match of alice and bob ------------------------------------------------------------ */

struct game {
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match;
};

static inline void
game_open(struct game *game, const char *more)
{
    table_open(&game->table);
    game->alice = table_player(&game->table, "alice");
    game->bob = table_player(&game->table, "bob");
    game->match = table_pair(game->alice, game->bob, more);
}

/* After a restart both follow it again, with empty inboxes. */
static inline void
game_restart(struct game *game, int64_t down_ms)
{
    char alice[sizeof(game->alice->token)];
    char bob[sizeof(game->bob->token)];

    memcpy(alice, game->alice->token, sizeof(alice));
    memcpy(bob, game->bob->token, sizeof(bob));
    table_restart(&game->table, down_ms);
    game->alice = table_return(&game->table, alice);
    game->bob = table_return(&game->table, bob);
    follow_again(game->alice, game->match);
    follow_again(game->bob, game->match);
    forget(game->alice);
    forget(game->bob);
}

#endif /* SK_TEST_HOST_FIXTURE_H */
