#include "server/host/room/tell.h"

#include <stdlib.h>
#include <string.h>

#include "server/hex.h"
#include "server/host/room/audience.h"
#include "server/host/room/views.h"
#include "server/match/clock.h"

/* ---- the open turn ----------------------------------------------------------------------- */

struct open_lists {
    int32_t owing[SK_SEATS_MAX];
    int32_t ready[SK_SEATS_MAX];
    struct frame_deadline deadlines[SK_SEATS_MAX];
    int64_t banks[SK_SEATS_MAX];
};

/*
 * The clocks of the current turn run in the live room only.  In a hidden room
 * that shows the past, a turn has its full time, as when it opened.
 */
static int64_t
shown_left_ms(const struct room *room, uint8_t seat, int64_t now_ms)
{
    const struct room *live = room_find(room->host, room->match.id);
    const struct seat *it = &room->match.seats[seat];

    if (live != room && live != NULL && room_phase(live) == ROOM_RUNNING &&
        live->match.state->turn == room->match.state->turn) {
        return match_left_ms(&live->match, seat, now_ms);
    }
    return live == room ? match_left_ms(&room->match, seat, now_ms)
                        : room->match.clock.turn_ms + it->bank_ms - it->going_ms;
}

static struct frame_turn_open
turn_open_of(const struct room *room, struct open_lists *lists)
{
    struct host *host = room->host;
    int64_t now_ms = host_now_ms(host);
    uint32_t owing = match_owing(&room->match);
    uint32_t owing_count = 0;
    uint32_t ready_count = 0;

    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        const struct submission *stored = room->match.seats[seat].stored;
        bool owes = (owing >> seat & 1) != 0;

        if (owes) {
            lists->owing[owing_count++] = seat;
        }
        if (owes && stored != NULL && stored->is_ready) {
            lists->ready[ready_count++] = seat;
        }
        lists->deadlines[seat].is_running = owes && room->match.clock.has_turn;
        lists->deadlines[seat].left_ms = shown_left_ms(room, seat, now_ms);
        lists->banks[seat] = room->match.seats[seat].bank_ms;
    }
    return (struct frame_turn_open){
        .turn = (int32_t)room->match.state->turn,
        .owing = { lists->owing, owing_count },
        .ready = { lists->ready, ready_count },
        .deadline_ms = { lists->deadlines, room->match.seat_count },
        .bank_ms = { lists->banks, room->match.clock.has_turn ? room->match.seat_count : 0 },
    };
}

/* ---- joined, state ----------------------------------------------------------------------- */

void
room_show_joined(struct room *room, struct session *session, const struct frame_head *to)
{
    uint8_t seat = room_seat_of(room, session);
    struct server_joined frame = {
        .head = *to,
        .match = room->match.id,
        .has_seat = seat != SK_SPECTATOR,
        .seat = seat == SK_SPECTATOR ? 0 : seat,
        .code = sk_text_of(seat == SK_SPECTATOR || room->code == NULL ? "" : room->code),
    };

    frame.head.type = SERVER_JOINED;
    session_send_frame(session, &frame);
}

struct outcome_texts {
    char seed[FRAME_SEED_DIGITS + 1];
    char salt[FRAME_SEED_DIGITS + 1];
    char head[FRAME_CHAIN_DIGITS + 1];
    char hash[FRAME_HASH_DIGITS + 1];
};

static struct frame_outcome
outcome_of(struct room *room, struct outcome_texts *texts)
{
    struct sk_outcome outcome = { .winner = SK_NOBODY };
    const char *reason = MATCH_EXPIRED;

    if (room->match.state != NULL) {
        outcome = room->match.state->outcome;
        reason = sk_reason_name(room->match.ruleset, outcome.reason);
    }
    hex_encode(room->match.seed.bytes, SK_SEED_BYTES, texts->seed);
    hex_encode(room->match.salt.bytes, SK_SEED_BYTES, texts->salt);
    hex_encode(room->match.head, STORE_HASH_BYTES, texts->head);
    memcpy(texts->hash, room->match.last_hash, sizeof(texts->hash));
    return (struct frame_outcome){
        .has_winner = outcome.winner != SK_NOBODY,
        .winner = outcome.winner == SK_NOBODY ? 0 : outcome.winner,
        .reason = sk_text_of(reason),
        .seed = sk_text_of(texts->seed),
        .salt = sk_text_of(texts->salt),
        .hash = sk_text_of(texts->hash),
        .head = sk_text_of(texts->head),
    };
}

