#include "server/host/room/talk.h"

#include <stdlib.h>
#include <string.h>

#include "proto/command_lists.h"
#include "proto/turn_write.h"
#include "server/host/room/audience.h"
#include "server/host/room/gate.h"
#include "server/host/room/load.h"
#include "server/host/room/views.h"
#include "server/host/session/show.h"

/* ---- chat -------------------------------------------------------------------------------- */

/* Spectators of a delayed match know less than its players, and their chat goes to spectators
 * only. */
void
handle_chat(struct session *session, const union client_frame *any)
{
    const struct frame_chat *frame = &any->chat;
    struct room *room = handler_room(session, &frame->head, frame->match);
    struct follow *own = room == NULL ? NULL : room_follow_of(room, session);
    struct server_chat said = {
        .head = { .type = SERVER_CHAT },
        .match = frame->match,
        .name = sk_text_of(session->player->name),
        .text = frame->text,
    };
    struct message *message;
    size_t heard = 0;
    int32_t retry_ms;

    if (room == NULL) {
        return;
    }
    if (own == NULL) {
        session_error(session, &frame->head, ERROR_NOT_IN_MATCH, NULL);
        return;
    }
    if (!rate_allows_chat(session, &retry_ms)) {
        session_error_until(session, &frame->head, ERROR_CHAT_LIMITED, NULL, retry_ms);
        return;
    }
    said.has_seat = own->seat != SK_SPECTATOR;
    said.seat = said.has_seat ? own->seat : 0;
    message = message_encode(session->host, &said);
    for (struct follow *follow = room->audience.follows; follow != NULL;
         follow = follow->next_of_room) {
        bool is_same_side = (follow->seat == SK_SPECTATOR) == (own->seat == SK_SPECTATOR);

        if (!follow->is_muted && (is_same_side || room->match.spectator_delay == 0)) {
            session_send(follow->session, message);
            heard++;
        }
    }
    message_free(message);
    rate_charge(session, heard / RATE_HEARD * RATE_FRAME_BYTES, 0);
    session_done(session, &frame->head);
}

void
handle_mute(struct session *session, const union client_frame *any)
{
    struct room *room = handler_room(session, &any->head, any->mute.match);
    struct follow *follow = room == NULL ? NULL : room_follow_of(room, session);

    if (room == NULL) {
        return;
    }
    if (follow == NULL) {
        session_error(session, &any->head, ERROR_NOT_IN_MATCH, NULL);
        return;
    }
    follow->is_muted = any->mute.muted;
    session_done(session, &any->head);
}

/* ---- hints ------------------------------------------------------------------------------- */

void
handle_hints(struct session *session, const union client_frame *any)
{
    uint8_t seat;
    struct room *room = running_room(session, &any->head, any->match.match, &seat);
    struct server_hints frame = { .head = any->head, .match = any->match.match };
    char *hints;

    if (room == NULL) {
        return;
    }
    hints = room_hints_text(room, seat);
    frame.head.type = SERVER_HINTS;
    frame.turn = (int32_t)room->match.state->turn;
    frame.commands.text = sk_text_of(hints);
    session_send_frame(session, &frame);
    free(hints);
}

/* ---- what if ----------------------------------------------------------------------------- */

struct what_if {
    struct sk_turn turn;
    struct room *room;
    struct sk_arena *arena;
    uint8_t seat;
    char *events; /* JSON of all turns */
};

static void
write_if_verdicts(struct sk_json_out *out, const void *what)
{
    const struct what_if *it = what;

    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < it->turn.seat_count; seat++) {
        sk_verdicts_write(out, &it->turn, seat);
    }
    sk_json_end_list(out);
}

static void
write_if_events(struct sk_json_out *out, const void *what)
{
    const struct what_if *it = what;

    sk_events_write_for(out, &it->turn, it->seat);
}

static void
write_if_outcome(struct sk_json_out *out, const void *what)
{
    const struct what_if *it = what;

    sk_outcome_write(out, it->room->match.ruleset, it->turn.after->outcome);
}

static void
write_if_view(struct sk_json_out *out, const void *what)
{
    const struct what_if *it = what;

    (void)sk_view_write(out, it->room->match.ruleset, it->room->match.config->config,
                        it->turn.after, it->seat, it->turn.view, it->arena);
}

