#include "tests/bench/load/client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#define OPENING_MAX     128u /* connections that are opened at once */
#define RETRY_US        50000
#define MOVES_FREE      3u /* in a row without a pause */
#define MOVE_PAUSE_US   1000000
#define COMPLAINTS_MAX  5u
#define SUBMISSION_SIZE 4096u

/* ---- the whole --------------------------------------------------------------------------- */

static void client_proceed(struct client *client);

static void
client_opened(void *user)
{
    client_proceed(user);
}

static void client_message(void *user, const char *text, size_t length);

static void
client_init(struct load *load, uint32_t number)
{
    struct client *client = &load->clients[number];
    struct game *game = &load->games[number / LOAD_SEATS];

    client->wire.file = -1;
    client->load = load;
    client->game = game;
    client->seat = (int)(number % LOAD_SEATS);
    client->number = number;
    client->turn = -1;
    client->path[0] = '/';
    client->chance = (load->options.seed + 1) * 0x9e3779b97f4a7c15u + number * 0xbf58476d1ce4e5b9u;
    client->chance |= 1;
    game->seats[client->seat] = client;
}

bool
load_init(struct load *load, const struct load_options *options)
{
    uint32_t chance = 0;

    *load = (struct load){ .options = *options,
                           .events = { client_opened, client_message },
                           .epoll = -1,
                           .client_count = LOAD_SEATS * options->matches };
    if (!journal_open(&load->journal, options->journal)) {
        perror("load: the journal cannot be opened");
        return false;
    }
    load->clients = calloc(load->client_count, sizeof(*load->clients));
    load->games = calloc(options->matches, sizeof(*load->games));
    if (load->clients == NULL || load->games == NULL || !roster_init(&load->roster) ||
        getrandom(&chance, sizeof(chance), 0) != sizeof(chance)) {
        fputs("load: cannot begin\n", stderr);
        return false;
    }
    (void)snprintf(load->prefix, sizeof(load->prefix), "l%08x", chance);
    load->waiting_count = load->client_count;
    for (uint32_t i = 0; i < load->client_count; i++) {
        client_init(load, i);
    }
    return true;
}

void
load_fini(struct load *load)
{
    for (uint32_t i = 0; load->clients != NULL && i < load->client_count; i++) {
        wire_close(&load->clients[i].wire);
        free(load->clients[i].submission);
    }
    free(load->clients);
    free(load->games);
    journal_close(&load->journal);
    figures_fini(&load->figures);
}

static void
note(const struct client *client, const char *kind, const char *command_id, int64_t turn,
     int64_t seq, const char *hash)
{
    struct journal_line line = {
        .kind = kind,
        .token = client->token,
        .match = client->has_seat ? client->game->match : 0,
        .seat = client->has_seat ? client->seat : -1,
        .turn = turn,
        .seq = seq,
        .command_id = command_id,
        .hash = hash,
    };

    if (client->load->journal.file >= 0) {
        journal_add(&client->load->journal, now_us(), &line);
    }
}

/* ---- what a client sends ----------------------------------------------------------------- */

static void
send_hello(struct client *client)
{
    char text[256];
    int length;

    if (client->token[0] != '\0') {
        length = snprintf(text, sizeof(text),
                          "{\"type\":\"hello\",\"protocol\":1,\"token\":\"%s\"}", client->token);
    } else {
        length = snprintf(text, sizeof(text),
                          "{\"type\":\"hello\",\"protocol\":1,\"name\":\"%s-%u-%u\"}",
                          client->load->prefix, client->number, client->renamed);
    }
    wire_send(&client->wire, text, (size_t)length);
}

static void
send_create(struct client *client)
{
    const char *params = client->load->options.params;
    char text[1024];
    int length = snprintf(text, sizeof(text), "{\"type\":\"create\",\"ruleset\":\"tactics\"%s%s}",
                          params == NULL ? "" : ",\"params\":", params == NULL ? "" : params);

    wire_send(&client->wire, text, (size_t)length);
}

static void
send_join(struct client *client)
{
    char text[128];
    int length = snprintf(text, sizeof(text), "{\"type\":\"join\",\"match\":%" PRId64 "}",
                          client->game->match);

    wire_send(&client->wire, text, (size_t)length);
}

