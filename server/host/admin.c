#include "server/host/admin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/admin_lines.h"
#include "proto/json_track.h"
#include "proto/schema_read.h"
#include "server/host/room/turn.h"
#include "server/host/session/player.h"

#define HOUR_MS      INT64_C(3600000)
#define MESSAGE_SIZE 256

_Static_assert(ADMIN_ADDRESS_MAX == RATE_ADDRESS_MAX, "an address fits into the answer");

static const char no_seat[] = "the match has no such seat, or has not started";

#define PLAYERS_SIZE (SK_SEATS_MAX * (FRAME_PLAYER_NAME_MAX + 2) + 1)

/* A request that waits for the store.  It owns its texts. */
struct asked {
    struct admin_request *request; /* NULL: it was sent to another node */
    enum admin_command command;
    int64_t match;
    bool has_seat;
    uint8_t seat;
    char *reason;
    char *text;
};

static char *
text_or_null(struct sk_text text)
{
    return text.length == 0 ? NULL : heap_text(text);
}

static void
asked_free(struct asked *asked)
{
    free(asked->reason);
    free(asked->text);
    free(asked);
}

/* ---- answers ----------------------------------------------------------------------------- */

static void
answer(struct host *host, struct admin_request *request, const struct admin_answer_line *line)
{
    char *text;

    if (request == NULL) {
        return;
    }
    text = work_json_form(&host->work, &sk_admin_answer_line, line);
    request->answer(request, text, strlen(text));
    free(text);
}

static void
answer_text(struct host *host, struct admin_request *request, bool is_ok, const char *message)
{
    answer(host, request,
           &(struct admin_answer_line){ .ok = is_ok, .message = sk_text_of(message) });
}

/* ---- rooms ------------------------------------------------------------------------------- */

static const char *const phase_words[] = {
    [ROOM_LOADING] = "loading",
    [ROOM_WAITING] = "waiting",
    [ROOM_RUNNING] = "running",
    [ROOM_OVER] = "over",
    [ROOM_MISSING] = "missing",
    [ROOM_PRUNED] = "pruned",
    [ROOM_UNAVAILABLE] = "unavailable",
    [ROOM_ELSEWHERE] = "elsewhere",
    [ROOM_LOST] = "lost",
    [ROOM_QUARANTINED] = "quarantined",
};

static int32_t
count_watching(const struct room *room)
{
    int32_t count = 0;

    for (const struct follow *follow = room->audience.follows; follow != NULL;
         follow = follow->next_of_room) {
        count += follow->seat == SK_SPECTATOR ? 1 : 0;
    }
    return count;
}

static struct admin_room_line
room_line(const struct room *room, char players[PLAYERS_SIZE])
{
    struct admin_room_line line = {
        .match = room->match.id,
        .ruleset = sk_text_of(room->match.ruleset == NULL ? "" : room->match.ruleset->name),
        .status = sk_text_of(phase_words[room_phase(room)]),
        .turn = room->match.state == NULL ? 0 : (int32_t)room->match.state->turn,
        .watching = count_watching(room),
    };
    size_t used = 0;

    players[0] = '\0';
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        const struct seat *it = &room->match.seats[seat];

        used += (size_t)snprintf(players + used, PLAYERS_SIZE - used, "%s%s", seat == 0 ? "" : ", ",
                                 it->player == 0 ? "-" : it->name);
        line.here += room->audience.presence[seat].here > 0 ? 1 : 0;
    }
    line.players = sk_text_of(players);
    return line;
}

static void
tell_rooms(struct host *host, struct admin_request *request)
{
    struct admin_room_line *lines = heap_memory((host->room_count + 1) * sizeof(*lines));
    char(*players)[PLAYERS_SIZE] = heap_memory((host->room_count + 1) * sizeof(*players));
    uint32_t count = 0;

    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        for (const struct room *room = host->rooms[i]; room != NULL; room = room->next) {
            lines[count] = room_line(room, players[count]);
            count++;
        }
    }
    answer(host, request,
           &(struct admin_answer_line){
               .ok = true, .message = SK_TEXT(""), .rooms = { lines, count } });
    free(players);
    free(lines);
}

/* ---- who is there ------------------------------------------------------------------------ */

static void
tell_people(struct host *host, struct admin_request *request)
{
    struct admin_person_line *lines = heap_memory((host->session_count + 1) * sizeof(*lines));
    int64_t now_ms = host_wall_ms(host);
    uint32_t count = 0;

    for (uint32_t i = 0; i < host->slot_count; i++) {
        const struct session *session = host->slots[i];

        if (session != NULL && session->phase == SESSION_READY) {
            const struct player *player = session->player;

            lines[count++] = (struct admin_person_line){
                .name = sk_text_of(player == NULL ? "-" : player->name),
                .is_bot = player != NULL && player->is_bot,
                .address = sk_text_of(rate_address(session)),
                .seconds = (int32_t)((now_ms - session->since_ms) / 1000),
                .matches = player == NULL ? 0 : (int32_t)player->match_count,
            };
        }
    }
    answer(host, request,
           &(struct admin_answer_line){
               .ok = true, .message = SK_TEXT(""), .people = { lines, count } });
    free(lines);
}

