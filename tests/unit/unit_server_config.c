/* The daemon's options: bounds, units, the file, flags, and which goes before which. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/config.h"
#include "server/log.h"
#include "tests/support/cases.h"
#include "tests/support/temp.h"

/* ---- values ------------------------------------------------------------------------------ */

struct value_case {
    const char *name;
    const char *value;
    bool is_right;
};

/* Each option with bounds: below, at, at, above.  Then what is no value at all. */
static const struct value_case value_cases[] = {
    { "port", "-1", false },
    { "port", "0", true },
    { "port", "65535", true },
    { "port", "65536", false },
    { "metrics-port", "-2", false },
    { "metrics-port", "-1", true },
    { "metrics-port", "65535", true },
    { "metrics-port", "65536", false },
    { "connections-max", "0", false },
    { "connections-max", "1", true },
    { "connections-max", "1000000", true },
    { "connections-max", "1000001", false },
    { "reads-per-player", "-1", false },
    { "reads-per-player", "0", true },
    { "reads-per-player", "1000000", true },
    { "reads-per-player", "1000001", false },
    { "connects-per-second", "-1", false },
    { "connects-per-second", "0", true },
    { "connects-per-second", "100000", true },
    { "connects-per-second", "100001", false },
    { "connections-per-address", "-1", false },
    { "connections-per-address", "0", true },
    { "connections-per-address", "1000000", true },
    { "connections-per-address", "1000001", false },
    { "handshake-timeout", "999ms", false },
    { "handshake-timeout", "1s", true },
    { "handshake-timeout", "2min", true },
    { "handshake-timeout", "120001ms", false },
    { "ping-interval", "-1s", false },
    { "ping-interval", "0", true },
    { "ping-interval", "1h", true },
    { "ping-interval", "3600001ms", false },
    { "hello-timeout", "999ms", false },
    { "hello-timeout", "1000ms", true },
    { "hello-timeout", "10min", true },
    { "hello-timeout", "601s", false },
    { "frames-per-second", "0", false },
    { "frames-per-second", "1", true },
    { "frames-per-second", "100000", true },
    { "frames-per-second", "100001", false },
    { "frames-burst", "0", false },
    { "frames-burst", "1", true },
    { "frames-burst", "1000000", true },
    { "frames-burst", "1000001", false },
    { "frame-work", "9", false },
    { "frame-work", "10", true },
    { "frame-work", "1000000", true },
    { "frame-work", "1000001", false },
    { "players-per-hour", "-1", false },
    { "players-per-hour", "0", true },
    { "players-per-hour", "1000000", true },
    { "players-per-hour", "1000001", false },
    { "creates-per-minute", "-1", false },
    { "creates-per-minute", "0", true },
    { "creates-per-minute", "100000", true },
    { "creates-per-minute", "100001", false },
    { "matches-per-address", "-1", false },
    { "matches-per-address", "0", true },
    { "matches-per-address", "1000000", true },
    { "matches-per-address", "1000001", false },
    { "bot-matches-per-player", "-1", false },
    { "bot-matches-per-player", "0", true },
    { "bot-matches-per-player", "100000", true },
    { "bot-matches-per-player", "100001", false },
    { "bot-matches-per-address", "-1", false },
    { "bot-matches-per-address", "0", true },
    { "bot-matches-per-address", "100000", true },
    { "bot-matches-per-address", "100001", false },
    { "bot-unwatched", "999ms", false },
    { "bot-unwatched", "1s", true },
    { "refused-per-minute", "0", false },
    { "refused-per-minute", "1", true },
    { "refused-per-minute", "1000000", true },
    { "refused-per-minute", "1000001", false },
    { "inbox-address-max", "1048575", false },
    { "inbox-address-max", "1MiB", true },
    { "inbox-address-max", "1024MiB", true },
    { "inbox-address-max", "1073741825", false },
    { "account-factor", "-1", false },
    { "account-factor", "0", true },
    { "account-factor", "1000000", true },
    { "account-factor", "1000001", false },
    { "address-factor", "-1", false },
    { "address-factor", "0", true },
    { "address-factor", "1000000", true },
    { "address-factor", "1000001", false },
    { "bot-answer-timeout", "9ms", false },
    { "bot-answer-timeout", "10ms", true },
    { "bot-answer-timeout", "10min", true },
    { "bot-answer-timeout", "600001ms", false },
    { "bot-matches-max", "-1", false },
    { "bot-matches-max", "0", true },
    { "bot-matches-max", "100000", true },
    { "bot-matches-max", "100001", false },
    { "bot-calls-kept", "-1", false },
    { "bot-calls-kept", "0", true },
    { "bot-calls-kept", "100000000", true },
    { "bot-calls-kept", "100000001", false },
    { "outbox-address-max", "65535", false },
    { "outbox-address-max", "64KiB", true },
    { "outbox-address-max", "1024MiB", true },
    { "outbox-total-max", "1023KiB", false },
    { "outbox-total-max", "1MiB", true },
    { "rated-params", "default", true },
    { "rated-params", "any", true },
    { "rated-params", "none", false },
    { "rated-params-file", "", true },
    { "rated-params-file", "/etc/skirmish/rated.json", true },
    { "rated-turns", "-1", false },
    { "rated-turns", "0", true },
    { "rated-turns", "1000001", false },
    { "rated-repeats", "-1", false },
    { "rated-repeats", "0", true },
    { "rated-repeats", "1000001", false },
    { "http-rate", "0", false },
    { "http-rate", "1", true },
    { "http-rate", "1000000", true },
    { "http-rate", "1000001", false },
    { "http-burst", "-1", false },
    { "http-burst", "0", true },
    { "http-burst", "1000000", true },
    { "http-burst", "1000001", false },
    { "http-work", "99", false },
    { "http-work", "100", true },
    { "http-work", "100000000", true },
    { "http-work", "100000001", false },
    { "reads-per-address", "-1", false },
    { "reads-per-address", "0", true },
    { "reads-per-address", "1000000", true },
    { "reads-per-address", "1000001", false },
    { "reads-max", "0", false },
    { "reads-max", "1", true },
    { "reads-max", "4096", true },
    { "reads-max", "4097", false },
    { "http-answers-max", "16777215", false },
    { "http-answers-max", "16MiB", true },
    { "http-answers-max", "2047MiB", true },
    { "http-answers-max", "2048MiB", false },
    { "hosts", "", true },
    { "hosts", "play.example.org, game.lan", true },
    { "hosts", "*", true },
    { "hosts", "play.example.org:80", false },
    { "malformed-max", "0", false },
    { "malformed-max", "1", true },
    { "malformed-max", "1000", true },
    { "malformed-max", "1001", false },
    { "outbox-max", "65535", false },
    { "outbox-max", "64KiB", true },
    { "outbox-max", "1024MiB", true },
    { "outbox-max", "1025MiB", false },
    { "matches-per-player", "0", false },
    { "matches-per-player", "1", true },
    { "matches-per-player", "100000", true },
    { "matches-per-player", "100001", false },
    { "submissions-per-turn", "0", false },
    { "submissions-per-turn", "1", true },
    { "submissions-per-turn", "100000", true },
    { "submissions-per-turn", "100001", false },
    { "chat-per-minute", "-1", false },
    { "chat-per-minute", "0", true },
    { "chat-per-minute", "10000", true },
    { "chat-per-minute", "10001", false },
    { "unjoined-expire", "999ms", false },
    { "unjoined-expire", "1s", true },
    { "unjoined-expire", "20d", true },
    { "unjoined-expire", "21d", false },
    { "claim-after", "999ms", false },
    { "claim-after", "1s", true },
    { "claim-after", "20d", true },
    { "claim-after", "481h", false },
    { "jobs-max", "15", false },
    { "jobs-max", "16", true },
    { "jobs-max", "8192", true },
    { "jobs-max", "8193", false },
    { "snapshot-every", "0", false },
    { "snapshot-every", "1", true },
    { "snapshot-every", "1000000", true },
    { "snapshot-every", "1000001", false },

    { "port", "", false },
    { "port", "x", false },
    { "port", "1x", false },
    { "port", "0x10", false },
    { "port", "1.5", false },
    { "port", "+1", false },
    { "port", "-", false },
    { "port", "10s", false },
    { "port", "4294967297", false },
    { "port", "99999999999999999999999", false },
    { "hello-timeout", "10", false },
    { "hello-timeout", "10 s", true },
    { "hello-timeout", "10 sec", false },
    { "hello-timeout", "s", false },
    { "hello-timeout", "2147483647d", false },
    { "outbox-max", "1000000", true },
    { "outbox-max", "1 MiB", true },
    { "outbox-max", "1MB", false },
    { "address", "127.0.0.1", true },
    { "address", "::1", true },
    { "address", "localhost", false },
    { "address", "", false },
    { "address", "127.0.0.1:80", false },
    { "metrics-address", "0.0.0.0", true },
    { "metrics-address", "eth0", false },
    { "log-level", "error", true },
    { "log-level", "debug", true },
    { "log-level", "Debug", false },
    { "log-level", "", false },
    { "log-form", "json", true },
    { "log-form", "xml", false },
    { "origins", "", true },
    { "origins", "*", true },
    { "origins", "https://example.org, http://localhost:8080", true },
    { "origins", "example.org", false },
    { "trusted-proxies", "", true },
    { "trusted-proxies", "127.0.0.1, 10.0.0.0/8 ::1", true },
    { "trusted-proxies", "10.0.0.0/33", false },
    { "database", "x.db", true },
    { "tls-key", "", true },
    { "nothing", "1", false },
    { "", "1", false },
    { "Port", "1", false },
};

