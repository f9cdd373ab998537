/*
 * What each audience of a room is told, and when.
 *
 * A frame is encoded once for each audience (a seat, or the spectators) and
 * shared by all sessions in it.  Spectators may be some turns behind: what
 * tells of a turn waits for them until the match is that much further, and
 * everything is released at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "proto/turn_write.h"
#include "server/host/room.h"

#define VIEW_ROOM 65536u

/* ---- sending ----------------------------------------------------------------------------- */

static void
send_to(struct room *room, uint8_t audience, struct message *message)
{
    struct follow *next;

    for (struct follow *follow = room->follows; follow != NULL; follow = next) {
        next = follow->next_of_room;
        if (follow->seat == audience) {
            session_send(follow->session, message);
        }
    }
}

static bool
has_audience(const struct room *room, uint8_t audience)
{
    const struct follow *follow = room->follows;

    while (follow != NULL && follow->seat != audience) {
        follow = follow->next_of_room;
    }
    return follow != NULL;
}

/* The turn that spectators have reached. */
static uint32_t
spectators_turn(const struct room *room)
{
    uint32_t turn = room->state == NULL ? 0 : room->state->turn;
    uint32_t delay = (uint32_t)room->spectator_delay;

    return room->phase == ROOM_OVER ? UINT32_MAX : turn > delay ? turn - delay : 0;
}

static void
release_delayed(struct room *room)
{
    while (room->delayed != NULL && room->delayed->turn <= spectators_turn(room)) {
        struct delayed *delayed = room->delayed;

        room->delayed = delayed->next;
        send_to(room, SK_SPECTATOR, delayed->message);
        message_free(delayed->message);
        free(delayed);
    }
}

/* To the spectators, now or when they have come as far as this turn. */
static void
send_to_spectators(struct room *room, struct message *message)
{
    struct delayed **at = &room->delayed;

    if (room->spectator_delay == 0 || room->phase == ROOM_OVER || room->is_shadow) {
        release_delayed(room);
        send_to(room, SK_SPECTATOR, message);
        return;
    }
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = host_memory(sizeof(struct delayed));
    (*at)->message = message;
    (*at)->turn = room->state == NULL ? 0 : room->state->turn;
    message->references++;
    release_delayed(room);
}

void
room_show_seat(struct room *room, uint8_t seat, const void *frame)
{
    struct message *message;

    if (has_audience(room, seat)) {
        message = message_encode(room->host, frame);
        send_to(room, seat, message);
        message_free(message);
    }
}

void
room_show_all(struct room *room, const void *frame)
{
    struct message *message;

    if (room->follows == NULL && room->spectator_delay == 0) {
        return;
    }
    message = message_encode(room->host, frame);
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        send_to(room, seat, message);
    }
    send_to_spectators(room, message);
    message_free(message);
}

void
room_show_now(struct room *room, const void *frame)
{
    struct message *message;

    if (room->follows == NULL) {
        return;
    }
    message = message_encode(room->host, frame);
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        send_to(room, seat, message);
    }
    if (room->spectator_delay == 0) {
        send_to(room, SK_SPECTATOR, message);
    }
    message_free(message);
}

void
room_error_all(struct room *room, enum error_code code)
{
    struct server_error frame = {
        .head = { .type = SERVER_ERROR },
        .code = sk_text_of(sk_error_code(code)),
        .message = sk_text_of(sk_error_meaning(code)),
        .has_match = true,
        .match = room->id,
    };

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        room_show_seat(room, seat, &frame);
    }
    room_show_seat(room, SK_SPECTATOR, &frame); /* at once: it has no seq */
}

/* ---- views ------------------------------------------------------------------------------- */

struct view_text {
    char *text;
    char hash[FRAME_HASH_DIGITS + 1];
};

struct view_writing {
    struct room *room;
    const struct sk_state *state;
    uint8_t seat;
    void *view;
    struct sk_arena *arena;
};

static void
write_view(struct sk_json_out *out, const void *what)
{
    const struct view_writing *writing = what;
    struct room *room = writing->room;

    (void)sk_view_write(out, room->ruleset, room->config->config, writing->state, writing->seat,
                        writing->view, writing->arena);
}

/* The hash is of the view's text: a client can compute it, and it tells nothing beyond the view. */
static struct view_text
view_of(struct room *room, const struct sk_state *state, uint8_t seat)
{
    struct host *host = room->host;
    struct view_text view;
    struct sk_turn turn;
    struct view_writing writing = { room, state, seat, NULL, &host->scratch };

    host_turn(host, room->ruleset, room->config->config, &turn);
    writing.view = turn.view;
    host->scratch.used = 0;
    view.text = host_json(host, write_view, &writing);
    hash_text(sk_hash((const uint8_t *)view.text, strlen(view.text)), view.hash);
    return view;
}

