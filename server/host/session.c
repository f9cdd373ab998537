/*
 * Sessions: connections as the host sees them, and what waits to be written
 * to each.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/host/internal.h"
#include "server/host/room.h"

#define FIRST_OUT_SIZE 65536u

/* ---- memory ------------------------------------------------------------------------------ */

/* A daemon that cannot get a few bytes cannot keep its promises: it ends, and recovers. */
static void *
checked(void *memory)
{
    if (memory == NULL) {
        fputs("skirmishd: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *
host_memory(size_t size)
{
    return checked(calloc(1, size == 0 ? 1 : size));
}

char *
host_text(struct sk_text text)
{
    char *copy = checked(malloc((size_t)text.length + 1));

    memcpy(copy, text.at, text.length);
    copy[text.length] = '\0';
    return copy;
}

void
host_log(struct host *host, enum host_log_level level, const char *format, ...)
{
    char line[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    host->world.log(host->world.context, (int)level, line);
}

/* ---- messages ---------------------------------------------------------------------------- */

struct message *
message_encode(struct host *host, const void *frame)
{
    struct sk_json_out out;
    struct message *message;

    for (;;) {
        sk_json_out_init(&out, host->out, host->out_size);
        sk_frame_write(&out, frame);
        if (sk_json_out_is_whole(&out)) {
            break;
        }
        free(host->out);
        host->out_size = out.used < FIRST_OUT_SIZE ? FIRST_OUT_SIZE : 2 * out.used;
        host->out = host_memory(host->out_size);
    }
    message = checked(malloc(sizeof(*message) + HOST_MESSAGE_HEADROOM + out.used));
    *message = (struct message){
        .references = 1,
        .length = (uint32_t)out.used,
        .text = (char *)(message + 1) + HOST_MESSAGE_HEADROOM,
    };
    memcpy(message->text, host->out, out.used);
    return message;
}

void
message_free(struct message *message)
{
    if (--message->references == 0) {
        free(message);
    }
}

/* ---- the outbox -------------------------------------------------------------------------- */

static void
outbox_add(struct outbox *outbox, struct message *message)
{
    if (outbox->count == outbox->room) {
        uint32_t room = outbox->room == 0 ? 4 : 2 * outbox->room;
        struct message **items = host_memory(room * sizeof(struct message *));

        for (uint32_t i = 0; i < outbox->count; i++) {
            items[i] = outbox->items[(outbox->first + i) % outbox->room];
        }
        free(outbox->items);
        outbox->items = items;
        outbox->room = room;
        outbox->first = 0;
    }
    outbox->items[(outbox->first + outbox->count) % outbox->room] = message;
    outbox->count++;
    outbox->bytes += message->length;
    message->references++;
}

static void
outbox_take(struct outbox *outbox)
{
    struct message *message = outbox->items[outbox->first];

    outbox->first = (outbox->first + 1) % outbox->room;
    outbox->count--;
    outbox->bytes -= message->length;
    message_free(message);
    if (outbox->count == 0) {
        free(outbox->items); /* most sessions are idle most of the time */
        outbox->items = NULL;
        outbox->room = 0;
        outbox->first = 0;
    }
}

const struct message *
host_next_message(struct session *session)
{
    struct outbox *outbox = &session->outbox;

    return outbox->count == 0 ? NULL : outbox->items[outbox->first];
}

void
host_written(struct host *host, struct session *session)
{
    (void)host;
    outbox_take(&session->outbox);
}

/* A reader that is too slow is closed; what it missed it gets when it resumes. */
void
session_send(struct session *session, struct message *message)
{
    struct host *host = session->host;

    if (session->phase == SESSION_CLOSING) {
        return;
    }
    if (session->outbox.bytes + message->length > (uint32_t)host->options.outbox_bytes_max) {
        host_log(host, HOST_LOG_INFO, "session %llu reads too slowly",
                 (unsigned long long)session->number);
        session_close(session, CLOSE_TRY_AGAIN, "reading too slowly; resume");
        return;
    }
    outbox_add(&session->outbox, message);
    host->world.transport->want_write(host->world.transport, session->connection);
}

void
session_send_frame(struct session *session, const void *frame)
{
    struct message *message = message_encode(session->host, frame);

    session_send(session, message);
    message_free(message);
}

void
session_close(struct session *session, enum close_code code, const char *reason)
{
    struct host *host = session->host;

    if (code == CLOSE_POLICY) {
        struct server_closing frame = {
            .head = { .type = SERVER_CLOSING },
            .reason = sk_text_of(reason),
        };

        session_send_frame(session, &frame);
    }
    if (session->phase != SESSION_CLOSING) {
        session->phase = SESSION_CLOSING;
        host->world.transport->close(host->world.transport, session->connection, code, reason);
    }
}

/* ---- coming and going -------------------------------------------------------------------- */

/* Grows to twice the slots; the new ones are free. */
static void
add_slots(struct host *host)
{
    uint32_t count = host->slot_count == 0 ? 64 : 2 * host->slot_count;
    struct session **slots = host_memory(count * sizeof(struct session *));
    uint32_t *free_slots = host_memory(count * sizeof(uint32_t));

    if (host->slot_count > 0) {
        memcpy(slots, host->slots, host->slot_count * sizeof(struct session *));
    }
    for (uint32_t i = count; i > host->slot_count; i--) {
        free_slots[host->free_count++] = i - 1;
    }
    free(host->slots);
    free(host->free_slots);
    host->slots = slots;
    host->free_slots = free_slots;
    host->slot_count = count;
}

static uint32_t
take_slot(struct host *host)
{
    if (host->free_count == 0) {
        add_slots(host);
    }
    return host->free_slots[--host->free_count];
}

struct session *
session_find(struct host *host, uint64_t number)
{
    uint32_t slot = (uint32_t)number;
    struct session *session = slot < host->slot_count ? host->slots[slot] : NULL;

    return session != NULL && session->number == number ? session : NULL;
}

/* While the store looks for who says hello, it is not his fault. */
static void
hello_is_due(struct timer *timer, int64_t now_ms)
{
    struct session *session = TIMER_OWNER(timer, struct session, timer);
    struct host *host = session->host;

    if (session->phase == SESSION_NEW) {
        session_close(session, CLOSE_POLICY, "no hello came");
    } else if (session->phase == SESSION_GREETING) {
        timers_set(&host->timers, timer, now_ms + host->options.hello_timeout_ms);
    }
}

struct session *
host_connect(struct host *host, void *connection, const char *address)
{
    struct session *session;
    uint32_t slot;

    if (host->is_draining) {
        return NULL;
    }
    slot = take_slot(host);
    session = host_memory(sizeof(*session));
    session->host = host;
    session->connection = connection;
    session->number = (uint64_t)++host->serial << 32 | slot;
    rate_open(session, address);
    session->timer.fire = hello_is_due;
    timers_set(&host->timers, &session->timer,
               host->world.now_ms(host->world.context) + host->options.hello_timeout_ms);
    host->slots[slot] = session;
    host->session_count++;
    return session;
}

void
host_disconnect(struct host *host, struct session *session)
{
    session->phase = SESSION_CLOSING;
    timers_clear(&host->timers, &session->timer);
    while (session->follows != NULL) {
        room_unfollow(session->follows);
    }
    show_end(session);
    queue_forget(session);
    player_leave(session);
    rate_close(session);
    while (session->outbox.count > 0) {
        outbox_take(&session->outbox);
    }
    host->slots[(uint32_t)session->number] = NULL;
    host->free_slots[host->free_count++] = (uint32_t)session->number;
    host->session_count--;
    free(session);
}