static void
send_resume(struct client *client)
{
    char text[128];
    int length = snprintf(text, sizeof(text),
                          "{\"type\":\"resume\",\"match\":%" PRId64 ",\"seq\":%" PRId64 "}",
                          client->game->match, client->seq);

    wire_send(&client->wire, text, (size_t)length);
}

static void
send_submission(struct client *client)
{
    if (client->turn < 0 || client->is_answered || client->load->options.is_idle) {
        return;
    }
    note(client, "sent", client->command_id, client->turn, -1, NULL);
    client->game->last_sent_us[client->turn & 1] = now_us();
    client->load->figures.bytes_out += client->submission_length;
    wire_send(&client->wire, client->submission, client->submission_length);
}

/* ---- phases ------------------------------------------------------------------------------ */

static bool
is_opening(enum client_phase phase)
{
    return phase == CLIENT_CONNECTING || phase == CLIENT_GREETING;
}

static bool
is_waiting(const struct client *client)
{
    return client->phase == CLIENT_DOWN || client->retry_us != 0;
}

static void
set_phase(struct client *client, enum client_phase phase, int64_t retry_us)
{
    struct load *load = client->load;

    load->opening_count -= is_opening(client->phase);
    load->waiting_count -= is_waiting(client);
    client->phase = phase;
    client->retry_us = retry_us;
    load->opening_count += is_opening(client->phase);
    if (phase == CLIENT_PLAYING && !client->has_begun) {
        client->has_begun = true;
        load->begun_count++;
    }
    load->waiting_count += is_waiting(client);
}

static void
retry_later(struct client *client)
{
    set_phase(client, client->phase, now_us() + RETRY_US);
}

static void
hang_up(struct client *client, const char *path, int64_t retry_us)
{
    if (client->phase >= CLIENT_IDLE) {
        note(client, "lost", NULL, -1, client->seq, NULL);
    }
    wire_close(&client->wire);
    (void)snprintf(client->path, sizeof(client->path), "%s", path);
    set_phase(client, CLIENT_DOWN, now_us() + retry_us);
}

/* Whoever loses a node asks any other. */
static void
lose(struct client *client)
{
    client->load->figures.losses += client->phase >= CLIENT_IDLE;
    hang_up(client, "/", RETRY_US);
}

/* Without a seat: the first creates a match, the second joins it, but not the finished one that the
 * first has not left yet. */
static void
ask_for_seat(struct client *client)
{
    if (client->seat == 0 && client->game->match == 0 && !client->load->is_ending) {
        set_phase(client, CLIENT_ASKING, 0);
        send_create(client);
    } else if (client->seat != 0 && client->game->match != 0 &&
               client->game->match != client->last_match) {
        set_phase(client, CLIENT_ASKING, 0);
        send_join(client);
    } else {
        set_phase(client, CLIENT_IDLE, 0);
    }
}

/* Does the client's next step. */
static void
client_proceed(struct client *client)
{
    switch (client->phase) {
    case CLIENT_CONNECTING:
    case CLIENT_GREETING:
        set_phase(client, CLIENT_GREETING, 0);
        send_hello(client);
        break;
    case CLIENT_IDLE:
    case CLIENT_ASKING:
    case CLIENT_RESUMING:
        if (client->has_seat) {
            set_phase(client, CLIENT_RESUMING, 0);
            send_resume(client);
        } else {
            ask_for_seat(client);
        }
        break;
    case CLIENT_PLAYING:
        set_phase(client, CLIENT_PLAYING, 0);
        send_submission(client);
        break;
    case CLIENT_DOWN:
        break;
    }
}

static void
begin_playing(struct client *client)
{
    set_phase(client, CLIENT_PLAYING, 0);
    send_submission(client);
}

/* At once, or after a delay: then one seat's commands are stored before the other's. */
static void
think_and_submit(struct client *client)
{
    uint32_t think_ms = client->load->options.think_ms;

    if (think_ms == 0) {
        send_submission(client);
    } else {
        set_phase(client, client->phase,
                  now_us() + 1 + random_next(&client->chance) % (think_ms * 1000));
    }
}

