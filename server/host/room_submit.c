/*
 * Submissions: from a frame to the store, and the answer once they are
 * there.
 *
 * The gate is a table of checks like the rulesets' own: the first that
 * speaks decides, and its name is in the answer.  What it lets pass is
 * judged by the ruleset against the seat's view; refused commands are stored
 * with the others, because a seat may rely on what it was told.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
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

/* ---- ids that were used ------------------------------------------------------------------ */

static uint64_t
id_key(uint8_t seat, struct sk_text id)
{
    return store_command_key(seat, id.at, id.length);
}

bool
room_knows_id(const struct room *room, uint8_t seat, struct sk_text id)
{
    return id_set_has(&room->command_ids, id_key(seat, id));
}

void
room_note_id(struct room *room, uint8_t seat, struct sk_text id)
{
    id_set_add(&room->command_ids, id_key(seat, id));
}

/* It did not come to be: the same frame may be sent again. */
static void
forget_id(struct room *room, uint8_t seat, struct sk_text id)
{
    id_set_remove(&room->command_ids, id_key(seat, id));
}

/* ---- answers ----------------------------------------------------------------------------- */

/* What an answer needs when the store comes back. */
struct waiting {
    struct reply reply;
    uint8_t seat;
    uint32_t turn;
    uint32_t generation;
    struct submission *submission;
    char command_id[FRAME_COMMAND_ID_MAX + 1];
    char *commands; /* for telling a repeat from another use of its id */
};

static struct waiting *
waiting_alloc(const struct room *room, const struct session *session, uint8_t seat,
              const struct frame_head *head, struct sk_text command_id)
{
    struct waiting *waiting = host_memory(sizeof(*waiting));

    waiting->reply = reply_to(session, head);
    waiting->seat = seat;
    waiting->turn = room->state->turn;
    waiting->generation = room->generation;
    memcpy(waiting->command_id, command_id.at, command_id.length);
    return waiting;
}

