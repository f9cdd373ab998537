/*
 * The option table, and everything derived from it.
 */
#include "server/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "server/config_value.h"
#include "server/log.h"
#include "server/state_path.h"

#define NODE_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/* ---- the table --------------------------------------------------------------------------- */

struct option {
    const char *name; /* NULL: a heading, given by `help` */
    size_t offset;    /* in struct config */
    bool is_reloadable;
    struct value_form form;
    const char *help; /* lines of at most 76 characters */
};

#define PLACE(member)     offsetof(struct config, member)
#define TEXT_SIZE(member) sizeof(((struct config *)NULL)->member)

#define SECOND_MS 1000
#define DAY_MS    (24 * 60 * 60 * SECOND_MS)

/* clang-format off */
#define NUMBER(least, most)   { .kind = VALUE_NUMBER, .min = (least), .max = (most) }
#define BYTES(least, most)    { .kind = VALUE_BYTES, .min = (least), .max = (most) }
#define DURATION(least, most) { .kind = VALUE_DURATION, .min = (least), .max = (most) }
#define TEXT(of, member)      { .kind = (of), .size = TEXT_SIZE(member) }
#define WORD(...)             { .kind = VALUE_WORD, .words = { __VA_ARGS__, NULL } }
#define HEADING(text)         { NULL, 0, false, NUMBER(0, 0), text }