/* The match is over for this client; the next one begins when it is for both. */
static void
leave_match(struct client *client)
{
    struct game *game = client->game;

    client->has_seat = false;
    client->last_match = game->match;
    client->seq = 0;
    client->turn = -1;
    set_phase(client, client->phase == CLIENT_RESUMING ? CLIENT_RESUMING : CLIENT_IDLE, 0);
    if (++game->over_count < LOAD_SEATS) {
        return;
    }
    game->over_count = 0;
    game->match = 0;
    game->played++;
    client->load->figures.matches += client->load->is_measuring;
    if (game->seats[0]->phase == CLIENT_IDLE) {
        ask_for_seat(game->seats[0]);
    }
}

/* ---- frames from the server -------------------------------------------------------------- */

/* Frames of a match are numbered without a gap. */
static void
see_seq(struct client *client, struct piece frame)
{
    int64_t seq = piece_number_after(frame, "\"seq\":");

    if (client->seq != 0 && seq != client->seq + 1) {
        fprintf(stderr, "load: match %" PRId64 " seat %d: seq %" PRId64 " after %" PRId64 "\n",
                client->game->match, client->seat, seq, client->seq);
        client->load->figures.errors++;
    }
    client->seq = seq;
}

/* A frame that may open a turn: makes the commands from its view. */
static void
see_turn_open(struct client *client, struct piece frame)
{
    struct load *load = client->load;
    int64_t turn = piece_number_after(piece_after(frame, "\"turn_open\":"), "\"turn\":");
    struct commands commands;
    int length;

    if (turn < 0 || turn == client->turn || load->options.is_idle) {
        return;
    }
    commands_make(&load->roster, piece_after(frame, "\"view\":{"), client->seat,
                  !load->options.is_peaceful, &client->chance, &commands);
    if (client->submission == NULL) {
        client->submission = malloc(SUBMISSION_SIZE);
    }
    client->turn = turn;
    client->is_answered = false;
    client->command_count = commands.count;
    (void)snprintf(client->command_id, sizeof(client->command_id), "c%u", ++client->serial);
    length = snprintf(client->submission, SUBMISSION_SIZE,
                      "{\"type\":\"submit\",\"id\":\"%s\",\"match\":%" PRId64 ",\"turn\":%" PRId64
                      ",\"commands\":%.*s,\"command_id\":\"%s\",\"ready\":true}",
                      client->command_id, client->game->match, turn, (int)commands.length,
                      commands.text, client->command_id);
    client->submission_length = (size_t)length;
}

static void
on_welcome(struct client *client, struct piece frame)
{
    if (client->token[0] == '\0') {
        piece_copy_after(frame, "\"token\":\"", client->token, sizeof(client->token));
        note(client, "hello", NULL, -1, -1, NULL);
    } else if (!client->has_seat) {
        note(client, "back", NULL, -1, -1, NULL);
    }
    set_phase(client, CLIENT_IDLE, 0);
    client_proceed(client);
}

static void
on_joined(struct client *client, struct piece frame)
{
    struct game *game = client->game;

    game->match = piece_number_after(frame, "\"match\":");
    client->has_seat = true;
    client->seq = 0;
    client->moves = 0;
    note(client, "seat", NULL, -1, -1, NULL);
    set_phase(client, CLIENT_PLAYING, 0);
    if (client->seat == 0 && game->seats[1]->phase == CLIENT_IDLE) {
        ask_for_seat(game->seats[1]);
    }
}

static void
come_back(struct client *client)
{
    client->moves = 0;
    note(client, "back", NULL, -1, client->seq, NULL);
}

/* After `joined`, or instead of `done`. */
static void
on_state(struct client *client, struct piece frame)
{
    bool is_resumed = client->phase == CLIENT_RESUMING;
    int64_t seq = piece_number_after(frame, "\"seq\":");

    if (seq < client->seq) {
        fprintf(stderr,
                "load: match %" PRId64 " seat %d: state of seq %" PRId64 " after %" PRId64 "\n",
                client->game->match, client->seat, seq, client->seq);
        client->load->figures.errors++;
    }
    client->seq = seq;
    if (is_resumed) {
        come_back(client);
    }
    if (piece_after(frame, "\"status\":\"over\"").at != NULL) {
        set_phase(client, CLIENT_IDLE, 0);
        leave_match(client);
        return;
    }
    see_turn_open(client, frame);
    if (piece_after(frame, "\"pending\":").at != NULL) {
        client->is_answered = true;
    }
    if (is_resumed || client->phase == CLIENT_PLAYING) {
        begin_playing(client);
    }
}

