/*
 * The lobby: joining, leaving, watching and lists.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/json_tree.h"
#include "proto/records.h"
#include "server/host/room_bot.h"

/* ---- a change of seats, once it is stored ------------------------------------------------ */

struct seating {
    struct reply reply;
    uint8_t seat;
    bool is_leaving;
    bool starts;
    char name[FRAME_PLAYER_NAME_MAX + 1];
    int64_t player;
    bool is_bot;
};

static struct seating *
seating_alloc(const struct session *session, const struct frame_head *head, uint8_t seat)
{
    struct seating *seating = host_memory(sizeof(*seating));

    seating->reply = reply_to(session, head);
    seating->seat = seat;
    seating->player = session->player->id;
    seating->is_bot = session->player->is_bot;
    memcpy(seating->name, session->player->name, sizeof(seating->name));
    return seating;
}

/* The player's other sessions that follow, as spectators so far, sit down too. */
static void
seat_watchers(struct room *room, uint8_t seat)
{
    struct frame_head none = { 0 };

    for (struct follow *follow = room->follows; follow != NULL; follow = follow->next_of_room) {
        if (follow->seat != seat && room_seat_of(room, follow->session) == seat) {
            room_show_joined(room, follow->session, &none);
            room_follow(room, follow->session);
        }
    }
}

static void
seat_taken(struct room *room, const struct seating *seating, struct session *session,
           const struct frame_head *head)
{
    seat_set(&room->seats[seating->seat], seating->player, seating->name, seating->is_bot);
    room_wait_for_others(room); /* it may have been about to end, deserted */
    if (session != NULL) {
        room_show_joined(room, session, head);
        room_follow(room, session);
    }
    seat_watchers(room, seating->seat);
    if (seating->starts) {
        room->is_rated = room->is_rated && !room_has_bot(room);
        room_begin(room);
        room_open_turn(room);
    }
    room_show_seated(room, seating->seat, seating->starts);
    for (struct follow *follow = room->follows; follow != NULL; follow = follow->next_of_room) {
        if (follow->seat == seating->seat) {
            room_show_state(room, follow->session, NULL);
        }
    }
    if (seating->starts && room->state->outcome.is_over) {
        room_close(room); /* params that decide the match at once */
    }
    room_ask_bots(room);
}

static void
seat_left(struct room *room, const struct seating *seating, struct session *session,
          const struct frame_head *head)
{
    struct follow *follow = room->follows;

    player_left(room->host, seating->player);
    seat_set(&room->seats[seating->seat], 0, NULL, false);
    room_show_seated(room, seating->seat, false);
    while (follow != NULL) { /* the player's other sessions too: the seat will be somebody else's */
        struct follow *next = follow->next_of_room;

        if (follow->seat == seating->seat) {
            room_unfollow(follow);
        }
        follow = next;
    }
    if (session != NULL) {
        session_done(session, head);
    }
    if (room_is_deserted(room)) {
        room->expires_ms = 0; /* what nobody waits in shall not wait */
        room_schedule(room);
    }
}

static void
seating_stored(struct store_job *job, void *context)
{
    struct host *host = context;
    struct seating *seating = job->context;
    struct room *room = room_find(host, job->match.id);
    struct session *session = reply_session(host, &seating->reply);
    struct frame_head head = reply_head(&seating->reply);

    room->jobs--;
    room->is_seating = false;
    if (!seating->is_leaving) {
        player_joined(host, seating->player, job->result == STORE_OK);
    }
    if (job->result == STORE_OK) {
        room->stored_seq = job->records[0].seq;
        room->seq++;
        if (seating->is_leaving) {
            seat_left(room, seating, session, &head);
        } else {
            seat_taken(room, seating, session, &head);
        }
    } else {
        enum error_code code = room_fall_back(room, job);

        if (session != NULL) {
            session_error(session, &head, code, NULL);
        }
    }
    free(seating);
    room_unpark(room, true);
}

static uint32_t
free_seats(const struct room *room)
{
    uint32_t count = 0;

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        count += room->seats[seat].player == 0 ? 1 : 0;
    }
    return count;
}

