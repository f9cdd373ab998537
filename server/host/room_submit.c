/*
 * Submissions and withdrawals: from a frame to the store, and the answer
 * once they are there.
 *
 * What the gate lets pass is judged by the ruleset against the seat's view;
 * refused commands are stored with the others, because a seat may rely on
 * what it was told.  Commands of an alternating ruleset are played at once:
 * the submission and the turns that it makes are stored together.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "proto/schema_read.h"
#include "server/host/room.h"

/* ---- submissions ------------------------------------------------------------------------- */

void
submission_free(struct submission *submission)
{
    if (submission != NULL && --submission->references == 0) {
        free(submission->commands);
        free(submission->verdicts);
        free(submission->at);
        free(submission);
    }
}

static void
set_submission(struct submission **place, struct submission *submission)
{
    if (submission != NULL) {
        submission->references++;
    }
    submission_free(*place);
    *place = submission;
}

/* The seat's clock runs unless what it has sent is ready. */
static void
set_latest(struct room *room, uint8_t seat, struct submission *submission)
{
    struct host *host = room->host;
    struct seat *it = &room->seats[seat];
    uint32_t owing = sk_turn_owing(room->ruleset, room->config->config, room->state);
    int64_t now_ms = host->world.now_ms(host->world.context);

    set_submission(&it->latest, submission);
    if ((owing >> seat & 1) == 0) {
        return;
    }
    if (submission != NULL && submission->is_ready && !room->clock.is_cycle) {
        seat_clock_stop(it, now_ms);
    } else {
        seat_clock_run(it, now_ms);
    }
}

/* ---- answers ----------------------------------------------------------------------------- */

/* What an answer needs when the store comes back. */
struct waiting {
    struct reply reply;
    uint8_t seat;
    uint32_t turn;
    struct submission *submission; /* NULL: it is a withdrawal */
    bool has_turns;                /* it was played at once */
    char command_id[FRAME_COMMAND_ID_MAX + 1];
};

static struct waiting *
waiting_alloc(const struct room *room, const struct session *session, uint8_t seat,
              const struct frame_head *head, struct sk_text command_id)
{
    struct waiting *waiting = host_memory(sizeof(*waiting));

    if (session != NULL) {
        waiting->reply = reply_to(session, head);
    }
    waiting->seat = seat;
    waiting->turn = room->state->turn;
    memcpy(waiting->command_id, command_id.at, command_id.length);
    return waiting;
}

static void
waiting_free(struct waiting *waiting)
{
    submission_free(waiting->submission);
    free(waiting);
}

/* The sender hears it with his id, the player's other sessions without. */
static void
answer_all(struct room *room, const struct waiting *waiting, void *frame)
{
    struct frame_head *head = frame;
    struct session *sender = reply_session(room->host, &waiting->reply);

    for (struct follow *follow = room->follows; follow != NULL; follow = follow->next_of_room) {
        if (follow->seat == waiting->seat && follow->session != sender) {
            session_send_frame(follow->session, frame);
        }
    }
    if (sender != NULL) {
        head->has_id = waiting->reply.has_id;
        head->id = sk_text_of(waiting->reply.id);
        session_send_frame(sender, frame);
    }
}

static struct server_accepted
accepted_frame(const struct room *room, uint32_t turn, const struct submission *submission)
{
    return (struct server_accepted){
        .head = { .type = SERVER_ACCEPTED },
        .match = room->id,
        .turn = (int32_t)turn,
        .command_id = sk_text_of(submission->command_id),
        .verdicts = { .text = sk_text_of(submission->verdicts) },
        .ready = submission->is_ready,
    };
}

void
room_show_pending(struct room *room, struct session *session)
{
    uint8_t seat = room_seat_of(room, session);
    const struct submission *stored = seat == SK_SPECTATOR ? NULL : room->seats[seat].stored;
    struct server_accepted frame;

    if (stored != NULL && room->phase == ROOM_RUNNING) {
        frame = accepted_frame(room, room->state->turn, stored);
        session_send_frame(session, &frame);
    }
}