static void
on_seated(struct client *client, struct piece frame)
{
    see_seq(client, frame);
    see_turn_open(client, frame);
    if (client->phase == CLIENT_PLAYING) {
        think_and_submit(client);
    }
}

static void
on_turn(struct client *client, struct piece frame)
{
    struct load *load = client->load;
    int64_t turn = piece_number_after(frame, "\"turn\":");
    char hash[40] = "";

    see_seq(client, frame);
    if (load->is_measuring && client->phase == CLIENT_PLAYING) {
        load->figures.turns += client->seat == 0;
        load->figures.turn.count++;
        load->figures.turn.bytes += (uint64_t)(frame.end - frame.at);
        figures_add_delay(&load->figures, now_us() - client->game->last_sent_us[(turn - 1) & 1]);
    }
    if (load->journal.file >= 0) {
        piece_copy_after(piece_after(frame, "\"view\":"), "\"hash\":\"", hash, sizeof(hash));
        note(client, "turn", NULL, turn, client->seq, hash);
    }
    see_turn_open(client, frame);
    if (client->phase == CLIENT_PLAYING && client->turn == turn) {
        think_and_submit(client);
    }
}

static void
on_accepted(struct client *client, struct piece frame)
{
    struct load *load = client->load;
    int64_t turn = piece_number_after(frame, "\"turn\":");
    char command_id[COMMAND_ID_MAX + 1];

    piece_copy_after(frame, "\"command_id\":\"", command_id, sizeof(command_id));
    note(client, "accepted", command_id, turn, -1, NULL);
    if (strcmp(command_id, client->command_id) == 0) {
        client->is_answered = true;
    }
    if (load->is_measuring) {
        load->figures.submissions++;
        load->figures.commands += client->command_count;
        load->figures.refused += piece_after(frame, "\"check\":").at != NULL;
        load->figures.accepted.count++;
        load->figures.accepted.bytes += (uint64_t)(frame.end - frame.at);
    }
}

static void
on_ready(struct client *client, struct piece frame)
{
    struct figures *figures = &client->load->figures;

    if (client->load->is_measuring) {
        figures->ready.count++;
        figures->ready.bytes += (uint64_t)(frame.end - frame.at);
    }
}

static void
on_over(struct client *client, struct piece frame)
{
    char head[80];

    see_seq(client, frame);
    piece_copy_after(frame, "\"head\":\"", head, sizeof(head));
    note(client, "over", NULL, -1, client->seq, head);
    leave_match(client);
}

static void
on_numbered(struct client *client, struct piece frame)
{
    see_seq(client, frame);
}

/* All missed frames have arrived. */
static void
on_done(struct client *client, struct piece frame)
{
    (void)frame;
    come_back(client);
    if (client->has_seat) {
        begin_playing(client);
    } else {
        set_phase(client, CLIENT_IDLE, 0);
        ask_for_seat(client);
    }
}

/* Whether the missed frames have ended the match: then any answer is as good as `done`. */
static bool
has_missed_the_end(const struct client *client)
{
    return client->phase == CLIENT_RESUMING && !client->has_seat;
}

/* To where the match is; from the node of that path, to any. */
static void
on_moved(struct client *client, struct piece frame)
{
    char path[PATH_MAX_BYTES + 1];
    uint64_t pause_us = 0;

    if (has_missed_the_end(client)) {
        on_done(client, frame);
        return;
    }
    if (piece_number_after(frame, "\"match\":") != client->game->match) {
        return; /* one that is over */
    }
    client->load->figures.moves++;
    if (++client->moves > MOVES_FREE) {
        pause_us = MOVE_PAUSE_US / 2 + random_next(&client->chance) % (MOVE_PAUSE_US / 2);
    }
    piece_copy_after(frame, "\"path\":\"", path, sizeof(path));
    hang_up(client, strcmp(path, client->path) == 0 ? "/" : path, (int64_t)pause_us);
}

/* ---- errors ------------------------------------------------------------------------------ */