static void
store_seating(struct room *room, struct session *session, const struct frame_head *head,
              struct seating *seating)
{
    struct record_joined body = {
        .has_player = !seating->is_leaving,
        .player = seating->is_leaving ? 0 : seating->player,
        .bot = !seating->is_leaving && seating->is_bot,
        .starts = seating->starts,
    };
    struct store_job *job = room_append(room, seating_stored);
    const struct store_record *record;

    job->context = seating;
    record = room_record(room, job, RECORD_JOINED, seating->seat, &sk_record_joined, &body);
    job->change.has_seat = true;
    job->change.seat = seating->seat;
    job->change.player = body.player;
    job->change.has_started = seating->starts;
    job->change.started_at_ms = record->at_ms;
    job->change.is_unrated = seating->is_bot || room_has_bot(room);
    room->is_seating = true;
    if (!room_submit_job(room, job)) {
        room->is_seating = false;
        room->record_seq--;
        session_error(session, head, ERROR_BUSY, NULL);
        free(seating);
    } else if (!seating->is_leaving) {
        player_joins(room->host, seating->player);
    }
}

/* ---- join -------------------------------------------------------------------------------- */

static int
choose_seat(const struct room *room, bool has_wish, int32_t wish)
{
    if (has_wish) {
        return wish < room->seat_count && room->seats[wish].player == 0 ? wish : -1;
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->seats[seat].player == 0) {
            return seat;
        }
    }
    return -1;
}

void
room_join(struct session *session, const struct frame_head *head, struct room *room, bool has_wish,
          int32_t wish)
{
    struct seating *seating;
    int seat = choose_seat(room, has_wish, wish);

    if (room_seat_of(room, session) != SK_SPECTATOR) {
        session_error(session, head, ERROR_ALREADY_JOINED, NULL);
    } else if (room->phase == ROOM_OVER) {
        session_error(session, head, ERROR_MATCH_OVER, NULL);
    } else if (room->phase == ROOM_RUNNING || free_seats(room) == 0) {
        session_error(session, head, ERROR_MATCH_FULL, NULL);
    } else if (room->is_seating || room->is_ending_alone) {
        host_park(session, room); /* until that is stored */
    } else if (seat < 0) {
        session_error(session, head, ERROR_SEAT_TAKEN, NULL);
    } else if (session_may_play(session, head)) {
        seating = seating_alloc(session, head, (uint8_t)seat);
        seating->starts = free_seats(room) == 1;
        store_seating(room, session, head, seating);
    }
}

static bool
code_fits(const struct room *room, struct sk_text code)
{
    return room->code == NULL || sk_text_same(code, sk_text_of(room->code));
}

struct code_join {
    struct reply reply;
    size_t length;
    char text[];
};

/* The match is known now: the frame is handled again, and finds it by its code. */
static void
code_found(struct store_job *job, void *context)
{
    struct host *host = context;
    struct code_join *join = job->context;
    struct session *session = reply_session(host, &join->reply);

    if (session != NULL && job->result == STORE_OK) {
        session->code_match = job->match.id;
        host_unpark(session, join->text, join->length);
        session->code_match = 0;
    } else if (session != NULL) {
        struct frame_head head = reply_head(&join->reply);

        session_error(session, &head,
                      job->result == STORE_NOT_FOUND ? ERROR_WRONG_CODE : ERROR_STORE_UNAVAILABLE,
                      NULL);
    }
    free(join);
}

static void
find_by_code(struct session *session, const struct frame_join *frame)
{
    struct host *host = session->host;
    struct code_join *join = host_memory(sizeof(*join) + host->message.length);
    struct store_job *job = store_job_alloc(JOB_MATCH_BY_CODE);

    join->reply = reply_to(session, &frame->head);
    join->length = host->message.length;
    memcpy(join->text, host->message.at, host->message.length);
    job->match.code = host_text(frame->code);
    job->done = code_found;
    job->context = join;
    if (!host_submit(host, job)) {
        session_error(session, &frame->head, ERROR_BUSY, NULL);
        free(join);
    }
}

void
handle_join(struct session *session, const union client_frame *any)
{
    const struct frame_join *frame = &any->join;
    int64_t match = frame->has_match ? frame->match : session->code_match;
    struct room *room;

    if (match == 0 && frame->code.length == 0) {
        session_error(session, &frame->head, ERROR_MALFORMED, "join needs a match or a code");
        return;
    }
    if (match == 0) {
        find_by_code(session, frame);
        return;
    }
    room = handler_room(session, &frame->head, match);
    if (room == NULL) {
        return;
    }
    if (!code_fits(room, frame->code)) {
        session_error(session, &frame->head, ERROR_WRONG_CODE, NULL);
        return;
    }
    room_join(session, &frame->head, room, frame->has_seat, frame->seat);
}