/* ---- when the store has failed ----------------------------------------------------------- */

/* What is stored counts again, from the moment it came. */
static void
fall_back_seat(struct room *room, uint8_t seat)
{
    struct seat *it = &room->seats[seat];

    if (it->latest == it->stored) {
        return;
    }
    set_latest(room, seat, it->stored);
    if (it->stored != NULL && it->stored->is_ready && !it->is_running) {
        it->used_ms = it->stored->used_ms;
    }
}

static enum error_code
trouble_of(const struct room *room)
{
    return room->phase == ROOM_QUARANTINED ? ERROR_QUARANTINED : ERROR_STORE_UNAVAILABLE;
}

/*
 * Nothing of this generation after what is stored will come to be: the room
 * goes back to what is stored and on with the next generation.  Commands
 * that are stored stay.  Where the store can append nothing any more, trying
 * again is of no use.
 */
enum error_code
room_fall_back(struct room *room, const struct store_job *job)
{
    if (job->generation != room->generation) { /* an earlier job of the same generation did it */
        return trouble_of(room);
    }
    room->generation = ++room->host->generation;
    room->record_seq = room->stored_seq;
    pending_free(room->pending);
    room->pending = NULL;
    if (job->result == STORE_CORRUPT || job->result == STORE_NOT_FOUND) {
        room_quarantine(room, job->message);
    }
    for (uint8_t seat = 0; room->phase == ROOM_RUNNING && seat < room->seat_count; seat++) {
        fall_back_seat(room, seat);
    }
    room_offer_fall_back(room);
    room_askers_fall_back(room);
    room_set_deadline(room);
    if (room->phase != ROOM_QUARANTINED) {
        room_retry_later(room);
    }
    return trouble_of(room);
}

/* Of a submission or a withdrawal. */
static void
not_stored(struct room *room, const struct store_job *job, const struct waiting *waiting)
{
    struct session *session = reply_session(room->host, &waiting->reply);
    struct frame_head head = reply_head(&waiting->reply);
    enum error_code code = room_fall_back(room, job);

    room_forget_id(room, waiting->seat, sk_text_of(waiting->command_id));
    if (session != NULL) {
        session_error(session, &head, code, NULL);
    }
}

/* ---- judging ----------------------------------------------------------------------------- */

