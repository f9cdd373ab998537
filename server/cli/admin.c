/*
 * skirmish admin - commands to a running daemon, over its Unix socket.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "common/base/arena.h"
#include "proto/admin_lines.h"
#include "proto/json_buffer.h"
#include "proto/json_parse.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "server/cli/cli.h"
#include "server/cli/line_reader.h"
#include "server/cli/report.h"
#include "server/memory.h"
#include "server/state_path.h"
#include "server/store/archive.h"

#define ANSWER_MAX  (64u * 1024u * 1024u)
#define ARENA_BYTES (128u * 1024u * 1024u)
#define COLUMNS_MAX 7

/* ---- the socket -------------------------------------------------------------------------- */

/* Else -1, and errno says why. */
static int
connect_to(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    size_t length = strlen(path);
    int fd;

    if (length >= sizeof(address.sun_path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, length);
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof(address)) != 0) {
        int why = errno;

        (void)close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

static bool
is_answered(const char *path)
{
    int fd = connect_to(path);

    if (fd >= 0) {
        (void)close(fd);
    }
    return fd >= 0;
}

static void
write_request(struct sk_json_out *out, const void *what)
{
    sk_form_write(out, &sk_admin_request_line, what);
    sk_json_end_line(out);
}

/* One request and how its answer is printed. */
struct talk {
    const char *command; /* named in errors */
    const struct admin_request_line *request;
    enum table_form form;
};

/* The answer's memory belongs to `lines`. */
static bool
exchange(const struct talk *talk, int fd, struct line_reader *lines, struct sk_text *ret_answer)
{
    struct sk_json_buffer buffer = { 0 };
    struct sk_text text = sk_json_buffer_write(&buffer, write_request, talk->request);
    const char *line;
    size_t length;

    /* Users who may not ask are refused at once, perhaps before this is sent. */
    (void)!send(fd, text.at, text.length, MSG_NOSIGNAL);
    free(buffer.at);
    if (line_reader_next(lines, &line, &length) != LINE_READ) {
        fprintf(stderr, "skirmish %s: the daemon did not answer\n", talk->command);
        return false;
    }
    *ret_answer = (struct sk_text){ line, (uint32_t)length };
    return true;
}

/* ---- answers ----------------------------------------------------------------------------- */

static int
by_match(const void *a, const void *b)
{
    const struct admin_room_line *left = a;
    const struct admin_room_line *right = b;

    return (left->match > right->match) - (left->match < right->match);
}

struct cells {
    char text[COLUMNS_MAX][128];
    struct question_value values[COLUMNS_MAX];
    uint32_t count;
};

static void
add_number(struct cells *cells, int64_t number)
{
    int length =
        snprintf(cells->text[cells->count], sizeof(cells->text[0]), "%lld", (long long)number);

    cells->values[cells->count] =
        (struct question_value){ QUESTION_NUMBER, cells->text[cells->count], (size_t)length };
    cells->count++;
}

static void
add_text(struct cells *cells, struct sk_text text)
{
    int length = snprintf(cells->text[cells->count], sizeof(cells->text[0]), "%.*s",
                          (int)text.length, text.at);

    cells->values[cells->count] =
        (struct question_value){ QUESTION_TEXT, cells->text[cells->count], (size_t)length };
    cells->count++;
}

static void
print_rooms(struct sk_list rooms, enum table_form form)
{
    static const char *const names[] = { "match", "ruleset",  "status", "turn",
                                         "here",  "watching", "players" };
    struct admin_room_line *lines = rooms.at;
    struct table table;

    if (rooms.count > 0) {
        qsort(lines, rooms.count, sizeof(*lines), by_match);
    }
    table_begin(&table, form);
    (void)table.sink.columns(&table.sink, names, sizeof(names) / sizeof(names[0]));
    for (uint32_t i = 0; i < rooms.count; i++) {
        struct cells cells = { .count = 0 };

        add_number(&cells, lines[i].match);
        add_text(&cells, lines[i].ruleset);
        add_text(&cells, lines[i].status);
        add_number(&cells, lines[i].turn);
        add_number(&cells, lines[i].here);
        add_number(&cells, lines[i].watching);
        add_text(&cells, lines[i].players);
        (void)table.sink.row(&table.sink, cells.values, cells.count);
    }
    table_end(&table);
}

static int
by_name(const void *a, const void *b)
{
    const struct admin_person_line *left = a;
    const struct admin_person_line *right = b;
    uint32_t length =
        left->name.length < right->name.length ? left->name.length : right->name.length;
    int order = strncasecmp(left->name.at, right->name.at, length);

    if (order == 0) {
        order = (left->name.length > right->name.length) - (left->name.length < right->name.length);
    }
    return order != 0 ? order : right->seconds - left->seconds;
}

static void
print_people(struct sk_list people, enum table_form form)
{
    static const char *const names[] = { "name", "is_bot", "address", "since", "matches" };
    struct admin_person_line *lines = people.at;
    struct table table;

    if (people.count > 0) {
        qsort(lines, people.count, sizeof(*lines), by_name);
    }
    table_begin(&table, form);
    (void)table.sink.columns(&table.sink, names, sizeof(names) / sizeof(names[0]));
    for (uint32_t i = 0; i < people.count; i++) {
        struct cells cells = { .count = 0 };
        time_t since_s = time(NULL) - lines[i].seconds;
        char since[32];
        struct tm day;

        (void)gmtime_r(&since_s, &day);
        (void)strftime(since, sizeof(since), "%Y-%m-%d %H:%M:%S", &day);
        add_text(&cells, lines[i].name);
        add_number(&cells, lines[i].is_bot);
        add_text(&cells, lines[i].address);
        add_text(&cells, sk_text_of(since));
        add_number(&cells, lines[i].matches);
        (void)table.sink.row(&table.sink, cells.values, cells.count);
    }
    table_end(&table);
}

static int
print_answer(const struct talk *talk, const struct admin_answer_line *answer)
{
    if (!answer->ok) {
        fprintf(stderr, "skirmish %s: %.*s\n", talk->command, (int)answer->message.length,
                answer->message.at);
        return CLI_FAILED;
    }
    if (talk->request->command == ADMIN_ROOMS) {
        print_rooms(answer->rooms, talk->form);
    } else if (talk->request->command == ADMIN_WHO) {
        print_people(answer->people, talk->form);
    } else {
        printf("%.*s\n", (int)answer->message.length, answer->message.at);
    }
    return CLI_OK;
}

static int
read_answer(const struct talk *talk, struct sk_text text)
{
    struct sk_arena arena;
    struct admin_answer_line answer;
    struct sk_value *json = NULL;
    struct sk_fault fault;
    int status = CLI_FAILED;

    heap_arena(&arena, ARENA_BYTES);
    if (sk_json_parse(text.at, text.length, &json, &fault) == SK_OK &&
        sk_form_read(&sk_admin_answer_line, json, &arena, &answer, &fault) == SK_OK) {
        status = print_answer(talk, &answer);
    } else {
        fprintf(stderr, "skirmish %s: the answer is not valid: %s\n", talk->command, fault.message);
    }
    sk_json_free(json);
    free(arena.base);
    return status;
}

/* Errors name `command`.  Returns an exit status. */
static int
ask(const char *command, const char *path, const struct admin_request_line *request,
    enum table_form form)
{
    const struct talk talk = { command, request, form };
    int fd = connect_to(path);
    struct line_reader lines;
    struct sk_text text;
    int status = CLI_FAILED;

    if (fd < 0) {
        fprintf(stderr, "skirmish %s: no daemon answers at %s: %s\n", command, path,
                strerror(errno));
        return CLI_FAILED;
    }
    line_reader_init(&lines, fd, ANSWER_MAX);
    if (exchange(&talk, fd, &lines, &text)) {
        status = read_answer(&talk, text);
    }
    line_reader_fini(&lines);
    (void)close(fd);
    return status;
}

/* ---- the command line -------------------------------------------------------------------- */

/* What follows the command. */
enum argument {
    ARGUMENT_NONE,
    ARGUMENT_MATCH,
    ARGUMENT_PLAYER,
    ARGUMENT_TEXT,
};

static const enum argument arguments[ADMIN_COMMAND_COUNT] = {
    [ADMIN_END] = ARGUMENT_MATCH,     [ADMIN_KICK] = ARGUMENT_PLAYER,
    [ADMIN_BAN] = ARGUMENT_PLAYER,    [ADMIN_UNBAN] = ARGUMENT_PLAYER,
    [ADMIN_ANNOUNCE] = ARGUMENT_TEXT,
};

static bool
find_command(const char *word, uint8_t *ret_command)
{
    for (uint8_t i = 0; i < ADMIN_FORGET; i++) { /* which is skirmish player forget */
        if (strcmp(sk_admin_commands[i], word) == 0) {
            *ret_command = i;
            return true;
        }
    }
    return false;
}

/* NULL, or what is wrong. */
static const char *
take_words(const struct cli_words *words, struct admin_request_line *request)
{
    enum argument argument;

    if (words->count == 0 || !find_command(words->at[0], &request->command)) {
        return "takes one of its commands";
    }
    argument = arguments[request->command];
    if (words->count != (argument == ARGUMENT_NONE ? 1 : 2)) {
        return argument == ARGUMENT_NONE ? "that command takes no argument"
                                         : "that command takes one argument";
    }
    if (argument == ARGUMENT_MATCH) {
        request->has_match = cli_number_read(words->at[1], 1, INT32_MAX, &request->match);
        return request->has_match ? NULL : "not the number of a match";
    }
    if (argument == ARGUMENT_PLAYER) {
        request->player = sk_text_of(words->at[1]);
    } else if (argument == ARGUMENT_TEXT) {
        request->text = sk_text_of(words->at[1]);
    }
    return argument != ARGUMENT_NONE && words->at[1][0] == '\0' ? "the argument is empty" : NULL;
}

/* `given`, or the one beside the database.  Static. */
static const char *
socket_of(const char *given, const char *database)
{
    static char path[4096];

    if (given != NULL) {
        return given;
    }
    if (!state_admin_socket(cli_database(database), path, sizeof(path))) {
        path[0] = '\0'; /* too long: no socket has that name */
    }
    return path;
}

int
cli_admin(int argc, char **argv)
{
    const char *database = NULL;
    const char *path = NULL;
    const char *reason = NULL;
    const char *form_word = "table";
    int64_t seat = -1;
    int64_t hours = 0;
    const struct cli_option options[] = {
        { "reason", CLI_TEXT, &reason, "TEXT", "why: sent to the players concerned, and logged", 0,
          0 },
        { "seat", CLI_NUMBER, &seat, "S", "end: this seat leaves, and loses by the rules", 0, 3 },
        { "hours", CLI_NUMBER, &hours, "N", "ban: for N hours (else for ever)", 0,
          ADMIN_HOURS_MAX },
        { "socket", CLI_TEXT, &path, "FILE", "the daemon's socket (else DATABASE.admin)", 0, 0 },
        { "form", CLI_TEXT, &form_word, "FORM", "rooms, who: " TABLE_FORMS, 0, 0 },
        CLI_DATABASE_OPTION(&database),
    };
    const struct cli_usage usage = {
        .command = "admin",
        .arguments = "COMMAND [WORD]",
        .about =
            "Sends a command to a running daemon over its Unix socket.  Root, the daemon's own\n"
            "user and the users of its option admin-users may do this.  Every command is written\n"
            "to the table admin_log.\n"
            "\n"
            "  rooms            list the matches that are live in the daemon\n"
            "  who              list the connections of players: from where, since when (UTC);\n"
            "                   who was online before: skirmish players\n"
            "  end MATCH        end a match: as a draw, or with --seat S against that seat\n"
            "  kick PLAYER      close the player's connections\n"
            "  ban PLAYER       the same, and refuse the player from now on, also after a restart\n"
            "  unban PLAYER     let the player in again\n"
            "  announce TEXT    say something to everybody who is connected\n"
            "  drain            take no new matches; running matches continue (refused\n"
            "                   with many nodes: stop the node instead)\n"
            "  undrain          take new matches again\n",
        CLI_OPTIONS(options),
    };
    struct admin_request_line request = { .command = 0 };
    enum table_form form;
    struct cli_words words;
    const char *fault;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    fault = take_words(&words, &request);
    if (fault != NULL) {
        return cli_usage_error("admin", fault, NULL);
    }
    if (!table_form_read("admin", form_word, &form)) {
        return CLI_USAGE;
    }
    request.has_seat = seat >= 0;
    request.seat = (int32_t)(seat >= 0 ? seat : 0);
    request.hours = (int32_t)hours;
    request.reason = sk_text_of(reason == NULL ? "" : reason);
    return ask("admin", socket_of(path, database), &request, form);
}

/* ---- player forget ----------------------------------------------------------------------- */

static int
forget(const char *database, const char *name)
{
    struct archive *archive = NULL;
    struct sk_fault fault;
    enum sk_status status = archive_open_to_write(database, &archive, &fault);

    if (status == SK_OK) {
        status = archive_forget(archive, name, (int64_t)geteuid(), &fault);
    }
    archive_close(archive);
    if (status != SK_OK) {
        return cli_fail("player forget", &fault);
    }
    printf("forgotten\n");
    return CLI_OK;
}

/* A running daemon does it itself, because it has the player's connections and shows the name. */
int
cli_player_forget(const char *database, const char *name, bool is_meant)
{
    struct admin_request_line request = { .command = ADMIN_FORGET, .player = sk_text_of(name) };
    const char *socket = socket_of(NULL, database);
    struct report report = report_of("player forget");
    int status;

    if (is_meant && is_answered(socket)) {
        return ask("player forget", socket, &request, TABLE_PLAIN);
    }
    report.database = database;
    status = report_expect_player(&report, name);
    if (status == CLI_OK && is_meant) {
        return forget(database, name);
    }
    if (status == CLI_OK) {
        printf("would erase the name and the token of %s; the matches stay.  --yes does it,\n"
               "and it cannot be taken back\n",
               name);
    }
    return status;
}
