/*
 * Asking bots, and taking their answers.
 */
#include "server/host/room_bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/schema_read.h"
#include "proto/utf8.h"

/* ---- questions --------------------------------------------------------------------------- */

struct bot_ask *
bot_ask_alloc(void)
{
    return host_memory(sizeof(struct bot_ask));
}

void
bot_ask_free(struct bot_ask *ask)
{
    if (ask != NULL) {
        free(ask->who.word);
        free(ask->params);
        free(ask->view);
        free(ask->hints);
        free(ask->last_verdicts);
        free(ask->commands);
        free(ask->request);
        free(ask->reply);
        free(ask);
    }
}

void
bot_ask_detail(char detail[BOT_DETAIL_MAX + 1], const struct sk_fault *fault)
{
    (void)snprintf(detail, BOT_DETAIL_MAX + 1, "%.60s%s%.60s", fault->at,
                   fault->at[0] == '\0' ? "" : ": ", fault->message);
    for (; *detail != '\0'; detail++) {
        *detail = *detail < ' ' || *detail > '~' ? '?' : *detail;
    }
}

static int64_t
now_of(const struct room *room)
{
    return room->host->world.now_ms(room->host->world.context);
}

/* Until the turn is over for it, and never longer than the server waits for any bot. */
static int32_t
limit_of(const struct room *room, uint8_t seat)
{
    int32_t limit_ms = room->host->options.bot_answer_ms;
    int64_t left_ms = room_left_ms(room, seat, now_of(room));

    return room->clock.has_turn && left_ms < limit_ms ? (int32_t)left_ms : limit_ms;
}

static struct bot_ask *
make_ask(struct room *room, uint8_t seat)
{
    struct host *host = room->host;
    const struct bot_seat *bot = room->seats[seat].bot;
    struct bot_ask *ask = bot_ask_alloc();

    ask->number = ++host->ask_number;
    ask->who.kind = bot->who.kind;
    ask->who.word = host_text(sk_text_of(bot->who.word));
    ask->match = room->id;
    ask->turn = room->state->turn;
    ask->seat = seat;
    ask->ruleset = room->ruleset->name;
    ask->version = room->ruleset->version;
    ask->params = host_text(room_shown_params(room));
    ask->view = room_view_text(room, seat);
    ask->hints = room_hints_text(room, seat);
    host->world.random(host->world.context, ask->seed, sizeof(ask->seed));
    ask->limit_ms = limit_of(room, seat);
    ask->asked_at_ms = host->world.wall_ms(host->world.context);
    ask->last_failure = bot->last_failure;
    ask->last_latency_ms = bot->last_latency_ms;
    ask->last_verdicts =
        bot->last_verdicts == NULL ? NULL : host_text(sk_text_of(bot->last_verdicts));
    return ask;
}

static void
ask_bot(struct room *room, uint8_t seat)
{
    struct bot_port *port = room->host->world.bots;
    struct bot_seat *bot = room->seats[seat].bot;
    struct bot_ask *ask = make_ask(room, seat);
    uint64_t number = ask->number;

    bot->retry_ms = 0;
    if (port == NULL || !port->ask(port, ask)) {
        bot_ask_free(ask);
        bot->retry_ms = now_of(room) + BOT_BUSY_MS;
        return;
    }
    bot->asked = number;
}

/* ---- whether they are asked -------------------------------------------------------------- */

static bool
is_asking(const struct room *room)
{
    return room->phase == ROOM_RUNNING && room->pending == NULL && !room->is_ending_alone &&
           !room->is_shadow && !room->host->is_draining && !room->state->outcome.is_over;
}

/* Does the turn wait for what it has to say, and has nobody asked it? */
static bool
is_awaited(const struct room *room, uint8_t seat)
{
    const struct seat *it = &room->seats[seat];
    uint32_t owing = sk_turn_owing(room->ruleset, room->config->config, room->state);

    return is_asking(room) && it->bot != NULL && (owing >> seat & 1) != 0 && it->bot->asked == 0 &&
           !(it->bot->is_silent && room->clock.is_cycle) &&
           (it->latest == NULL || !it->latest->is_ready);
}