/* Presence is always current, even for delayed spectators. */
static void
fill_players(const struct room *room, const struct room *now, struct frame_player *players)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        players[seat] = (struct frame_player){
            .is_taken = room->match.seats[seat].player != 0,
            .bot = room->match.seats[seat].is_bot,
            .is_here = now->audience.presence[seat].here > 0,
            .name = sk_text_of(room->match.seats[seat].name),
        };
    }
}

static void
fill_pending(const struct room *room, uint8_t seat, struct server_state *frame)
{
    const struct submission *stored = seat == SK_SPECTATOR ? NULL : room->match.seats[seat].stored;

    if (stored != NULL) {
        frame->has_pending = true;
        frame->pending = (struct frame_pending){
            .command_id = sk_text_of(stored->command_id),
            .commands = { .text = stored->commands },
            .verdicts = { .text = stored->verdicts },
            .ready = stored->is_ready,
        };
    }
}

static void
fill_settings(const struct room *room, struct server_state *frame)
{
    frame->ruleset = sk_text_of(room->match.ruleset->name);
    frame->version = (int32_t)room->match.ruleset->version;
    frame->params.text = room_shown_params(room);
    frame->rated = room->match.is_rated;
    frame->has_clock = room->match.clock.has_turn;
    frame->clock = (struct frame_clock){ .has_turn_ms = room->match.clock.turn_ms > 0,
                                         .turn_ms = (int32_t)room->match.clock.turn_ms,
                                         .bank_ms = (int32_t)room->match.clock.bank_ms };
    frame->has_cycle = room->match.clock.is_cycle;
    frame->cycle_ms = (int32_t)room->match.clock.turn_ms;
    frame->spectator_delay = room->match.spectator_delay;
}

/* The turn that is open now; delayed spectators do not see it yet. */
static bool
has_open_turn(const struct room *room, const struct room *now)
{
    return room_phase(room) == ROOM_RUNNING &&
           (room == now ||
            (room_phase(now) == ROOM_RUNNING && room->match.state->turn == now->match.state->turn));
}

void
room_show_state(struct room *now, struct session *session, const struct frame_head *to)
{
    uint8_t seat = room_seat_of(now, session);
    struct room *room = room_known(now, seat);
    struct frame_player players[SK_SEATS_MAX];
    char commitment[FRAME_CHAIN_DIGITS + 1];
    struct outcome_texts texts;
    struct open_lists lists;
    struct view_text view = { 0 };
    struct server_state frame = { .head = to == NULL ? (struct frame_head){ 0 } : *to };

    frame.head.type = SERVER_STATE;
    frame.match = room->match.id;
    frame.seq = (int32_t)room->match.seq;
    frame.status = room_phase(room) == ROOM_WAITING   ? MATCH_IS_WAITING
                   : room_phase(room) == ROOM_RUNNING ? MATCH_IS_RUNNING
                                                      : MATCH_IS_OVER;
    frame.has_seat = seat != SK_SPECTATOR;
    frame.seat = frame.has_seat ? seat : 0;
    frame.code = sk_text_of(frame.has_seat && room->code != NULL ? room->code : "");
    fill_players(room, now, players);
    frame.players = (struct sk_list){ players, room->match.seat_count };
    fill_settings(room, &frame);
    frame.has_offer = room->match.offer >= 0;
    frame.offer = frame.has_offer ? room->match.offer : 0;
    commitment_of(&room->match.salt, &room->match.seed, commitment);
    frame.commitment = sk_text_of(commitment);
    if (room->match.state != NULL) {
        room_view_next(room, seat, &view);
        frame.view.text = view.it.text;
        frame.hash = sk_text_of(view.hash);
        fill_pending(room, seat, &frame);
    }
    if (has_open_turn(room, now)) {
        frame.has_turn_open = true;
        frame.turn_open = turn_open_of(room, &lists);
    }
    if (room_phase(room) == ROOM_OVER) {
        frame.has_outcome = true;
        frame.outcome = outcome_of(room, &texts);
    }
    session_send_frame(session, &frame);
    room_show_claims(now, session, seat);
    view_fini(&view);
}

/* ---- seated, ready, clock, presence ------------------------------------------------------ */

void
room_show_seated(struct room *room, uint8_t seat, bool starts)
{
    struct view_text view = { 0 };
    struct open_lists lists;
    struct server_seated frame = {
        .head = { .type = SERVER_SEATED },
        .match = room->match.id,
        .seq = (int32_t)room->match.seq,
        .seat = seat,
        .name = sk_text_of(room->match.seats[seat].name),
        .bot = room->match.seats[seat].is_bot,
        .has_unrated = starts && match_is_unrated(&room->match),
        .unrated = true,
        .has_turn_open = starts,
    };

    if (!starts) {
        room_send_all(room, &frame);
        return;
    }
    frame.turn_open = turn_open_of(room, &lists);
    for (uint8_t i = 0; i <= room->match.seat_count; i++) {
        uint8_t audience = i == room->match.seat_count ? SK_SPECTATOR : i;

        if (audience_listens(room, audience)) {
            room_view_next(room, audience, &view);
            frame.view.text = view.it.text;
            frame.hash = sk_text_of(view.hash);
            room_send_seat(room, audience, &frame);
        }
    }
    view_fini(&view);
}