/* ---- execution --------------------------------------------------------------------------- */

static void
say_to(struct session *session, const char *text)
{
    struct server_announce frame = {
        .head = { .type = SERVER_ANNOUNCE },
        .text = sk_text_of(text),
    };

    session_send_frame(session, &frame);
}

static uint32_t
announce(struct host *host, const char *text)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < host->slot_count; i++) {
        if (host->slots[i] != NULL && host->slots[i]->phase == SESSION_READY) {
            say_to(host->slots[i], text);
            count++;
        }
    }
    return count;
}

static uint32_t
kick(struct host *host, int64_t id, const char *reason)
{
    struct player *player = player_find(host, id);
    uint32_t count = 0;

    for (struct session *session = player == NULL ? NULL : player->sessions; session != NULL;
         session = session->next_of_player) {
        if (reason[0] != '\0') {
            say_to(session, reason);
        }
        session_close(session, CLOSE_POLICY, "the operator says so"); /* a literal: not copied */
        count++;
    }
    return count;
}

static bool
has_seat(const struct room *room, int32_t seat)
{
    return seat < room->match.seat_count && room_phase(room) == ROOM_RUNNING;
}

/* Ends it by the rules, as a draw or as if the seat had left, so that it can be verified like
 * any other. */
static const char *
end_match(struct host *host, const struct asked *asked)
{
    struct room *room = room_find(host, asked->match);
    char text[MESSAGE_SIZE];

    if (room == NULL || (room_phase(room) != ROOM_WAITING && room_phase(room) != ROOM_RUNNING)) {
        return "it is no longer live";
    }
    if (asked->has_seat && !has_seat(room, asked->seat)) {
        return no_seat;
    }
    if (asked->reason != NULL) {
        snprintf(text, sizeof(text), "The operator ends match %lld: %s", (long long)room->match.id,
                 asked->reason);
        for (struct follow *it = room->audience.follows; it != NULL; it = it->next_of_room) {
            say_to(it->session, text);
        }
    }
    if (room_phase(room) == ROOM_WAITING) {
        room_expire(room);
    } else if (asked->has_seat) {
        room_give(room, asked->seat, SK_COMMAND_ABANDON);
    } else {
        room_give(room, 0, SK_COMMAND_AGREE_DRAW);
    }
    return NULL;
}

/* Removes an erased player from memory: name, seats and connections. */
static void
forget(struct host *host, int64_t id)
{
    struct player *player = player_find(host, id);
    char name[FRAME_PLAYER_NAME_MAX + 1];

    snprintf(name, sizeof(name), STORE_FORGOTTEN "%lld", (long long)id);
    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        for (struct room *room = host->rooms[i]; room != NULL; room = room->next) {
            for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
                struct seat *it = &room->match.seats[seat];

                if (it->player == id) {
                    snprintf(it->name, sizeof(it->name), "%s", name);
                }
                if (it->player == id && room_phase(room) == ROOM_RUNNING) {
                    room_give(room, seat, SK_COMMAND_ABANDON);
                }
            }
        }
    }
    if (player != NULL) {
        snprintf(player->name, sizeof(player->name), "%s", name);
    }
    (void)kick(host, id, "");
}

/* `path`: of the node that has the match, or NULL. */
static void
act(struct host *host, const struct asked *asked, int64_t player, const char *path)
{
    struct admin_request *request = asked->request;
    const char *reason = asked->reason == NULL ? "" : asked->reason;
    const char *trouble;
    char message[MESSAGE_SIZE] = "done";
    uint32_t count;

    switch (asked->command) {
    case ADMIN_ROOMS:
        tell_rooms(host, request);
        return;
    case ADMIN_WHO:
        tell_people(host, request);
        return;
    case ADMIN_END:
        trouble = end_match(host, asked);
        if (trouble != NULL && path != NULL) {
            snprintf(message, sizeof(message), "it is at %s, which ends it within seconds", path);
            break;
        }
        answer_text(host, request, trouble == NULL, trouble == NULL ? "it ends" : trouble);
        return;
    case ADMIN_KICK:
    case ADMIN_BAN:
        count = kick(host, player, reason);
        snprintf(message, sizeof(message), "%u %s closed", count,
                 sk_plural(count, "connection", "connections"));
        break;
    case ADMIN_ANNOUNCE:
        count = announce(host, asked->text);
        snprintf(message, sizeof(message), "sent to %u %s", count,
                 sk_plural(count, "connection", "connections"));
        break;
    case ADMIN_DRAIN:
    case ADMIN_UNDRAIN:
        host->is_closed_to_new = asked->command == ADMIN_DRAIN;
        snprintf(message, sizeof(message), "%u %s live", host->room_count,
                 sk_plural(host->room_count, "match is", "matches are"));
        break;
    case ADMIN_FORGET:
        forget(host, player);
        break;
    case ADMIN_UNBAN:
    case ADMIN_COMMAND_COUNT:
        break;
    }
    answer_text(host, request, true, message);
}