/* ---- what is told of answers that do not count ------------------------------------------- */

/* "The status of the answer was not 200 (it was 500)." */
static void
write_message(enum bot_failure failure, const char *detail,
              char message[FRAME_FAILURE_MESSAGE_MAX + 1])
{
    const char *meaning = sk_bot_failure_meaning(failure);
    int length = (int)strlen(meaning) - 1; /* without its full stop */

    (void)snprintf(message, FRAME_FAILURE_MESSAGE_MAX + 1,
                   detail[0] == '\0' ? "%.*s%s." : "%.*s (%s).", length, meaning, detail);
}

/* Told at once; the turn tells it again when it closes, unless a better answer comes before. */
static void
note_failure(struct room *room, uint8_t seat, enum bot_failure failure, const char *detail)
{
    struct bot_seat *bot = room->seats[seat].bot;
    struct server_bot_failed frame = {
        .head = { .type = SERVER_BOT_FAILED },
        .match = room->id,
        .turn = (int32_t)bot->turn,
        .seat = seat,
        .error = sk_text_of(sk_bot_failure_word(failure)),
    };

    bot->last_failure = failure;
    bot->failure = failure;
    write_message(failure, detail, bot->message);
    frame.message = sk_text_of(bot->message);
    room_show_now(room, &frame);
}

void
room_note_late_bots(struct room *room)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct bot_seat *bot = room->seats[seat].bot;

        if (bot != NULL && bot->asked != 0 && bot->failure == BOT_ANSWERED &&
            room_is_out_of_time(room, seat, now_of(room))) {
            note_failure(room, seat, BOT_TOO_SLOW, "");
        }
    }
}

static void
write_failures(struct sk_json_out *out, const void *what)
{
    const struct room *room = what;

    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct bot_seat *bot = room->seats[seat].bot;

        if (bot != NULL && bot->failure != BOT_ANSWERED) {
            sk_json_begin_object(out);
            sk_json_key(out, "seat");
            sk_json_int(out, seat);
            sk_json_key(out, "error");
            sk_json_string(out, sk_bot_failure_word(bot->failure));
            sk_json_key(out, "message");
            sk_json_string(out, bot->message);
            sk_json_end_object(out);
        }
    }
    sk_json_end_list(out);
}

char *
room_failures_text(struct room *room)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct bot_seat *bot = room->seats[seat].bot;

        if (bot != NULL && bot->failure != BOT_ANSWERED) {
            return host_json(room->host, write_failures, room);
        }
    }
    return NULL;
}

/* ---- answers that count ------------------------------------------------------------------ */

/* A new id for each submission, also after a restart. */
static struct sk_text
make_id(const struct room *room, uint8_t seat, char id[HOST_COMMAND_ID_MAX + 1])
{
    struct sk_text text;
    uint32_t count = 0;

    do {
        (void)snprintf(id, HOST_COMMAND_ID_MAX + 1, "bot-%u-%u", room->state->turn, count++);
        text = sk_text_of(id);
    } while (room_knows_id(room, seat, text));
    return text;
}

/* Hands a list of commands in for the bot; false: they are not the ruleset's, or none can be. */
static bool
submit_for(struct room *room, uint8_t seat, struct sk_text commands, enum bot_failure *ret_failure,
           char ret_detail[BOT_DETAIL_MAX + 1])
{
    struct host *host = room->host;
    struct bot_seat *bot = room->seats[seat].bot;
    char id[HOST_COMMAND_ID_MAX + 1];
    struct frame_submit frame = { .command_id = make_id(room, seat, id),
                                  .has_ready = true,
                                  .ready = true };
    struct submission *submission;
    struct pending_turn *turns;
    struct sk_value *json;
    struct sk_fault fault;
    struct sk_list list;

    host->arena.used = 0;
    *ret_failure = BOT_NOT_JSON;
    if (sk_json_parse(&host->reader, commands.at, commands.length, &json, &fault) != SK_OK) {
        bot_ask_detail(ret_detail, &fault);
        return false;
    }
    *ret_failure = BOT_BAD_FORM;
    frame.commands.object = json;
    if (sk_commands_read(room->ruleset->command, json, SK_COMMANDS_MAX, &host->arena, &list,
                         &fault) != SK_OK) {
        bot_ask_detail(ret_detail, &fault);
        sk_json_free(json);
        return false;
    }
    if (room_has_shared_kinds(room, &list)) {
        sk_json_free(json);
        return false;
    }
    submission = room_judge(room, seat, &frame, &list, &turns);
    free(bot->last_verdicts);
    bot->last_verdicts = host_text(sk_text_of(submission->verdicts));
    *ret_failure = submission->is_refused ? BOT_REFUSED : BOT_ANSWERED;
    if (submission->is_refused) {
        note_failure(room, seat, BOT_REFUSED, ""); /* before the turn closes with it */
    }
    sk_json_free(json);
    (void)room_store_submission(NULL, room, seat, &frame, submission, turns);
    return true;
}

