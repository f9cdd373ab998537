#include "tests/bench/limit/canned.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/load/text.h"

#define UNITS_MAX 6
#define TEXT_SIZE 8192u

/* ---- options ----------------------------------------------------------------------------- */

static const char usage[] =
    "Usage: PROGRAM --port PORT [--database FILE] [option...]\n"
    "\n"
    "Answers the clients of `load` without rules. The daemon's frames and records have\n"
    "these mean sizes:\n"
    "\n"
    "  --accepted-bytes N  --ready-bytes N  --turn-bytes N\n"
    "  --submission-record-bytes N  --turn-record-bytes N\n"
    "  --commands N        of a submission\n"
    "  --match-turns N     until a match is over\n"
    "\n"
    "  --plain-file        append the records to a file instead of a database\n";

static const struct option option_table[] = {
    { "port", required_argument, NULL, 0 },
    { "database", required_argument, NULL, 1 },
    { "accepted-bytes", required_argument, NULL, 2 },
    { "ready-bytes", required_argument, NULL, 3 },
    { "turn-bytes", required_argument, NULL, 4 },
    { "submission-record-bytes", required_argument, NULL, 5 },
    { "turn-record-bytes", required_argument, NULL, 6 },
    { "commands", required_argument, NULL, 7 },
    { "match-turns", required_argument, NULL, 8 },
    { "plain-file", no_argument, NULL, 9 },
    { NULL, 0, NULL, 0 },
};

static void
take_option(struct canned_options *options, int number, const char *value, int *ret_port,
            const char **ret_database)
{
    uint32_t *const sizes[] = {
        &options->accepted_bytes,          &options->ready_bytes,       &options->turn_bytes,
        &options->submission_record_bytes, &options->turn_record_bytes,
    };
    double amount = value == NULL ? 0 : atof(value);

    if (number == 9) {
        options->is_plain_file = true;
    } else if (number == 1) {
        *ret_database = value;
    } else if (amount <= 0 || amount > 65535) {
        fprintf(stderr, "%s is not a number that fits here\n", value);
        exit(2);
    } else if (number == 0) {
        *ret_port = (int)amount;
    } else if (number == 7) {
        options->commands = amount > UNITS_MAX ? UNITS_MAX : amount;
    } else if (number == 8) {
        options->match_turns = (uint32_t)amount;
    } else {
        *sizes[number - 2] = (uint32_t)amount;
    }
}

void
canned_options_read(int argc, char **argv, struct canned_options *ret_options, int *ret_port,
                    const char **ret_database)
{
    int number;

    *ret_options = (struct canned_options){
        .accepted_bytes = 140,
        .ready_bytes = 60,
        .turn_bytes = 900,
        .submission_record_bytes = 180,
        .turn_record_bytes = 700,
        .match_turns = 130,
        .commands = 2.5,
    };
    while ((number = getopt_long(argc, argv, "", option_table, NULL)) != -1) {
        if (number == '?') {
            fputs(usage, stderr);
            exit(2);
        }
        take_option(ret_options, number, optarg, ret_port, ret_database);
    }
    if (*ret_port == 0 || optind != argc) {
        fputs(usage, stderr);
        exit(2);
    }
}

/* ---- templates --------------------------------------------------------------------------- */

/* Numbers are written over these, with spaces before them. */
#define HOLE        "         0"
#define HOLE_LENGTH 10u

static void *
memory(size_t size)
{
    void *new = calloc(1, size);

    if (new == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return new;
}

static void
put_number(char *hole, int64_t number)
{
    char *at = hole + HOLE_LENGTH;

    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0 && at > hole);
    memset(hole, ' ', (size_t)(at - hole));
}