CASES(config, values_within_their_bounds_are_taken, value_cases)
{
    const struct value_case *c = &value_cases[*index];
    struct config config;
    struct config before;
    struct config_error error = { "" };

    config_init(&config);
    before = config;
    cr_expect_eq(config_set(&config, c->name, c->value, &error), c->is_right, "%s = %s: %s",
                 c->name, c->value, error.text);
    if (!c->is_right) {
        cr_expect(strlen(error.text) > 0, "%s = %s", c->name, c->value);
        cr_expect_eq(memcmp(&config, &before, sizeof(config)), 0, "%s is untouched", c->name);
    }
}

Test(config, values_arrive_in_their_units)
{
    struct config config;
    struct config_error error;

    config_init(&config);
    cr_assert(config_set(&config, "hello-timeout", "2min", &error));
    cr_expect_eq(config.host.hello_timeout_ms, 120000);
    cr_assert(config_set(&config, "outbox-max", "3MiB", &error));
    cr_expect_eq(config.host.outbox_bytes_max, 3 * 1024 * 1024);
    cr_assert(config_set(&config, "log-level", "warning", &error));
    cr_expect_eq(config.log_level, HOST_LOG_WARNING);
    cr_assert(config_set(&config, "log-form", "json", &error));
    cr_expect_eq(config.log_form, LOG_JSON);
    cr_assert(config_set(&config, "database", "/var/lib/x y.db", &error));
    cr_expect_str_eq(config.database, "/var/lib/x y.db");
}