static void
waiting_free(struct waiting *waiting)
{
    submission_free(waiting->submission);
    free(waiting->commands);
    free(waiting);
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

/* The sender hears it with his id, the player's other sessions without. */
static void
show_accepted(struct room *room, const struct waiting *waiting)
{
    struct server_accepted frame = accepted_frame(room, waiting->turn, waiting->submission);

    for (struct follow *follow = room->follows; follow != NULL; follow = follow->next_of_room) {
        if (follow->seat == waiting->seat) {
            bool is_sender = follow->session->number == waiting->reply.session;

            frame.head.has_id = is_sender && waiting->reply.has_id;
            frame.head.id = sk_text_of(waiting->reply.id);
            session_send_frame(follow->session, &frame);
        }
    }
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

/*
 * Nothing of this generation after what is stored will come to be: the room
 * goes back to what is stored and on with the next generation.  Commands
 * that are stored stay.
 */
void
room_fall_back(struct room *room, uint32_t generation)
{
    if (generation != room->generation) {
        return; /* an earlier job of the same generation did it */
    }
    room->generation = ++room->host->generation;
    room->record_seq = room->stored_seq;
    pending_free(room->pending);
    room->pending = NULL;
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct seat *it = &room->seats[seat];

        set_submission(&it->latest, it->stored);
        if (it->latest == NULL || !it->latest->is_ready) {
            it->ready_ms = 0;
        }
    }
    room_offer_fall_back(room);
    room_set_deadline(room);
    room_retry_later(room);
}

/* ---- the gate ---------------------------------------------------------------------------- */

struct gate_in {
    struct session *session;
    struct room *room;
    uint8_t seat;
    int32_t turn;
};

struct gate_check {
    const char *name;
    enum error_code refusal;
    bool (*passes)(const struct gate_in *in);
};

static bool
is_seat(const struct gate_in *in)
{
    return in->seat != SK_SPECTATOR;
}

static bool
has_begun(const struct gate_in *in)
{
    return in->room->phase != ROOM_WAITING;
}

static bool
goes_on(const struct gate_in *in)
{
    return in->room->phase == ROOM_RUNNING;
}

static bool
is_current_turn(const struct gate_in *in)
{
    return in->turn < 0 || (uint32_t)in->turn == in->room->state->turn;
}

static bool
is_turn_open(const struct gate_in *in)
{
    struct host *host = in->room->host;

    return in->room->pending == NULL && !host->is_draining &&
           !room_is_out_of_time(in->room, in->seat, host->world.now_ms(host->world.context));
}

/* A repeat is looked for between the first check and the others: see handle_submit. */
static const struct gate_check gate[] = {
    { "seat", ERROR_NOT_YOUR_SEAT, is_seat },
    { "match_begun", ERROR_MATCH_NOT_STARTED, has_begun },
    { "match_open", ERROR_MATCH_OVER, goes_on },
    { "turn_current", ERROR_WRONG_TURN, is_current_turn },
    { "turn_open", ERROR_TURN_CLOSED, is_turn_open },
};

static bool
pass_gate(const struct gate_in *in, size_t from, size_t to, const struct frame_head *head)
{
    for (size_t i = from; i < to; i++) {
        if (!gate[i].passes(in)) {
            session_refusal(in->session, head, gate[i].refusal, gate[i].name, in->room->id);
            return false;
        }
    }
    return true;
}

#define GATE_SEAT 1u /* checks before a repeat is looked for */
#define GATE_ALL  SK_COUNT_OF(gate)

/* ---- repeats ----------------------------------------------------------------------------- */

static void
answer_withdrawn(struct session *session, const struct room *room, const struct waiting *waiting,
                 uint32_t turn)
{
    struct server_withdrawn frame = {
        .head = reply_head(&waiting->reply),
        .match = room->id,
        .turn = (int32_t)turn,
        .command_id = sk_text_of(waiting->command_id),
    };

    frame.head.type = SERVER_WITHDRAWN;
    session_send_frame(session, &frame);
}

/* The original answer, if it was the same commands. */
static void
answer_accepted(struct session *session, const struct room *room, const struct waiting *waiting,
                const struct store_record *record, const struct record_submission *stored)
{
    const struct submission *now = room->seats[waiting->seat].stored;
    bool is_current = now != NULL && strcmp(now->command_id, waiting->command_id) == 0;
    char *commands = sk_json_text_of(stored->commands.object);
    char *verdicts = sk_json_text_of(stored->verdicts.object);
    struct frame_head head = reply_head(&waiting->reply);
    struct server_accepted frame = {
        .head = head,
        .match = room->id,
        .turn = record->turn,
        .command_id = sk_text_of(waiting->command_id),
        .verdicts = { .text = sk_text_of(verdicts) },
        .ready = stored->ready,
        .has_superseded = !is_current && (uint32_t)record->turn == room->state->turn,
        .superseded = true,
    };

    frame.head.type = SERVER_ACCEPTED;
    if (strcmp(commands, waiting->commands) == 0) {
        session_send_frame(session, &frame);
    } else {
        session_error(session, &head, ERROR_ID_REUSED, NULL);
    }
    free(commands);
    free(verdicts);
}

static void
answer_found(struct session *session, struct room *room, const struct waiting *waiting,
             const struct store_record *record)
{
    struct host *host = session->host;
    struct frame_head head = reply_head(&waiting->reply);
    struct record_submission stored;
    struct sk_value *json = NULL;
    struct sk_fault fault;

    host->arena.used = 0;
    if (record->kind == RECORD_WITHDRAWN && waiting->commands == NULL) {
        answer_withdrawn(session, room, waiting, (uint32_t)record->turn);
    } else if (record->kind == RECORD_SUBMISSION && waiting->commands != NULL &&
               sk_json_parse(&host->reader, record->body, record->body_length, &json, &fault) ==
                   SK_OK &&
               sk_form_read(&sk_record_submission, json, &host->arena, &stored, &fault) == SK_OK) {
        answer_accepted(session, room, waiting, record, &stored);
    } else {
        session_error(session, &head, ERROR_ID_REUSED, NULL);
    }
    sk_json_free(json);
}

static void
repeat_found(struct store_job *job, void *context)
{
    struct host *host = context;
    struct waiting *waiting = job->context;
    struct room *room = room_find(host, job->match.id);
    struct session *session = reply_session(host, &waiting->reply);
    struct frame_head head = reply_head(&waiting->reply);

    if (room != NULL) {
        room->jobs--;
    }
    if (session != NULL && room != NULL && job->result == STORE_OK && job->record_count == 1) {
        answer_found(session, room, waiting, &job->records[0]);
    } else {
        bool is_corrupt = room != NULL && room_is_corrupt(room, job);

        if (session != NULL) {
            session_error(session, &head, is_corrupt ? ERROR_QUARANTINED : ERROR_STORE_UNAVAILABLE,
                          NULL);
        }
    }
    waiting_free(waiting);
    if (room != NULL) {
        room_release(room);
    }
}

/*
 * True when the frame repeats one that is stored or on its way there (or
 * misuses its id) and is answered for: a match's jobs are first in, first
 * out, so the first has been stored when the store is asked for it.
 * `commands` NULL = it is a withdrawal.
 */
static bool
answer_repeat(struct session *session, struct room *room, uint8_t seat,
              const struct frame_head *head, struct sk_text command_id,
              const struct sk_value *commands)
{
    struct store_job *job;
    struct store_record *record;
    struct waiting *waiting;

    if (!room_knows_id(room, seat, command_id)) {
        return false;
    }
    waiting = waiting_alloc(room, session, seat, head, command_id);
    waiting->commands = commands == NULL ? NULL : sk_json_text_of(commands);
    job = store_job_alloc(JOB_COMMAND_FIND);
    job->done = repeat_found;
    job->context = waiting;
    record = store_job_add_record(job);
    record->seat = seat;
    record->command_id = host_text(command_id);
    if (!room_submit_job(room, job)) {
        session_error(session, head, ERROR_BUSY, NULL);
        waiting_free(waiting);
    }
    return true;
}

/* ---- submit ------------------------------------------------------------------------------ */

struct verdict_writing {
    const struct sk_turn *turn;
    uint8_t seat;
};

static void
write_verdicts(struct sk_json_out *out, const void *what)
{
    const struct verdict_writing *writing = what;

    sk_verdicts_write(out, writing->turn, writing->seat);
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

/* Shared commands are the host's to give; a player has frames of their own for them. */
static bool
has_shared_kinds(const struct sk_ruleset *ruleset, const struct sk_list *commands)
{
    struct sk_commands all = { commands->at, commands->count };

    for (uint32_t i = 0; i < commands->count; i++) {
        if (sk_command_at(ruleset, all, i)->kind < SK_COMMAND_OWN) {
            return true;
        }
    }
    return false;
}

static struct submission *
make_submission(struct room *room, uint8_t seat, const struct frame_submit *frame,
                const struct sk_list *commands)
{
    struct host *host = room->host;
    struct submission *submission = host_memory(sizeof(*submission));
    struct sk_turn turn;
    struct verdict_writing writing = { &turn, seat };
    size_t size = (size_t)commands->count * room->ruleset->command->size;

    submission->references = 1;
    submission->count = commands->count;
    submission->at = host_memory(size);
    if (size > 0) {
        memcpy(submission->at, commands->at, size);
    }
    memcpy(submission->command_id, frame->command_id.at, frame->command_id.length);
    host_turn(host, room->ruleset, room->config->config, &turn);
    turn.before = room->state;
    turn.seed = &room->seed;
    turn.commands[seat] = (struct sk_commands){ submission->at, submission->count };
    sk_turn_check(&turn, seat);
    submission->is_ready = frame->has_ready ? frame->ready : all_are_ok(&turn, seat);
    submission->verdicts = host_json(host, write_verdicts, &writing);
    submission->commands = sk_json_text_of(frame->commands.object);
    return submission;
}

static void
submission_stored(struct store_job *job, void *context)
{
    struct host *host = context;
    struct waiting *waiting = job->context;
    struct room *room = room_find(host, job->match.id);
    struct seat *seat = &room->seats[waiting->seat];
    struct session *session = reply_session(host, &waiting->reply);
    struct frame_head head = reply_head(&waiting->reply);

    room->jobs--;
    if (job->result == STORE_OK) {
        room->stored_seq = job->records[job->record_count - 1].seq;
        host->counters.submissions++;
        if (room->state->turn == waiting->turn) {
            set_submission(&seat->stored, waiting->submission);
        }
        show_accepted(room, waiting);
        room_show_ready(room, waiting->seat, waiting->submission->is_ready);
    } else {
        forget_id(room, waiting->seat, sk_text_of(waiting->command_id));
        room_fall_back(room, job->generation);
        if (session != NULL) {
            session_error(session, &head, ERROR_STORE_UNAVAILABLE, NULL);
        }
    }
    waiting_free(waiting);
    room_release(room);
}

static void
store_submission(struct session *session, struct room *room, uint8_t seat,
                 const struct frame_submit *frame, struct submission *submission)
{
    struct host *host = room->host;
    struct waiting *waiting = waiting_alloc(room, session, seat, &frame->head, frame->command_id);
    struct record_submission body = {
        .commands = { .text = sk_text_of(submission->commands) },
        .verdicts = { .text = sk_text_of(submission->verdicts) },
        .ready = submission->is_ready,
    };
    struct store_job *job = room_append(room, submission_stored);
    struct store_record *record =
        room_record(room, job, RECORD_SUBMISSION, seat, &sk_record_submission, &body);

    record->command_id = host_text(frame->command_id);
    waiting->submission = submission;
    job->context = waiting;
    if (!room_submit_job(room, job)) {
        room->record_seq--;
        session_error(session, &frame->head, ERROR_BUSY, NULL);
        waiting_free(waiting);
        return;
    }
    room_note_id(room, seat, frame->command_id);
    set_submission(&room->seats[seat].latest, submission);
    room->seats[seat].ready_ms = submission->is_ready ? host->world.now_ms(host->world.context) : 0;
    room->seats[seat].missed = 0;
    room_set_deadline(room);
    room_close_if_ready(room);
}

void
handle_submit(struct session *session, const union client_frame *any)
{
    const struct frame_submit *frame = &any->submit;
    struct room *room = handler_room(session, &frame->head, frame->match);
    struct gate_in in = { .session = session, .room = room, .turn = frame->turn };
    struct sk_fault fault;
    struct sk_list commands;

    if (room == NULL) {
        return;
    }
    in.seat = room_seat_of(room, session);
    if (!pass_gate(&in, 0, GATE_SEAT, &frame->head) ||
        answer_repeat(session, room, in.seat, &frame->head, frame->command_id,
                      frame->commands.object) ||
        !pass_gate(&in, GATE_SEAT, GATE_ALL, &frame->head)) {
        return;
    }
    if (sk_commands_read(room->ruleset->command, frame->commands.object, SK_COMMANDS_MAX,
                         &session->host->arena, &commands, &fault) != SK_OK) {
        sk_fault_inside(&fault, SK_TEXT("commands"));
        session_fault(session, &frame->head, &fault);
        return;
    }
    if (has_shared_kinds(room->ruleset, &commands)) {
        session_error(session, &frame->head, ERROR_NOT_ALLOWED,
                      "resign, timeout, abandon and agree_draw are not sent as commands");
        return;
    }
    room_follow(room, session);
    store_submission(session, room, in.seat, frame,
                     make_submission(room, in.seat, frame, &commands));
}

/* ---- withdraw ---------------------------------------------------------------------------- */

static void
withdrawal_stored(struct store_job *job, void *context)
{
    struct host *host = context;
    struct waiting *waiting = job->context;
    struct room *room = room_find(host, job->match.id);
    struct session *session = reply_session(host, &waiting->reply);
    struct frame_head head = reply_head(&waiting->reply);

    room->jobs--;
    if (job->result == STORE_OK) {
        room->stored_seq = job->records[job->record_count - 1].seq;
        if (room->state->turn == waiting->turn) {
            set_submission(&room->seats[waiting->seat].stored, NULL);
        }
        if (session != NULL) {
            answer_withdrawn(session, room, waiting, waiting->turn);
        }
        room_show_ready(room, waiting->seat, false);
    } else {
        forget_id(room, waiting->seat, sk_text_of(waiting->command_id));
        room_fall_back(room, job->generation);
        if (session != NULL) {
            session_error(session, &head, ERROR_STORE_UNAVAILABLE, NULL);
        }
    }
    waiting_free(waiting);
    room_release(room);
}

void
handle_withdraw(struct session *session, const union client_frame *any)
{
    const struct frame_withdraw *frame = &any->withdraw;
    struct room *room = handler_room(session, &frame->head, frame->match);
    struct gate_in in = { .session = session, .room = room, .turn = frame->turn };
    struct store_job *job;
    struct waiting *waiting;

    if (room == NULL) {
        return;
    }
    in.seat = room_seat_of(room, session);
    if (!pass_gate(&in, 0, GATE_SEAT, &frame->head) ||
        answer_repeat(session, room, in.seat, &frame->head, frame->command_id, NULL) ||
        !pass_gate(&in, GATE_SEAT, GATE_ALL, &frame->head)) {
        return;
    }
    if (room->seats[in.seat].latest == NULL) {
        session_error(session, &frame->head, ERROR_NO_SUBMISSION, NULL);
        return;
    }
    waiting = waiting_alloc(room, session, in.seat, &frame->head, frame->command_id);
    job = room_append(room, withdrawal_stored);
    job->context = waiting;
    room_record(room, job, RECORD_WITHDRAWN, in.seat, &sk_record_nothing, waiting)->command_id =
        host_text(frame->command_id);
    if (!room_submit_job(room, job)) {
        room->record_seq--;
        session_error(session, &frame->head, ERROR_BUSY, NULL);
        waiting_free(waiting);
        return;
    }
    room_note_id(room, in.seat, frame->command_id);
    set_submission(&room->seats[in.seat].latest, NULL);
    room->seats[in.seat].ready_ms = 0;
    room_set_deadline(room);
}
