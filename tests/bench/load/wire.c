#include "tests/bench/load/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define READ_SIZE    (256u * 1024u) /* of all connections: they are worked on one by one */
#define MESSAGE_MAX  (1024u * 1024u)
#define HEADER_MAX   14u
#define SEND_ON_HEAP 4096u
#define MASK_BYTES   4u

enum {
    OPCODE_TEXT = 1,
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    OPCODE_PONG = 10
};

static char read_buffer[READ_SIZE];

static void *
memory(void *old, size_t size)
{
    void *new = realloc(old, size);

    if (new == NULL) {
        fputs("load: out of memory\n", stderr);
        exit(1);
    }
    return new;
}

/* ---- opening and closing ----------------------------------------------------------------- */

bool
wire_allow(uint32_t count)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return false;
    }
    if (limit.rlim_cur < count) {
        limit.rlim_cur = count < limit.rlim_max ? count : limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur >= count;
}

static void
watch(struct wire *wire, int operation)
{
    bool wants_write = wire->phase == WIRE_CONNECTING || wire->out_length > 0;
    struct epoll_event event = {
        .events = wants_write ? EPOLLIN | EPOLLOUT : EPOLLIN,
        .data = { .ptr = wire->user },
    };

    if (operation == EPOLL_CTL_ADD || wants_write != wire->wants_write) {
        wire->wants_write = wants_write;
        (void)epoll_ctl(wire->epoll, operation, wire->file, &event);
    }
}

bool
wire_connect(struct wire *wire, int epoll, uint16_t port, const char *path, void *user)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };
    int yes = 1;
    int file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (file < 0) {
        return false;
    }
    (void)setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    if (connect(file, (const struct sockaddr *)&address, sizeof(address)) != 0 &&
        errno != EINPROGRESS) {
        (void)close(file);
        return false;
    }
    *wire = (struct wire){
        .epoll = epoll, .user = user, .path = path, .file = file, .phase = WIRE_CONNECTING
    };
    watch(wire, EPOLL_CTL_ADD);
    return true;
}

void
wire_close(struct wire *wire)
{
    if (wire->phase != WIRE_CLOSED) {
        (void)close(wire->file);
    }
    free(wire->in);
    free(wire->out);
    *wire = (struct wire){ .file = -1 };
}

/* ---- writing ----------------------------------------------------------------------------- */

static void
write_bytes(struct wire *wire, const char *bytes, size_t length)
{
    ssize_t written = 0;

    if (wire->out_length == 0) {
        written = send(wire->file, bytes, length, MSG_NOSIGNAL);
        written = written < 0 ? 0 : written; /* a loss shows when it is read from */
    }
    if ((size_t)written < length) {
        size_t rest = length - (size_t)written;

        wire->out = memory(wire->out, wire->out_length + rest);
        memcpy(wire->out + wire->out_length, bytes + written, rest);
        wire->out_length += rest;
        watch(wire, EPOLL_CTL_MOD);
    }
}

static size_t
put_header(unsigned char *frame, unsigned char opcode, size_t length)
{
    frame[0] = (unsigned char)(0x80 | opcode);
    if (length < 126) {
        frame[1] = (unsigned char)(0x80 | length);
        return 2;
    }
    if (length < 65536) {
        frame[1] = 0x80 | 126;
        frame[2] = (unsigned char)(length >> 8);
        frame[3] = (unsigned char)length;
        return 4;
    }
    frame[1] = 0x80 | 127;
    for (unsigned i = 0; i < 8; i++) {
        frame[2 + i] = (unsigned char)((uint64_t)length >> (56 - 8 * i));
    }
    return 10;
}

/* Eight bytes at a time: masking is the part that a client cannot avoid. */
static void
put_masked(char *frame, const char *text, size_t length, uint32_t mask)
{
    uint64_t wide = (uint64_t)mask << 32 | mask;
    const unsigned char *bytes = (const unsigned char *)&mask;
    size_t i = 0;

    for (; i + 8 <= length; i += 8) {
        uint64_t word;

        memcpy(&word, text + i, 8);
        word ^= wide;
        memcpy(frame + i, &word, 8);
    }
    for (; i < length; i++) {
        frame[i] = (char)((unsigned char)text[i] ^ bytes[i % MASK_BYTES]);
    }
}

static void
send_frame(struct wire *wire, unsigned char opcode, const char *text, size_t length)
{
    static uint32_t mask = 0x9e3779b9;
    char stack[SEND_ON_HEAP + HEADER_MAX];
    char *frame = length > SEND_ON_HEAP ? memory(NULL, length + HEADER_MAX) : stack;
    size_t header = put_header((unsigned char *)frame, opcode, length);

    mask = mask * 1664525u + 1013904223u;
    memcpy(frame + header, &mask, MASK_BYTES);
    put_masked(frame + header + MASK_BYTES, text, length, mask);
    write_bytes(wire, frame, header + MASK_BYTES + length);
    if (frame != stack) {
        free(frame);
    }
}

void
wire_send(struct wire *wire, const char *text, size_t length)
{
    send_frame(wire, OPCODE_TEXT, text, length);
}