/* Uses what the seat sees and a separate seed; the true state is not used. */
static void
answer_what_if(struct session *session, const struct frame_what_if *frame, struct what_if *it)
{
    struct host *host = session->host;
    struct server_what_if answer = { .head = frame->head, .match = frame->match };
    char *verdicts = work_json(&host->work, write_if_verdicts, it);
    char *outcome = work_json(&host->work, write_if_outcome, it);
    char *view = work_json(&host->work, write_if_view, it);

    answer.head.type = SERVER_WHAT_IF;
    answer.turn = (int32_t)it->turn.after->turn;
    answer.verdicts.text = sk_text_of(verdicts);
    answer.events.text = sk_text_of(it->events);
    answer.outcome.text = sk_text_of(outcome);
    answer.view.text = sk_text_of(view);
    session_send_frame(session, &answer);
    free(verdicts);
    free(outcome);
    free(view);
}

/* [a,b] and [c] make [a,b,c].  Both are freed. */
static char *
join_lists(char *a, char *b)
{
    bool is_a_empty = strlen(a) == 2;
    bool is_b_empty = strlen(b) == 2;
    char *both;

    if (is_a_empty || is_b_empty) {
        free(is_a_empty ? a : b);
        return is_a_empty ? b : a;
    }
    both = heap_memory(strlen(a) + strlen(b));
    memcpy(both, a, strlen(a));
    both[strlen(a) - 1] = ',';
    memcpy(both + strlen(a), b + 1, strlen(b) - 1);
    free(a);
    free(b);
    return both;
}

/* Lists of alternating rulesets are played turn by turn. */
static void
play_what_if(struct host *host, struct what_if *it, struct sk_state *before)
{
    for (bool is_played = sk_turn_resolve(&it->turn); is_played;
         is_played = sk_turn_resolve_next(&it->turn)) {
        it->events = join_lists(it->events, work_json(&host->work, write_if_events, it));
        memcpy(before, it->turn.after, it->turn.sizes.state);
    }
}

void
handle_what_if(struct session *session, const union client_frame *any)
{
    const struct frame_what_if *frame = &any->what_if;
    struct host *host = session->host;
    const struct room *live = room_find(host, frame->match);
    uint8_t seat;
    struct room *room;
    struct sk_state *guess;
    struct what_if it;
    struct sk_seed seed;
    struct sk_fault fault;

    if (live == NULL ? !loads_are_under_way(host) && !host->world.store->is_shared
                     : room_is_past(live) && room_phase(live) != ROOM_ELSEWHERE) {
        show_what_if(session, frame);
        return;
    }
    room = running_room(session, &frame->head, frame->match, &seat);
    if (room == NULL) {
        return;
    }
    if (frame->has_turn && (uint32_t)frame->turn != room->match.state->turn) {
        session_error(session, &frame->head, ERROR_WRONG_TURN, NULL);
        return;
    }
    /* Refused if the ruleset hides the level: trying moves in it would reveal it step by step. */
    if (room->match.config->params_shown != NULL) {
        session_error(session, &frame->head, ERROR_NOT_ALLOWED,
                      "what_if would reveal hidden params; it is possible when the match "
                      "is over");
        return;
    }
    it = (struct what_if){ .room = room, .arena = &host->work.scratch, .seat = seat };
    work_turn(&host->work, room->match.ruleset, room->match.config->config, &it.turn);
    if (sk_command_lists_read(room->match.ruleset->command, frame->commands.object, NULL,
                              room->match.seat_count, &host->work.arena, it.turn.commands,
                              &fault) != SK_OK) {
        sk_fault_inside(&fault, SK_TEXT("commands"));
        session_fault(session, &frame->head, &fault);
        return;
    }
    guess = heap_memory(room->match.state_size);
    host->world.random(host->world.context, seed.bytes, sizeof(seed.bytes));
    memset(it.turn.view, 0, it.turn.sizes.view);
    room->match.ruleset->view_make(room->match.config->config, room->match.state, seat,
                                   it.turn.view);
    room->match.ruleset->guess(room->match.config->config, it.turn.view, &seed, guess);
    guess->turn = room->match.state->turn;
    guess->outcome = room->match.state->outcome;
    it.turn.before = guess;
    it.turn.seed = &seed;
    it.events = heap_text(SK_TEXT("[]"));
    play_what_if(host, &it, guess);
    host->work.scratch.used = 0;
    answer_what_if(session, frame, &it);
    free(guess);
    free(it.events);
}
