/*
 * limit - the fastest possible server on this machine that stores before it answers: bare epoll, as
 * many bytes on the wire as the daemon, the same records in the same group commits, in a table or
 * in a plain file; without JSON and rules.
 *
 * All data for a client in one round is written at once, and all jobs of a round go to the storage
 * thread together.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/bench/limit/limit_store.h"

#define EVENTS_MAX 512
#define READ_SIZE  65536u
#define KEEP_SIZE  4096u /* of an incomplete frame: the load's are short */

/* The answer to the key that the load sends. */
static const char upgrade_answer[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                     "Connection: Upgrade\r\n"
                                     "Sec-WebSocket-Accept: FlYPPSB53TTF16oKOkJqU84hNz0=\r\n"
                                     "Sec-WebSocket-Protocol: skirmish.v1\r\n\r\n";

struct connection {
    struct canned_client client;
    struct connection *next_dirty;
    int file;
    bool is_open; /* the upgrade is done */
    bool is_dirty;
    size_t in_length;
    size_t out_length;
    size_t out_capacity;
    char *out;
    char in[KEEP_SIZE];
};

static struct {
    struct canned_server canned;
    int epoll;
    int listener;
    int wake;
    struct connection *dirty;
    struct canned_job *first_job;
    struct canned_job *last_job;
} server;

static volatile sig_atomic_t is_asked_to_stop;

static void
ask_to_stop(int number)
{
    (void)number;
    is_asked_to_stop = 1;
}

static void
fail(const char *doing)
{
    perror(doing);
    exit(1);
}

/* ---- out --------------------------------------------------------------------------------- */

static void
put(struct connection *connection, const void *bytes, size_t length)
{
    size_t needed = connection->out_length + length;

    if (needed > connection->out_capacity) {
        connection->out_capacity = 2 * needed;
        connection->out = realloc(connection->out, connection->out_capacity);
        if (connection->out == NULL) {
            fail("memory");
        }
    }
    memcpy(connection->out + connection->out_length, bytes, length);
    connection->out_length = needed;
    if (!connection->is_dirty) {
        connection->is_dirty = true;
        connection->next_dirty = server.dirty;
        server.dirty = connection;
    }
}

static void
send_text(void *to, const char *text, size_t length)
{
    unsigned char header[4] = { 0x81, (unsigned char)length };
    size_t header_length = 2;

    if (length >= 126) {
        header[1] = 126;
        header[2] = (unsigned char)(length >> 8);
        header[3] = (unsigned char)length;
        header_length = 4;
    }
    put(to, header, header_length);
    put(to, text, length);
}

/* The load reads before it sends more, so a socket accepts all of it. */
static void
flush(void)
{
    while (server.dirty != NULL) {
        struct connection *connection = server.dirty;

        server.dirty = connection->next_dirty;
        connection->is_dirty = false;
        if (connection->file >= 0) {
            (void)send(connection->file, connection->out, connection->out_length, MSG_NOSIGNAL);
        }
        connection->out_length = 0;
    }
}

/* ---- storage ----------------------------------------------------------------------------- */

static void
keep_job(struct canned_job *job)
{
    job->next = NULL;
    if (server.first_job == NULL) {
        server.first_job = job;
    } else {
        server.last_job->next = job;
    }
    server.last_job = job;
}

static void
hand_over_jobs(void)
{
    if (server.first_job != NULL) {
        limit_store_hand_over(server.first_job, server.last_job);
        server.first_job = NULL;
    }
}

static void
take_done(void)
{
    uint64_t count;
    struct canned_job *job;

    if (read(server.wake, &count, sizeof(count)) < 0 && errno != EAGAIN) {
        fail("wake");
    }
    job = limit_store_take_done();
    while (job != NULL) {
        struct canned_job *next = job->next;

        canned_stored(&server.canned, job);
        job = next;
    }
}

/* ---- in ---------------------------------------------------------------------------------- */

static void
unmask(unsigned char *text, size_t length, const unsigned char *mask)
{
    uint64_t wide;
    size_t i = 0;

    memcpy(&wide, mask, 4);
    memcpy((char *)&wide + 4, mask, 4);
    for (; i + 8 <= length; i += 8) {
        uint64_t word;

        memcpy(&word, text + i, 8);
        word ^= wide;
        memcpy(text + i, &word, 8);
    }
    for (; i < length; i++) {
        text[i] ^= mask[i % 4];
    }
}

/* Bytes of the frame that was handled; 0 = it is incomplete. */
static size_t
take_frame(struct connection *connection, unsigned char *bytes, size_t length)
{
    size_t header = 2;
    size_t size;

    if (length < 2) {
        return 0;
    }
    size = bytes[1] & 127;
    if (size == 126 && length >= 4) {
        size = (size_t)bytes[2] << 8 | bytes[3];
        header = 4;
    }
    header += 4;
    if (length < header + size) {
        return 0;
    }
    if ((bytes[0] & 15) == 1) {
        unmask(bytes + header, size, bytes + header - 4);
        canned_message(&server.canned, &connection->client, (char *)bytes + header, size);
    }
    return header + size;
}

static void
drop(struct connection *connection)
{
    (void)close(connection->file);
    connection->file = -1;
    connection->client.connection = NULL; /* the match may still point at it: it is not freed */
}

static void
take_bytes(struct connection *connection, unsigned char *bytes, size_t length)
{
    size_t taken = 0;
    size_t size;

    if (!connection->is_open) {
        connection->is_open = true; /* the load's request comes in one piece */
        put(connection, upgrade_answer, sizeof(upgrade_answer) - 1);
        return;
    }
    while ((size = take_frame(connection, bytes + taken, length - taken)) > 0) {
        taken += size;
    }
    connection->in_length = length - taken;
    if (connection->in_length > KEEP_SIZE) {
        drop(connection);
        return;
    }
    memcpy(connection->in, bytes + taken, connection->in_length);
}

static void
read_some(struct connection *connection)
{
    static unsigned char bytes[READ_SIZE];
    ssize_t got;

    memcpy(bytes, connection->in, connection->in_length);
    got =
        recv(connection->file, bytes + connection->in_length, READ_SIZE - connection->in_length, 0);
    if (got > 0) {
        take_bytes(connection, bytes, connection->in_length + (size_t)got);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        drop(connection);
    }
}

/* ---- the loop ---------------------------------------------------------------------------- */

static void
watch(int file, void *what)
{
    struct epoll_event event = { .events = EPOLLIN, .data = { .ptr = what } };

    if (epoll_ctl(server.epoll, EPOLL_CTL_ADD, file, &event) != 0) {
        fail("epoll_ctl");
    }
}

static void
accept_all(void)
{
    int file;
    int yes = 1;

    while ((file = accept4(server.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct connection *connection = calloc(1, sizeof(*connection));

        if (connection == NULL) {
            fail("memory");
        }
        (void)setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
        connection->file = file;
        connection->client.connection = connection;
        watch(file, connection);
    }
}

static void
open_listener(int port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };
    struct rlimit limit;
    int yes = 1;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max < 65536 ? limit.rlim_max : 65536;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    server.listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    (void)setsockopt(server.listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    if (bind(server.listener, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
        listen(server.listener, 1024) != 0) {
        fail("limit: listen");
    }
}

static void
run(void)
{
    struct epoll_event events[EVENTS_MAX];

    while (is_asked_to_stop == 0) {
        int count = epoll_wait(server.epoll, events, EVENTS_MAX, -1);

        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr == &server.listener) {
                accept_all();
            } else if (events[i].data.ptr == &server.wake) {
                take_done();
            } else {
                read_some(events[i].data.ptr);
            }
        }
        hand_over_jobs();
        flush();
    }
}

int
main(int argc, char **argv)
{
    struct canned_options options;
    const char *database = "limit.db";
    int port = 0;

    canned_options_read(argc, argv, &options, &port, &database);
    canned_init(&server.canned, &options, send_text, keep_job);
    (void)signal(SIGTERM, ask_to_stop);
    server.wake = limit_store_open(database, options.is_plain_file);
    server.epoll = epoll_create1(EPOLL_CLOEXEC);
    open_listener(port);
    watch(server.listener, &server.listener);
    watch(server.wake, &server.wake);
    printf("limit listening on port %d\n", port);
    (void)fflush(stdout);
    run();
    return 0;
}
