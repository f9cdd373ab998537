#include "server/host/room/bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/host/room/audience.h"
#include "server/match/clock.h"

/* ---- who it is ------------------------------------------------------------------------------- */

/*
 * A bot is stored as its kind, a colon and a value: level:greedy.  If a web
 * service was given a name, the name follows its address after a blank, which
 * no address contains.  With another name it is another player.
 */
static const char *const kind_words[] = {
    [BOT_OF_LEVEL] = "level",
    [BOT_OF_HTTP] = "http",
    [BOT_OF_NAME] = "name",
};

bool
bot_who_read(const char *text, struct bot_who *ret_who)
{
    const char *colon = strchr(text, ':');

    for (size_t i = 0; colon != NULL && i < SK_COUNT_OF(kind_words); i++) {
        if (strlen(kind_words[i]) == (size_t)(colon - text) &&
            strncmp(text, kind_words[i], (size_t)(colon - text)) == 0) {
            struct sk_text word = sk_text_of(colon + 1);

            ret_who->kind = (enum bot_kind)i;
            if (ret_who->kind == BOT_OF_HTTP) {
                word.length = (uint32_t)strcspn(word.at, " ");
            }
            ret_who->word = heap_text(word);
            return true;
        }
    }
    return false;
}

char *
bot_text(const struct bot_who *who, struct sk_text given)
{
    char text[FRAME_BOT_URL_MAX + FRAME_PLAYER_NAME_MAX + 16];

    (void)snprintf(text, sizeof(text), "%s:%s%s%.*s", kind_words[who->kind], who->word,
                   given.length > 0 ? " " : "", (int)given.length, given.at);
    return heap_text(sk_text_of(text));
}

/* ---- the seat -------------------------------------------------------------------------------- */

void
room_forget_bot(struct room *room, uint8_t seat)
{
    struct bot_seat *bot = room->bots[seat];

    if (bot != NULL) {
        free(bot->who.word);
        free(bot->text);
        free(bot->last_verdicts);
        free(bot);
        room->bots[seat] = NULL;
    }
}

void
room_set_bot(struct room *room, uint8_t seat, const char *text)
{
    struct bot_who who;

    if (text != NULL && bot_who_read(text, &who)) {
        room_forget_bot(room, seat);
        room->bots[seat] = heap_memory(sizeof(struct bot_seat));
        room->bots[seat]->who = who;
        room->bots[seat]->text = heap_text(sk_text_of(text));
        room->audience.presence[seat].here = 1; /* a bot never leaves */
    }
}

bool
room_is_of_bots(const struct room *room)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (room->bots[seat] == NULL) {
            return false;
        }
    }
    return true;
}

bool
room_is_deserted(const struct room *room)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (room->match.seats[seat].player != 0 && room->bots[seat] == NULL) {
            return false;
        }
    }
    return !room_is_of_bots(room);
}

/* ---- whether they are asked ------------------------------------------------------------------ */

bool
room_asks_bots(const struct room *room)
{
    return room_phase(room) == ROOM_RUNNING && room->match.pending == NULL &&
           !room_log_has(&room->log, RECORD_ENDED) && !room->is_shadow &&
           !room->host->is_draining && !room->match.state->outcome.is_over;
}

bool
room_awaits_bot(const struct room *room, uint8_t seat)
{
    const struct seat *it = &room->match.seats[seat];
    const struct bot_seat *bot = room->bots[seat];

    return room_asks_bots(room) && bot != NULL && match_owes(&room->match, seat) &&
           bot->asked == 0 && (bot->out == 0 || bot->who.kind != BOT_OF_LEVEL) &&
           !match_is_out_of_time(&room->match, seat, host_now_ms(room->host)) &&
           !(bot->is_silent && room->match.clock.is_cycle) &&
           (it->latest == NULL || !it->latest->is_ready);
}

int64_t
room_bots_due_ms(const struct room *room)
{
    int64_t due_ms = INT64_MAX;

    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        const struct bot_seat *bot = room->bots[seat];

        if (bot != NULL && bot->retry_ms != 0 && bot->retry_ms < due_ms &&
            room_awaits_bot(room, seat)) {
            due_ms = bot->retry_ms;
        }
    }
    return due_ms;
}

/* ---- messages about answers that do not count ------------------------------------------------ */

/* "The status of the answer was not 200 (it was 500)." */
void
bot_write_message(enum bot_failure failure, const char *detail,
                  char message[FRAME_FAILURE_MESSAGE_MAX + 1])
{
    const char *meaning = sk_bot_failure_meaning(failure);
    int length = (int)strlen(meaning) - 1; /* without the full stop */

    (void)snprintf(message, FRAME_FAILURE_MESSAGE_MAX + 1,
                   detail[0] == '\0' ? "%.*s%s." : "%.*s (%s).", length, meaning, detail);
}

void
room_note_failure(struct room *room, uint8_t seat, enum bot_failure failure, const char *detail)
{
    struct bot_seat *bot = room->bots[seat];
    struct server_bot_failed frame = {
        .head = { .type = SERVER_BOT_FAILED },
        .match = room->match.id,
        .turn = (int32_t)bot->turn,
        .seat = seat,
        .error = sk_text_of(sk_bot_failure_word(failure)),
    };

    bot->last_failure = failure;
    bot->failure = failure;
    bot_write_message(failure, detail, bot->message);
    frame.message = sk_text_of(bot->message);
    room_send_now(room, &frame);
}

void
room_note_late_bots(struct room *room)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        const struct bot_seat *bot = room->bots[seat];

        if (bot != NULL && bot->asked != 0 && bot->failure == BOT_ANSWERED &&
            match_is_out_of_time(&room->match, seat, host_now_ms(room->host))) {
            room_note_failure(room, seat, BOT_TOO_SLOW, "");
        }
    }
}

static void
write_failures(struct sk_json_out *out, const struct room *room)
{
    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        const struct bot_seat *bot = room->bots[seat];

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
    struct sk_json_out out = { 0 };
    bool has_failed = false;

    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        has_failed =
            has_failed || (room->bots[seat] != NULL && room->bots[seat]->failure != BOT_ANSWERED);
    }
    while (has_failed && work_writes(&room->host->work, &out)) {
        write_failures(&out, room);
    }
    return has_failed ? work_text_copy(&out) : NULL;
}