char *
room_view_text(struct room *room, uint8_t seat)
{
    return view_of(room, room->state, seat).text;
}

/* ---- the open turn ----------------------------------------------------------------------- */

struct open_lists {
    int32_t owing[SK_SEATS_MAX];
    int32_t ready[SK_SEATS_MAX];
    struct frame_deadline deadlines[SK_SEATS_MAX];
    int64_t banks[SK_SEATS_MAX];
};

/*
 * The current turn's clocks run in the live room only.  In one that is made
 * to tell of the past a turn has all its time, as it had when it opened.
 */
static int64_t
shown_left_ms(const struct room *room, uint8_t seat, int64_t now_ms)
{
    const struct room *live = room_find(room->host, room->id);
    const struct seat *it = &room->seats[seat];

    if (live != room && live != NULL && live->phase == ROOM_RUNNING &&
        live->state->turn == room->state->turn) {
        return room_left_ms(live, seat, now_ms);
    }
    return live == room ? room_left_ms(room, seat, now_ms)
                        : room->clock.turn_ms + it->bank_ms - it->going_ms;
}

static struct frame_turn_open
turn_open_of(const struct room *room, struct open_lists *lists)
{
    struct host *host = room->host;
    int64_t now_ms = host->world.now_ms(host->world.context);
    uint32_t owing = sk_turn_owing(room->ruleset, room->config->config, room->state);
    uint32_t owing_count = 0;
    uint32_t ready_count = 0;

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct submission *stored = room->seats[seat].stored;
        bool owes = (owing >> seat & 1) != 0;

        if (owes) {
            lists->owing[owing_count++] = seat;
        }
        if (owes && stored != NULL && stored->is_ready) {
            lists->ready[ready_count++] = seat;
        }
        lists->deadlines[seat].is_running = owes && room->clock.has_turn;
        lists->deadlines[seat].left_ms = shown_left_ms(room, seat, now_ms);
        lists->banks[seat] = room->seats[seat].bank_ms;
    }
    return (struct frame_turn_open){
        .turn = (int32_t)room->state->turn,
        .owing = { lists->owing, owing_count },
        .ready = { lists->ready, ready_count },
        .deadline_ms = { lists->deadlines, room->seat_count },
        .bank_ms = { lists->banks, room->clock.has_turn ? room->seat_count : 0 },
    };
}

/* ---- joined, state ----------------------------------------------------------------------- */

void
room_show_joined(struct room *room, struct session *session, const struct frame_head *to)
{
    uint8_t seat = room_seat_of(room, session);
    struct server_joined frame = {
        .head = *to,
        .match = room->id,
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
    const char *reason = ROOM_EXPIRED;

    if (room->state != NULL) {
        outcome = room->state->outcome;
        reason = sk_reason_name(room->ruleset, outcome.reason);
    }
    hex_encode(room->seed.bytes, SK_SEED_BYTES, texts->seed);
    hex_encode(room->salt.bytes, SK_SEED_BYTES, texts->salt);
    hex_encode(room->head, STORE_HASH_BYTES, texts->head);
    memcpy(texts->hash, room->last_hash, sizeof(texts->hash));
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

/* Spectators see the state of so many turns ago; the oldest there is, near the beginning. */
static const struct sk_state *
state_for(const struct room *room, uint8_t seat)
{
    if (seat != SK_SPECTATOR || room->phase == ROOM_OVER || room->past_count == 0) {
        return room->state;
    }
    return room->past[0];
}

/* The seq that goes with it: spectators have not been shown the last ones yet. */
int32_t
room_seq_for(const struct room *room, uint8_t seat)
{
    uint32_t hidden = 0;

    if (seat == SK_SPECTATOR) {
        for (const struct delayed *delayed = room->delayed; delayed != NULL;
             delayed = delayed->next) {
            hidden++;
        }
    }
    return (int32_t)(room->seq - hidden);
}

static void
fill_players(const struct room *room, struct frame_player *players)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        players[seat] = (struct frame_player){
            .is_taken = room->seats[seat].player != 0,
            .bot = room->seats[seat].is_bot,
            .is_here = room->seats[seat].here > 0,
            .name = sk_text_of(room->seats[seat].name),
        };
    }
}