static void
complain(struct client *client, struct piece frame)
{
    if (client->load->figures.errors++ < COMPLAINTS_MAX) {
        fprintf(stderr, "load: client %u: %.*s\n", client->number, (int)(frame.end - frame.at),
                frame.at);
    }
}

static void
come_back_as_another(struct client *client)
{
    client->token[0] = '\0';
    client->renamed++;
    lose(client);
}

static bool
is_one_of(const char *code, const char *const *codes)
{
    while (*codes != NULL && strcmp(code, *codes) != 0) {
        codes++;
    }
    return *codes != NULL;
}

static void
on_error(struct client *client, struct piece frame)
{
    static const char *const passing[] = { "busy", "store_unavailable", "rate_limited", NULL };
    static const char *const overtaken[] = { "turn_closed", "wrong_turn", "match_over", NULL };
    bool has_id = piece_after(frame, "\"id\":").at != NULL;
    char code[32];

    piece_copy_after(frame, "\"code\":\"", code, sizeof(code));
    if (has_id) {
        note(client, "refused", client->command_id, client->turn, -1, code);
    }
    if (is_one_of(code, passing) && has_missed_the_end(client)) {
        on_done(client, frame);
    } else if (is_one_of(code, passing)) {
        retry_later(client);
    } else if (strcmp(code, "already_joined") == 0 && client->phase == CLIENT_ASKING) {
        client->has_seat = true; /* the answer to an earlier join was lost */
        client->seq = 0;
        note(client, "seat", NULL, -1, -1, NULL);
        client_proceed(client);
    } else if (strcmp(code, "draining") == 0) {
        lose(client); /* another node takes new matches */
    } else if (strcmp(code, "name_taken") == 0 || strcmp(code, "too_many_matches") == 0) {
        come_back_as_another(client);
    } else if (!is_one_of(code, overtaken)) {
        complain(client, frame);
    }
}

/* ---- dispatch ---------------------------------------------------------------------------- */

struct handler {
    const char *type;
    void (*run)(struct client *client, struct piece frame);
};

/* The most frequent first. */
static const struct handler handlers[] = {
    { "ready\"", on_ready },
    { "accepted\"", on_accepted },
    { "turn\"", on_turn },
    { "seated\"", on_seated },
    { "state\"", on_state },
    { "over\"", on_over },
    { "joined\"", on_joined },
    { "welcome\"", on_welcome },
    { "done\"", on_done },
    { "clock\"", on_numbered },
    { "error\"", on_error },
    { "moved\"", on_moved },
    { NULL, NULL },
};

static void
client_message(void *user, const char *text, size_t length)
{
    static const char beginning[] = "{\"type\":\"";
    struct piece frame = piece_of(text, length);
    struct piece type = { text + sizeof(beginning) - 1, text + length };

    if (length < sizeof(beginning) || !piece_begins(frame, beginning)) {
        complain(user, frame);
        return;
    }
    for (const struct handler *handler = handlers; handler->type != NULL; handler++) {
        if (piece_begins(type, handler->type)) {
            handler->run(user, frame);
            return;
        }
    }
}

/* ---- events and time --------------------------------------------------------------------- */

void
client_work(struct client *client, uint32_t what)
{
    if (client->phase == CLIENT_DOWN) {
        return; /* it was closed by what came before in the same round */
    }
    if (!wire_work(&client->wire, what, &client->load->events) && client->phase != CLIENT_DOWN) {
        lose(client);
    }
}

static void
connect_client(struct client *client)
{
    struct load *load = client->load;

    if (wire_connect(&client->wire, load->epoll, load->options.port, client->path, client)) {
        set_phase(client, CLIENT_CONNECTING, 0);
    } else {
        set_phase(client, CLIENT_DOWN, now_us() + RETRY_US);
    }
}

void
load_tick(struct load *load)
{
    int64_t now = now_us();

    if (load->waiting_count == 0) {
        return;
    }
    for (uint32_t i = 0; i < load->client_count; i++) {
        struct client *client = &load->clients[i];

        if (!is_waiting(client) || client->retry_us > now) {
            continue;
        }
        if (client->phase != CLIENT_DOWN) {
            client_proceed(client);
        } else if (load->opening_count < OPENING_MAX) {
            connect_client(client);
        }
    }
}
