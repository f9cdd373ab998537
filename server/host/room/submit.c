#include "server/host/room/submit.h"

#include <string.h>

#include "proto/records.h"
#include "proto/schema_read.h"
#include "server/host/room/audience.h"
#include "server/host/room/behind.h"
#include "server/host/room/gate.h"
#include "server/host/room/repeat.h"
#include "server/host/room/resume.h"
#include "server/host/room/tell.h"
#include "server/host/room/turn.h"
#include "server/host/session/metrics.h"
#include "server/host/session/rate.h"
#include "server/match/clock.h"

/* ---- answers ----------------------------------------------------------------------------- */

/* The sender gets it with its id, the player's other sessions without. */
static void
answer_all(struct room *room, const struct commit *commit, void *frame)
{
    struct frame_head *head = frame;
    struct session *sender = reply_session(room->host, &commit->reply);

    for (struct follow *follow = room->audience.follows; follow != NULL;
         follow = follow->next_of_room) {
        if (follow->seat == commit->fact.seat && follow->session != sender) {
            session_send_frame(follow->session, frame);
        }
    }
    if (sender != NULL) {
        head->has_id = commit->reply.has_id;
        head->id = sk_text_of(commit->reply.id);
        session_send_frame(sender, frame);
    }
}

/* For a submission or a withdrawal. */
static void
not_stored(struct room *room, const struct commit *commit, enum error_code code, bool is_first)
{
    (void)code;
    (void)is_first;
    room_forget_id(room, commit->fact.seat, sk_text_of(commit->command_id));
}

static struct commit *
draft(struct session *session, struct room *room, const struct commit_kind *kind,
      enum store_record_kind what, uint8_t seat, const struct frame_head *head,
      struct sk_text command_id)
{
    struct commit *commit = commit_draft(room, kind, what, seat);

    if (session != NULL) {
        commit->reply = reply_to(session, head);
    }
    memcpy(commit->command_id, command_id.at, command_id.length);
    return commit;
}

/* If the store is full the sender gets an error; `session` NULL: no sender. */
static bool
hand_over(struct session *session, struct commit *commit, const struct frame_head *head,
          struct sk_text command_id)
{
    struct room *room = commit->room;
    uint8_t seat = commit->fact.seat;

    commit->job->records[0].command_id = heap_text(command_id);
    if (!room_commit(commit)) {
        if (session != NULL) {
            session_error(session, head, ERROR_BUSY, NULL);
        }
        return false;
    }
    room_note_id(room, seat, command_id);
    return true;
}

/* The room and the seat if the turn is open to the frame.  Else NULL, and the frame is answered,
 * also if it is a repeat. */
static struct room *
open_room(struct session *session, const struct frame_head *head, int64_t match,
          const struct repeat *repeat, uint8_t *ret_seat)
{
    struct room *room = seat_room(session, head, match, ret_seat);

    return room != NULL && !room_answer_repeat(session, room, *ret_seat, head, repeat) &&
                   gate_plays(session, head, room, *ret_seat, repeat->turn)
               ? room
               : NULL;
}

/* ---- judging ----------------------------------------------------------------------------- */

bool
room_has_shared_kinds(const struct room *room, const struct sk_list *commands)
{
    struct sk_commands all = { commands->at, commands->count };

    for (uint32_t i = 0; i < commands->count; i++) {
        if (sk_command_at(room->match.ruleset, all, i)->kind < SK_COMMAND_OWN) {
            return true;
        }
    }
    return false;
}

static bool
all_are_ok(const struct sk_turn *turn, uint8_t seat)
{
    for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
        if (turn->judgements[seat][i].verdict != SK_VERDICT_OK) {
            return false;
        }
    }
    return true;
}

struct submission *
room_judge(struct room *room, uint8_t seat, const struct frame_submit *frame,
           const struct sk_list *commands, struct pending_turn **ret_turns)
{
    struct play_in in = room_play_in(room, seat);
    bool is_played = !room->match.ruleset->is_simultaneous && (!frame->has_ready || frame->ready);
    struct submission_parts parts = {
        .command_id = frame->command_id,
        .commands = commands,
        .said = frame->commands.object,
    };
    struct playing playing;
    struct sk_turn *turn = &playing.turn;
    struct submission *submission;
    int64_t cpu_us = 0;

    match_play_begin(&room->host->work, &room->match, &in, &playing);
    turn->commands[seat] = (struct sk_commands){ commands->at, commands->count };
    if (is_played) {
        cpu_us = -host_cpu_us(room->host);
        match_play(&playing);
        cpu_us += host_cpu_us(room->host);
    } else {
        sk_turn_check(turn, seat);
        parts.judgements = turn->judgements[seat];
    }
    count_commands(room->host, turn, seat);
    parts.verdicts = verdicts_text(&room->host->work, turn, seat);
    submission = submission_alloc(room->match.ruleset, &parts);
    submission->is_refused = !all_are_ok(turn, seat);
    submission->is_ready = is_played          ? playing.first != NULL
                           : frame->has_ready ? frame->ready
                                              : !submission->is_refused;
    submission->used_ms = seat_used_ms(&room->match.seats[seat], in.now_ms);
    *ret_turns = playing.first;
    if (playing.first != NULL) {
        playing.first->cpu_us = cpu_us;
    }
    return submission;
}

/* ---- submit ------------------------------------------------------------------------------ */

