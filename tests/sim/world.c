/*
 * Executes ops on the host: messages, time, finished jobs, crash and restart.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/fault.h"
#include "tests/sim/sim.h"

#define TRACE_LINES  40
#define DIGEST_START UINT64_C(0xcbf29ce484222325)
#define SETTLE_STEPS 200
#define SETTLE_MS    1500
#define REST_JOBS    10000 /* rounds without a request */

/* ---- broken promises --------------------------------------------------------------------- */

#define SIM_PROMISE_NAME(number, name) name,
static const char *const promise_names[PROMISE_COUNT] = { SIM_PROMISES(SIM_PROMISE_NAME) };
#undef SIM_PROMISE_NAME

const char *sim_ops_path;

void
sim_leave_ops(const struct sim *sim)
{
    FILE *file = sim_ops_path == NULL ? NULL : fopen(sim_ops_path, "w");

    if (file != NULL) {
        for (uint32_t i = 0; i < sim->ops.count; i++) {
            op_print(file, &sim->ops.at[i]);
        }
        fclose(file);
    }
}

void
sim_broken(struct sim *sim, enum promise promise, const char *format, ...)
{
    uint32_t from = sim->ops.count > TRACE_LINES ? sim->ops.count - TRACE_LINES : 0;
    va_list arguments;

    printf("BROKEN %s, seed %" PRIu64 ": ", promise_names[promise], sim->seed);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n  after %u ops%s, the last of them:\n", sim->ops.count,
           sim->is_finishing ? ", while finishing" : "");
    for (uint32_t i = from; i < sim->ops.count; i++) {
        fputs("    ", stdout);
        op_print(stdout, &sim->ops.at[i]);
    }
    fflush(stdout);
    sim_leave_ops(sim);
    _exit(SIM_EXIT_BROKEN + (int)promise);
}

/* ---- what the host sees of the world ----------------------------------------------------- */

static int64_t
now_ms(void *context)
{
    return ((struct sim *)context)->now_ms;
}

static int64_t
wall_ms(void *context)
{
    return ((struct sim *)context)->wall_ms;
}

static void
secret(void *context, uint8_t *bytes, size_t size)
{
    struct sim *sim = context;

    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)sk_rng_next(&sim->secrets);
    }
}

static void
log_line(void *context, int level, const char *message)
{
    struct sim *sim = context;

    if (sim->is_traced) {
        printf("  # log %d: %s\n", level, message);
    }
}

static void
want_write(struct transport *transport, void *context)
{
    (void)transport;
    (void)context; /* every outbox is checked after every step */
}

static void
want_close(struct transport *transport, void *context, enum close_code code, const char *reason)
{
    struct connection *connection = context;

    (void)transport;
    (void)code;
    (void)reason;
    connection->is_closing = true;
}

/* ---- connections ------------------------------------------------------------------------- */

static void
free_sent(struct connection *connection)
{
    while (connection->up != NULL) {
        struct sent *sent = connection->up;

        connection->up = sent->next;
        free(sent->text);
        free(sent);
    }
}

static void
let_go(struct sim *sim, struct connection *connection)
{
    if (connection->device >= 0) {
        device_disconnected(&sim->devices[connection->device]);
    }
    connection->device = -1;
}

void
sim_end_connection(struct sim *sim, struct connection *connection)
{
    let_go(sim, connection);
    free_sent(connection);
    if (connection->session != NULL) {
        host_disconnect(sim->host, connection->session);
    }
    *connection = (struct connection){ .device = -1 };
}

void
sim_connect_device(struct sim *sim, int number, int slot)
{
    struct device *device = &sim->devices[number];
    struct connection *connection = &sim->connections[connection_of(number, slot)];

    if (sim->host == NULL || device->connection >= 0 || connection->session != NULL) {
        return;
    }
    *connection = (struct connection){ .device = number, .since_ms = sim->now_ms };
    connection->session = host_connect(sim->host, connection, "192.0.2.1");
    if (connection->session == NULL) {
        connection->device = -1;
        return;
    }
    device->connection = connection_of(number, slot);
}

/* $tokenN is the token of device N, $codeN the code of match N. */
static char *
fill_in(struct sim *sim, const char *text)
{
    size_t size = strlen(text) + SIM_TOKEN + 1;
    const char *mark = strchr(text, '$');
    char *filled = malloc(size);
    const char *value = "";
    char *end;
    long number;

    if (mark == NULL || (strncmp(mark, "$token", 6) != 0 && strncmp(mark, "$code", 5) != 0)) {
        snprintf(filled, size, "%s", text);
        return filled;
    }
    number = strtol(mark + (mark[1] == 't' ? 6 : 5), &end, 10);
    if (mark[1] == 't') {
        value = sim->devices[number % SIM_DEVICES].token;
    } else if (fake_store_match(&sim->store, number) != NULL) {
        value = fake_store_match(&sim->store, number)->row.code;
    }
    snprintf(filled, size, "%.*s%s%s", (int)(mark - text), text, value == NULL ? "" : value, end);
    return filled;
}