/* The default roster, with as many units as commands. */
static int
print_view(char *text, size_t space, int units)
{
    static const char *const models[UNITS_MAX] = { "scout",  "archer", "guard",
                                                   "bomber", "lancer", "mage" };
    static const int columns[UNITS_MAX] = { 1, 2, 3, 4, 5, 7 };
    int length = snprintf(text, space,
                          "\"view\":{\"turn\":" HOLE ",\"seat\":0,\"owing\":[0,1],"
                          "\"phase\":\"play\",\"units\":[");

    for (int i = 0; i < CANNED_SEATS * units; i++) {
        int unit = i % units;
        int seat = i / units;

        length += snprintf(text + length, space - (size_t)length,
                           "%s{\"id\":\"%c%d\",\"model\":\"%s\",\"seat\":%d,\"at\":[%d,%d],"
                           "\"health\":20}",
                           i == 0 ? "" : ",", "ab"[seat], unit + 1, models[unit], seat,
                           seat == 0 ? columns[unit] : 8 - columns[unit], seat == 0 ? 7 : 1);
    }
    return length +
           snprintf(text + length, space - (size_t)length, "]},\"hash\":\"0123456789abcdef\"");
}

/* Ends the object, with a member as padding if it must be longer. */
static void
end_padded(char *text, size_t length, size_t wanted)
{
    static const char open[] = ",\"pad\":\"";
    size_t least = length + sizeof(open) - 1 + 2;

    if (wanted > least && wanted < TEXT_SIZE) {
        memcpy(text + length, open, sizeof(open) - 1);
        length += sizeof(open) - 1;
        memset(text + length, 'x', wanted - least);
        length += wanted - least;
        text[length++] = '"';
    }
    text[length++] = '}';
    text[length] = '\0';
}

static struct canned_template
make_template(const char *beginning, int units, const char *open, size_t wanted)
{
    struct canned_template template = { .text = memory(TEXT_SIZE) };
    char *text = template.text;
    int length = snprintf(text, TEXT_SIZE, "%s,", beginning);

    length += print_view(text + length, TEXT_SIZE - (size_t)length, units);
    length += snprintf(text + length, TEXT_SIZE - (size_t)length,
                       ",\"%s\":{\"turn\":" HOLE ",\"owing\":[0,1],\"ready\":[],"
                       "\"deadline_ms\":[360000,360000],\"bank_ms\":[300000,300000]}",
                       open);
    end_padded(text, (size_t)length, wanted);
    template.length = strlen(text);
    for (char *at = text; (at = strstr(at, HOLE)) != NULL; at += HOLE_LENGTH) {
        template.holes[template.hole_count++] = (size_t)(at - text);
    }
    return template;
}

void
canned_init(struct canned_server *server, const struct canned_options *options,
            void (*send)(void *connection, const char *text, size_t length),
            void (*store)(struct canned_job *job))
{
    static const char turn[] = "{\"type\":\"turn\",\"match\":" HOLE ",\"seq\":" HOLE
                               ",\"turn\":" HOLE ",\"verdicts\":[],\"events\":[]";
    static const char seated[] = "{\"type\":\"seated\",\"match\":" HOLE ",\"seq\":" HOLE
                                 ",\"seat\":1,\"name\":\"x\",\"bot\":false";
    int fewer = (int)options->commands;

    *server = (struct canned_server){ .options = *options, .send = send, .store = store };
    for (int i = 0; i < 2; i++) {
        int units = fewer + i < 1 ? 1 : fewer + i > UNITS_MAX ? UNITS_MAX : fewer + i;

        server->turn[i] = make_template(turn, units, "turn_open", options->turn_bytes);
        server->last[i] = make_template(turn, units, "turn_none", options->turn_bytes);
        server->seated[i] = make_template(seated, units, "turn_open", 0);
    }
    server->filler = memory(TEXT_SIZE);
    memset(server->filler, 'x', TEXT_SIZE - 1);
}

/* On average over many turns, as many units as commands. */
static int
which_template(const struct canned_server *server, int64_t turn)
{
    double commands = server->options.commands;
    double part = commands - (double)(int)commands;
    double place = (double)turn * 0.618034;

    return place - (double)(int64_t)place < part ? 1 : 0;
}

