/*
 * echo - the limit server's answers with libwebsockets, used as in its examples, and without
 * storage: the cost of the library alone.
 */
#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/bench/limit/canned.h"

#define CONNECTIONS_MAX 20000

struct message {
    struct message *next;
    size_t length;
    unsigned char bytes[]; /* LWS_PRE, then the text */
};

/* In lws memory, zero at first. */
struct connection {
    struct canned_client *client; /* lives longer: matches point at it */
    struct lws *wsi;
    struct message *first;
    struct message *last;
};

static struct canned_server server;
static volatile sig_atomic_t is_asked_to_stop;

static void
ask_to_stop(int number)
{
    (void)number;
    is_asked_to_stop = 1;
}

static void *
memory(size_t size)
{
    void *new = calloc(1, size);

    if (new == NULL) {
        fputs("echo: out of memory\n", stderr);
        exit(1);
    }
    return new;
}

static void
send_text(void *to, const char *text, size_t length)
{
    struct connection *connection = to;
    struct message *message = memory(sizeof(*message) + LWS_PRE + length);

    message->length = length;
    memcpy(message->bytes + LWS_PRE, text, length);
    if (connection->first == NULL) {
        connection->first = message;
    } else {
        connection->last->next = message;
    }
    connection->last = message;
    (void)lws_callback_on_writable(connection->wsi);
}

static void
store_at_once(struct canned_job *job)
{
    canned_stored(&server, job);
}

static void
take_message(struct connection *connection)
{
    struct message *message = connection->first;

    connection->first = message->next;
    free(message);
}

static int
write_one(struct connection *connection)
{
    struct message *message = connection->first;

    if (message == NULL) {
        return 0;
    }
    if (lws_write(connection->wsi, message->bytes + LWS_PRE, message->length, LWS_WRITE_TEXT) < 0) {
        return -1;
    }
    take_message(connection);
    if (connection->first != NULL) {
        (void)lws_callback_on_writable(connection->wsi);
    }
    return 0;
}

static void
close_connection(struct connection *connection)
{
    if (connection->client != NULL) {
        connection->client->connection = NULL;
    }
    while (connection->first != NULL) {
        take_message(connection);
    }
}

static int
callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    struct connection *connection = user;

    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        connection->wsi = wsi;
        connection->client = memory(sizeof(*connection->client));
        connection->client->connection = connection;
        return 0;
    case LWS_CALLBACK_RECEIVE:
        canned_message(&server, connection->client, in, length);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return write_one(connection);
    case LWS_CALLBACK_CLOSED:
        close_connection(connection);
        return 0;
    default:
        return 0;
    }
}

int
main(int argc, char **argv)
{
    static const struct lws_protocols protocols[] = {
        { "skirmish.v1", callback, sizeof(struct connection), 4096, 0, NULL, 0 },
        { NULL, NULL, 0, 0, 0, NULL, 0 },
    };
    struct lws_context_creation_info info;
    struct rlimit limit = { CONNECTIONS_MAX, CONNECTIONS_MAX };
    struct canned_options options;
    struct lws_context *context;
    const char *database = NULL;
    int port = 0;

    canned_options_read(argc, argv, &options, &port, &database);
    canned_init(&server, &options, send_text, store_at_once);
    (void)setrlimit(RLIMIT_NOFILE, &limit); /* lws sizes its tables by it */
    (void)signal(SIGTERM, ask_to_stop);
    lws_set_log_level(LLL_ERR, NULL);
    memset(&info, 0, sizeof(info));
    info.port = port;
    info.iface = "127.0.0.1";
    info.protocols = protocols;
    info.options = LWS_SERVER_OPTION_VALIDATE_UTF8; /* as the daemon */
    context = lws_create_context(&info);
    if (context == NULL) {
        fputs("echo: libwebsockets failed to start\n", stderr);
        return 1;
    }
    printf("echo listening on port %d\n", port);
    (void)fflush(stdout);
    while (is_asked_to_stop == 0 && lws_service(context, 0) >= 0) {
        continue;
    }
    lws_context_destroy(context);
    return 0;
}