void
sim_send_text(struct sim *sim, int number, const char *text)
{
    struct device *device = &sim->devices[number];
    struct sent **at;

    if (device->connection < 0) {
        return;
    }
    at = &sim->connections[device->connection].up;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = calloc(1, sizeof(**at));
    (*at)->text = fill_in(sim, text);
    device_sent(sim, device, sk_text_of((*at)->text));
}

static void
take_up(struct sim *sim, struct connection *connection)
{
    struct sent *sent = connection->up;
    size_t length;

    if (sent == NULL || sim->host == NULL) {
        return;
    }
    connection->up = sent->next;
    length = strlen(sent->text);
    if (length <= host_message_max(connection->session)) { /* otherwise net closes it */
        host_message(connection->session, sent->text, length);
    } else {
        connection->is_closing = true;
    }
    free(sent->text);
    free(sent);
}

static void
take_down(struct sim *sim, struct connection *connection, int64_t count)
{
    while (count-- > 0 && connection->session != NULL) {
        const struct message *message = host_next_message(connection->session);

        if (message == NULL) {
            return;
        }
        if (connection->device >= 0) {
            if (sim->is_traced) {
                printf("  # %d gets %.*s\n", connection->device, (int)message->length,
                       message->text);
            }
            device_receive(sim, &sim->devices[connection->device],
                           (struct sk_text){ message->text, message->length });
        }
        SK_ASSERT(connection->checked > 0); /* nothing is read that was not checked */
        host_written(sim->host, connection->session);
        connection->checked--;
    }
}

/* ---- the process ------------------------------------------------------------------------- */

static void
start(struct sim *sim)
{
    struct host_world world = {
        .store = &sim->store.port,
        .transport = &sim->transport,
        .bots = &sim->bots.port,
        .now_ms = now_ms,
        .wall_ms = wall_ms,
        .random = secret,
        .log = log_line,
        .context = sim,
    };

    sim->starts++;
    fake_store_restart(&sim->store);
    check_forget_clocks(sim);
    sim->host = host_alloc(&sim->options, &world);
    sim->host->piece_ms = 0; /* otherwise, while time stands still, there would be one piece only */
    host_start(sim->host);
    sim->next_tick_ms = sim->now_ms;
}

/* From now on effects of the host are ignored; it only frees its memory. */
static void
bury(struct sim *sim)
{
    struct store_job *job;

    sim->is_dying = true;
    sim->store.is_gone = true;
    while ((job = fake_store_lose(&sim->store)) != NULL) {
        host_job_done(sim->host, job);
    }
    for (int i = 0; i < SIM_CONNECTIONS; i++) {
        sim_end_connection(sim, &sim->connections[i]);
    }
    for (int i = 0; i < SIM_REQUESTS; i++) {
        sim_end_request(sim, i);
    }
    host_free(sim->host);
    sim_bots_lose(&sim->bots);
    sim->host = NULL;
    sim->store.is_gone = false;
    sim->is_dying = false;
}

static void
pass_time(struct sim *sim, int64_t ms)
{
    check_think(sim, ms);
    sim->now_ms += ms;
    sim->wall_ms += ms;
    if (sim->host != NULL && sim->now_ms >= sim->next_tick_ms) {
        sim->next_tick_ms = sim->now_ms + host_tick(sim->host);
    }
}

void
sim_pass_time(struct sim *sim, int64_t ms)
{
    sim_beat_for(sim, ms);
    pass_time(sim, ms);
}

static void
crash(struct sim *sim, int64_t down_ms, bool is_reboot)
{
    if (sim->host == NULL) {
        return;
    }
    check_remember_clocks(sim);
    bury(sim);
    sim->wall_ms += down_ms;
    sim->now_ms = is_reboot ? 1000 : sim->now_ms + down_ms;
    start(sim);
}

/* A seat gets `accepted` for the first time only when the store has the submission. */
static void
note_delivered(struct sim *sim, const struct store_job *job)
{
    const struct store_record *record = job->record_count == 0 ? NULL : &job->records[0];

    if (job->kind == JOB_MATCH_APPEND && job->result == STORE_OK && record != NULL &&
        record->kind == RECORD_SUBMISSION) {
        snprintf(sim->delivered_id, sizeof(sim->delivered_id), "%s", record->command_id);
    }
}