/* ---- frames ------------------------------------------------------------------------------ */

static void
say(struct canned_server *server, const struct canned_client *client, const char *text,
    size_t length)
{
    if (client != NULL && client->connection != NULL) {
        server->send(client->connection, text, length);
    }
}

static void
say_to_both(struct canned_server *server, const struct canned_match *match, const char *text,
            size_t length)
{
    for (int i = 0; i < CANNED_SEATS; i++) {
        say(server, match->seats[i], text, length);
    }
}

/* Match, seq, and as often as the template wants it, the turn. */
static void
say_template(struct canned_server *server, const struct canned_match *match,
             struct canned_template *template)
{
    put_number(template->text + template->holes[0], match->id);
    put_number(template->text + template->holes[1], match->seq);
    for (uint32_t i = 2; i < template->hole_count; i++) {
        put_number(template->text + template->holes[i], match->turn);
    }
    say_to_both(server, match, template->text, template->length);
}

static void
say_joined(struct canned_server *server, const struct canned_client *client)
{
    const struct canned_match *match = client->match;
    char text[256];
    int length =
        snprintf(text, sizeof(text), "{\"type\":\"joined\",\"match\":%" PRId64 ",\"seat\":%d}",
                 match->id, client->seat);

    say(server, client, text, (size_t)length);
    length = snprintf(text, sizeof(text),
                      "{\"type\":\"state\",\"match\":%" PRId64 ",\"seq\":%" PRId64
                      ",\"status\":\"waiting\",\"view\":null}",
                      match->id, match->seq);
    say(server, client, text, (size_t)length);
}

static void
say_accepted(struct canned_server *server, const struct canned_job *job)
{
    char text[TEXT_SIZE];
    int length = snprintf(text, sizeof(text),
                          "{\"type\":\"accepted\",\"id\":\"%s\",\"match\":%" PRId64
                          ",\"turn\":%" PRId64 ",\"command_id\":\"%s\",\"ready\":true",
                          job->command_id, job->match->id, job->turn, job->command_id);

    end_padded(text, (size_t)length, server->options.accepted_bytes);
    say(server, job->match->seats[job->seat], text, strlen(text));
}

static void
say_ready(struct canned_server *server, const struct canned_job *job)
{
    char text[TEXT_SIZE];
    int length = snprintf(text, sizeof(text),
                          "{\"type\":\"ready\",\"match\":%" PRId64 ",\"turn\":%" PRId64
                          ",\"seat\":%d,\"ready\":true",
                          job->match->id, job->turn, job->seat);

    end_padded(text, (size_t)length, server->options.ready_bytes);
    say_to_both(server, job->match, text, strlen(text));
}

static void
say_over(struct canned_server *server, const struct canned_match *match)
{
    char text[256];
    int length = snprintf(text, sizeof(text),
                          "{\"type\":\"over\",\"match\":%" PRId64 ",\"seq\":%" PRId64
                          ",\"winner\":null,\"reason\":\"draw_turn_limit\",\"head\":\"\"}",
                          match->id, match->seq);

    say_to_both(server, match, text, (size_t)length);
}

/* ---- requests ---------------------------------------------------------------------------- */

static struct canned_job *
make_job(enum canned_kind kind, struct canned_match *match, int seat, size_t space)
{
    struct canned_job *job = memory(sizeof(*job) + space + 1);

    job->kind = kind;
    job->match = match;
    job->seat = seat;
    job->turn = match->turn;
    job->seq = ++match->record_seq;
    job->body_length = space;
    return job;
}

static void
on_hello(struct canned_server *server, struct canned_client *client)
{
    char text[256];
    int length = snprintf(text, sizeof(text),
                          "{\"type\":\"welcome\",\"protocol\":1,\"player\":%" PRId64
                          ",\"token\":\"%064" PRId64 "\"}",
                          server->last_player + 1, server->last_player + 1);

    server->last_player++;
    say(server, client, text, (size_t)length);
}

