#include "server/host/room/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "server/host/room/aside.h"
#include "server/host/room/asks.h"
#include "server/host/room/commit.h"
#include "server/host/session/reads.h"

/* ---- content ----------------------------------------------------------------------------- */

/* The commands as the server writes them, so that the order of members does not matter; NULL if
 * they are invalid. */
static char *
own_words(struct room *room, const struct sk_value *json)
{
    const struct sk_variants *variants = room->match.ruleset->command;
    struct work *work = &room->host->work;
    struct sk_json_out out = { 0 };
    struct sk_fault fault;
    struct sk_list list;

    if (sk_commands_read(variants, json, SK_COMMANDS_MAX, &work->arena, &list, &fault) != SK_OK) {
        return NULL;
    }
    while (work_writes(work, &out)) {
        sk_variants_write(&out, variants, list.at, list.count);
    }
    return work_text_copy(&out);
}

static bool
is_same_text(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* ---- answers ----------------------------------------------------------------------------- */

/* What an answer needs when the store has replied. */
struct finding {
    struct reply reply;
    struct repeat repeat;
    char *commands; /* as the server writes them */
    char command_id[FRAME_COMMAND_ID_MAX + 1];
};

static void
finding_free(struct finding *finding)
{
    free(finding->commands);
    free(finding);
}

static void
answer_withdrawn(struct session *session, const struct room *room, const struct finding *finding)
{
    struct server_withdrawn frame = {
        .head = reply_head(&finding->reply),
        .match = room->match.id,
        .turn = finding->repeat.turn,
        .command_id = sk_text_of(finding->command_id),
    };

    frame.head.type = SERVER_WITHDRAWN;
    session_send_frame(session, &frame);
}

static void
answer_accepted(struct session *session, const struct room *room, const struct finding *finding,
                const struct record_submission *stored, bool is_superseded)
{
    char *verdicts = sk_json_text_of(stored->verdicts.object);
    struct server_accepted frame = {
        .head = reply_head(&finding->reply),
        .match = room->match.id,
        .turn = finding->repeat.turn,
        .command_id = sk_text_of(finding->command_id),
        .verdicts = { .text = sk_text_of(verdicts) },
        .ready = stored->ready,
        .has_superseded = is_superseded,
        .superseded = true,
    };

    frame.head.type = SERVER_ACCEPTED;
    session_send_frame(session, &frame);
    free(verdicts);
}

static bool
is_same_submission(struct room *room, const struct finding *finding,
                   const struct record_submission *stored)
{
    const struct repeat *repeat = &finding->repeat;
    char *commands = own_words(room, stored->commands.object);
    bool is_same = is_same_text(commands, finding->commands) &&
                   stored->has_asked == repeat->has_ready &&
                   (!repeat->has_ready || stored->asked == repeat->ready);

    free(commands);
    return is_same;
}

/* Returns false if it is not a repeat of the record. */
static bool
answer_submission(struct session *session, struct room *room, const struct finding *finding,
                  const struct store_job *job)
{
    struct host *host = session->host;
    const struct store_record *record = &job->records[0];
    struct record_submission stored;
    struct sk_value *json;
    struct sk_fault fault;
    bool is_same = false;

    host->work.arena.used = 0;
    if (sk_json_parse(record->body, record->body_length, &json, &fault) != SK_OK) {
        return false;
    }
    if (sk_form_read(&sk_record_submission, json, &host->work.arena, &stored, &fault) == SK_OK &&
        is_same_submission(room, finding, &stored)) {
        answer_accepted(session, room, finding, &stored, job->is_superseded);
        is_same = true;
    }
    sk_json_free(json);
    return is_same;
}

static void
answer_found(struct session *session, struct room *room, const struct finding *finding,
             const struct store_job *job)
{
    const struct store_record *record = &job->records[0];
    const struct repeat *repeat = &finding->repeat;
    struct frame_head head = reply_head(&finding->reply);
    bool is_same = record->kind == repeat->kind &&
                   (repeat->kind == RECORD_RESIGNED || record->turn == repeat->turn);

    if (is_same && repeat->kind == RECORD_RESIGNED) {
        session_done(session, &head);
    } else if (is_same && repeat->kind == RECORD_WITHDRAWN) {
        answer_withdrawn(session, room, finding);
    } else if (!is_same || !answer_submission(session, room, finding, job)) {
        session_error(session, &head, ERROR_ID_REUSED, NULL);
    }
}

static void
repeat_found(struct store_job *job, struct host *host)
{
    struct finding *finding = job->context;
    struct room *room = room_find(host, job->match_id);
    struct session *session = reply_session(host, &finding->reply);

    read_back(host, job);
    if (session != NULL && job->result == STORE_OK) {
        answer_found(session, room, finding, job);
    } else {
        bool is_corrupt = room_is_corrupt(room, job) || room_phase(room) == ROOM_QUARANTINED;

        room_refuse(room, &finding->reply,
                    is_corrupt ? ERROR_QUARANTINED : ERROR_STORE_UNAVAILABLE);
    }
    finding_free(finding);
    room_let_go(room);
}

/*
 * Finding an old record takes longer in a long match, so it does not run on
 * the writer, and is charged to the address.  A record that is still under way
 * is read in order, after the job that stores it.  Only a resignation may wait
 * here until a turn ends.
 */
bool
room_answer_repeat(struct session *session, struct room *room, uint8_t seat,
                   const struct frame_head *head, const struct repeat *repeat)
{
    struct finding *finding;
    struct store_record *record;
    struct store_job *job;

    if (!room_knows_id(room, seat, repeat->command_id)) {
        return false;
    }
    if (room_asker_of(room, seat, repeat->command_id) != NULL) {
        session_error(session, head, ERROR_ID_REUSED, NULL);
        return true;
    }
    if (!session_may_read(session, head)) {
        return true;
    }
    finding = heap_memory(sizeof(*finding));
    finding->reply = reply_to(session, head);
    finding->repeat = *repeat;
    finding->commands = repeat->commands == NULL ? NULL : own_words(room, repeat->commands);
    memcpy(finding->command_id, repeat->command_id.at, repeat->command_id.length);
    job = host_job(JOB_COMMAND_FIND, repeat_found, finding);
    record = store_job_add_record(job);
    record->seat = seat;
    record->command_id = heap_text(repeat->command_id);
    job->place =
        room_commits_id(room, seat, repeat->command_id) ? STORE_IN_ORDER : STORE_FOR_PLAYERS;
    job->match_id = room->match.id;
    if (session_read(session, job)) {
        room_hold(room);
    } else {
        session_error(session, head, ERROR_BUSY, NULL);
        finding_free(finding);
    }
    return true;
}
