/*
 * skirmish connect - a plain WebSocket client: lines in, frames out.
 *
 * Each line of standard input is sent as a frame, each frame from the server is
 * printed as a line.  It also works in scripts: when the input ends, it waits for the
 * answers.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/frames.h"
#include "server/cli/cli.h"
#include "server/cli/line_reader.h"
#include "server/cli/options.h"
#include "server/client/client.h"
#include "server/clock.h"

#define LINE_BYTES_MAX   (1u << 20)
#define WAIT_DEFAULT_S   1
#define WAIT_MAX_S       86400
#define WAIT_DEFAULT_DOC "how long to wait for more frames at the end (1)"

struct connection {
    const char *url;
    int64_t wait_s;
    struct client_socket *socket;
    struct line_reader input;
    uint64_t sent;
    uint64_t received;
    int64_t quiet_since_ms; /* the last frame in either direction */
    bool is_open;
    bool is_input_over;
    bool is_done;
    bool has_failed;
};

static volatile sig_atomic_t is_interrupted;

static void
interrupt(int signal)
{
    (void)signal;
    is_interrupted = 1;
}

static void
fail(struct connection *connection, const char *what)
{
    fprintf(stderr, "skirmish connect: %s: %s\n", connection->url, what);
    connection->has_failed = true;
    connection->is_done = true;
}

/* ---- the input --------------------------------------------------------------------------- */

static bool
is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr(" \t\r", line[i]) == NULL) {
            return false;
        }
    }
    return true;
}

static void
send_line(struct connection *connection, const char *line, size_t length)
{
    if (!is_blank(line, length)) {
        client_socket_send(connection->socket, line, length);
        connection->sent++;
        connection->quiet_since_ms = clock_ms(CLOCK_MONOTONIC);
    }
}

/* Every frame has at least one answer, and the first one, to hello, must be there before any other
 * frame is sent. */
static bool
is_answered(const struct connection *connection)
{
    return connection->received >= connection->sent;
}

static void
take_line(struct connection *connection)
{
    const char *line;
    size_t length;

    switch (line_reader_next(&connection->input, &line, &length)) {
    case LINE_READ:
        send_line(connection, line, length);
        break;
    case LINE_TOO_LONG:
        fail(connection, "a line is longer than any frame may be");
        break;
    default:
        connection->is_input_over = true;
        break;
    }
}

/* Sends the lines that are there, each after the answer to the one before.  Does not wait. */
static void
read_input(struct connection *connection)
{
    struct pollfd input = { .fd = connection->input.fd, .events = POLLIN };

    while (!connection->is_done && !connection->is_input_over && is_answered(connection)) {
        if (line_reader_has_line(&connection->input)) {
            take_line(connection);
        } else if (poll(&input, 1, 0) <= 0) {
            return;
        } else if (!line_reader_fill(&connection->input)) {
            fail(connection, "cannot read the input");
        }
    }
}

/* Other frames that a frame causes come soon after its answer. */
static bool
is_quiet(const struct connection *connection)
{
    return clock_ms(CLOCK_MONOTONIC) - connection->quiet_since_ms >= connection->wait_s * 1000;
}

/* ---- the server -------------------------------------------------------------------------- */

static void
on_opened(void *user)
{
    struct connection *connection = user;

    connection->is_open = true;
    connection->quiet_since_ms = clock_ms(CLOCK_MONOTONIC);
    if (isatty(STDIN_FILENO)) {
        fprintf(stderr,
                "connected to %s; each line is sent as one frame, first a hello; "
                "end with Ctrl-D\n",
                connection->url);
    }
}

/* Between the tokens of JSON a newline is a space. */
static void
on_message(void *user, const char *text, size_t length)
{
    struct connection *connection = user;

    for (size_t i = 0; i < length; i++) {
        (void)putchar(text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
    }
    (void)putchar('\n');
    connection->received++;
    connection->quiet_since_ms = clock_ms(CLOCK_MONOTONIC);
    if (fflush(stdout) != 0) {
        connection->is_done = true; /* nobody reads it; cli_finish reports that */
    }
    read_input(connection);
}

/* It does not reconnect, because a new connection needs a new hello. */
static void
on_lost(void *user, const char *why)
{
    fail(user, why);
}

static void
on_tick(void *user)
{
    struct connection *connection = user;

    if (is_interrupted) {
        connection->is_done = true;
    } else if (connection->is_open && !connection->is_input_over) {
        read_input(connection);
    } else if (connection->is_open && is_answered(connection) && is_quiet(connection)) {
        connection->is_done = true;
    }
}

/* ---- the command ------------------------------------------------------------------------- */

static int
run(struct connection *connection)
{
    static const struct client_socket_events events = { on_opened, on_message, on_lost, on_tick };
    struct sk_fault fault;

    if (client_socket_open(connection->url, SK_SUBPROTOCOL, &events, connection,
                           &connection->socket, &fault) != SK_OK) {
        fail(connection, fault.message);
        return CLI_USAGE;
    }
    line_reader_init(&connection->input, STDIN_FILENO, LINE_BYTES_MAX);
    (void)signal(SIGINT, interrupt);
    (void)signal(SIGTERM, interrupt);
    client_socket_connect(connection->socket, 0);
    while (!connection->is_done) {
        if (!client_socket_work(connection->socket)) {
            fail(connection, "the event loop failed");
        }
    }
    client_socket_close(connection->socket);
    line_reader_fini(&connection->input);
    return connection->has_failed ? CLI_FAILED : CLI_OK;
}

int
cli_connect(int argc, char **argv)
{
    struct connection connection = { .wait_s = WAIT_DEFAULT_S };
    const struct cli_option options[] = {
        { "url", CLI_TEXT, &connection.url, "URL", "the same as ADDRESS", 0, 0 },
        { "wait", CLI_NUMBER, &connection.wait_s, "SECONDS", WAIT_DEFAULT_DOC, 0, WAIT_MAX_S },
    };
    const struct cli_usage usage = {
        .command = "connect",
        .arguments = "[ADDRESS]",
        .about =
            "Sends each line of standard input to a running server as one frame, and prints each\n"
            "frame from the server as one line.  The first frame must be a hello, within ten\n"
            "seconds.  The default ADDRESS is " CLIENT_URL_DEFAULT ".\n"
            "A line is sent when the one before it is answered.  After the end of the input it\n"
            "waits until no frame has come for a second, so it works in a pipe too:\n"
            "\n"
            "  echo '{\"type\":\"hello\",\"protocol\":1,\"name\":\"alice\"}' | skirmish connect\n"
            "\n"
            "exit status: 0 everything was sent and answered, 1 the server could not be reached\n"
            "or closed the connection\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count + (connection.url != NULL) > 1) {
        return cli_usage_error("connect", "takes one address", NULL);
    }
    if (words.count == 1) {
        connection.url = words.at[0];
    } else if (connection.url == NULL) {
        connection.url = CLIENT_URL_DEFAULT;
    }
    return run(&connection);
}
