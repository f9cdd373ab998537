/*
 * The gate: what is asked of every frame of a player before the ruleset is.
 *
 * A table of checks like the rulesets' own: the first that speaks decides,
 * and its name is in the answer.
 */
#include "server/host/room.h"

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
    return in->turn == GATE_ANY_TURN || (uint32_t)in->turn == in->room->state->turn;
}

static bool
is_turn_open(const struct gate_in *in)
{
    struct host *host = in->room->host;

    return in->room->pending == NULL && !host->is_draining &&
           !room_is_out_of_time(in->room, in->seat, host->world.now_ms(host->world.context));
}

static bool
has_submissions_left(const struct gate_in *in)
{
    return in->room->seats[in->seat].sent <
           (uint32_t)in->room->host->options.submissions_per_turn_max;
}

/* A repeat is looked for between the first check and the others: see room_repeat.c. */
static const struct gate_check gate[GATE_END] = {
    { "seat", ERROR_NOT_YOUR_SEAT, is_seat },
    { "match_begun", ERROR_MATCH_NOT_STARTED, has_begun },
    { "match_open", ERROR_MATCH_OVER, goes_on },
    { "turn_current", ERROR_WRONG_TURN, is_current_turn },
    { "turn_open", ERROR_TURN_CLOSED, is_turn_open },
    { "submissions_left", ERROR_TOO_MANY_SUBMISSIONS, has_submissions_left },
};

bool
room_pass_gate(const struct gate_in *in, enum gate_place from, enum gate_place to,
               const struct frame_head *head)
{
    for (int i = (int)from; i < (int)to; i++) {
        if (!gate[i].passes(in)) {
            session_refusal(in->session, head, gate[i].refusal, gate[i].name, in->room->id);
            return false;
        }
    }
    return true;
}

struct room *
running_room(struct session *session, const struct frame_head *head, int64_t match,
             uint8_t *ret_seat)
{
    struct room *room = handler_room(session, head, match);
    struct gate_in in = { .session = session, .room = room, .turn = GATE_ANY_TURN };

    if (room == NULL) {
        return NULL;
    }
    in.seat = room_seat_of(room, session);
    *ret_seat = in.seat;
    return room_pass_gate(&in, GATE_BEGIN, GATE_RUNS, head) ? room : NULL;
}
