/*
 * skirmish health - does a server answer, for health checks of containers and
 * for scripts.
 */
#include <stdio.h>
#include <string.h>

#include "server/cli/cli.h"
#include "server/cli/options.h"
#include "server/net/call/get.h"

#define URL_SIZE  512
#define LINE_SIZE 64

static long
ask(const char *url, const char *path, char ret_line[LINE_SIZE])
{
    char whole[URL_SIZE + 16];

    (void)snprintf(whole, sizeof(whole), "%s%s", url, path);
    return call_get(whole, ret_line, LINE_SIZE);
}

/* Accepts ws and wss for http and https, and a slash at the end. */
static bool
take_url(const char *given, char ret_url[URL_SIZE])
{
    bool is_ws = strncmp(given, "ws", 2) == 0;
    int length =
        snprintf(ret_url, URL_SIZE, "%s%s", is_ws ? "http" : "", is_ws ? given + 2 : given);

    if (length <= 0 || length >= URL_SIZE) {
        return false;
    }
    ret_url[length - (ret_url[length - 1] == '/')] = '\0';
    return true;
}

static int
check(const char *url, bool must_be_ready)
{
    char line[LINE_SIZE];
    long status = ask(url, "/healthz", line);

    if (status == 0) {
        fprintf(stderr, "skirmish health: %s does not answer: %s\n", url, line);
        return CLI_FAILED;
    }
    if (status != 200 || strcmp(line, "ok") != 0) {
        fprintf(stderr, "skirmish health: %s is not a skirmishd, or it fails: status %ld\n", url,
                status);
        return CLI_FAILED;
    }
    status = ask(url, "/readyz", line);
    printf("%s\n", line);
    return must_be_ready && status != 200 ? CLI_FAILED : CLI_OK;
}

/* The default address: with TLS if it does not answer without. */
static const char *
usual_url(void)
{
    static const char *const urls[] = { "http://127.0.0.1:7777", "https://127.0.0.1:7777" };
    char line[LINE_SIZE];

    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        if (ask(urls[i], "/healthz", line) == 200) {
            return urls[i];
        }
    }
    return urls[0];
}

int
cli_health(int argc, char **argv)
{
    bool must_be_ready = false;
    const struct cli_option options[] = {
        { "ready", CLI_FLAG, &must_be_ready, NULL, "exit with 1 unless it takes new matches", 0,
          0 },
    };
    const struct cli_usage usage = {
        .command = "health",
        .arguments = "[ADDRESS]",
        .about =
            "Asks a running server for its state, and prints what /readyz says: ready, not ready,\n"
            "draining or stopping.  The default ADDRESS is http://127.0.0.1:7777/, or\n"
            "https://127.0.0.1:7777/.  The server's certificate is not checked.\n"
            "\n"
            "exit status: 0 it answers, 1 it does not\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    char url[URL_SIZE];
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count > 1) {
        return cli_usage_error("health", "takes one address", NULL);
    }
    if (words.count == 1 && !take_url(words.at[0], url)) {
        return cli_usage_error("health", "not an address", words.at[0]);
    }
    return check(words.count == 1 ? url : usual_url(), must_be_ready);
}
