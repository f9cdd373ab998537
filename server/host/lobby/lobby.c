#include "server/host/lobby/lobby.h"

#include <stdlib.h>
#include <string.h>

#include "proto/json_parse.h"
#include "server/host/lobby/create.h"
#include "server/host/room/audience.h"
#include "server/host/room/behind.h"
#include "server/host/room/bot.h"
#include "server/host/room/gate.h"
#include "server/host/room/tell.h"
#include "server/host/room/turn.h"
#include "server/host/session/player.h"
#include "server/host/session/reads.h"
#include "server/host/session/show.h"

/* ---- a change of seats, once it is stored ------------------------------------------------ */

/* The player's other sessions that follow as spectators now follow as the seat. */
static void
seat_watchers(struct room *room, uint8_t seat)
{
    struct frame_head none = { 0 };

    for (struct follow *follow = room->audience.follows; follow != NULL;
         follow = follow->next_of_room) {
        if (follow->seat != seat && room_seat_of(room, follow->session) == seat) {
            room_show_joined(room, follow->session, &none);
            room_follow(room, follow->session);
        }
    }
}

static void
seat_taken(struct room *room, const struct fact *fact, struct session *session,
           const struct frame_head *head)
{
    room_wait_for_others(room); /* it may have been about to expire */
    if (session != NULL) {
        room_show_joined(room, session, head);
        room_follow(room, session);
    }
    seat_watchers(room, fact->seat);
    room_show_seated(room, fact->seat, fact->joined.starts);
    for (struct follow *follow = room->audience.follows; follow != NULL;
         follow = follow->next_of_room) {
        if (follow->seat == fact->seat) {
            room_show_state(room, follow->session, NULL);
        }
    }
    if (fact->joined.starts && room->match.state->outcome.is_over) {
        room_close(room); /* the params decide the match at once */
    }
    room_touch(room, ROOM_ASKS_BOTS);
}

static void
seat_left(struct room *room, uint8_t seat, struct session *session, const struct frame_head *head)
{
    struct follow *follow = room->audience.follows;

    room_show_seated(room, seat, false);
    while (follow != NULL) { /* the player's other sessions too: the seat is free for others */
        struct follow *next = follow->next_of_room;

        if (follow->seat == seat) {
            room_unfollow(follow);
        }
        follow = next;
    }
    if (session != NULL) {
        session_done(session, head);
    }
    if (room_is_deserted(room)) {
        room->expires_ms = 0; /* a match without players must not wait */
    }
}

/* A seat that was not taken no longer counts among the player's matches.  Of a lost room it may be
 * stored all the same. */
static void
seating_failed(struct room *room, const struct commit *commit, enum error_code code, bool is_first)
{
    bool is_stored = commit->job->result == STORE_OK && !commit_has_ended(commit);

    (void)code;
    (void)is_first;
    if (commit->fact.joined.player != 0) {
        player_joined(room->host, commit->player, is_stored);
    } else if (is_stored) {
        player_left(room->host, commit->player);
    }
}

static void
seating_stored(struct room *room, struct commit *commit)
{
    const struct fact *fact = &commit->fact;
    struct session *session = reply_session(room->host, &commit->reply);
    struct frame_head head = reply_head(&commit->reply);

    if (room_phase(room) == ROOM_QUARANTINED) { /* meanwhile */
        if (fact->joined.player != 0) {
            player_joined(room->host, commit->player, false);
        }
        reply_error(room->host, &commit->reply, ERROR_QUARANTINED);
        return;
    }
    room->retry_ms = fact->joined.starts ? 0 : room->retry_ms;
    room_apply(room, fact);
    if (fact->joined.player == 0) {
        player_left(room->host, commit->player);
        seat_left(room, fact->seat, session, &head);
    } else {
        player_joined(room->host, commit->player, true);
        seat_taken(room, fact, session, &head);
    }
}

static const struct commit_kind seating_kind = {
    .stored = seating_stored,
    .failed = seating_failed,
    .unparks = true,
};

static uint32_t
free_seats(const struct room *room)
{
    uint32_t count = 0;

    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        count += room->match.seats[seat].player == 0 ? 1 : 0;
    }
    return count;
}

