#include "server/host/room/gate.h"

#include "server/host/room/load.h"
#include "server/host/room/node.h"
#include "server/host/session/reads.h"
#include "server/match/clock.h"

/* ---- phases ------------------------------------------------------------------------------ */

/* The result for a frame: an error_code, or one of these. */
enum {
    PASS = ERROR_COUNT,
    WAIT,
    MOVED
};

static const int answers[ROOM_PHASE_COUNT][GATE_CLASS_COUNT] = {
    /* GATE_KNOWS, GATE_PLAYS, GATE_JOINS, GATE_REMATCHES */
    [ROOM_LOADING] = { WAIT, WAIT, WAIT, WAIT },
    [ROOM_WAITING] = { PASS, ERROR_MATCH_NOT_STARTED, PASS, ERROR_NOT_ALLOWED },
    [ROOM_RUNNING] = { PASS, PASS, ERROR_MATCH_FULL, ERROR_NOT_ALLOWED },
    [ROOM_OVER] = { PASS, ERROR_MATCH_OVER, ERROR_MATCH_OVER, PASS },
    [ROOM_MISSING] = { ERROR_UNKNOWN_MATCH },
    [ROOM_PRUNED] = { ERROR_PRUNED },
    [ROOM_UNAVAILABLE] = { ERROR_STORE_UNAVAILABLE },
    [ROOM_ELSEWHERE] = { MOVED },
    [ROOM_LOST] = { WAIT },
    [ROOM_QUARANTINED] = { ERROR_QUARANTINED },
};

bool
gate_lets(struct session *session, const struct frame_head *head, struct room *room,
          enum gate_class what)
{
    enum room_phase phase = room_phase(room);
    int answer;

    if (room->is_refusing && phase != ROOM_LOADING && phase != ROOM_LOST) {
        phase = ROOM_UNAVAILABLE;
    }
    answer = answers[phase][phase > ROOM_OVER ? GATE_KNOWS : what];
    if (answer == WAIT) {
        room_park(room, session);
    } else if (answer == MOVED) {
        session_moved(session, head, room->match.id, room->path);
    } else if (answer != PASS && what == GATE_PLAYS) {
        session_refusal(session, head, (enum error_code)answer,
                        answer == ERROR_MATCH_NOT_STARTED ? "match_begun" : "match_open",
                        room->match.id);
    } else if (answer != PASS) {
        session_error(session, head, (enum error_code)answer,
                      what == GATE_REMATCHES ? "the match is not over" : NULL);
    }
    return answer == PASS;
}

/* The store could not load the match.  It is tried again soon, but the frame does not wait for
 * it. */
static bool
start_has_failed(const struct host *host)
{
    return !host->is_started && host->start_retry_ms != 0;
}

struct room *
handler_room(struct session *session, const struct frame_head *head, int64_t match)
{
    struct host *host = session->host;
    struct room *room = room_find(host, match);

    if ((room == NULL && start_has_failed(host)) || node_is_fenced(host)) {
        session_error(session, head, ERROR_STORE_UNAVAILABLE, NULL);
        return NULL;
    }
    if (room == NULL && !session_may_read(session, head)) {
        return NULL;
    }
    if (!room_load(host, match, session->number)) {
        session_error(session, head, ERROR_BUSY, NULL);
        return NULL;
    }
    room = room_find(host, match);
    return gate_lets(session, head, room, GATE_KNOWS) ? room : NULL;
}

/* ---- checks ------------------------------------------------------------------------------ */

struct gate_in {
    const struct room *room;
    uint8_t seat;
    int32_t turn;
};

struct gate_check {
    const char *name;
    enum error_code refusal;
    bool (*passes)(const struct gate_in *in);
};

/* Params may decide a match before its first turn: then its end is being stored. */
static bool
is_undecided(const struct gate_in *in)
{
    return !in->room->match.state->outcome.is_over;
}

static bool
is_current_turn(const struct gate_in *in)
{
    return (uint32_t)in->turn == in->room->match.state->turn;
}

static bool
is_turn_open(const struct gate_in *in)
{
    struct host *host = in->room->host;

    return in->room->match.pending == NULL && !host->is_draining &&
           !match_is_out_of_time(&in->room->match, in->seat, host_now_ms(host));
}

static bool
has_submissions_left(const struct gate_in *in)
{
    return in->room->match.seats[in->seat].sent <
           (uint32_t)in->room->host->options.submissions_per_turn_max;
}

static const struct gate_check checks[] = {
    { "match_open", ERROR_MATCH_OVER, is_undecided },
    { "turn_current", ERROR_WRONG_TURN, is_current_turn },
    { "turn_open", ERROR_TURN_CLOSED, is_turn_open },
    { "submissions_left", ERROR_TOO_MANY_SUBMISSIONS, has_submissions_left },
};

bool
gate_plays(struct session *session, const struct frame_head *head, struct room *room, uint8_t seat,
           int32_t turn)
{
    const struct gate_in in = { room, seat, turn };
    size_t count = turn == GATE_ANY_TURN ? 1 : SK_COUNT_OF(checks);

    if (!gate_lets(session, head, room, GATE_PLAYS)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!checks[i].passes(&in)) {
            session_refusal(session, head, checks[i].refusal, checks[i].name, room->match.id);
            return false;
        }
    }
    return true;
}

struct room *
seat_room(struct session *session, const struct frame_head *head, int64_t match, uint8_t *ret_seat)
{
    struct room *room = handler_room(session, head, match);

    *ret_seat = room == NULL ? SK_SPECTATOR : room_seat_of(room, session);
    if (room != NULL && *ret_seat == SK_SPECTATOR) {
        session_refusal(session, head, ERROR_NOT_YOUR_SEAT, "seat", room->match.id);
    }
    return *ret_seat == SK_SPECTATOR ? NULL : room;
}

struct room *
running_room(struct session *session, const struct frame_head *head, int64_t match,
             uint8_t *ret_seat)
{
    struct room *room = seat_room(session, head, match, ret_seat);

    return room != NULL && gate_plays(session, head, room, *ret_seat, GATE_ANY_TURN) ? room : NULL;
}