static const struct option options[] = {
    HEADING("Listening"),
    { "address", PLACE(net.address), false, TEXT(VALUE_ADDRESS, net.address),
      "Where to listen for players, WebSocket and HTTP.  0.0.0.0 is every IPv4\n"
      "interface, :: every interface." },
    { "port", PLACE(net.port), false, NUMBER(0, NET_PORT_MAX),
      "0 takes any free port, which is printed at the start." },
    { "metrics-address", PLACE(net.metrics_address), false,
      TEXT(VALUE_ADDRESS, net.metrics_address),
      "Where /metrics listens, for Prometheus.  It shows nothing about players, but\n"
      "keep it private anyway." },
    { "metrics-port", PLACE(net.metrics_port), false, NUMBER(-1, NET_PORT_MAX),
      "0 takes any free port, -1 means no metrics." },
    { "tls-certificate", PLACE(net.tls_certificate), false, TEXT(VALUE_PATH, net.tls_certificate),
      "PEM file with the certificate and its chain.  Players then\n"
      "connect with wss:// and https://.  SIGHUP reads it again." },
    { "tls-key", PLACE(net.tls_key), false, TEXT(VALUE_PATH, net.tls_key),
      "PEM file with the certificate's key." },
    { "web", PLACE(net.web), false, TEXT(VALUE_PATH, net.web),
      "Folder with the page that is served at /.  When empty, it is searched\n"
      "where the build or the installation put it." },

    HEADING("Storage"),
    { "database", PLACE(database), false, TEXT(VALUE_PATH, database),
      "The SQLite file; created if it does not exist.  When empty, it is the one that\n"
      "$SKIRMISH_DATABASE names, else skirmish.db in the folder that systemd gives\n"
      "the service, else ~/.local/state/skirmish/skirmish.db ($XDG_STATE_HOME).\n"
      "postgres://USER@HOST/NAME is a PostgreSQL database, which several nodes may\n"
      "share; keep its password in ~/.pgpass or $PGPASSFILE." },
    { "node", PLACE(node), false, TEXT(VALUE_PATH, node),
      "This node's name among those that share a PostgreSQL database.  Each needs its\n"
      "own: a second node under the same name takes over from the first." },
    { "node-path", PLACE(node_path), false, TEXT(VALUE_PATH, node_path),
      "The path by which clients reach this node through the proxy.  When empty, it is\n"
      "/n/NODE/; under a path of the proxy's, such as /skirmish/n/NODE/." },
    { "jobs-max", PLACE(host.jobs_max), true, NUMBER(16, 8192),
      "Jobs that may wait for the database; above that the answer is `busy`." },

    HEADING("Operators"),
    { "admin-socket", PLACE(admin_socket), false, TEXT(VALUE_PATH, admin_socket),
      "The Unix socket for `skirmish admin`.  Empty means DATABASE.admin (with\n"
      "PostgreSQL skirmish.db.admin in the default folder), none means no socket." },
    { "admin-users", PLACE(admin_users), false, TEXT(VALUE_USERS, admin_users),
      "System users who may use it, besides root and the daemon's own user: a list\n"
      "of names or numbers." },

    HEADING("Who may connect"),
    { "origins", PLACE(net.origins), true, TEXT(VALUE_ORIGINS, net.origins),
      "Web pages that may open a WebSocket, besides those of this host: a list like\n"
      "https://example.org, http://localhost:8080.  * allows every page.  Programs\n"
      "other than browsers send no origin and may always connect." },
    { "hosts", PLACE(net.hosts), true, TEXT(VALUE_NAMES, net.hosts),
      "Host names of this server, without ports: a list like\n"
      "play.example.org, game.lan.  Numeric addresses, localhost and this machine's\n"
      "own name are always allowed.  If the list is empty, every name is allowed, except\n"
      "for browsers on this machine that do not come through a trusted proxy: any page\n"
      "could let its own name point here.  * allows every name." },
    { "trusted-proxies", PLACE(net.trusted_proxies), true,
      TEXT(VALUE_NETWORKS, net.trusted_proxies),
      "Proxies whose X-Forwarded-For is believed: a list like 127.0.0.1, 10.0.0.0/8.\n"
      "Without it, all players behind a proxy count as one address." },
    { "connections-max", PLACE(net.connections_max), false,
      NUMBER(1, NET_CONNECTIONS_MAX_MAX),
      "Connections at once.  The limit of open files must allow it." },
    { "connections-per-address", PLACE(net.connections_per_address_max), true,
      NUMBER(0, NET_CONNECTIONS_MAX_MAX),
      "Connections at once from one IPv4 address or one IPv6 /64; 0 means any number." },
    { "connects-per-second", PLACE(net.connects_per_second), true, NUMBER(0, 100000),
      "New connections from one such address, on average; three times as many at once.\n"
      "0 means any number." },
    { "handshake-timeout", PLACE(net.handshake_timeout_ms), false,
      DURATION(NET_HANDSHAKE_TIMEOUT_MIN_MS, NET_HANDSHAKE_TIMEOUT_MAX_MS),
      "Time for a connection to send its request, and for each HTTP answer, in whole\n"
      "seconds." },
    { "ping-interval", PLACE(net.ping_interval_ms), true,
      DURATION(0, NET_PING_INTERVAL_MAX_MS),
      "A WebSocket that is silent for this long is pinged, and closed if it is\n"
      "silent for as long again; 0 means never." },

    HEADING("What a connection may do"),
    { "hello-timeout", PLACE(host.hello_timeout_ms), true, DURATION(SECOND_MS, 600 * SECOND_MS),
      "Time for a WebSocket to send hello." },
    { "frames-per-second", PLACE(host.frames_per_second), true, NUMBER(1, 100000),
      "Messages per second that a connection may send on average." },
    { "frames-burst", PLACE(host.frames_burst), true, NUMBER(1, 1000000),
      "Messages that it may send at once." },
    { "account-factor", PLACE(host.account_factor), true, NUMBER(0, 1000000),
      "All connections of one player together may send this many times what one may;\n"
      "0 means any number." },
    { "address-factor", PLACE(host.address_factor), true, NUMBER(0, 1000000),
      "The same for all from one IPv4 address or one IPv6 /64.  At once they may use no\n"
      "more of the server's time than one connection." },
    { "frame-work", PLACE(host.frame_work_us), true, NUMBER(10, 1000000),
      "Microseconds of the server's time that a message may take.  One that takes\n"
      "longer, or is longer than 4 KiB, counts as several." },
    { "refused-per-minute", PLACE(host.refused_per_minute), true, NUMBER(1, 1000000),
      "Messages answered with `rate_limited` before it is closed; all from one\n"
      "address may send address-factor times as many." },
    { "malformed-max", PLACE(host.malformed_max), true, NUMBER(1, 1000),
      "Messages that cannot be read before it is closed." },
    { "inbox-address-max", PLACE(net.inbox_address_bytes_max), true, BYTES(1 << 20, 1 << 30),
      "Bytes of incomplete messages from one address.  A connection that sends more is\n"
      "closed." },
    { "outbox-max", PLACE(host.outbox_bytes_max), true, BYTES(65536, 1 << 30),
      "Bytes that may wait for a slow reader before it is closed; it can resume." },
    { "outbox-address-max", PLACE(host.outbox_address_bytes_max), true, BYTES(65536, 1 << 30),
      "Bytes that may wait for all slow readers of one address before they are closed.\n"
      "A connection with at most 64 KiB waiting is not slow." },
    { "outbox-total-max", PLACE(host.outbox_total_bytes_max), true, BYTES(1 << 20, 1 << 30),
      "The same for all slow readers together." },

    HEADING("What an address may read"),
    { "http-rate", PLACE(host.http_rate), true, NUMBER(1, 1000000),
      "HTTP requests per second from one IPv4 address or one IPv6 /64, on average.\n"
      "Above that, 429.  A file of the page counts as a tenth; probes of\n"
      "/healthz and /readyz from this machine do not count.  Lists, reviews and matches\n"
      "that must be loaded count too when a WebSocket asks for them." },
    { "http-burst", PLACE(host.http_burst), true, NUMBER(0, 1000000),
      "Such requests at once; 0 means any number." },
    { "http-work", PLACE(host.http_work_us), true, NUMBER(100, 100000000),
      "Microseconds of the server's time that such a request may take.  One that takes\n"
      "longer counts as several." },
    { "reads-per-player", PLACE(host.reads_per_player), true, NUMBER(0, 1000000),
      "Finished matches that are shown or reviewed at a time for one player;\n"
      "0 means any number." },
    { "reads-per-address", PLACE(host.reads_per_address), true, NUMBER(0, 1000000),
      "Requests from one address in progress, or whose answers are not written yet;\n"
      "more get 429.  An answer may have 4 MiB.  0 means any number." },
    { "reads-max", PLACE(host.reads_max), true, NUMBER(1, 4096),
      "The same for all addresses together; more get 503." },
    { "http-answers-max", PLACE(host.http_answers_max), true, BYTES(16 << 20, 2047 << 20),
      "Bytes of answers that are not written yet; more get 503." },

    HEADING("Players and matches"),
    { "players-per-hour", PLACE(host.players_per_hour), true, NUMBER(0, 1000000),
      "New players from one IPv4 address or one IPv6 /64, at once or one after the\n"
      "other; 0 means any number." },
    { "creates-per-minute", PLACE(host.creates_per_minute), true, NUMBER(0, 100000),
      "Matches that one player may create; 0 means any number.  All from one address\n"
      "may create address-factor times as many." },
    { "matches-per-player", PLACE(host.matches_per_player_max), true, NUMBER(1, 100000),
      "Unfinished matches that one player may have, and may have created." },
    { "matches-per-address", PLACE(host.matches_per_address_max), true, NUMBER(0, 1000000),
      "Unfinished matches that all from one address may have created; 0 means any\n"
      "number." },
    { "rated-params", PLACE(host.rated_params), true, WORD("default", "any"),
      "default or any: the params with which matches count for ratings.  With other\n"
      "params a win may be worth nothing." },
    { "rated-params-file", PLACE(rated_params_file), true, TEXT(VALUE_PATH, rated_params_file),
      "JSON file with params that count like the default ones, a list for each ruleset:\n"
      "{\"tactics\": [{\"turn_limit\": 50}]}.  SIGHUP reads it again." },
    { "rated-turns", PLACE(host.rated_turns_min), true, NUMBER(0, 1000000),
      "A match with fewer turns does not count for ratings." },
    { "rated-repeats", PLACE(host.rated_repeats_max), true, NUMBER(0, 1000000),
      "Matches of the same two players that count for ratings within a day.  With 0\n"
      "all do, and settled ratings also change with those of newcomers." },
    { "submissions-per-turn", PLACE(host.submissions_per_turn_max), true, NUMBER(1, 100000),
      "How often a player may change or withdraw the commands of one turn." },
    { "chat-per-minute", PLACE(host.chat_per_minute), true, NUMBER(0, 10000),
      "Chat messages of one player, at once or one after the other; 0 means none." },
    { "unjoined-expire", PLACE(host.unjoined_expire_ms), true, DURATION(SECOND_MS, 20 * DAY_MS),
      "A match that nobody joins expires after this time." },
    { "claim-after", PLACE(host.claim_after_ms), true, DURATION(SECOND_MS, 20 * DAY_MS),
      "In a match without a clock: how long a player may be away before others may claim." },
    { "snapshot-every", PLACE(host.snapshot_every), true, NUMBER(1, 1000000),
      "Turns between two snapshots: fewer make a restart faster and the file larger." },

    HEADING("Bots"),
    { "bot-answer-timeout", PLACE(host.bot_answer_ms), true, DURATION(10, 600 * SECOND_MS),
      "Time for a bot to answer, if the clock does not end sooner." },
    { "bot-matches-max", PLACE(host.bot_matches_max), true, NUMBER(0, 100000),
      "Matches at once that only bots play." },
    { "bot-matches-per-player", PLACE(host.bot_matches_per_player_max), true, NUMBER(0, 100000),
      "Such matches that one player may have created; 0 means any number." },
    { "bot-matches-per-address", PLACE(host.bot_matches_per_address_max), true,
      NUMBER(0, 100000), "The same for all from one address." },
    { "bot-unwatched", PLACE(host.bot_unwatched_ms), true, DURATION(SECOND_MS, 20 * DAY_MS),
      "A match that only bots play ends as a draw if nobody has watched it for this\n"
      "time." },
    { "bot-calls-kept", PLACE(host.bot_calls_kept), true, NUMBER(0, 100000000),
      "Calls to web services that the database keeps, with what was asked and\n"
      "answered.  The oldest are dropped." },
    { "bot-hosts", PLACE(bots.hosts), false, TEXT(VALUE_HOSTS, bots.hosts),
      "Web services that may be asked to play a seat, by host, or by host and port:\n"
      "a list like bots.example.org, 127.0.0.1:8001.  * is every host.  Without this\n"
      "and without bot-file no web service is called." },
    { "bot-networks", PLACE(bots.networks), false, TEXT(VALUE_NETWORKS, bots.networks),
      "Web services on addresses that are not public (of this machine, private,\n"
      "link-local and so on) are called only if they are in these networks." },
    { "bot-plain-http", PLACE(bots.plain_http), false, WORD("no", "yes"),
      "no or yes: call http:// too, not only https://." },
    { "bot-file", PLACE(bots.file), false, TEXT(VALUE_PATH, bots.file),
      "Web services with names, one per line: name address secret.  Requests to one\n"
      "with a secret are signed with it.  Nobody else should be able to read it." },
    { "bot-ca-file", PLACE(bots.ca_file), false, TEXT(VALUE_PATH, bots.ca_file),
      "PEM file with the certificates that web services must chain to, instead of\n"
      "the system's." },

    HEADING("Log"),
    { "log-level", PLACE(log_level), true, WORD("error", "warning", "info", "debug"),
      "error, warning, info or debug." },
    { "log-form", PLACE(log_form), true, WORD("text", "json"),
      "text for people, json for programs: one object per line." },
};
/* clang-format on */