/* ---- what was asked elsewhere ------------------------------------------------------------ */

_Static_assert(STORE_NOTICES_AGAIN == 64, "a bit each");

static bool
is_done(const struct node *node, int64_t id)
{
    int64_t age = node->notice_last - id;

    return age >= STORE_NOTICES_AGAIN || (age >= 0 && (node->notices_done >> age & 1) != 0);
}

static void
set_done(struct node *node, int64_t id)
{
    int64_t newer = id - node->notice_last;

    if (newer > 0) {
        node->notices_done = newer < STORE_NOTICES_AGAIN ? node->notices_done << newer : 0;
        node->notice_last = id;
        newer = 0;
    }
    if (newer > -STORE_NOTICES_AGAIN) {
        node->notices_done |= UINT64_C(1) << -newer;
    }
}

/* The other commands concern one node, or only what is stored. */
static bool
is_for_all(enum admin_command command)
{
    return command == ADMIN_END || command == ADMIN_KICK || command == ADMIN_BAN ||
           command == ADMIN_ANNOUNCE || command == ADMIN_FORGET;
}

static enum admin_command
command_of(const char *word)
{
    enum admin_command command = 0;

    while (command < ADMIN_COMMAND_COUNT && strcmp(sk_admin_commands[command], word) != 0) {
        command++;
    }
    return command;
}

/* Its match is being loaded: with one of the next beats. */
static bool
must_wait(struct host *host, const struct store_notice *notice)
{
    const struct room *room = notice->match == 0 ? NULL : room_find(host, notice->match);

    return room != NULL && (room_phase(room) == ROOM_LOADING || room_phase(room) == ROOM_LOST);
}

/* The detail is the request.  That of `forget` is not needed, and may be empty. */
static void
act_on(struct host *host, const struct store_notice *notice, enum admin_command command)
{
    struct admin_request_line line;
    struct sk_value *json = NULL;
    struct sk_fault fault;
    struct asked *asked = heap_memory(sizeof(*asked));
    bool is_fine = command == ADMIN_FORGET;

    asked->command = command;
    asked->match = notice->match;
    host->work.arena.used = 0;
    if (sk_json_parse(notice->detail, strlen(notice->detail), &json, &fault) == SK_OK &&
        sk_form_read(&sk_admin_request_line, json, &host->work.arena, &line, &fault) == SK_OK) {
        asked->has_seat = line.has_seat;
        asked->seat = (uint8_t)line.seat;
        asked->reason = text_or_null(line.reason);
        asked->text = text_or_null(line.text);
        is_fine = command != ADMIN_ANNOUNCE || asked->text != NULL;
    }
    sk_json_free(json);
    if (is_fine) {
        host_log(host, HOST_LOG_INFO, "admin: %s, at another node", notice->command);
        act(host, asked, notice->player, NULL);
    }
    asked_free(asked);
}

void
admin_hear(struct host *host, const struct store_beat *beat)
{
    struct node *node = &host->node;

    for (uint32_t i = beat->notice_count; i > 0 && node->admin_jobs == 0; i--) {
        const struct store_notice *notice = &beat->notices[i - 1];
        enum admin_command command = command_of(notice->command);

        if (is_done(node, notice->id) || (node->is_listening && must_wait(host, notice))) {
            continue;
        }
        set_done(node, notice->id);
        if (node->is_listening && is_for_all(command)) {
            act_on(host, notice, command);
        }
    }
    if (!node->is_listening && node->admin_jobs == 0) {
        node->is_listening = true;
        node->notices_done = UINT64_MAX;
    }
}

static void
noted(struct store_job *job, struct host *host)
{
    struct asked *asked = job->context;

    host->node.admin_jobs--;
    if (job->result == STORE_OK) {
        set_done(&host->node, job->admin.id);
        host_log(host, HOST_LOG_INFO, "admin: %s, by user %lld", job->admin.command,
                 (long long)job->admin.uid);
        act(host, asked, job->player.id, job->elsewhere);
    } else {
        answer_text(host, asked->request, false,
                    job->message == NULL ? "the store does not answer" : job->message);
    }
    asked_free(asked);
}