static void
fill_pending(const struct room *room, uint8_t seat, struct server_state *frame)
{
    const struct submission *stored = seat == SK_SPECTATOR ? NULL : room->seats[seat].stored;

    if (stored != NULL) {
        frame->has_pending = true;
        frame->pending = (struct frame_pending){
            .command_id = sk_text_of(stored->command_id),
            .commands = { .text = sk_text_of(stored->commands) },
            .verdicts = { .text = sk_text_of(stored->verdicts) },
            .ready = stored->is_ready,
        };
    }
}

/* Where they tell what nobody may see yet, only the end shows all of them. */
struct sk_text
room_shown_params(const struct room *room)
{
    const struct shared_config *config = room->config;

    return room->phase != ROOM_OVER && config->params_shown != NULL
               ? sk_text_of(config->params_shown)
               : (struct sk_text){ config->params, (uint32_t)config->params_length };
}

static void
fill_settings(const struct room *room, struct server_state *frame)
{
    frame->ruleset = sk_text_of(room->ruleset->name);
    frame->version = (int32_t)room->ruleset->version;
    frame->params.text = room_shown_params(room);
    frame->rated = room->is_rated;
    frame->has_clock = room->clock.has_turn;
    frame->clock = (struct frame_clock){ .has_turn_ms = room->clock.turn_ms > 0,
                                         .turn_ms = (int32_t)room->clock.turn_ms,
                                         .bank_ms = (int32_t)room->clock.bank_ms };
    frame->has_cycle = room->clock.is_cycle;
    frame->cycle_ms = (int32_t)room->clock.turn_ms;
    frame->spectator_delay = room->spectator_delay;
}

/* Who has not come to the open turn yet does not know what is offered in it. */
static void
fill_offer(const struct room *room, uint8_t seat, struct server_state *frame)
{
    frame->has_offer = room->offer >= 0 && state_for(room, seat) == room->state;
    frame->offer = frame->has_offer ? room->offer : 0;
}

static struct server_presence
presence_of(const struct room *room, uint8_t seat)
{
    struct server_presence frame = {
        .head = { .type = SERVER_PRESENCE },
        .match = room->id,
        .seat = seat,
        .is_here = room->seats[seat].here > 0,
    };

    if (room_claim_ms(room, seat) != INT64_MAX) {
        frame.has_claim_ms = true;
        frame.claim_ms = room_claim_ms(room, seat);
    }
    return frame;
}

/* Who comes when the others were told already shall know too when he may claim. */
static void
show_claims(const struct room *room, struct session *session, uint8_t seat)
{
    for (uint8_t other = 0; other < room->seat_count && seat != SK_SPECTATOR; other++) {
        struct server_presence frame = presence_of(room, other);

        if (other != seat && frame.has_claim_ms) {
            session_send_frame(session, &frame);
        }
    }
}

void
room_show_state(struct room *room, struct session *session, const struct frame_head *to)
{
    uint8_t seat = room_seat_of(room, session);
    struct frame_player players[SK_SEATS_MAX];
    char commitment[FRAME_CHAIN_DIGITS + 1];
    struct outcome_texts texts;
    struct open_lists lists;
    struct view_text view = { NULL, "" };
    struct server_state frame = { .head = to == NULL ? (struct frame_head){ 0 } : *to };

    frame.head.type = SERVER_STATE;
    frame.match = room->id;
    frame.seq = room_seq_for(room, seat);
    frame.status = room->phase == ROOM_WAITING   ? MATCH_IS_WAITING
                   : room->phase == ROOM_RUNNING ? MATCH_IS_RUNNING
                                                 : MATCH_IS_OVER;
    frame.has_seat = seat != SK_SPECTATOR;
    frame.seat = frame.has_seat ? seat : 0;
    frame.code = sk_text_of(frame.has_seat && room->code != NULL ? room->code : "");
    fill_players(room, players);
    frame.players = (struct sk_list){ players, room->seat_count };
    fill_settings(room, &frame);
    fill_offer(room, seat, &frame);
    commitment_of(&room->salt, &room->seed, commitment);
    frame.commitment = sk_text_of(commitment);
    if (room->state != NULL) {
        view = view_of(room, state_for(room, seat), seat);
        frame.view.text = sk_text_of(view.text);
        frame.hash = sk_text_of(view.hash);
        fill_pending(room, seat, &frame);
    }
    if (room->phase == ROOM_RUNNING && state_for(room, seat) == room->state) {
        frame.has_turn_open = true;
        frame.turn_open = turn_open_of(room, &lists);
    }
    if (room->phase == ROOM_OVER) {
        frame.has_outcome = true;
        frame.outcome = outcome_of(room, &texts);
    }
    session_send_frame(session, &frame);
    show_claims(room, session, seat);
    free(view.text);
}

/* ---- seated, ready, clock, presence ------------------------------------------------------ */