#define OPTION_COUNT (sizeof(options) / sizeof(options[0]))

/* Large enough for any value as text. */
#define VALUE_TEXT_SIZE (SERVER_LIST_MAX + 1)

void
config_init(struct config *config)
{
    memset(config, 0, sizeof(*config));
    host_options_init(&config->host);
    strcpy(config->net.address, "127.0.0.1");
    strcpy(config->node, "node");
    config->net.port = NET_PORT_DEFAULT;
    strcpy(config->net.metrics_address, "127.0.0.1");
    config->net.metrics_port = NET_METRICS_PORT_DEFAULT;
    config->net.connections_max = NET_CONNECTIONS_MAX_DEFAULT;
    config->net.connections_per_address_max = NET_PER_ADDRESS_MAX_DEFAULT;
    config->net.connects_per_second = NET_CONNECTS_PER_SECOND_DEFAULT;
    config->net.inbox_address_bytes_max = NET_INBOX_ADDRESS_MAX_DEFAULT;
    config->net.handshake_timeout_ms = NET_HANDSHAKE_TIMEOUT_DEFAULT_MS;
    config->net.ping_interval_ms = NET_PING_INTERVAL_DEFAULT_MS;
    config->log_level = HOST_LOG_INFO;
    config->log_form = LOG_TEXT;
}