void
room_show_ready(struct room *room, uint8_t seat, bool is_ready)
{
    struct server_ready frame = {
        .head = { .type = SERVER_READY },
        .match = room->match.id,
        .turn = (int32_t)room->match.state->turn,
        .seat = seat,
        .ready = is_ready,
    };

    room_send_now(room, &frame);
}

void
room_show_offer(struct room *room, uint8_t seat, bool is_declined)
{
    struct server_draw frame = {
        .head = { .type = SERVER_DRAW },
        .match = room->match.id,
        .seq = (int32_t)room->match.seq,
        .seat = seat,
        .offer = is_declined ? OFFER_DECLINED : OFFER_MADE,
    };

    room_send_all(room, &frame);
}

void
room_show_clock(struct room *room)
{
    struct open_lists lists;
    struct server_clock frame = {
        .head = { .type = SERVER_CLOCK },
        .match = room->match.id,
        .seq = (int32_t)room->match.seq,
        .turn_open = turn_open_of(room, &lists),
    };

    room_send_all(room, &frame);
}

/* ---- turns ------------------------------------------------------------------------------- */

void
room_show_turn(struct room *room, const struct pending_turn *pending)
{
    struct view_text view = { 0 };
    struct open_lists lists;
    struct server_turn frame = {
        .head = { .type = SERVER_TURN },
        .match = room->match.id,
        .seq = (int32_t)room->match.seq,
        .turn = (int32_t)room->match.state->turn,
        .has_turn_open = room_phase(room) == ROOM_RUNNING && !room->match.state->outcome.is_over,
        .failures = { .text = sk_text_of(pending->failures == NULL ? "" : pending->failures) },
    };

    if (frame.has_turn_open && room->audience.follows != NULL) {
        frame.turn_open = turn_open_of(room, &lists);
    }
    for (uint8_t i = 0; i <= room->match.seat_count; i++) {
        bool is_seat = i < room->match.seat_count;
        uint8_t audience = is_seat ? i : SK_SPECTATOR;

        if (audience_listens(room, audience)) {
            room_view_next(room, audience, &view);
            frame.verdicts.text = is_seat ? pending->verdicts[audience] : SK_TEXT("");
            frame.events.text = pending->events[is_seat ? audience : SK_SEATS_MAX];
            frame.view.text = view.it.text;
            frame.hash = sk_text_of(view.hash);
            room_send_seat(room, audience, &frame);
        }
    }
    view_fini(&view);
}

void
room_show_over(struct room *room)
{
    struct outcome_texts texts;
    struct server_over frame = {
        .head = { .type = SERVER_OVER },
        .match = room->match.id,
        .seq = (int32_t)room->match.seq,
        .outcome = outcome_of(room, &texts),
    };

    room_send_all(room, &frame);
}

void
room_show_record(struct room *room, const struct store_record *record,
                 const struct pending_turn *turn)
{
    switch (record->kind) {
    case RECORD_JOINED:
        room_show_seated(room, (uint8_t)record->seat, room_phase(room) == ROOM_RUNNING);
        break;
    case RECORD_TURN:
        room_show_turn(room, turn);
        break;
    case RECORD_CLOCK:
        room_show_clock(room);
        break;
    case RECORD_OFFER:
        room_show_offer(room, (uint8_t)record->seat, room->match.offer < 0);
        break;
    case RECORD_ENDED:
        room_show_over(room);
        break;
    default:
        break;
    }
}

struct server_accepted
accepted_frame(const struct room *room, uint32_t turn, const struct submission *submission)
{
    return (struct server_accepted){
        .head = { .type = SERVER_ACCEPTED },
        .match = room->match.id,
        .turn = (int32_t)turn,
        .command_id = sk_text_of(submission->command_id),
        .verdicts = { .text = submission->verdicts },
        .ready = submission->is_ready,
    };
}

void
room_show_pending(struct room *room, struct session *session)
{
    uint8_t seat = room_seat_of(room, session);
    const struct submission *stored = seat == SK_SPECTATOR ? NULL : room->match.seats[seat].stored;
    struct server_accepted frame;

    if (stored != NULL && room_phase(room) == ROOM_RUNNING) {
        frame = accepted_frame(room, room->match.state->turn, stored);
        session_send_frame(session, &frame);
    }
}