Test(config, a_text_that_does_not_fit_is_refused)
{
    struct config config;
    struct config_error error;
    char text[SERVER_PATH_MAX + 2];

    config_init(&config);
    memset(text, 'x', sizeof(text));
    text[SERVER_PATH_MAX] = '\0';
    cr_expect(config_set(&config, "database", text, &error));
    text[SERVER_PATH_MAX] = 'x';
    text[SERVER_PATH_MAX + 1] = '\0';
    cr_expect_not(config_set(&config, "database", text, &error));
}

/* ---- the file ---------------------------------------------------------------------------- */

static void
write_file(char path[TEMP_PATH_MAX], const char *text, size_t length)
{
    int descriptor;

    temp_path(path, TEMP_PATH_MAX, "skirmish-config");
    descriptor = mkstemp(path);
    cr_assert(descriptor >= 0);
    cr_assert_eq(write(descriptor, text, length), (ssize_t)length);
    close(descriptor);
}

struct file_case {
    const char *label;
    const char *text;
    int line;          /* 0 = it is right */
    const char *words; /* of the error */
};

static const struct file_case file_cases[] = {
    { "nothing", "", 0, NULL },
    { "comments", "# port = x\n\n   # y\n\t\n", 0, NULL },
    { "an option", "port = 1234\n", 0, NULL },
    { "without blanks", "port=1234", 0, NULL },
    { "with many", "  port\t=   1234  \r\n", 0, NULL },
    { "a comment behind", "port = 1234 # why\n", 0, NULL },
    { "an empty value", "port = 1234\norigins =\n", 0, NULL },
    { "no equals", "port 1234\n", 1, "name = value" },
    { "unknown", "# x\n\nport = 1234\nprot = 1\n", 4, "unknown option prot" },
    { "no name", "= 5\n", 1, "unknown option" },
    { "bad value", "port = 1234\nlog-level = loud\n", 2, "error warning info debug" },
    { "above", "port = 65536\n", 1, "from 0 to 65535" },
    { "twice", "port = 1234\n\nport = 1234\n", 3, "line 1" },
    { "a flag", "--port = 1\n", 1, "unknown option --port" },
    { "a hash in a value", "port = 1234#5\n", 1, "1234#5" },
};