static bool
write_rest(struct wire *wire)
{
    ssize_t written = send(wire->file, wire->out, wire->out_length, MSG_NOSIGNAL);

    if (written < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    wire->out_length -= (size_t)written;
    memmove(wire->out, wire->out + written, wire->out_length);
    return true;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* Bytes of the frame at `at`; 0 = incomplete, SIZE_MAX = invalid. */
static size_t
frame_size(const unsigned char *at, size_t length, size_t *ret_header)
{
    uint64_t size;

    if (length < 2) {
        return 0;
    }
    size = at[1] & 127;
    *ret_header = size < 126 ? 2 : size == 126 ? 4 : 10;
    if (length < *ret_header) {
        return 0;
    }
    if (size == 126) {
        size = (uint64_t)at[2] << 8 | at[3];
    } else if (size == 127) {
        size = 0;
        for (unsigned i = 0; i < 8; i++) {
            size = size << 8 | at[2 + i];
        }
    }
    if ((at[0] & 0x80) == 0 || (at[1] & 0x80) != 0 || size > MESSAGE_MAX) {
        return SIZE_MAX; /* the server neither fragments nor masks */
    }
    return length < *ret_header + size ? 0 : *ret_header + (size_t)size;
}

/* Takes one frame; false = the connection ends. */
static bool
take_frame(struct wire *wire, const char *at, size_t header, size_t size,
           const struct wire_events *events)
{
    switch ((unsigned char)at[0] & 15) {
    case OPCODE_TEXT:
        events->message(wire->user, at + header, size - header);
        break;
    case OPCODE_PING:
        send_frame(wire, OPCODE_PONG, at + header, size - header);
        break;
    case OPCODE_PONG:
        break;
    default:
        return false;
    }
    return wire->phase != WIRE_CLOSED; /* the callback may have closed it */
}

/* The length of the answer to the upgrade; 0 = incomplete, SIZE_MAX = refused. */
static size_t
upgrade_size(const char *bytes, size_t length)
{
    static const char accepted[] = "HTTP/1.1 101";
    const char *end = memmem(bytes, length, "\r\n\r\n", 4);

    if (end == NULL) {
        return length > 4096 ? SIZE_MAX : 0;
    }
    return strncmp(bytes, accepted, sizeof(accepted) - 1) == 0 ? (size_t)(end + 4 - bytes)
                                                               : SIZE_MAX;
}

/* Passes complete frames on and returns their bytes, or SIZE_MAX. */
static size_t
take_bytes(struct wire *wire, const char *bytes, size_t length, const struct wire_events *events)
{
    size_t taken = 0;
    size_t header;
    size_t size;

    if (wire->phase == WIRE_UPGRADING) {
        taken = upgrade_size(bytes, length);
        if (taken == 0 || taken == SIZE_MAX) {
            return taken;
        }
        wire->phase = WIRE_OPEN;
        events->opened(wire->user);
    }
    while ((size = frame_size((const unsigned char *)bytes + taken, length - taken, &header)) > 0) {
        if (size == SIZE_MAX || !take_frame(wire, bytes + taken, header, size, events)) {
            return SIZE_MAX;
        }
        taken += size;
    }
    return taken;
}

static void
keep(struct wire *wire, const char *bytes, size_t length)
{
    if (wire->in_capacity < length) {
        wire->in = memory(wire->in, length);
        wire->in_capacity = length;
    }
    if (length > 0) {
        memmove(wire->in, bytes, length);
    }
    wire->in_length = length;
    if (length == 0 && wire->in != NULL) {
        free(wire->in);
        wire->in = NULL;
        wire->in_capacity = 0;
    }
}

static bool
read_some(struct wire *wire, const struct wire_events *events)
{
    size_t before = wire->in_length;
    size_t taken;
    ssize_t got;

    if (before > READ_SIZE / 2) {
        return false; /* the server sends nothing of this length */
    }
    memcpy(read_buffer, wire->in == NULL ? "" : wire->in, before);
    got = recv(wire->file, read_buffer + before, READ_SIZE - before, 0);
    if (got <= 0) {
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    }
    taken = take_bytes(wire, read_buffer, before + (size_t)got, events);
    if (taken == SIZE_MAX) {
        return false;
    }
    keep(wire, read_buffer + taken, before + (size_t)got - taken);
    return true;
}

/* ---- events ------------------------------------------------------------------------------ */

static bool
ask_for_upgrade(struct wire *wire)
{
    char request[512];
    int length = snprintf(request, sizeof(request),
                          "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                          "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: c2l4dGVlbiBieXRlcy4uLg==\r\n"
                          "Sec-WebSocket-Protocol: skirmish.v1\r\n\r\n",
                          wire->path);
    int error = 0;
    socklen_t size = sizeof(error);

    if (getsockopt(wire->file, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
        return false;
    }
    wire->phase = WIRE_UPGRADING;
    write_bytes(wire, request, (size_t)length);
    return true;
}

bool
wire_work(struct wire *wire, uint32_t what, const struct wire_events *events)
{
    bool goes_on = true;

    if (wire->phase == WIRE_CONNECTING && (what & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) {
        goes_on = ask_for_upgrade(wire);
    } else if ((what & EPOLLOUT) != 0 && wire->out_length > 0) {
        goes_on = write_rest(wire);
    }
    if (goes_on && (what & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0) {
        goes_on = read_some(wire, events);
    }
    if (!goes_on || wire->phase == WIRE_CLOSED) {
        return false;
    }
    watch(wire, EPOLL_CTL_MOD);
    return true;
}