bool
room_has_shared_kinds(const struct room *room, const struct sk_list *commands)
{
    struct sk_commands all = { commands->at, commands->count };

    for (uint32_t i = 0; i < commands->count; i++) {
        if (sk_command_at(room->ruleset, all, i)->kind < SK_COMMAND_OWN) {
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

/* Fills in the verdicts; returns the turns that come of it if it is played at once. */
static struct pending_turn *
judge(struct room *room, uint8_t seat, const struct frame_submit *frame,
      struct submission *submission)
{
    struct playing playing;
    struct sk_turn *turn = &playing.turn;

    room_play_begin(room, seat, &playing);
    turn->commands[seat] = (struct sk_commands){ submission->at, submission->count };
    if (!room->ruleset->is_simultaneous && (!frame->has_ready || frame->ready)) {
        room_play(room, &playing);
        submission->is_ready = playing.first != NULL;
    } else {
        sk_turn_check(turn, seat);
        submission->is_ready = frame->has_ready ? frame->ready : all_are_ok(turn, seat);
    }
    count_commands(room->host, turn, seat);
    submission->is_refused = !all_are_ok(turn, seat);
    submission->verdicts = room_verdicts_text(room->host, turn, seat);
    return playing.first;
}

static struct submission *
make_submission(struct room *room, uint8_t seat, const struct frame_submit *frame,
                const struct sk_list *commands)
{
    struct host *host = room->host;
    struct submission *submission = host_memory(sizeof(*submission));
    size_t size = (size_t)commands->count * room->ruleset->command->size;

    submission->references = 1;
    submission->count = commands->count;
    submission->at = host_memory(size);
    if (size > 0) {
        memcpy(submission->at, commands->at, size);
    }
    memcpy(submission->command_id, frame->command_id.at, frame->command_id.length);
    submission->used_ms = seat_used_ms(&room->seats[seat], host->world.now_ms(host->world.context));
    submission->commands = sk_json_text_of(frame->commands.object);
    return submission;
}

struct submission *
room_judge(struct room *room, uint8_t seat, const struct frame_submit *frame,
           const struct sk_list *commands, struct pending_turn **ret_turns)
{
    struct submission *submission = make_submission(room, seat, frame, commands);

    *ret_turns = judge(room, seat, frame, submission);
    return submission;
}

/* ---- submit ------------------------------------------------------------------------------ */

static void
submission_stored(struct store_job *job, void *context)
{
    struct host *host = context;
    struct waiting *waiting = job->context;
    struct room *room = room_find(host, job->match.id);
    struct server_accepted frame = accepted_frame(room, waiting->turn, waiting->submission);

    room->jobs--;
    if (job->result != STORE_OK) {
        not_stored(room, job, waiting);
    } else {
        room->stored_seq = job->records[job->record_count - 1].seq;
        host->counters.submissions++;
        if (room->state->turn == waiting->turn) {
            set_submission(&room->seats[waiting->seat].stored, waiting->submission);
        }
        answer_all(room, waiting, &frame);
        if (waiting->has_turns) {
            room_turns_stored(room, job);
        } else {
            room_show_ready(room, waiting->seat, waiting->submission->is_ready);
        }
    }
    waiting_free(waiting);
    room_release(room);
}

static int32_t
used_of(const struct submission *submission)
{
    return (int32_t)(submission->used_ms > INT32_MAX ? INT32_MAX : submission->used_ms);
}

bool
room_store_submission(struct session *session, struct room *room, uint8_t seat,
                      const struct frame_submit *frame, struct submission *submission,
                      struct pending_turn *turns)
{
    struct waiting *waiting = waiting_alloc(room, session, seat, &frame->head, frame->command_id);
    struct record_submission body = {
        .commands = { .text = sk_text_of(submission->commands) },
        .verdicts = { .text = sk_text_of(submission->verdicts) },
        .ready = submission->is_ready,
        .has_asked = frame->has_ready,
        .asked = frame->ready,
        .used_ms = used_of(submission),
    };
    struct store_job *job = room_append(room, submission_stored);
    uint32_t record_count;

    room_record(room, job, RECORD_SUBMISSION, seat, &sk_record_submission, &body)->command_id =
        host_text(frame->command_id);
    if (turns != NULL) {
        room_add_turns(room, job, turns);
    }
    record_count = job->record_count;
    waiting->submission = submission;
    waiting->has_turns = turns != NULL;
    job->context = waiting;
    if (!room_submit_job(room, job)) {
        room->record_seq -= record_count;
        if (session != NULL) {
            session_error(session, &frame->head, ERROR_BUSY, NULL);
        }
        waiting_free(waiting);
        pending_free(turns);
        return false;
    }
    room_note_id(room, seat, frame->command_id);
    room->seats[seat].sent++;
    set_latest(room, seat, submission);
    room->pending = turns;
    room_set_deadline(room);
    room_close_if_ready(room);
    return true;
}

void
handle_submit(struct session *session, const union client_frame *any)
{
    const struct frame_submit *frame = &any->submit;
    struct room *room = handler_room(session, &frame->head, frame->match);
    struct gate_in in = { .session = session, .room = room, .turn = frame->turn };
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

    if (room == NULL) {
        return;
    }
    in.seat = room_seat_of(room, session);
    if (!room_pass_gate(&in, GATE_BEGIN, GATE_SEAT, &frame->head) ||
        room_answer_repeat(session, room, in.seat, &frame->head, &repeat) ||
        !room_pass_gate(&in, GATE_SEAT, GATE_END, &frame->head)) {
        return;
    }
    if (sk_commands_read(room->ruleset->command, frame->commands.object, SK_COMMANDS_MAX,
                         &session->host->arena, &commands, &fault) != SK_OK) {
        sk_fault_inside(&fault, SK_TEXT("commands"));
        session_fault(session, &frame->head, &fault);
        return;
    }
    if (room_has_shared_kinds(room, &commands)) {
        session_error(session, &frame->head, ERROR_NOT_ALLOWED,
                      "resign, timeout, abandon and agree_draw are not sent as commands");
        return;
    }
    if (!room_is_resuming(room, session)) { /* else it follows when it has been told the rest */
        room_follow(room, session);
    }
    submission = room_judge(room, in.seat, frame, &commands, &turns);
    (void)room_store_submission(session, room, in.seat, frame, submission, turns);
}

/* ---- withdraw ---------------------------------------------------------------------------- */

static void
withdrawal_stored(struct store_job *job, void *context)
{
    struct host *host = context;
    struct waiting *waiting = job->context;
    struct room *room = room_find(host, job->match.id);
    struct server_withdrawn frame = {
        .head = { .type = SERVER_WITHDRAWN },
        .match = room->id,
        .turn = (int32_t)waiting->turn,
        .command_id = sk_text_of(waiting->command_id),
    };

    room->jobs--;
    if (job->result != STORE_OK) {
        not_stored(room, job, waiting);
    } else {
        room->stored_seq = job->records[job->record_count - 1].seq;
        if (room->state->turn == waiting->turn) {
            set_submission(&room->seats[waiting->seat].stored, NULL);
        }
        answer_all(room, waiting, &frame);
        room_show_ready(room, waiting->seat, false);
    }
    waiting_free(waiting);
    room_release(room);
}

static void
store_withdrawal(struct session *session, struct room *room, uint8_t seat,
                 const struct frame_withdraw *frame)
{
    struct waiting *waiting = waiting_alloc(room, session, seat, &frame->head, frame->command_id);
    struct store_job *job = room_append(room, withdrawal_stored);
    struct host *host = room->host;
    int64_t used_ms = seat_used_ms(&room->seats[seat], host->world.now_ms(host->world.context));
    struct record_withdrawn body = {
        .used_ms = (int32_t)(used_ms > INT32_MAX ? INT32_MAX : used_ms),
    };

    job->context = waiting;
    room_record(room, job, RECORD_WITHDRAWN, seat, &sk_record_withdrawn, &body)->command_id =
        host_text(frame->command_id);
    if (!room_submit_job(room, job)) {
        room->record_seq--;
        session_error(session, &frame->head, ERROR_BUSY, NULL);
        waiting_free(waiting);
        return;
    }
    room_note_id(room, seat, frame->command_id);
    room->seats[seat].sent++;
    set_latest(room, seat, NULL);
    room_set_deadline(room);
}

void
handle_withdraw(struct session *session, const union client_frame *any)
{
    const struct frame_withdraw *frame = &any->withdraw;
    struct room *room = handler_room(session, &frame->head, frame->match);
    struct gate_in in = { .session = session, .room = room, .turn = frame->turn };
    struct repeat repeat = {
        .kind = RECORD_WITHDRAWN,
        .command_id = frame->command_id,
        .turn = frame->turn,
    };

    if (room == NULL) {
        return;
    }
    in.seat = room_seat_of(room, session);
    if (!room_pass_gate(&in, GATE_BEGIN, GATE_SEAT, &frame->head) ||
        room_answer_repeat(session, room, in.seat, &frame->head, &repeat) ||
        !room_pass_gate(&in, GATE_SEAT, GATE_END, &frame->head)) {
        return;
    }
    if (room->seats[in.seat].latest == NULL) {
        session_error(session, &frame->head, ERROR_NO_SUBMISSION, NULL);
        return;
    }
    store_withdrawal(session, room, in.seat, frame);
}