CASES(config, a_file_is_read_line_by_line, file_cases)
{
    const struct file_case *c = &file_cases[*index];
    struct config config;
    struct config_error error = { "" };
    char path[TEMP_PATH_MAX];
    char where[TEMP_PATH_MAX + 16];

    write_file(path, c->text, strlen(c->text));
    config_init(&config);
    cr_expect_eq(config_read_file(&config, path, &error), c->line == 0, "%s: %s", c->label,
                 error.text);
    if (c->line != 0) {
        snprintf(where, sizeof(where), "%s:%d: ", path, c->line);
        cr_expect_eq(strncmp(error.text, where, strlen(where)), 0, "%s: %s", c->label, error.text);
        cr_expect_not_null(strstr(error.text, c->words), "%s: %s", c->label, error.text);
    } else if (strstr(c->text, "1234") != NULL) {
        cr_expect_eq(config.net.port, 1234, "%s", c->label);
    }
    unlink(path);
}

Test(config, a_line_has_its_limit)
{
    struct config config;
    struct config_error error = { "" };
    char text[SERVER_LINE_MAX + 2];
    char path[TEMP_PATH_MAX];

    config_init(&config);
    memset(text, ' ', sizeof(text));
    memcpy(text, "port = 1", 8);
    text[SERVER_LINE_MAX] = '\n';
    write_file(path, text, SERVER_LINE_MAX + 1);
    cr_expect(config_read_file(&config, path, &error), "%s", error.text);
    unlink(path);
    text[SERVER_LINE_MAX] = ' ';
    text[SERVER_LINE_MAX + 1] = '\n';
    write_file(path, text, SERVER_LINE_MAX + 2);
    cr_expect_not(config_read_file(&config, path, &error));
    cr_expect_not_null(strstr(error.text, ":1: "), "%s", error.text);
    unlink(path);
}

Test(config, a_file_that_is_not_there_is_said)
{
    struct config config;
    struct config_error error = { "" };

    config_init(&config);
    cr_expect_not(config_read_file(&config, "/nonexistent/skirmishd.conf", &error));
    cr_expect_not_null(strstr(error.text, "/nonexistent/skirmishd.conf"));
}

/* ---- flags ------------------------------------------------------------------------------- */

#define WORDS_MAX 8

struct flags_case {
    const char *label;
    const char *words[WORDS_MAX]; /* behind the program's name */
    bool is_right;
    enum config_wish wish;
    const char *error;
};

static const struct flags_case flags_cases[] = {
    { "nothing", { NULL }, true, CONFIG_RUN, NULL },
    { "two words", { "--port", "5" }, true, CONFIG_RUN, NULL },
    { "one word", { "--port=5" }, true, CONFIG_RUN, NULL },
    { "an equals in the value", { "--database=a=b" }, true, CONFIG_RUN, NULL },
    { "an empty value", { "--origins=" }, true, CONFIG_RUN, NULL },
    { "a negative number", { "--metrics-port", "-1" }, true, CONFIG_RUN, NULL },
    { "each one must be right", { "--port=99999", "--port=5" }, false, CONFIG_RUN, "65535" },
    { "help", { "--help" }, true, CONFIG_HELP, NULL },
    { "short help", { "-h" }, true, CONFIG_HELP, NULL },
    { "version", { "--version" }, true, CONFIG_VERSION, NULL },
    { "defaults", { "--print-defaults" }, true, CONFIG_PRINT_DEFAULTS, NULL },
    { "check", { "--check-config", "--port", "5" }, true, CONFIG_CHECK, NULL },
    { "check of something wrong",
      { "--check-config", "--port", "x" },
      false,
      CONFIG_CHECK,
      "--port: " },
    { "help in spite of something wrong", { "--port", "x", "--help" }, true, CONFIG_HELP, NULL },
    { "unknown", { "--prot", "5" }, false, CONFIG_RUN, "--prot" },
    { "no flag", { "port" }, false, CONFIG_RUN, "'port'" },
    { "one dash", { "-port" }, false, CONFIG_RUN, "'-port'" },
    { "nothing but dashes", { "--" }, false, CONFIG_RUN, "'--'" },
    { "no value", { "--port" }, false, CONFIG_RUN, "--port needs a value" },
    { "no file", { "--config" }, false, CONFIG_RUN, "--config needs a value" },
    { "a file that is not there",
      { "--config", "/nonexistent" },
      false,
      CONFIG_RUN,
      "/nonexistent" },
    { "a certificate without a key", { "--tls-certificate", "x" }, false, CONFIG_RUN, "tls-key" },
    { "a node whose name is no part of a path", { "--node", "a/b" }, false, CONFIG_RUN, "node" },
    { "a node without a name", { "--node", "" }, false, CONFIG_RUN, "node" },
    { "a path of another address", { "--node-path", "//b/" }, false, CONFIG_RUN, "node-path" },
    { "a path that is not a folder", { "--node-path", "/b" }, false, CONFIG_RUN, "node-path" },
    { "a node under a path", { "--node-path", "/b/n/a/" }, true, CONFIG_RUN, NULL },
    { "a key without a certificate", { "--tls-key", "x" }, false, CONFIG_RUN, "tls-certificate" },
    { "the usual database", { "--database=" }, true, CONFIG_RUN, NULL },
    { "both ports the same", { "--port=9777" }, false, CONFIG_RUN, "metrics-port" },
    { "but elsewhere", { "--port=9777", "--address=::1" }, true, CONFIG_RUN, NULL },
    { "both free", { "--port=0", "--metrics-port=0" }, true, CONFIG_RUN, NULL },
};

