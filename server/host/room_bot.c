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
submit_for(struct room *room, uint8_t seat, const char *commands, size_t length,
           enum bot_failure *ret_failure)
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
    if (sk_json_parse(&host->reader, commands, length, &json, &fault) != SK_OK) {
        return false;
    }
    *ret_failure = BOT_BAD_FORM;
    frame.commands.object = json;
    if (sk_commands_read(room->ruleset->command, json, SK_COMMANDS_MAX, &host->arena, &list,
                         &fault) != SK_OK ||
        room_has_shared_kinds(room, &list)) {
        sk_json_free(json);
        return false;
    }
    submission = room_judge(room, seat, &frame, &list, &turns);
    free(bot->last_verdicts);
    bot->last_verdicts = host_text(sk_text_of(submission->verdicts));
    *ret_failure = submission->is_refused ? BOT_REFUSED : BOT_ANSWERED;
    sk_json_free(json);
    (void)room_store_submission(NULL, room, seat, &frame, submission, turns);
    return true;
}

/* ---- answers that do not ----------------------------------------------------------------- */

static void
show_failure(struct room *room, uint8_t seat, enum bot_failure failure)
{
    struct server_bot_failed frame = {
        .head = { .type = SERVER_BOT_FAILED },
        .match = room->id,
        .turn = (int32_t)room->seats[seat].bot->turn,
        .seat = seat,
        .error = sk_text_of(sk_bot_failure_word(failure)),
    };

    room_show_now(room, &frame);
}

/*
 * It has nothing to say in this turn: where all move at once its list is
 * empty, else its time is over.  In a cycle the turn ends by itself.
 */
static void
fall_silent(struct room *room, uint8_t seat)
{
    uint32_t owing = sk_turn_owing(room->ruleset, room->config->config, room->state);
    enum bot_failure failure;

    room->seats[seat].bot->is_silent = true;
    if (room->clock.is_cycle) {
        return;
    }
    if (room->ruleset->is_simultaneous) {
        (void)submit_for(room, seat, "[]", 2, &failure);
    } else if (owing == 1u << seat) {
        room_close(room);
    }
    room->seats[seat].bot->retry_ms = now_of(room) + BOT_RETRY_MS; /* if it was not stored */
}

/* ---- when they are asked ----------------------------------------------------------------- */

/* Another turn: it may speak again.  What it has not answered by now it did not answer in time. */
static void
begin_turn(struct room *room, uint8_t seat)
{
    struct bot_seat *bot = room->seats[seat].bot;

    if (bot->turn == room->state->turn) {
        return;
    }
    if (bot->asked != 0) {
        bot->last_failure = BOT_TOO_SLOW;
        show_failure(room, seat, BOT_TOO_SLOW);
    }
    bot->turn = room->state->turn;
    bot->asked = 0;
    bot->tries = 0;
    bot->is_silent = false;
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

/* Returns what became of it. */
static enum bot_failure
take_answer(struct room *room, const struct bot_ask *ask)
{
    struct bot_seat *bot = room->seats[ask->seat].bot;
    enum bot_failure failure = ask->failure;
    bool is_in = false;

    bot->asked = 0;
    bot->last_latency_ms = ask->latency_ms;
    if (!is_asking(room) || room->state->turn != ask->turn ||
        room_is_out_of_time(room, ask->seat, now_of(room))) {
        bot->last_failure = failure == BOT_ANSWERED ? BOT_TOO_SLOW : failure;
        return bot->last_failure;
    }
    if (failure == BOT_ANSWERED) {
        is_in = submit_for(room, ask->seat, ask->commands, ask->commands_length, &failure);
    }
    bot->last_failure = failure;
    if (failure != BOT_ANSWERED) {
        show_failure(room, ask->seat, failure);
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
        .error = failure == BOT_ANSWERED ? NULL : sk_bot_failure_word(failure),
        .request = recorded_text(ask->request, ask->request == NULL ? 0 : strlen(ask->request)),
        .answer = recorded_text(ask->reply, ask->reply_length),
        .kept = host->options.bot_calls_kept,
    };
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