/* The session's player takes the seat; without `wish`, leaves it. */
static void
store_seating(struct room *room, struct session *session, const struct frame_head *head,
              uint8_t seat, const struct seat_wish *wish)
{
    struct player *player = session->player;
    bool is_leaving = wish == NULL;
    bool is_unrated =
        !is_leaving && room->match.is_rated && !room->match.is_open && !wish->is_rating_asked;
    struct record_joined body = {
        .has_player = !is_leaving,
        .player = is_leaving ? 0 : player->id,
        .bot = !is_leaving && player->is_bot,
        .has_unrated = is_unrated,
        .unrated = is_unrated,
        .starts = !is_leaving && free_seats(room) == 1,
    };
    struct commit *commit = commit_draft(room, &seating_kind, RECORD_JOINED, seat);
    const struct store_record *record =
        commit_record(commit, RECORD_JOINED, seat, &sk_record_joined, &body);

    commit->reply = reply_to(session, head);
    commit->player = player->id;
    commit->fact.joined = (struct fact_joined){
        .player = body.player, .is_bot = body.bot, .is_unrated = is_unrated, .starts = body.starts
    };
    if (!is_leaving) {
        memcpy(commit->fact.joined.name, player->name, sizeof(player->name));
    }
    commit->job->append.change = (struct store_match_change){
        .has_seat = true,
        .seat = seat,
        .player = body.player,
        .has_started = body.starts,
        .started_at_ms = record->at_ms,
        .is_unrated = player->is_bot || is_unrated || match_is_unrated(&room->match),
    };
    if (!room_commit(commit)) {
        session_error(session, head, ERROR_BUSY, NULL);
    } else if (!is_leaving) {
        player_joins(room->host, player->id);
    }
}

/* ---- join -------------------------------------------------------------------------------- */

static int
choose_seat(const struct room *room, const struct seat_wish *wish)
{
    if (wish->has_seat) {
        return wish->seat < room->match.seat_count && room->match.seats[wish->seat].player == 0
                   ? wish->seat
                   : -1;
    }
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (room->match.seats[seat].player == 0) {
            return seat;
        }
    }
    return -1;
}

void
room_join(struct session *session, const struct frame_head *head, struct room *room,
          const struct seat_wish *wish)
{
    int seat = choose_seat(room, wish);

    if (room_seat_of(room, session) != SK_SPECTATOR) {
        session_error(session, head, ERROR_ALREADY_JOINED, NULL);
    } else if (!gate_lets(session, head, room, GATE_JOINS)) {
        return;
    } else if (free_seats(room) == 0) {
        session_error(session, head, ERROR_MATCH_FULL, NULL);
    } else if (room_log_has(&room->log, RECORD_JOINED) || room_log_has(&room->log, RECORD_ENDED)) {
        room_park(room, session); /* until that is stored */
    } else if (seat < 0) {
        session_error(session, head, ERROR_SEAT_TAKEN, NULL);
    } else if (session_may_play(session, head)) {
        store_seating(room, session, head, (uint8_t)seat, wish);
    }
}

/* The match of the code is known now: handles the frame again. */
static void
code_found(struct store_job *job, struct host *host)
{
    struct kept_message *join = job->context;

    if (job->result == STORE_OK) {
        join->match = job->match_id;
        message_again(host, join);
    } else {
        message_refuse(host, join,
                       job->result == STORE_NOT_FOUND ? ERROR_WRONG_CODE : ERROR_STORE_UNAVAILABLE);
    }
}

static void
find_by_code(struct session *session, const struct frame_join *frame)
{
    struct kept_message *join = message_keep(session, &frame->head);
    struct store_job *job = host_job(JOB_MATCH_BY_CODE, code_found, join);

    job->code = heap_text(frame->code);
    if (!host_submit(session->host, job)) {
        message_refuse(session->host, join, ERROR_BUSY);
    }
}