/* ---- requests ---------------------------------------------------------------------------- */

/* The members of the line that a command needs. */
struct need {
    bool match;
    bool player;
    bool text;
};

static const struct need needs[ADMIN_COMMAND_COUNT] = {
    [ADMIN_END] = { .match = true },     [ADMIN_KICK] = { .player = true },
    [ADMIN_BAN] = { .player = true },    [ADMIN_UNBAN] = { .player = true },
    [ADMIN_ANNOUNCE] = { .text = true }, [ADMIN_FORGET] = { .player = true },
};

/* If the match is live, another node has it: the store knows. */
static bool
is_elsewhere(struct host *host, const struct room *room)
{
    return host->world.store->is_shared &&
           (room == NULL || room_is_past(room) || room_phase(room) == ROOM_LOST);
}

/* Returns what is wrong with the line, or NULL. */
static const char *
fault_of(struct host *host, const struct admin_request_line *line)
{
    const struct need *need = &needs[line->command];
    const struct room *room = line->has_match ? room_find(host, line->match) : NULL;

    if (line->has_match != need->match || (line->player.length > 0) != need->player ||
        (line->text.length > 0) != need->text || (line->has_seat && line->command != ADMIN_END) ||
        (line->hours > 0 && line->command != ADMIN_BAN)) {
        return "the command needs other arguments";
    }
    if (line->command == ADMIN_DRAIN && host->world.store->is_shared) {
        return "the database is shared: stop the node, and the others continue its matches";
    }
    if (need->match && is_elsewhere(host, room)) {
        return NULL;
    }
    if (need->match && (room == NULL || room_is_past(room))) {
        return "there is no such live match";
    }
    if (need->match && (room_phase(room) == ROOM_LOADING || room_phase(room) == ROOM_QUARANTINED)) {
        return "the match is being loaded, or quarantined";
    }
    return line->has_seat && !has_seat(room, line->seat) ? no_seat : NULL;
}

static void
note(struct host *host, struct admin_request *request, const struct admin_request_line *line)
{
    struct asked *asked = heap_memory(sizeof(*asked));
    struct store_job *job = host_job(JOB_ADMIN, noted, asked);
    struct admin_request_line noted_line;

    asked->request = request;
    asked->command = (enum admin_command)line->command;
    asked->match = line->match;
    asked->has_seat = line->has_seat;
    asked->seat = (uint8_t)line->seat;
    asked->reason = text_or_null(line->reason);
    asked->text = text_or_null(line->text);
    job->at_ms = host_wall_ms(host);
    job->match_id = line->has_match ? line->match : 0;
    job->player.name = text_or_null(line->player);
    job->admin.uid = request->uid;
    job->admin.command = sk_admin_commands[line->command];
    noted_line = *line;
    if (line->command == ADMIN_FORGET) {
        noted_line.player = SK_TEXT(""); /* keeps it out of the stored detail */
        noted_line.reason = SK_TEXT("");
    }
    job->admin.detail = work_json_form(&host->work, &sk_admin_request_line, &noted_line);
    job->admin.is_elsewhere = line->has_match && is_elsewhere(host, room_find(host, line->match));
    job->admin.forgets = line->command == ADMIN_FORGET;
    job->admin.bans = line->command == ADMIN_BAN;
    job->admin.unbans = line->command == ADMIN_UNBAN;
    job->admin.until_ms = line->hours == 0 ? 0 : job->at_ms + line->hours * HOUR_MS;
    job->admin.reason = heap_text(line->reason.length == 0 ? SK_TEXT("") : line->reason);
    if (!host_submit(host, job)) {
        answer_text(host, request, false, "too many jobs wait for the store");
        asked_free(asked);
        return;
    }
    host->node.admin_jobs++;
}

void
host_admin(struct host *host, struct admin_request *request, const char *line, size_t length)
{
    struct admin_request_line form;
    struct sk_value *json = NULL;
    struct sk_fault fault;
    const char *trouble;

    if (host->is_draining) {
        answer_text(host, request, false, "the daemon is stopping");
        return;
    }
    host->work.arena.used = 0;
    if (length > ADMIN_LINE_MAX || sk_json_parse(line, length, &json, &fault) != SK_OK) {
        answer_text(host, request, false, "the line is not JSON, or too long");
        return;
    }
    if (sk_form_read(&sk_admin_request_line, json, &host->work.arena, &form, &fault) != SK_OK) {
        answer_text(host, request, false, fault.message);
    } else {
        trouble = fault_of(host, &form);
        if (trouble != NULL) {
            answer_text(host, request, false, trouble);
        } else {
            note(host, request, &form);
        }
    }
    sk_json_free(json);
}