static bool
read_words(const char *const words[WORDS_MAX], struct config *config, enum config_wish *wish,
           struct config_error *error)
{
    char *argv[WORDS_MAX + 2] = { "skirmishd" };
    int argc = 1;

    for (int i = 0; i < WORDS_MAX && words[i] != NULL; i++) {
        argv[argc++] = (char *)words[i];
    }
    return config_read(argc, argv, config, wish, error);
}

CASES(config, flags_are_read, flags_cases)
{
    const struct flags_case *c = &flags_cases[*index];
    struct config config = { .log_level = 77 };
    struct config_error error = { "" };
    enum config_wish wish = CONFIG_RUN;

    cr_expect_eq(read_words(c->words, &config, &wish, &error), c->is_right, "%s: %s", c->label,
                 error.text);
    if (c->is_right) {
        cr_expect_eq(wish, c->wish, "%s", c->label);
    } else {
        cr_expect_not_null(strstr(error.text, c->error), "%s: %s", c->label, error.text);
        cr_expect_eq(config.log_level, 77, "%s: untouched on failure", c->label);
    }
}

Test(config, flags_go_before_the_file_and_the_file_before_the_defaults)
{
    static const char text[] = "port = 1\nmetrics-port = 2\n";
    struct config config;
    struct config_error error;
    enum config_wish wish;
    char path[TEMP_PATH_MAX];

    write_file(path, text, strlen(text));
    cr_assert(read_words((const char *const[WORDS_MAX]){ "--port", "3", "--config", path }, &config,
                         &wish, &error));
    cr_expect_eq(config.net.port, 3);
    cr_expect_eq(config.net.metrics_port, 2);
    cr_expect_eq(config.net.connections_max, NET_CONNECTIONS_MAX_DEFAULT);
    unlink(path);
}

/* ---- defaults and changes ---------------------------------------------------------------- */

Test(config, the_printed_defaults_are_the_defaults)
{
    struct config config;
    struct config defaults;
    struct config_error error = { "" };
    char path[TEMP_PATH_MAX];
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    int option_count = 0;

    config_print_defaults(memory);
    fclose(memory);
    /* Without the # before them the lines are options. */
    for (size_t i = 0; i + 1 < length; i++) {
        if ((i == 0 || text[i - 1] == '\n') && text[i] == '#' && text[i + 1] != ' ' &&
            text[i + 1] != '\n') {
            text[i] = ' ';
            option_count++;
        }
    }
    cr_expect(option_count > 0);
    write_file(path, text, length);
    free(text);
    config_init(&defaults);
    memset(&config, 0, sizeof(config));
    strcpy(config.net.address, "x");
    cr_expect(config_read_file(&config, path, &error), "%s", error.text);
    cr_expect_eq(memcmp(&config, &defaults, sizeof(config)), 0);
    unlink(path);
}

Test(config, what_needs_a_restart_is_named)
{
    struct config running;
    struct config wanted;
    struct config_error error;
    char names[SERVER_ERROR_MAX + 1];

    config_init(&running);
    wanted = running;
    config_needs_restart(&running, &wanted, names);
    cr_expect_str_eq(names, "");
    cr_assert(config_set(&wanted, "origins", "*", &error));
    cr_assert(config_set(&wanted, "log-level", "debug", &error));
    config_needs_restart(&running, &wanted, names);
    cr_expect_str_eq(names, "");
    cr_assert(config_set(&wanted, "port", "5", &error));
    cr_assert(config_set(&wanted, "database", "other.db", &error));
    config_needs_restart(&running, &wanted, names);
    cr_expect_str_eq(names, "port, database");
}
