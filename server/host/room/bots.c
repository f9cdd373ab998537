#include "server/host/room/bots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/schema_read.h"
#include "proto/utf8.h"
#include "server/host/room/bot.h"
#include "server/host/room/give.h"
#include "server/host/room/submit.h"
#include "server/host/room/turn.h"
#include "server/host/room/views.h"
#include "server/match/clock.h"

/* ---- questions --------------------------------------------------------------------------- */

/* The end of its turn, but at most the limit for any bot. */
static int32_t
limit_of(const struct room *room, uint8_t seat)
{
    int32_t limit_ms = room->host->options.bot_answer_ms;
    int64_t left_ms = match_left_ms(&room->match, seat, host_now_ms(room->host));

    return room->match.clock.has_turn && left_ms < limit_ms ? (int32_t)left_ms : limit_ms;
}

static struct bot_ask *
make_ask(struct room *room, uint8_t seat)
{
    struct host *host = room->host;
    const struct bot_seat *bot = room->bots[seat];
    struct bot_ask *ask = bot_ask_alloc();

    ask->number = ++host->ask_number;
    ask->who.kind = bot->who.kind;
    ask->who.word = heap_text(sk_text_of(bot->who.word));
    ask->match = room->match.id;
    ask->maker = room->made_by;
    ask->turn = room->match.state->turn;
    ask->seat = seat;
    ask->ruleset = room->match.ruleset->name;
    ask->version = room->match.ruleset->version;
    ask->params = heap_text(room_shown_params(room));
    ask->view = room_view_text(room, seat);
    ask->hints = bot->who.kind == BOT_OF_LEVEL ? NULL : room_hints_text(room, seat);
    host->world.random(host->world.context, ask->seed, sizeof(ask->seed));
    ask->limit_ms = limit_of(room, seat);
    ask->asked_at_ms = host_wall_ms(host);
    ask->last_failure = bot->last_failure;
    ask->last_latency_ms = bot->last_latency_ms;
    ask->last_verdicts =
        bot->last_verdicts == NULL ? NULL : heap_text(sk_text_of(bot->last_verdicts));
    return ask;
}

static void
ask_bot(struct room *room, uint8_t seat)
{
    struct bot_port *port = room->host->world.bots;
    struct bot_seat *bot = room->bots[seat];
    struct bot_ask *ask = make_ask(room, seat);
    uint64_t number = ask->number;

    bot->retry_ms = 0;
    if (port == NULL || !port->ask(port, ask)) {
        bot_ask_free(ask);
        bot->retry_ms = host_now_ms(room->host) + BOT_BUSY_MS;
        return;
    }
    bot->asked = number;
    bot->out = number;
}

/* ---- answers that count ------------------------------------------------------------------ */

/* A new id for each submission, also after a restart. */
static struct sk_text
make_id(const struct room *room, uint8_t seat, char id[MATCH_COMMAND_ID_MAX + 1])
{
    struct sk_text text;
    uint32_t count = 0;

    do {
        (void)snprintf(id, MATCH_COMMAND_ID_MAX + 1, "bot-%u-%u", room->match.state->turn, count++);
        text = sk_text_of(id);
    } while (room_knows_id(room, seat, text));
    return text;
}

/* Submits a list of commands for the bot; returns false if they are invalid, or nothing can be
 * submitted. */
