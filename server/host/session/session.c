#include "server/host/session/session.h"

#include <stdlib.h>
#include <string.h>

#include "server/host/session/rate.h"
#include "server/host/session/session_struct.h"

/* ---- messages ---------------------------------------------------------------------------- */

struct message *
message_encode(struct host *host, const void *frame)
{
    struct sk_json_out out = { 0 };
    struct message *message;

    while (work_writes(&host->work, &out)) {
        sk_frame_write(&out, frame);
    }
    message = heap_bytes(sizeof(*message) + HOST_MESSAGE_HEADROOM + out.used);
    *message = (struct message){
        .references = 1,
        .length = (uint32_t)out.used,
        .text = (char *)(message + 1) + HOST_MESSAGE_HEADROOM,
    };
    memcpy(message->text, out.at, out.used);
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

/* Counts memory for slow readers, in total and per address. */
static void
count_waiting(struct session *session, int64_t bytes)
{
    session->host->waiting_bytes += bytes;
    (void)rate_waits(session, bytes);
}

/* Its ring is the first one again; most sessions are idle most of the time. */
static void
outbox_reset(struct outbox *outbox)
{
    if (outbox->items != outbox->few) {
        free(outbox->items);
    }
    outbox->items = outbox->few;
    outbox->size = SK_COUNT_OF(outbox->few);
    outbox->first = 0;
}

static void
outbox_add(struct outbox *outbox, struct message *message)
{
    if (outbox->count == outbox->size) {
        uint32_t size = 2 * outbox->size;
        struct message **items = heap_memory(size * sizeof(struct message *));

        for (uint32_t i = 0; i < outbox->count; i++) {
            items[i] = outbox->items[(outbox->first + i) % outbox->size];
        }
        outbox_reset(outbox);
        outbox->items = items;
        outbox->size = size;
    }
    outbox->items[(outbox->first + outbox->count) % outbox->size] = message;
    outbox->count++;
    outbox->bytes += message->length;
    message->references++;
}

static void
outbox_take(struct session *session)
{
    struct outbox *outbox = &session->outbox;
    struct message *message = outbox->items[outbox->first];

    count_waiting(session, -(int64_t)message->length);
    outbox->first = (outbox->first + 1) % outbox->size;
    outbox->count--;
    outbox->bytes -= message->length;
    message_free(message);
    if (outbox->count == 0) {
        outbox_reset(outbox);
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
    outbox_take(session);
}

/* Always allowed for a reader, however much waits for others. */
#define WAITING_FAIR (64 * 1024)

/* The limit that one more message would exceed, or LIMIT_COUNT. */
static enum host_limit
broken_limit(struct session *session, const struct message *message)
{
    const struct host *host = session->host;
    const struct host_options *options = &host->options;

    if (session->outbox.bytes + message->length > (uint32_t)options->outbox_bytes_max) {
        return LIMIT_OUTBOX;
    }
    if (session->outbox.bytes <= WAITING_FAIR) {
        return LIMIT_COUNT;
    }
    if (rate_waits(session, 0) + message->length > options->outbox_address_bytes_max) {
        return LIMIT_OUTBOX_ADDRESS;
    }
    return host->waiting_bytes + message->length > options->outbox_total_bytes_max
               ? LIMIT_OUTBOX_TOTAL
               : LIMIT_COUNT;
}

static void
drop_waiting(struct session *session)
{
    while (session->outbox.count > 0) {
        outbox_take(session);
    }
}

/*
 * Closes a reader that is too slow.  It gets what it missed when it resumes,
 * so its queue is dropped, except for the message that libwebsockets has begun
 * to write.
 */
void
session_send(struct session *session, struct message *message)
{
    struct host *host = session->host;
    enum host_limit limit;

    if (session->phase == SESSION_CLOSING) {
        return;
    }
    limit = broken_limit(session, message);
    if (limit != LIMIT_COUNT) {
        host->counters.limited[limit]++;
        host_log(host, HOST_LOG_INFO, "session %llu reads too slowly",
                 (unsigned long long)session->number);
        session_close(session, CLOSE_TRY_AGAIN, "reading too slowly; resume");
        drop_waiting(session);
        return;
    }
    outbox_add(&session->outbox, message);
    count_waiting(session, message->length);
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

/* Doubles the number of slots. */
static void
add_slots(struct host *host)
{
    uint32_t count = host->slot_count == 0 ? 64 : 2 * host->slot_count;
    struct session **slots = heap_memory(count * sizeof(struct session *));
    uint32_t *free_slots = heap_memory(count * sizeof(uint32_t));

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

/* The time that the store takes to answer hello is not the client's fault. */
static void
hello_is_due(struct timer *timer, int64_t now_ms)
{
    struct session *session = TIMER_OWNER(timer, struct session, timer);
    struct host *host = session->host;

    if (session->phase == SESSION_NEW) {
        host->counters.limited[LIMIT_HELLO]++;
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
    session = heap_memory(sizeof(*session));
    session->host = host;
    session->connection = connection;
    outbox_reset(&session->outbox);
    session->number = (uint64_t)++host->serial << 32 | slot;
    rate_open(session, address);
    session->timer.fire = hello_is_due;
    timers_set(&host->timers, &session->timer, host_now_ms(host) + host->options.hello_timeout_ms);
    host->slots[slot] = session;
    host->session_count++;
    return session;
}

void
session_free(struct session *session)
{
    struct host *host = session->host;

    timers_clear(&host->timers, &session->timer);
    drop_waiting(session);
    rate_close(session);
    host->slots[(uint32_t)session->number] = NULL;
    host->free_slots[host->free_count++] = (uint32_t)session->number;
    host->session_count--;
    free(session);
}