static void
submission_stored(struct room *room, struct commit *commit)
{
    const struct submission *submission = commit->fact.submission;
    struct server_accepted frame = accepted_frame(room, commit->fact.turn, submission);
    bool has_turns = commit->job->record_count > 1;

    room->host->counters.submissions++;
    room_apply(room, &commit->fact);
    answer_all(room, commit, &frame);
    if (has_turns) {
        room_turns_stored(room, commit);
    } else {
        room_show_ready(room, commit->fact.seat, submission->is_ready);
    }
}

bool
room_store_submission(struct session *session, struct room *room, uint8_t seat,
                      const struct frame_submit *frame, struct submission *submission,
                      struct pending_turn *turns)
{
    static const struct commit_kind kind = { .stored = submission_stored, .failed = not_stored };
    struct record_submission body = {
        .commands = { .text = submission->commands },
        .verdicts = { .text = submission->verdicts },
        .ready = submission->is_ready,
        .has_asked = frame->has_ready,
        .asked = frame->ready,
        .used_ms = ms_of_record(submission->used_ms),
    };
    struct commit *commit =
        draft(session, room, &kind, RECORD_SUBMISSION, seat, &frame->head, frame->command_id);
    int64_t cpu_us = turns == NULL ? 0 : turns->cpu_us;
    size_t bytes;

    commit->fact.submission = submission;
    commit->fact.used_ms = submission->used_ms;
    commit->fact.pending = turns;
    (void)commit_record(commit, RECORD_SUBMISSION, seat, &sk_record_submission, &body);
    if (turns != NULL) {
        room_add_turns(commit, turns);
    }
    bytes = commit_bytes(commit);
    if (!hand_over(session, commit, &frame->head, frame->command_id)) {
        if (session != NULL) {
            rate_charge(session, 0, cpu_us); /* the work was done anyway */
        }
        pending_free(turns);
        return false;
    }
    if (session != NULL && turns != NULL) {
        rate_charge(session, bytes, cpu_us); /* a short list may cause many turns */
    } else if (turns != NULL) {
        room_charge_turns(room, bytes, cpu_us);
    }
    room_close_if_ready(room);
    return true;
}

void
handle_submit(struct session *session, const union client_frame *any)
{
    const struct frame_submit *frame = &any->submit;
    struct repeat repeat = {
        .kind = RECORD_SUBMISSION,
        .command_id = frame->command_id,
        .turn = frame->turn,
        .commands = frame->commands.object,
        .has_ready = frame->has_ready,
        .ready = frame->ready,
    };
    struct submission *submission;
    struct pending_turn *turns;
    struct sk_fault fault;
    struct sk_list commands;
    uint8_t seat;
    struct room *room = open_room(session, &frame->head, frame->match, &repeat, &seat);

    if (room == NULL) {
        return;
    }
    if (sk_commands_read(room->match.ruleset->command, frame->commands.object,
                         sk_list_max(room->match.ruleset, room->match.config->config),
                         &session->host->work.arena, &commands, &fault) != SK_OK) {
        sk_fault_inside(&fault, SK_TEXT("commands"));
        session_fault(session, &frame->head, &fault);
        return;
    }
    if (room_has_shared_kinds(room, &commands)) {
        session_error(session, &frame->head, ERROR_NOT_ALLOWED,
                      "resign, timeout, abandon and agree_draw are not sent as commands");
        return;
    }
    if (!room_is_resuming(room, session)) { /* otherwise it follows once it has the rest */
        room_follow(room, session);
    }
    submission = room_judge(room, seat, frame, &commands, &turns);
    (void)room_store_submission(session, room, seat, frame, submission, turns);
}

/* ---- withdraw ---------------------------------------------------------------------------- */

static void
withdrawal_stored(struct room *room, struct commit *commit)
{
    struct server_withdrawn frame = {
        .head = { .type = SERVER_WITHDRAWN },
        .match = room->match.id,
        .turn = (int32_t)commit->fact.turn,
        .command_id = sk_text_of(commit->command_id),
    };

    room_apply(room, &commit->fact);
    answer_all(room, commit, &frame);
    room_show_ready(room, commit->fact.seat, false);
}

static void
store_withdrawal(struct session *session, struct room *room, uint8_t seat,
                 const struct frame_withdraw *frame)
{
    static const struct commit_kind kind = { .stored = withdrawal_stored, .failed = not_stored };
    struct host *host = room->host;
    int64_t used_ms = seat_used_ms(&room->match.seats[seat], host_now_ms(host));
    struct record_withdrawn body = { .used_ms = ms_of_record(used_ms) };
    struct commit *commit =
        draft(session, room, &kind, RECORD_WITHDRAWN, seat, &frame->head, frame->command_id);

    commit->fact.used_ms = used_ms;
    (void)commit_record(commit, RECORD_WITHDRAWN, seat, &sk_record_withdrawn, &body);
    (void)hand_over(session, commit, &frame->head, frame->command_id);
}

void
handle_withdraw(struct session *session, const union client_frame *any)
{
    const struct frame_withdraw *frame = &any->withdraw;
    struct repeat repeat = {
        .kind = RECORD_WITHDRAWN,
        .command_id = frame->command_id,
        .turn = frame->turn,
    };
    uint8_t seat;
    struct room *room = open_room(session, &frame->head, frame->match, &repeat, &seat);

    if (room != NULL && room->match.seats[seat].latest == NULL) {
        session_error(session, &frame->head, ERROR_NO_SUBMISSION, NULL);
    } else if (room != NULL) {
        store_withdrawal(session, room, seat, frame);
    }
}