/* ---- nothing to say ---------------------------------------------------------------------- */

/*
 * It has nothing to say in this turn: where all move at once its list is
 * empty, else its time is over.  In a cycle the turn ends by itself.
 */
static void
fall_silent(struct room *room, uint8_t seat)
{
    uint32_t owing = sk_turn_owing(room->ruleset, room->config->config, room->state);
    enum bot_failure failure;
    char detail[BOT_DETAIL_MAX + 1];

    room->seats[seat].bot->is_silent = true;
    if (room->clock.is_cycle) {
        return;
    }
    if (room->ruleset->is_simultaneous) {
        (void)submit_for(room, seat, SK_TEXT("[]"), &failure, detail);
    } else if (owing == 1u << seat) {
        room_close(room);
    }
    room->seats[seat].bot->retry_ms = now_of(room) + BOT_RETRY_MS; /* if it was not stored */
}

/* ---- when they are asked ----------------------------------------------------------------- */

/* Another turn: it may speak again.  What it has not answered by now is worth nothing. */
static void
begin_turn(struct room *room, uint8_t seat)
{
    struct bot_seat *bot = room->seats[seat].bot;

    if (bot->turn == room->state->turn) {
        return;
    }
    bot->turn = room->state->turn;
    bot->asked = 0;
    bot->tries = 0;
    bot->is_silent = false;
    bot->failure = BOT_ANSWERED;
    bot->retry_ms = 0;
}

void
room_ask_bots(struct room *room)
{
    if (!is_asking(room)) {
        return;
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct bot_seat *bot = room->seats[seat].bot;

        if (bot == NULL) {
            continue;
        }
        begin_turn(room, seat);
        if (is_awaited(room, seat) && bot->retry_ms <= now_of(room)) {
            if (bot->is_silent) {
                fall_silent(room, seat);
            } else {
                ask_bot(room, seat);
            }
        }
    }
    room_schedule(room);
}

int64_t
room_bots_due_ms(const struct room *room)
{
    int64_t due_ms = INT64_MAX;

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct bot_seat *bot = room->seats[seat].bot;

        if (bot != NULL && bot->retry_ms != 0 && bot->retry_ms < due_ms && is_awaited(room, seat)) {
            due_ms = bot->retry_ms;
        }
    }
    return due_ms;
}

/* ---- answers ----------------------------------------------------------------------------- */

static void
try_again(struct room *room, uint8_t seat)
{
    struct bot_seat *bot = room->seats[seat].bot;

    if (++bot->tries >= BOT_TRIES_MAX || room->clock.is_cycle) {
        fall_silent(room, seat);
    } else {
        bot->retry_ms = now_of(room) + ((int64_t)BOT_RETRY_MS << (bot->tries - 1));
    }
}

/* The room, if the answer is to a question that still stands. */
static struct room *
room_of_answer(struct host *host, const struct bot_ask *ask)
{
    struct room *room = room_find(host, ask->match);
    const struct bot_seat *bot = NULL;

    if (room != NULL && room->phase == ROOM_RUNNING && ask->seat < room->seat_count) {
        bot = room->seats[ask->seat].bot;
    }
    return bot != NULL && bot->asked == ask->number ? room : NULL;
}