void
room_show_seated(struct room *room, uint8_t seat, bool starts)
{
    struct open_lists lists;
    struct server_seated frame = {
        .head = { .type = SERVER_SEATED },
        .match = room->id,
        .seq = (int32_t)room->seq,
        .seat = seat,
        .name = sk_text_of(room->seats[seat].name),
        .bot = room->seats[seat].is_bot,
        .has_turn_open = starts,
    };

    if (!starts) {
        room_show_all(room, &frame);
        return;
    }
    frame.turn_open = turn_open_of(room, &lists);
    for (uint8_t audience = 0; audience <= room->seat_count; audience++) {
        uint8_t to = audience == room->seat_count ? SK_SPECTATOR : audience;
        struct view_text view = view_of(room, room->state, to);
        struct message *message;

        frame.view.text = sk_text_of(view.text);
        frame.hash = sk_text_of(view.hash);
        message = message_encode(room->host, &frame);
        send_to(room, to, message);
        message_free(message);
        free(view.text);
    }
}

void
room_show_ready(struct room *room, uint8_t seat, bool is_ready)
{
    struct server_ready frame = {
        .head = { .type = SERVER_READY },
        .match = room->id,
        .turn = (int32_t)room->state->turn,
        .seat = seat,
        .ready = is_ready,
    };

    room_show_now(room, &frame);
}

void
room_show_offer(struct room *room, uint8_t seat, bool is_declined)
{
    struct server_draw frame = {
        .head = { .type = SERVER_DRAW },
        .match = room->id,
        .seq = (int32_t)room->seq,
        .seat = seat,
        .offer = is_declined ? OFFER_DECLINED : OFFER_MADE,
    };

    room_show_all(room, &frame);
}

void
room_show_clock(struct room *room)
{
    struct open_lists lists;
    struct server_clock frame = {
        .head = { .type = SERVER_CLOCK },
        .match = room->id,
        .seq = (int32_t)room->seq,
        .turn_open = turn_open_of(room, &lists),
    };

    room_show_all(room, &frame);
}

void
room_show_presence(struct room *room, uint8_t seat)
{
    struct server_presence frame = presence_of(room, seat);

    if (room->phase != ROOM_WAITING && room->phase != ROOM_RUNNING) {
        return;
    }
    for (uint8_t other = 0; other < room->seat_count; other++) {
        if (other != seat) {
            room_show_seat(room, other, &frame);
        }
    }
}

/* ---- turns ------------------------------------------------------------------------------- */

static const char *
events_of(const struct pending_turn *pending, uint8_t audience)
{
    const char *own = pending->events[audience == SK_SPECTATOR ? SK_SEATS_MAX : audience];

    return own == NULL ? pending->all_events : own;
}

static struct message *
turn_message(struct room *room, const struct pending_turn *pending, uint8_t audience)
{
    bool is_seat = audience != SK_SPECTATOR;
    struct view_text view = view_of(room, room->state, audience);
    struct open_lists lists;
    struct server_turn frame = {
        .head = { .type = SERVER_TURN },
        .match = room->id,
        .seq = (int32_t)room->seq,
        .turn = (int32_t)room->state->turn,
        .verdicts = { .text = sk_text_of(is_seat ? pending->verdicts[audience] : "") },
        .events = { .text = sk_text_of(events_of(pending, audience)) },
        .view = { .text = sk_text_of(view.text) },
        .hash = sk_text_of(view.hash),
        .has_turn_open = room->phase == ROOM_RUNNING && !room->state->outcome.is_over,
        .failures = { .text = sk_text_of(pending->failures == NULL ? "" : pending->failures) },
    };
    struct message *message;

    if (frame.has_turn_open) {
        frame.turn_open = turn_open_of(room, &lists);
    }
    message = message_encode(room->host, &frame);
    free(view.text);
    return message;
}

void
room_show_turn(struct room *room, const struct pending_turn *pending)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (has_audience(room, seat)) {
            struct message *message = turn_message(room, pending, seat);

            send_to(room, seat, message);
            message_free(message);
        }
    }
    if (has_audience(room, SK_SPECTATOR) || room->spectator_delay > 0) {
        struct message *message = turn_message(room, pending, SK_SPECTATOR);

        send_to_spectators(room, message);
        message_free(message);
    }
}

void
room_show_over(struct room *room)
{
    struct outcome_texts texts;
    struct server_over frame = {
        .head = { .type = SERVER_OVER },
        .match = room->id,
        .seq = (int32_t)room->seq,
        .outcome = outcome_of(room, &texts),
    };

    room_show_all(room, &frame);
}