static void
on_create(struct canned_server *server, struct canned_client *client)
{
    struct canned_match *match = memory(sizeof(*match));

    match->id = ++server->last_match;
    match->seats[0] = client;
    client->match = match;
    client->seat = 0;
    match->next = server->waiting;
    server->waiting = match;
    server->store(make_job(CANNED_CREATED, match, 0, 3200));
}

static void
on_join(struct canned_server *server, struct canned_client *client, struct piece text)
{
    int64_t id = piece_number_after(text, "\"match\":");
    struct canned_match **at = &server->waiting;
    struct canned_match *match;

    while (*at != NULL && (*at)->id != id) {
        at = &(*at)->next;
    }
    match = *at;
    if (match != NULL) {
        *at = match->next;
        match->seats[1] = client;
        client->match = match;
        client->seat = 1;
        server->store(make_job(CANNED_JOINED, match, 1, 40));
    }
}

/* As the load writes it: {"type":"submit","id":"c12", ... */
static void
on_submit(struct canned_server *server, struct canned_client *client, struct piece text)
{
    struct canned_match *match = client->match;
    size_t space = server->options.submission_record_bytes;
    size_t length = (size_t)(text.end - text.at);
    struct canned_job *job;

    if (match == NULL) {
        return;
    }
    job = make_job(CANNED_SUBMISSION, match, client->seat, space);
    piece_copy_after(text, "\"id\":\"", job->command_id, sizeof(job->command_id));
    memset(job->body, ' ', space);
    memcpy(job->body, text.at, length < space ? length : space);
    server->store(job);
    match->submitted |= 1u << client->seat;
    if (match->submitted == 3) {
        match->submitted = 0;
        job = make_job(CANNED_TURN, match, -1, server->options.turn_record_bytes);
        memcpy(job->body, server->filler, job->body_length);
        server->store(job);
    }
}

void
canned_message(struct canned_server *server, struct canned_client *client, const char *text,
               size_t length)
{
    struct piece frame = piece_of(text, length);

    if (piece_begins(frame, "{\"type\":\"submit\"")) {
        on_submit(server, client, frame);
    } else if (piece_begins(frame, "{\"type\":\"hello\"")) {
        on_hello(server, client);
    } else if (piece_begins(frame, "{\"type\":\"create\"")) {
        on_create(server, client);
    } else if (piece_begins(frame, "{\"type\":\"join\"")) {
        on_join(server, client, frame);
    }
}

/* ---- what is stored ---------------------------------------------------------------------- */

static void
end_match(struct canned_server *server, struct canned_match *match)
{
    match->seq++;
    say_over(server, match);
    for (int i = 0; i < CANNED_SEATS; i++) {
        if (match->seats[i] != NULL && match->seats[i]->match == match) {
            match->seats[i]->match = NULL;
        }
    }
    server->store(make_job(CANNED_ENDED, match, -1, 230));
}

static void
turn_stored(struct canned_server *server, struct canned_match *match)
{
    int which = which_template(server, ++match->turn);
    bool is_last = match->turn >= server->options.match_turns;

    match->seq++;
    say_template(server, match, is_last ? &server->last[which] : &server->turn[which]);
    if (is_last) {
        end_match(server, match);
    }
}

void
canned_stored(struct canned_server *server, struct canned_job *job)
{
    struct canned_match *match = job->match;

    switch (job->kind) {
    case CANNED_CREATED:
        match->seq = 2;
        say_joined(server, match->seats[0]);
        break;
    case CANNED_JOINED:
        say_joined(server, match->seats[1]);
        match->seq++;
        say_template(server, match, &server->seated[which_template(server, 0)]);
        break;
    case CANNED_SUBMISSION:
        say_accepted(server, job);
        say_ready(server, job);
        break;
    case CANNED_TURN:
        turn_stored(server, match);
        break;
    case CANNED_ENDED:
        break;
    }
    free(job);
}