static const struct option *
find_option(const char *name)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (options[i].name != NULL && strcmp(options[i].name, name) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

static void *
place_of(struct config *config, const struct option *option)
{
    return (char *)config + option->offset;
}

static const void *
value_of(const struct config *config, const struct option *option)
{
    return (const char *)config + option->offset;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* `where` is "FILE:LINE: " or "". */
__attribute__((format(printf, 3, 4))) static bool
fail(struct config_error *error, const char *where, const char *format, ...)
{
    va_list arguments;
    int used = snprintf(error->text, sizeof(error->text), "%.255s", where);

    va_start(arguments, format);
    vsnprintf(error->text + used, sizeof(error->text) - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

static bool
set_at(struct config *config, const char *where, const char *name, const char *value,
       struct config_error *error)
{
    const struct option *option = find_option(name);
    char why[SERVER_ERROR_MAX + 1];

    if (option == NULL) {
        return fail(error, where, "unknown option %.64s", name);
    }
    if (!value_read(&option->form, value, place_of(config, option), why)) {
        return fail(error, where, "%s: %.160s, not '%.40s'", name, why, value);
    }
    return true;
}

bool
config_set(struct config *config, const char *name, const char *value, struct config_error *error)
{
    return set_at(config, "", name, value, error);
}

/* Removes a comment, and blanks at both ends. */
static char *
trim(char *text)
{
    char *end;

    for (char *c = text; *c != '\0'; c++) {
        if (*c == '#' && (c == text || isspace((unsigned char)c[-1]))) {
            *c = '\0';
            break;
        }
    }
    while (isspace((unsigned char)*text)) {
        text++;
    }
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) {
        end--;
    }
    *end = '\0';
    return text;
}

/* Remembers which line set an option: a duplicate is an error. */
struct file_reader {
    const char *path;
    int line;
    int set_on[OPTION_COUNT];
};

static bool
read_line(struct file_reader *reader, struct config *config, char *text, struct config_error *error)
{
    char where[320];
    char *line = trim(text);
    char *equals = strchr(line, '=');
    const struct option *option;
    char *name;

    snprintf(where, sizeof(where), "%.255s:%d: ", reader->path, reader->line);
    if (line[0] == '\0') {
        return true;
    }
    if (equals == NULL) {
        return fail(error, where, "name = value is needed, not '%.64s'", line);
    }
    *equals = '\0';
    name = trim(line);
    option = find_option(name);
    if (option != NULL && reader->set_on[option - options] != 0) {
        return fail(error, where, "%s was set in line %d already", name,
                    reader->set_on[option - options]);
    }
    if (!set_at(config, where, name, trim(equals + 1), error)) {
        return false;
    }
    reader->set_on[option - options] = reader->line;
    return true;
}

static bool
read_lines(FILE *file, const char *path, struct config *config, struct config_error *error)
{
    struct file_reader reader = { .path = path };
    char text[SERVER_LINE_MAX + 2];

    while (fgets(text, sizeof(text), file) != NULL) {
        reader.line++;
        if (strlen(text) > SERVER_LINE_MAX && text[SERVER_LINE_MAX] != '\n') {
            char where[320];

            snprintf(where, sizeof(where), "%.255s:%d: ", path, reader.line);
            return fail(error, where, "the line is longer than %d bytes", SERVER_LINE_MAX);
        }
        if (!read_line(&reader, config, text, error)) {
            return false;
        }
    }
    if (ferror(file)) {
        return fail(error, "", "cannot read %.255s: %s", path, strerror(errno));
    }
    return true;
}

bool
config_read_file(struct config *config, const char *path, struct config_error *error)
{
    FILE *file = fopen(path, "re");
    bool is_fine;

    if (file == NULL) {
        return fail(error, "", "cannot open %.255s: %s", path, strerror(errno));
    }
    is_fine = read_lines(file, path, config, error);
    fclose(file);
    return is_fine;
}

/* ---- flags ------------------------------------------------------------------------------- */

struct wish_flag {
    const char *name;
    enum config_wish wish;
    const char *help;
};

static const struct wish_flag wish_flags[] = {
    { "--help", CONFIG_HELP, "print this text" },
    { "--version", CONFIG_VERSION, "print the version" },
    { "--check-config", CONFIG_CHECK, "check the configuration, and run nothing" },
    { "--print-defaults", CONFIG_PRINT_DEFAULTS, "print a configuration file with every default" },
};

static const struct wish_flag *
find_wish(const char *word)
{
    for (size_t i = 0; i < sizeof(wish_flags) / sizeof(wish_flags[0]); i++) {
        if (strcmp(wish_flags[i].name, word) == 0) {
            return &wish_flags[i];
        }
    }
    return strcmp(word, "-h") == 0 ? &wish_flags[0] : NULL;
}

/* A parsed command-line flag. */
struct flag {
    char name[64];
    const char *value;
};

/* Moves `*at` past the flag and its value. */
static bool
next_flag(int argc, char *const *argv, int *at, struct flag *flag, struct config_error *error)
{
    const char *word = argv[*at];
    const char *equals = strchr(word, '=');
    size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);

    if (strncmp(word, "--", 2) != 0 || length <= 2 || length - 2 >= sizeof(flag->name)) {
        return fail(error, "", "'%.64s' is not an option; --help lists them", word);
    }
    memcpy(flag->name, word + 2, length - 2);
    flag->name[length - 2] = '\0';
    if (find_option(flag->name) == NULL && strcmp(flag->name, "config") != 0) {
        return fail(error, "", "unknown option --%s; --help lists them", flag->name);
    }
    if (equals == NULL && *at + 1 >= argc) {
        return fail(error, "", "--%s needs a value", flag->name);
    }
    flag->value = equals == NULL ? argv[*at + 1] : equals + 1;
    *at += equals == NULL ? 2 : 1;
    return true;
}

/* If `config` is NULL, only finds the file and the wish. */
static bool
read_flags(int argc, char *const *argv, struct config *config, const char **ret_file,
           enum config_wish *ret_wish, struct config_error *error)
{
    int at = 1;

    while (at < argc) {
        const struct wish_flag *wish = find_wish(argv[at]);
        struct flag flag;

        if (wish != NULL) {
            *ret_wish = wish->wish;
            at++;
            continue;
        }
        if (!next_flag(argc, argv, &at, &flag, error)) {
            return false;
        }
        if (strcmp(flag.name, "config") == 0) {
            *ret_file = flag.value;
        } else if (config != NULL && !set_at(config, "--", flag.name, flag.value, error)) {
            return false;
        }
    }
    return true;
}

bool
config_read(int argc, char *const *argv, struct config *ret_config, enum config_wish *ret_wish,
            struct config_error *error)
{
    struct config config;
    const char *file = NULL;
    enum config_wish wish = CONFIG_RUN;

    config_init(&config);
    if (!read_flags(argc, argv, NULL, &file, &wish, error)) {
        return false;
    }
    if (wish == CONFIG_RUN || wish == CONFIG_CHECK) {
        if ((file != NULL && !config_read_file(&config, file, error)) ||
            !read_flags(argc, argv, &config, &file, &wish, error) ||
            !config_check(&config, error)) {
            return false;
        }
        if (config.database[0] == '\0' &&
            !state_database(config.database, sizeof(config.database))) {
            return fail(error, "", "database: the default's name is too long; name a file");
        }
    }
    *ret_config = config;
    *ret_wish = wish;
    return true;
}

/* ---- combinations ------------------------------------------------------------------------ */

/* Clients go to no other address: `//` would begin one. */
static bool
is_node_path(const char *path)
{
    size_t length = strlen(path);

    return length == 0 ||
           (length > 1 && path[0] == '/' && path[1] != '/' && path[length - 1] == '/' &&
            path[strspn(path, NODE_LETTERS "/.")] == '\0');
}

bool
config_check(const struct config *config, struct config_error *error)
{
    bool has_certificate = config->net.tls_certificate[0] != '\0';
    bool has_key = config->net.tls_key[0] != '\0';

    if (has_certificate != has_key) {
        return fail(error, "", "tls-certificate and tls-key belong together: %s is missing",
                    has_key ? "tls-certificate" : "tls-key");
    }
    if (config->node[0] == '\0' || config->node[strspn(config->node, NODE_LETTERS)] != '\0') {
        return fail(error, "", "node: a name has letters, digits, - and _, not '%.40s'",
                    config->node);
    }
    if (!is_node_path(config->node_path)) {
        return fail(error, "", "node-path: a path is like /n/one/, not '%.40s'", config->node_path);
    }
    if (config->net.port != 0 && config->net.port == config->net.metrics_port &&
        strcmp(config->net.address, config->net.metrics_address) == 0) {
        return fail(error, "", "port and metrics-port are the same");
    }
    return true;
}

void
config_needs_restart(const struct config *running, const struct config *wanted,
                     char names[SERVER_ERROR_MAX + 1])
{
    size_t used = 0;

    names[0] = '\0';
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options[i];

        if (option->name == NULL || option->is_reloadable ||
            value_is_same(&option->form, value_of(running, option), value_of(wanted, option))) {
            continue;
        }
        if (used + strlen(option->name) + 2 <= SERVER_ERROR_MAX) {
            used += (size_t)sprintf(names + used, "%s%s", used == 0 ? "" : ", ", option->name);
        }
    }
}

/* ---- printing ---------------------------------------------------------------------------- */

/* Prints each line of the text after `before`. */
static void
print_lines(FILE *to, const char *before, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        fprintf(to, "%s%.*s\n", before, (int)length, text);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

static void
print_option_help(FILE *to, const struct config *defaults, const struct option *option)
{
    char value[VALUE_TEXT_SIZE];

    value_write(&option->form, value_of(defaults, option), value, sizeof(value));
    fprintf(to, "  --%s %s", option->name, value_kind_name(option->form.kind));
    if (value[0] != '\0') {
        fprintf(to, "  (%s)", value);
    }
    fprintf(to, "%s\n", option->is_reloadable ? "  SIGHUP" : "");
    print_lines(to, "        ", option->help);
}

void
config_print_help(FILE *to)
{
    struct config defaults;

    config_init(&defaults);
    fprintf(to, "skirmishd - the server for grid tactics games\n"
                "\n"
                "usage: skirmishd [--config FILE] [OPTIONS]\n"
                "\n"
                "Runs matches of people, bots and web services over WebSockets, serves the page\n"
                "on which people play, and keeps every record in a database.  As a service it\n"
                "reads /etc/skirmish/skirmishd.conf and keeps its database in /var/lib/skirmish.\n"
                "\n"
                "  --config FILE\n"
                "        Read options from a file first, as --print-defaults prints it; SIGHUP\n"
                "        reads it again.  Flags override the file.\n");
    for (size_t i = 0; i < sizeof(wish_flags) / sizeof(wish_flags[0]); i++) {
        fprintf(to, "  %-18s %s\n", wish_flags[i].name, wish_flags[i].help);
    }
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (options[i].name == NULL) {
            fprintf(to, "\n%s\n", options[i].help);
        } else {
            print_option_help(to, &defaults, &options[i]);
        }
    }
    fprintf(to,
            "\n"
            "signals: SIGTERM and SIGINT stop it within two seconds (ten if the disk or\n"
            "PostgreSQL is slow), a second one at once; SIGHUP reads the configuration and the\n"
            "certificate again: options marked SIGHUP change, others need a restart and are\n"
            "named in the log.\n"
            "\n"
            "exit status: 0 stopped as asked, 1 stopped at once by a second signal,\n"
            "2 wrong usage or configuration, 3 the database cannot be opened, 4 cannot\n"
            "listen, 70 the storage failed (start it again: nothing acknowledged is lost)\n");
}

void
config_print_defaults(FILE *to)
{
    struct config defaults;
    char value[VALUE_TEXT_SIZE];

    config_init(&defaults);
    fprintf(to, "# The configuration of skirmishd: every option with its default.\n"
                "#\n"
                "# Lines are name = value; remove the # to change one.  Each is also a flag,\n"
                "# --name value, which overrides this file.  Options marked (SIGHUP) change when\n"
                "# the daemon reads this file again; all others need a restart.\n");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options[i];

        if (option->name == NULL) {
            fprintf(to, "\n\n# ---- %s ----\n", option->help);
            continue;
        }
        value_write(&option->form, value_of(&defaults, option), value, sizeof(value));
        fputc('\n', to);
        print_lines(to, "# ", option->help);
        if (option->is_reloadable) {
            fprintf(to, "# (SIGHUP)\n");
        }
        fprintf(to, "#%s =%s%s\n", option->name, value[0] == '\0' ? "" : " ", value);
    }
}