static bool
submit_for(struct room *room, uint8_t seat, struct sk_text commands, enum bot_failure *ret_failure,
           char ret_detail[BOT_DETAIL_MAX + 1])
{
    struct host *host = room->host;
    struct bot_seat *bot = room->bots[seat];
    char id[MATCH_COMMAND_ID_MAX + 1];
    struct frame_submit frame = { .command_id = make_id(room, seat, id),
                                  .has_ready = true,
                                  .ready = true };
    struct submission *submission;
    struct pending_turn *turns;
    struct sk_value *json;
    struct sk_fault fault;
    struct sk_list list;

    host->work.arena.used = 0;
    *ret_failure = BOT_NOT_JSON;
    if (sk_json_parse(commands.at, commands.length, &json, &fault) != SK_OK) {
        bot_ask_detail(ret_detail, &fault);
        return false;
    }
    *ret_failure = BOT_BAD_FORM;
    frame.commands.object = json;
    if (sk_commands_read(room->match.ruleset->command, json,
                         sk_list_max(room->match.ruleset, room->match.config->config),
                         &host->work.arena, &list, &fault) != SK_OK) {
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
    bot->last_verdicts = heap_text(submission->verdicts);
    *ret_failure = submission->is_refused ? BOT_REFUSED : BOT_ANSWERED;
    if (submission->is_refused) {
        room_note_failure(room, seat, BOT_REFUSED, ""); /* before the turn closes */
    }
    sk_json_free(json);
    (void)room_store_submission(NULL, room, seat, &frame, submission, turns);
    return true;
}

/* ---- no valid answer --------------------------------------------------------------------- */

/*
 * The bot has no valid answer in this turn: if all seats move at once its list
 * is empty, otherwise it times out.  In a cycle the turn ends by itself.
 */
static void
fall_silent(struct room *room, uint8_t seat)
{
    uint32_t owing = match_owing(&room->match);
    enum bot_failure failure;
    char detail[BOT_DETAIL_MAX + 1];

    room->bots[seat]->is_silent = true;
    if (room->match.clock.is_cycle) {
        return;
    }
    if (room->match.ruleset->is_simultaneous) {
        (void)submit_for(room, seat, SK_TEXT("[]"), &failure, detail);
    } else if (owing == 1u << seat) {
        room_close(room);
    }
    room->bots[seat]->retry_ms = host_now_ms(room->host) + BOT_RETRY_MS; /* if it was not stored */
}

/* ---- when they are asked ----------------------------------------------------------------- */

/* A new turn: it may be asked again.  A late answer to an earlier question is ignored. */
static void
begin_turn(struct room *room, uint8_t seat)
{
    struct bot_seat *bot = room->bots[seat];

    if (bot->turn == room->match.state->turn) {
        return;
    }
    bot->turn = room->match.state->turn;
    bot->asked = 0;
    bot->tries = 0;
    bot->is_silent = false;
    bot->has_declined = false;
    bot->failure = BOT_ANSWERED;
    bot->retry_ms = 0;
}

void
room_ask_bots(struct room *room)
{
    if (!room_asks_bots(room) || (room_pauses(room) && !room->match.ruleset->is_simultaneous)) {
        return; /* where seats alternate, an answer is a turn */
    }
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        struct bot_seat *bot = room->bots[seat];

        if (bot == NULL) {
            continue;
        }
        begin_turn(room, seat);
        bot->has_declined = bot->has_declined || room_decline_for(room, seat);
        if (room_awaits_bot(room, seat) && bot->retry_ms <= host_now_ms(room->host)) {
            if (bot->is_silent) {
                fall_silent(room, seat);
            } else {
                ask_bot(room, seat);
            }
        }
    }
}

/* ---- answers ----------------------------------------------------------------------------- */

static void
try_again(struct room *room, uint8_t seat)
{
    struct bot_seat *bot = room->bots[seat];

    if (++bot->tries >= BOT_TRIES_MAX || room->match.clock.is_cycle) {
        fall_silent(room, seat);
    } else {
        bot->retry_ms = host_now_ms(room->host) + ((int64_t)BOT_RETRY_MS << (bot->tries - 1));
    }
}

/* The room that asked; NULL if the match is over or the question is outdated. */
static struct room *
room_of_answer(struct host *host, const struct bot_ask *ask)
{
    struct room *room = room_find(host, ask->match);
    const struct bot_seat *bot = NULL;

    if (room != NULL && room_phase(room) == ROOM_RUNNING && ask->seat < room->match.seat_count) {
        bot = room->bots[ask->seat];
    }
    return bot != NULL && (bot->asked == ask->number || bot->out == ask->number) ? room : NULL;
}