static void
deliver(struct sim *sim, int64_t count)
{
    struct store_job *job;

    while (count-- > 0 && (job = fake_store_take(&sim->store)) != NULL) {
        note_delivered(sim, job);
        host_job_done(sim->host, job);
        check_step(sim);
        sim->delivered_id[0] = '\0';
    }
}

void
sim_work_off(struct sim *sim)
{
    for (uint32_t i = 0;
         sim->store.waiting_count > 0 || sim->store.done_count > 0 || host_has_work(sim->host);
         i++) {
        if (i == REST_JOBS) {
            sim_broken(sim, PROMISE_REST, "there is no end of jobs");
        }
        fake_store_work(&sim->store, UINT32_MAX, false);
        deliver(sim, 1);
        (void)host_work(sim->host);
        check_step(sim);
    }
}

static void
stop(struct sim *sim, int64_t down_ms)
{
    if (sim->host == NULL) {
        return;
    }
    sim->store.full = 0;
    host_drain(sim->host);
    sim_work_off(sim);
    if (!host_is_drained(sim->host)) {
        sim_broken(sim, PROMISE_ENDS, "all jobs are done and the host is not drained");
    }
    crash(sim, down_ms, false);
}

/* ---- settling ---------------------------------------------------------------------------- */

static bool
move_messages(struct sim *sim)
{
    bool has_moved = false;

    for (int i = 0; i < SIM_CONNECTIONS; i++) {
        struct connection *connection = &sim->connections[i];

        while (connection->session != NULL && connection->up != NULL) {
            take_up(sim, connection);
            check_step(sim);
            has_moved = true;
        }
        if (connection->session != NULL && host_next_message(connection->session) != NULL) {
            take_down(sim, connection, INT64_MAX);
            has_moved = true;
        }
        if (connection->session != NULL && (connection->is_closing || connection->device < 0)) {
            sim_end_connection(sim, connection);
            check_step(sim);
            has_moved = true;
        }
    }
    return has_moved;
}

/* The store works, and time passes until everything that failed was retried. */
void
sim_settle(struct sim *sim)
{
    int quiet = 0;

    sim->store.full = 0;
    for (int i = 0; i < SETTLE_STEPS && quiet < 3; i++) {
        bool has_moved = move_messages(sim);

        quiet = has_moved || sim->store.waiting_count > 0 ? 0 : quiet + 1;
        sim_work_off(sim);
        sim_bots_answer_all(sim);
        if (!has_moved) {
            sim_pass_time(sim, SETTLE_MS);
            check_step(sim);
            sim_work_off(sim); /* the beat at least */
        }
    }
    while (move_messages(sim)) { /* what the clocks have caused meanwhile */
        sim_work_off(sim);
    }
    check_settled(sim);
}

/* ---- ops --------------------------------------------------------------------------------- */

static void
start_secrets(struct sim *sim, uint64_t seed)
{
    struct sk_seed key = { { 0 } };

    memcpy(key.bytes, &seed, sizeof(seed));
    sk_rng_start(&sim->secrets, &key, 0, 2);
    sim->seed = seed;
}

static void
set_option(struct sim *sim, const char *name, int64_t value)
{
    static const struct {
        const char *name;
        size_t at;
    } options[] = {
        { "hello_timeout_ms", offsetof(struct host_options, hello_timeout_ms) },
        { "frames_per_second", offsetof(struct host_options, frames_per_second) },
        { "frames_burst", offsetof(struct host_options, frames_burst) },
        { "outbox_bytes_max", offsetof(struct host_options, outbox_bytes_max) },
        { "matches_per_player_max", offsetof(struct host_options, matches_per_player_max) },
        { "chat_per_minute", offsetof(struct host_options, chat_per_minute) },
        { "snapshot_every", offsetof(struct host_options, snapshot_every) },
        { "http_burst", offsetof(struct host_options, http_burst) },
    };

    if (strcmp(name, "seed") == 0) {
        start_secrets(sim, (uint64_t)value);
    }
    if (strcmp(name, "nodes") == 0) {
        sim->store.port.is_shared = value > 1;
    }
    for (size_t i = 0; i < SK_COUNT_OF(options); i++) {
        if (strcmp(options[i].name, name) == 0) {
            *(int32_t *)(void *)((char *)&sim->options + options[i].at) = (int32_t)value;
        }
    }
}

static void
add_device(struct sim *sim, int number, int partner)
{
    sim->devices[number].partner = partner;
    sim->devices[number].connection = -1;
    sim->device_count = number + 1 > sim->device_count ? number + 1 : sim->device_count;
}

static struct connection *
connection_at(struct sim *sim, int64_t number)
{
    return &sim->connections[(uint64_t)number % SIM_CONNECTIONS];
}