/* The turn may be closing, and is then told what the room knew before; or it is about to close. */
static void
take_late_answer(struct room *room, const struct bot_ask *ask)
{
    struct bot_seat *bot = room->seats[ask->seat].bot;

    bot->last_failure = ask->failure == BOT_ANSWERED ? BOT_TOO_SLOW : ask->failure;
    if (room->pending == NULL && room->state->turn == ask->turn) {
        note_failure(room, ask->seat, bot->last_failure, ask->detail);
    }
}

/* Returns what became of it. */
static enum bot_failure
take_answer(struct room *room, struct bot_ask *ask)
{
    struct bot_seat *bot = room->seats[ask->seat].bot;
    enum bot_failure failure = ask->failure;
    bool is_in = false;

    bot->asked = 0;
    bot->last_latency_ms = ask->latency_ms;
    if (!is_asking(room) || room->state->turn != ask->turn ||
        room_is_out_of_time(room, ask->seat, now_of(room))) {
        take_late_answer(room, ask);
        return bot->last_failure;
    }
    bot->failure = BOT_ANSWERED;
    bot->last_failure = BOT_ANSWERED;
    if (failure == BOT_ANSWERED) {
        is_in = submit_for(room, ask->seat,
                           (struct sk_text){ ask->commands, (uint32_t)ask->commands_length },
                           &failure, ask->detail);
    }
    if (!is_in) {
        note_failure(room, ask->seat, failure, ask->detail);
    }
    if (!is_in || (is_awaited(room, ask->seat) && room->seats[ask->seat].latest != NULL)) {
        try_again(room, ask->seat);
    } else if (is_awaited(room, ask->seat)) {
        bot->retry_ms = now_of(room) + BOT_BUSY_MS; /* the store takes no more */
    }
    room_schedule(room);
    return failure;
}

/* ---- for the record ---------------------------------------------------------------------- */

#define RECORDED_BYTES_MAX 65536

/* A text that a database takes; NULL when it is too long.  What is no UTF-8 is shown as ?. */
static char *
recorded_text(const char *text, size_t length)
{
    const uint8_t *at = (const uint8_t *)text;
    char *copy;

    if (text == NULL || length > RECORDED_BYTES_MAX) {
        return NULL;
    }
    copy = host_text((struct sk_text){ text, (uint32_t)length });
    for (size_t i = 0; i < length;) {
        size_t width = at[i] == 0 ? 0 : sk_utf8_length(at + i, at + length);

        if (width == 0) {
            copy[i] = '?';
        }
        i += width == 0 ? 1 : width;
    }
    return copy;
}

/* The calls of web services are kept for a while; nothing depends on them. */
static void
record_call(struct host *host, const struct bot_ask *ask, enum bot_failure failure)
{
    struct store_job *job;

    if (ask->who.kind == BOT_OF_LEVEL || host->options.bot_calls_kept == 0) {
        return;
    }
    job = store_job_alloc(JOB_BOT_CALL);
    job->match.id = ask->match;
    job->at_ms = ask->asked_at_ms;
    job->bot_call = (struct store_bot_call){
        .turn = (int32_t)ask->turn,
        .seat = ask->seat,
        .bot = bot_text(&ask->who),
        .latency_ms = ask->latency_ms,
        .status = ask->status,
        .request = recorded_text(ask->request, ask->request == NULL ? 0 : strlen(ask->request)),
        .answer = recorded_text(ask->reply, ask->reply_length),
        .kept = host->options.bot_calls_kept,
    };
    if (failure != BOT_ANSWERED) {
        char message[FRAME_FAILURE_MESSAGE_MAX + 1];

        write_message(failure, ask->detail, message);
        job->bot_call.error = sk_bot_failure_word(failure);
        job->bot_call.message = host_text(sk_text_of(message));
    }
    (void)host_submit(host, job);
}

void
host_bot_answered(struct host *host, struct bot_ask *ask)
{
    struct room *room = room_of_answer(host, ask);
    enum bot_failure failure = ask->failure == BOT_ANSWERED ? BOT_TOO_SLOW : ask->failure;

    if (room != NULL) {
        failure = take_answer(room, ask);
    }
    host->counters.bot_answers[failure]++;
    record_call(host, ask, failure);
    bot_ask_free(ask);
}