/* If the turn is closing or about to close, it uses what the room knew before. */
static void
take_late_answer(struct room *room, const struct bot_ask *ask)
{
    struct bot_seat *bot = room->bots[ask->seat];

    bot->last_failure = ask->failure == BOT_ANSWERED ? BOT_TOO_SLOW : ask->failure;
    if (room->match.pending == NULL && room->match.state->turn == ask->turn) {
        room_note_failure(room, ask->seat, bot->last_failure, ask->detail);
    }
}

/* Returns the failure, or BOT_ANSWERED. */
static enum bot_failure
take_answer(struct room *room, struct bot_ask *ask)
{
    struct bot_seat *bot = room->bots[ask->seat];
    enum bot_failure failure = ask->failure;
    bool is_in = false;

    bot->asked = 0;
    bot->last_latency_ms = ask->latency_ms;
    if (!room_asks_bots(room) || room->match.state->turn != ask->turn ||
        match_is_out_of_time(&room->match, ask->seat, host_now_ms(room->host))) {
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
        room_note_failure(room, ask->seat, failure, ask->detail);
    }
    if (!is_in ||
        (room_awaits_bot(room, ask->seat) && room->match.seats[ask->seat].latest != NULL)) {
        try_again(room, ask->seat);
    } else if (room_awaits_bot(room, ask->seat)) {
        bot->retry_ms = host_now_ms(room->host) + BOT_BUSY_MS; /* the store is full */
    }
    return failure;
}

/* ---- for the record ---------------------------------------------------------------------- */

#define RECORDED_BYTES_MAX 65536

/* A text for the database; NULL if it is too long.  Bytes that are not UTF-8 become ?. */
static char *
recorded_text(const char *text, size_t length)
{
    const uint8_t *at = (const uint8_t *)text;
    char *copy;

    if (text == NULL || length > RECORDED_BYTES_MAX) {
        return NULL;
    }
    copy = heap_text((struct sk_text){ text, (uint32_t)length });
    for (size_t i = 0; i < length;) {
        size_t width = at[i] == 0 ? 0 : sk_utf8_length(at + i, at + length);

        if (width == 0) {
            copy[i] = '?';
        }
        i += width == 0 ? 1 : width;
    }
    return copy;
}

/* Calls of web services are logged; nothing depends on the log. */
static void
record_call(struct host *host, const struct bot_ask *ask, enum bot_failure failure)
{
    struct store_job *job;

    if (ask->who.kind == BOT_OF_LEVEL || host->options.bot_calls_kept == 0) {
        return;
    }
    job = store_job_alloc(JOB_BOT_CALL);
    job->match_id = ask->match;
    job->at_ms = ask->asked_at_ms;
    job->bot_call = (struct store_bot_call){
        .turn = (int32_t)ask->turn,
        .seat = ask->seat,
        .bot = bot_text(&ask->who, SK_TEXT("")),
        .latency_ms = ask->latency_ms,
        .status = ask->status,
        .request = recorded_text(ask->request, ask->request == NULL ? 0 : strlen(ask->request)),
        .answer = recorded_text(ask->reply, ask->reply_length),
        .kept = host->options.bot_calls_kept,
    };
    if (failure != BOT_ANSWERED) {
        char message[FRAME_FAILURE_MESSAGE_MAX + 1];

        bot_write_message(failure, ask->detail, message);
        job->bot_call.error = sk_bot_failure_word(failure);
        job->bot_call.message = heap_text(sk_text_of(message));
    }
    (void)host_submit(host, job);
}

void
room_take_answer(struct host *host, struct bot_ask *ask)
{
    struct room *room = room_of_answer(host, ask);
    enum bot_failure failure = ask->failure == BOT_ANSWERED ? BOT_TOO_SLOW : ask->failure;

    if (room != NULL) {
        struct bot_seat *bot = room->bots[ask->seat];

        bot->out = bot->out == ask->number ? 0 : bot->out;
        if (bot->asked == ask->number) {
            failure = take_answer(room, ask);
        }
        room_touch(room, ROOM_ASKS_BOTS);
    }
    host->counters.bot_answers[failure]++;
    record_call(host, ask, failure);
    bot_ask_free(ask);
}
