#include "server/host/room/talk.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "proto/command_lists.h"
#include "server/host/room/audience.h"
#include "server/host/room/gate.h"
#include "server/host/room/load.h"
#include "server/host/room/views.h"
#include "server/host/session/show.h"
#include "server/match/what_if.h"

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

/* Uses what the seat sees and a separate seed; the true state is not used. */
void
handle_what_if(struct session *session, const union client_frame *any)
{
    const struct frame_what_if *frame = &any->what_if;
    struct host *host = session->host;
    const struct room *live = room_find(host, frame->match);
    uint8_t seat;
    struct room *room;
    struct sk_state *guess;
    struct what_if answer;
    struct sk_turn turn;
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
    work_turn(&host->work, room->match.ruleset, room->match.config->config, &turn);
    if (sk_command_lists_read(room->match.ruleset->command, frame->commands.object, NULL,
                              room->match.seat_count, &host->work.arena, turn.commands,
                              &fault) != SK_OK) {
        sk_fault_inside(&fault, SK_TEXT("commands"));
        session_fault(session, &frame->head, &fault);
        return;
    }
    guess = heap_memory(room->match.state_size);
    host->world.random(host->world.context, seed.bytes, sizeof(seed.bytes));
    memset(turn.view, 0, turn.sizes.view);
    sk_rules_view_make(turn.ruleset, &turn.sizes, turn.config, room->match.state, seat, turn.view);
    sk_rules_guess(turn.ruleset, &turn.sizes, turn.config, turn.view, &seed, guess);
    guess->turn = room->match.state->turn;
    guess->outcome = room->match.state->outcome;
    turn.before = guess;
    turn.seed = &seed;
    what_if_resolve(&host->work, &turn, seat, &answer);
    show_answer(session, &frame->head, frame->match, &answer);
    what_if_fini(&answer);
    free(guess);
}