/* ---- leave, watch ------------------------------------------------------------------------ */

/* Before the start the seat is free again; after it the connection only stops following. */
void
handle_leave(struct session *session, const union client_frame *any)
{
    const struct frame_match *frame = &any->match;
    struct room *room;
    struct follow *follow;
    struct seating *seating;
    uint8_t seat;

    if (show_is_of(session, frame->match)) {
        show_end(session);
        session_done(session, &frame->head);
        return;
    }
    room = handler_room(session, &frame->head, frame->match);
    if (room == NULL) {
        return;
    }
    seat = room_seat_of(room, session);
    follow = room_follow_of(room, session);
    if (seat != SK_SPECTATOR && room->phase == ROOM_WAITING &&
        (room->is_seating || room->is_ending_alone)) {
        host_park(session, room);
        return;
    }
    if (seat != SK_SPECTATOR && room->phase == ROOM_WAITING) {
        seating = seating_alloc(session, &frame->head, seat);
        seating->is_leaving = true;
        store_seating(room, session, &frame->head, seating);
        return;
    }
    if (follow == NULL) {
        session_error(session, &frame->head, ERROR_NOT_IN_MATCH, NULL);
        return;
    }
    room_unfollow(follow);
    session_done(session, &frame->head);
}

void
handle_watch(struct session *session, const union client_frame *any)
{
    const struct frame_watch *frame = &any->watch;
    struct room *room;

    if (frame->has_ms_per_turn) {
        show_begin(session, frame);
        return;
    }
    room = handler_room(session, &frame->head, frame->match);
    if (room == NULL) {
        return;
    }
    if (room_seat_of(room, session) == SK_SPECTATOR && !code_fits(room, frame->code)) {
        session_error(session, &frame->head, ERROR_WRONG_CODE, NULL);
        return;
    }
    room_follow(room, session);
    room_show_joined(room, session, &frame->head);
    room_show_state(room, session, NULL);
}

/* ---- list -------------------------------------------------------------------------------- */

/* The list itself; what is around it in HTTP has its own members in the frame. */
static char *
matches_of(const struct store_job *job)
{
    return sk_json_member_text(job->text, job->text_length, "matches");
}

static void
listed(struct store_job *job, void *context)
{
    struct host *host = context;
    struct reply *reply = job->context;
    struct session *session = reply_session(host, reply);
    struct server_matches frame = { .head = reply_head(reply) };
    char *matches = job->result == STORE_OK ? matches_of(job) : NULL;

    if (session != NULL && matches != NULL) {
        frame.head.type = SERVER_MATCHES;
        frame.matches.text = sk_text_of(matches);
        frame.has_next = job->after != 0;
        frame.next = job->after;
        session_send_frame(session, &frame);
    } else if (session != NULL) {
        session_error(session, &frame.head, ERROR_STORE_UNAVAILABLE, NULL);
    }
    free(matches);
    free(reply);
}

void
handle_list(struct session *session, const union client_frame *any)
{
    static const char *const words[] = { "", "waiting", "running", "over" };
    const struct frame_list *frame = &any->list;
    struct store_job *job = store_job_alloc(JOB_TEXT);
    struct reply *reply = host_memory(sizeof(*reply));

    *reply = reply_to(session, &frame->head);
    job->query.kind = QUERY_MATCHES;
    job->query.limit = 50;
    job->query.after = frame->has_after ? frame->after : 0;
    job->query.player = frame->mine ? session->player->id : 0;
    strncpy(job->query.status, words[frame->status], sizeof(job->query.status) - 1);
    if (frame->ruleset.length > 0 && frame->ruleset.length < sizeof(job->query.ruleset)) {
        memcpy(job->query.ruleset, frame->ruleset.at, frame->ruleset.length);
    }
    job->done = listed;
    job->context = reply;
    if (!host_submit(session->host, job)) {
        session_error(session, &frame->head, ERROR_BUSY, NULL);
        free(reply);
    }
}