void
handle_join(struct session *session, const union client_frame *any)
{
    const struct frame_join *frame = &any->join;
    struct room *room;

    if (frame->match == 0 && frame->code.length == 0) {
        session_error(session, &frame->head, ERROR_MALFORMED, "join needs a match or a code");
        return;
    }
    if (frame->match == 0) {
        find_by_code(session, frame);
        return;
    }
    room = handler_room(session, &frame->head, frame->match);
    if (room == NULL) {
        return;
    }
    if (!room_code_fits(room, frame->code)) {
        session_error(session, &frame->head, ERROR_WRONG_CODE, NULL);
        return;
    }
    room_join(session, &frame->head, room,
              &(struct seat_wish){ frame->has_seat, frame->seat, frame->rated });
}

/* ---- leave, watch ------------------------------------------------------------------------ */

/* Before the start this frees the seat; later the connection only stops following. */
void
handle_leave(struct session *session, const union client_frame *any)
{
    const struct frame_match *frame = &any->match;
    struct room *room;
    struct follow *follow;
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
    if (seat != SK_SPECTATOR && room_phase(room) == ROOM_WAITING &&
        (room_log_has(&room->log, RECORD_JOINED) || room_log_has(&room->log, RECORD_ENDED))) {
        room_park(room, session);
        return;
    }
    if (seat != SK_SPECTATOR && room_phase(room) == ROOM_WAITING) {
        store_seating(room, session, &frame->head, seat, NULL);
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
    if (room_seat_of(room, session) == SK_SPECTATOR && !room_code_fits(room, frame->code)) {
        session_error(session, &frame->head, ERROR_WRONG_CODE, NULL);
        return;
    }
    if (!behind_is_ready(session, room)) {
        return;
    }
    room_follow(room, session);
    room_show_joined(room, session, &frame->head);
    room_show_state(room, session, NULL);
}

/* ---- list -------------------------------------------------------------------------------- */

/* Only the list: the frame has its own members for the rest of the HTTP answer. */
static char *
matches_of(const struct store_job *job)
{
    struct sk_value *json;
    struct sk_fault fault;
    const struct sk_value *matches;
    char *text;

    if (sk_json_parse_long(job->text.at, job->text.length, &json, &fault) != SK_OK) {
        return NULL;
    }
    matches = sk_value_member(json, "matches");
    text = matches == NULL ? NULL : sk_json_text_of(matches);
    sk_json_free(json);
    return text;
}

static void
listed(struct store_job *job, struct host *host)
{
    struct reply *reply = job->context;
    struct session *session = reply_session(host, reply);
    struct server_matches frame = { .head = reply_head(reply) };
    char *matches = job->result == STORE_OK ? matches_of(job) : NULL;

    read_back(host, job);
    if (session != NULL && matches != NULL) {
        frame.head.type = SERVER_MATCHES;
        frame.matches.text = sk_text_of(matches);
        frame.has_next = job->text.after != 0;
        frame.next = job->text.after;
        session_send_frame(session, &frame);
    } else {
        reply_error(host, reply, ERROR_STORE_UNAVAILABLE);
    }
    free(matches);
    free(reply);
}

void
handle_list(struct session *session, const union client_frame *any)
{
    static const char *const words[] = { "", "waiting", "running", "over" };
    const struct frame_list *frame = &any->list;
    struct store_job *job;
    struct reply *reply;

    if (frame->mine && session->player == NULL) {
        session_error(session, &frame->head, ERROR_NOT_ALLOWED, "a spectator has no matches");
        return;
    }
    if (!session_may_read(session, &frame->head)) {
        return;
    }
    reply = reply_keep(session, &frame->head);
    job = host_job(JOB_TEXT, listed, reply);
    job->place = STORE_FOR_PLAYERS;
    job->query.kind = QUERY_MATCHES;
    job->query.limit = 50;
    job->query.after = frame->has_after ? frame->after : 0;
    job->query.player = frame->mine ? session->player->id : 0;
    strncpy(job->query.status, words[frame->status], sizeof(job->query.status) - 1);
    if (frame->ruleset.length > 0 && frame->ruleset.length < sizeof(job->query.ruleset)) {
        memcpy(job->query.ruleset, frame->ruleset.at, frame->ruleset.length);
    }
    if (!session_read(session, job)) {
        session_error(session, &frame->head, ERROR_BUSY, NULL);
        free(reply);
    }
}