static void
on_server(struct sim *sim, const struct op *op)
{
    switch (op->kind) {
    case OP_WORK:
    case OP_FAIL:
        fake_store_work(&sim->store, (uint32_t)op->a, op->kind == OP_FAIL);
        break;
    case OP_DELIVER:
        deliver(sim, op->a);
        break;
    case OP_PIECE:
        for (int64_t i = 0; i < op->a && host_work(sim->host); i++) {
        }
        break;
    case OP_FULL:
        sim->store.full = (uint32_t)op->a;
        break;
    case OP_TIME:
        sim_pass_time(sim, op->a);
        break;
    case OP_STALL:
        pass_time(sim, op->a);
        break;
    case OP_AWAY:
    case OP_BACK:
        sim_move(sim, op);
        break;
    case OP_WALL:
        sim->wall_ms += op->a;
        sim->skew_ms += op->a < 0 ? -op->a : op->a;
        break;
    case OP_CRASH:
        crash(sim, op->a, op->b != 0);
        break;
    case OP_STOP:
        stop(sim, op->a);
        break;
    case OP_CORRUPT:
    case OP_BREAK:
        if (fake_store_match(&sim->store, op->a) != NULL) {
            fake_store_match(&sim->store, op->a)->is_corrupt = true;
            fake_store_match(&sim->store, op->a)->is_broken |= op->kind == OP_BREAK;
        }
        break;
    default:
        break;
    }
}

static void
on_client(struct sim *sim, const struct op *op)
{
    struct connection *connection = connection_at(sim, op->a);
    int device = (int)(op->a % SIM_DEVICES);

    switch (op->kind) {
    case OP_CONNECT:
        sim_connect_device(sim, device, (int)(op->b % SIM_SLOTS));
        break;
    case OP_DROP:
        if (sim->devices[device].connection >= 0) {
            let_go(sim, &sim->connections[sim->devices[device].connection]);
        }
        break;
    case OP_GONE:
        if (connection->session != NULL && (connection->device < 0 || connection->is_closing)) {
            sim_end_connection(sim, connection);
        }
        break;
    case OP_SEND:
        sim_send_text(sim, device, op->text);
        break;
    case OP_UP:
        take_up(sim, connection);
        break;
    case OP_DOWN:
        take_down(sim, connection, op->b);
        break;
    case OP_ANSWER:
        sim_bots_answer(sim, op->a, op->b);
        break;
    case OP_HTTP:
        sim_ask_http(sim, device, op->text);
        break;
    default:
        break;
    }
}

void
sim_do(struct sim *sim, struct op op)
{
    ops_add(&sim->ops, op);
    if (sim->is_traced) {
        op_print(stdout, &op);
    }
    if (op.kind == OP_OPTION) {
        set_option(sim, op.text, op.a);
        return;
    }
    if (op.kind == OP_DEVICE) {
        add_device(sim, (int)(op.a % SIM_DEVICES), (int)(op.b % SIM_DEVICES));
        return;
    }
    if (sim->host == NULL) {
        start(sim);
    }
    if (op.kind == OP_SETTLE) {
        sim_settle(sim);
    } else {
        on_server(sim, &op);
        on_client(sim, &op);
    }
    check_step(sim);
}

/* ---- the whole --------------------------------------------------------------------------- */

void
sim_init(struct sim *sim, uint64_t seed)
{
    struct sk_seed key = { { 0 } };

    *sim = (struct sim){ .seed = seed, .transport = { want_write, want_close } };
    memcpy(key.bytes, &seed, sizeof(seed));
    sk_rng_start(&sim->chance, &key, 0, 1);
    host_options_init(&sim->options);
    sim->options.http_burst = 0; /* a limit of reads would hide an endless loop */
    fake_store_init(&sim->store, sim);
    sim_bots_init(&sim->bots);
    sim->digest = DIGEST_START;
    sim->now_ms = 5000;
    sim->wall_ms = INT64_C(1767225600000);
    for (int i = 0; i < SIM_CONNECTIONS; i++) {
        sim->connections[i].device = -1;
    }
    for (int i = 0; i < SIM_DEVICES; i++) {
        sim->devices[i].connection = -1;
        sim->devices[i].partner = i;
    }
}

void
sim_fini(struct sim *sim)
{
    sim_leave_ops(sim); /* it may still be found to leak */
    if (sim->host != NULL) {
        bury(sim);
    }
    for (int i = 0; i < SIM_DEVICES; i++) {
        device_fini(&sim->devices[i]);
    }
    told_fini(sim);
    twins_fini();
    fake_store_fini(&sim->store);
    ops_fini(&sim->ops);
}
