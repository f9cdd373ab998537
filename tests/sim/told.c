/*
 * Checks that frames may be sent and are the same for everybody: each message
 * is compared, when it goes into an outbox, with what the store has committed
 * by then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "server/hex.h"
#include "tests/sim/sim.h"

struct told_in {
    struct sim *sim;
    struct connection *connection;
    struct sk_text frame;
    struct sk_text type;
    struct stored_match *match; /* or NULL */
    int64_t player;             /* or 0 */
    uint8_t audience;           /* a seat or SK_SPECTATOR */
};

static void __attribute__((noreturn))
broken(const struct told_in *in, enum promise promise, const char *what)
{
    sim_broken(in->sim, promise, "connection %td is told %.*s: %s",
               in->connection - in->sim->connections, (int)in->frame.length, in->frame.at, what);
}

static int64_t
number_of(const struct told_in *in, const char *name)
{
    return scan_number(scan_member(in->frame, name), -1);
}

/* ---- how far an audience may see --------------------------------------------------------- */

/* The last turn that spectators may see. */
static int32_t
spectators_turn(const struct stored_match *match)
{
    int32_t turn = (int32_t)match->turn_count - match->spectator_delay;

    return match->row.status == MATCH_OVER ? INT32_MAX : turn < 0 ? 0 : turn;
}

/* The turn that the match had reached when the record was shown to its players. */
static int32_t
turn_of(const struct store_record *record)
{
    return record->kind == RECORD_TURN ? record->turn + 1 : record->turn;
}

int32_t
told_visible(const struct stored_match *match, bool is_spectator)
{
    int32_t count = 0;

    for (uint32_t i = 0; i < match->record_count; i++) {
        const struct store_record *record = &match->records[i];

        if (stored_is_public(record->kind)) {
            if (is_spectator && turn_of(record) > spectators_turn(match)) {
                break;
            }
            count++;
        }
    }
    return count;
}

/* ---- numbered frames --------------------------------------------------------------------- */

static bool
is_numbered(struct sk_text type, enum store_record_kind *ret_kind)
{
    static const struct {
        const char *type;
        enum store_record_kind kind;
    } kinds[] = {
        { "seated", RECORD_JOINED }, { "turn", RECORD_TURN },  { "clock", RECORD_CLOCK },
        { "draw", RECORD_OFFER },    { "over", RECORD_ENDED },
    };

    for (size_t i = 0; i < SK_COUNT_OF(kinds); i++) {
        if (scan_is(type, kinds[i].type)) {
            *ret_kind = kinds[i].kind;
            return true;
        }
    }
    return false;
}

/* The text without the value of a member of an object in it. */
static void
blank(char *text, const char *object, const char *name)
{
    struct sk_text outer = scan_member(sk_text_of(text), object);
    struct sk_text value = scan_member(outer, name);

    if (value.length > 0) {
        char *at = text + (value.at - text);

        memmove(at, at + value.length, strlen(at + value.length) + 1);
    }
}

/* Except for the time left and who is ready, everybody gets the same frame. */
static void
check_same(const struct told_in *in, int32_t seq)
{
    struct told **at = &in->sim->told[(uint32_t)(in->match->row.id * 31 + seq) % 256];
    char *text = strndup(in->frame.at, in->frame.length);

    blank(text, "turn_open", "deadline_ms");
    blank(text, "turn_open", "ready");
    for (; *at != NULL; at = &(*at)->next) {
        if ((*at)->match == in->match->row.id && (*at)->seq == seq &&
            (*at)->audience == in->audience) {
            if (strcmp((*at)->text, text) != 0) {
                sim_broken(in->sim, PROMISE_SESSIONS, "first told %s and then %s", (*at)->text,
                           text);
            }
            free(text);
            return;
        }
    }
    *at = calloc(1, sizeof(**at));
    **at = (struct told){
        .match = in->match->row.id, .seq = seq, .audience = in->audience, .text = text
    };
}

static void
check_numbered(const struct told_in *in, enum store_record_kind kind)
{
    int32_t seq = (int32_t)number_of(in, "seq");
    const struct store_record *record = in->match == NULL ? NULL : stored_public(in->match, seq);

    if (record == NULL || record->kind != kind) {
        broken(in, PROMISE_STORED_FIRST, "no such record is stored");
    }
    if (kind == RECORD_TURN && number_of(in, "turn") != record->turn + 1) {
        broken(in, PROMISE_STORED_FIRST, "another turn is stored");
    }
    if (in->audience == SK_SPECTATOR && seq > told_visible(in->match, true)) {
        broken(in, PROMISE_HORIZON, "a spectator may not know this yet");
    }
    if (in->audience == SK_SPECTATOR && kind == RECORD_TURN &&
        !scan_is_null(scan_member(in->frame, "verdicts"))) {
        broken(in, PROMISE_HORIZON, "verdicts are the seat's");
    }
    check_same(in, seq);
}

/* ---- views and clocks -------------------------------------------------------------------- */

static void
check_view(const struct told_in *in)
{
    struct sk_text view = scan_member(in->frame, "view");
    char hash[FRAME_HASH_DIGITS + 1];

    if (view.length == 0 || scan_is_null(view) || scan_is(in->type, "what_if")) {
        return;
    }
    hash_text(sk_hash((const uint8_t *)view.at, view.length), hash);
    if (!scan_is(scan_member(in->frame, "hash"), hash)) {
        broken(in, PROMISE_SESSIONS, "the hash is not that of the view");
    }
    if (in->audience == SK_SPECTATOR && in->match != NULL &&
        scan_number(scan_member(view, "turn"), 0) > spectators_turn(in->match)) {
        broken(in, PROMISE_HORIZON, "a view that a spectator may not have yet");
    }
}

static bool
has_number(struct sk_text list, int64_t number)
{
    struct sk_text item;

    while (scan_item(&list, &item)) {
        if (scan_number(item, -1) == number) {
            return true;
        }
    }
    return false;
}

/* Only seats that owe have a running clock, and only where there is one. */
static void
check_deadlines(const struct told_in *in)
{
    struct sk_text open = scan_member(in->frame, "turn_open");
    struct sk_text owing = scan_member(open, "owing");
    struct sk_text deadlines = scan_member(open, "deadline_ms");
    struct sk_text deadline;

    if (open.length == 0) {
        return;
    }
    for (int seat = 0; scan_item(&deadlines, &deadline); seat++) {
        bool runs = !scan_is_null(deadline);

        if (runs != (in->match->has_clock && has_number(owing, seat))) {
            broken(in, PROMISE_CLOCK, "a clock runs that should not, or the other way round");
        }
    }
}

/* ---- states ------------------------------------------------------------------------------ */

int64_t
told_offer(const struct stored_match *match, int32_t seq)
{
    int64_t offer = -1;

    for (uint32_t i = 0; i < match->record_count && seq > 0; i++) {
        const struct store_record *record = &match->records[i];

        seq -= stored_is_public(record->kind);
        if (record->kind == RECORD_TURN) {
            offer = -1;
        } else if (record->kind == RECORD_OFFER) {
            bool is_declined =
                sk_text_same(scan_member(sk_text_of(record->body), "declined"), SK_TEXT("true"));

            offer = is_declined ? -1 : record->seat;
        }
    }
    return offer;
}

static void
check_state(const struct told_in *in)
{
    bool is_spectator = in->audience == SK_SPECTATOR;
    int64_t offer = number_of(in, "offer");
    bool is_over = in->match != NULL && in->match->row.status == MATCH_OVER;

    if (in->match == NULL || number_of(in, "seq") > told_visible(in->match, false)) {
        broken(in, PROMISE_STORED_FIRST, "nothing of the kind is stored");
    }
    if (!is_spectator && !is_over &&
        offer != told_offer(in->match, (int32_t)number_of(in, "seq"))) {
        broken(in, PROMISE_OFFERS, "the offer that is open is another");
    }
    if (is_spectator && number_of(in, "seq") > told_visible(in->match, true)) {
        broken(in, PROMISE_HORIZON, "a spectator has not come that far");
    }
    if (is_spectator && in->match->spectator_delay > 0 && !is_over && offer >= 0 &&
        offer != told_offer(in->match, (int32_t)number_of(in, "seq"))) {
        broken(in, PROMISE_HORIZON, "a spectator may not know of this offer yet");
    }
    if (is_spectator && scan_member(in->frame, "pending").length > 0) {
        broken(in, PROMISE_HORIZON, "what is pending is the seat's");
    }
    if (scan_member(in->frame, "outcome").length > 0 && !is_over) {
        broken(in, PROMISE_STORED_FIRST, "it is not over");
    }
}

/* ---- answers ----------------------------------------------------------------------------- */

static struct told *
answer_of(const struct told_in *in, const char *command_id)
{
    struct told *it = in->sim->answers;
    size_t length = strlen(command_id);

    while (it != NULL && (it->match != in->match->row.id || it->audience != in->audience ||
                          strncmp(it->text, command_id, length) != 0 || it->text[length] != ' ')) {
        it = it->next;
    }
    return it;
}

static void
note_accepted(const struct told_in *in, struct told *answer, bool is_new)
{
    struct sim *sim = in->sim;

    if (is_new && sim->accepted_count < SIM_ACCEPTED) {
        sim->accepted[sim->accepted_count++] =
            (struct accepted){ .match = in->match->row.id, .seat = in->audience };
        answer->seq = (int32_t)sim->accepted_count;
    }
    if (answer->seq > 0 && (uint32_t)answer->seq <= sim->accepted_count) {
        sim->accepted[answer->seq - 1].connections |= 1u << (in->connection - sim->connections);
    }
}

/* Every answer to a command id equals the first one. */
static void
check_verdicts(const struct told_in *in, const char *command_id)
{
    struct sk_text verdicts = scan_member(in->frame, "verdicts");
    struct told *answer = answer_of(in, command_id);
    size_t size = strlen(command_id) + verdicts.length + 2;
    bool is_new = answer == NULL;

    if (is_new) {
        answer = calloc(1, sizeof(*answer));
        *answer = (struct told){ .next = in->sim->answers,
                                 .match = in->match->row.id,
                                 .audience = in->audience };
        answer->text = malloc(size);
        snprintf(answer->text, size, "%s %.*s", command_id, (int)verdicts.length, verdicts.at);
        in->sim->answers = answer;
    } else if (!sk_text_same(sk_text_of(answer->text + strlen(command_id) + 1), verdicts)) {
        broken(in, PROMISE_COMMAND_ID, answer->text);
    }
    note_accepted(in, answer, is_new && strcmp(in->sim->delivered_id, command_id) == 0);
}

/* The request that this frame answers, or NULL. */
static const struct asked *
asked_for(const struct told_in *in)
{
    char id[16];

    scan_copy(scan_member(in->frame, "id"), id, sizeof(id));
    return in->connection->device < 0 ? NULL
                                      : device_asked(&in->sim->devices[in->connection->device], id);
}

/* If one session of a seat gets `accepted`, all that follow get it. */
void
check_accepted(struct sim *sim)
{
    for (uint32_t i = 0; i < sim->accepted_count; i++) {
        const struct accepted *accepted = &sim->accepted[i];

        for (int j = 0; j < SIM_CONNECTIONS; j++) {
            const struct session *session = sim->connections[j].session;
            uint8_t seat;

            if (session != NULL && look_at_follow(sim->host, accepted->match, session, &seat) &&
                seat == accepted->seat && session->phase != SESSION_CLOSING &&
                (accepted->connections >> j & 1) == 0) {
                sim_broken(sim, PROMISE_SESSIONS,
                           "match %lld, seat %d: connection %d is not told what was accepted",
                           (long long)accepted->match, accepted->seat, j);
            }
        }
    }
    for (struct told *it = sim->answers; it != NULL && sim->accepted_count > 0; it = it->next) {
        it->seq = 0;
    }
    sim->accepted_count = 0;
}

static void
check_command(const struct told_in *in, enum store_record_kind kind)
{
    char command_id[FRAME_COMMAND_ID_MAX + 1];
    const struct store_record *record;

    scan_copy(scan_member(in->frame, "command_id"), command_id, sizeof(command_id));
    record = in->match == NULL ? NULL : stored_command(in->match, in->audience, command_id);
    if (record == NULL || record->kind != kind || record->turn != number_of(in, "turn")) {
        broken(in, PROMISE_STORED_FIRST, "it is not stored");
    }
    if (kind == RECORD_SUBMISSION) {
        const struct asked *asked = asked_for(in);

        if (asked != NULL && !device_sent_these(asked, sk_text_of(record->body))) {
            broken(in, PROMISE_COMMAND_ID, "other commands than these were sent");
        }
        check_verdicts(in, command_id);
    }
}

static bool
has_turn_with(const struct stored_match *match, const char *kind)
{
    for (uint32_t i = 0; i < match->record_count; i++) {
        if (match->records[i].kind == RECORD_TURN && strstr(match->records[i].body, kind) != NULL) {
            return true;
        }
    }
    return false;
}

static bool
has_offer_of(const struct stored_match *match, uint8_t seat)
{
    for (uint32_t i = 0; i < match->record_count; i++) {
        if (match->records[i].kind == RECORD_OFFER && match->records[i].seat == seat) {
            return true;
        }
    }
    return false;
}

/* A seat changes, which the host may not know yet. */
static bool
is_seating(struct sim *sim, const struct stored_match *match)
{
    struct room_look room;

    return look_at(sim->host, match->row.id, &room) && room.is_seating;
}

/* A request is in the store when `done` is sent. */
static void
check_done(const struct told_in *in)
{
    const struct asked *asked = asked_for(in);
    const struct stored_match *match;
    bool is_stored = true;

    match = asked == NULL ? NULL : fake_store_match(&in->sim->store, asked->match);
    if (match == NULL) {
        return;
    }
    if (strcmp(asked->type, "resign") == 0) {
        is_stored = has_turn_with(match, "\"kind\":\"resign\"") ||
                    has_turn_with(match, "\"kind\":\"agree_draw\""); /* both at once */
    } else if (strcmp(asked->type, "claim") == 0) {
        is_stored = has_turn_with(match, "\"kind\":\"abandon\"") ||
                    has_turn_with(match, "\"kind\":\"resign\""); /* the other player was faster */
    } else if (strcmp(asked->type, "offer_draw") == 0 || strcmp(asked->type, "answer_draw") == 0) {
        int seat = stored_seat_of(match, in->player);

        is_stored =
            has_turn_with(match, "\"kind\":\"agree_draw\"") || has_offer_of(match, (uint8_t)seat);
    } else if (strcmp(asked->type, "leave") == 0) {
        is_stored = match->row.status != MATCH_WAITING || stored_seat_of(match, in->player) < 0 ||
                    is_seating(in->sim, match);
    }
    if (!is_stored) {
        broken(in, PROMISE_STORED_FIRST, asked->type);
    }
}

static void
check_joined(const struct told_in *in)
{
    int64_t seat = number_of(in, "seat");

    if (in->match == NULL || (seat >= 0 && stored_seat_of(in->match, in->player) != seat &&
                              !is_seating(in->sim, in->match))) {
        broken(in, PROMISE_STORED_FIRST, "the seat is not stored as this player's");
    }
}

/* A client gets store_unavailable only while the store fails or this node has no lease. */
static void
check_error(const struct told_in *in)
{
    const struct asked *asked = asked_for(in);

    if (asked != NULL && scan_is(scan_member(in->frame, "code"), "store_unavailable") &&
        asked->failed == in->sim->store.failed && in->sim->host->is_started &&
        !node_is_fenced(in->sim->host)) {
        broken(in, PROMISE_ANSWERS, "the store has not failed since it was asked");
    }
}

/* Only where there are other nodes, and nobody is sent to a node that does not have the match. */
static void
check_moved(const struct told_in *in)
{
    if (!in->sim->store.port.is_shared || in->match == NULL) {
        broken(in, PROMISE_ANSWERS, "there is no other node");
    }
}

/* ---- what is not numbered ---------------------------------------------------------------- */

static bool
has_submitted(const struct stored_match *match, int64_t seat, int64_t turn)
{
    for (uint32_t i = 0; i < match->record_count; i++) {
        if (match->records[i].kind == RECORD_SUBMISSION && match->records[i].seat == seat &&
            match->records[i].turn == turn) {
            return true;
        }
    }
    return false;
}

static void
check_others(const struct told_in *in)
{
    bool is_behind = in->audience == SK_SPECTATOR && in->match != NULL &&
                     in->match->spectator_delay > 0 && in->match->row.status != MATCH_OVER;

    if (scan_is(in->type, "ready")) {
        if (!has_submitted(in->match, number_of(in, "seat"), number_of(in, "turn"))) {
            broken(in, PROMISE_STORED_FIRST, "no submission is stored");
        }
        if (is_behind) {
            broken(in, PROMISE_HORIZON, "a spectator may not know this");
        }
    } else if (scan_is(in->type, "chat") && is_behind && number_of(in, "seat") >= 0) {
        broken(in, PROMISE_HORIZON, "a player's words reach a spectator who is behind");
    } else if (scan_is(in->type, "rematch") &&
               fake_store_match(&in->sim->store, number_of(in, "next")) == NULL) {
        broken(in, PROMISE_STORED_FIRST, "no such match is stored");
    }
}

/* ---- all of it --------------------------------------------------------------------------- */

/* The audience that the connection gets this as. */
static uint8_t
audience_of(const struct told_in *in, const struct session *session)
{
    int seat = stored_seat_of(in->match, in->player);
    struct room_look room;
    uint8_t followed;

    if (look_at_follow(in->sim->host, in->match->row.id, session, &followed)) {
        return followed;
    }
    return look_at(in->sim->host, in->match->row.id, &room) && room.seat_count > 0
               ? look_seat_of(&room, session)
           : seat < 0 ? SK_SPECTATOR
                      : (uint8_t)seat;
}

void
check_told(struct sim *sim, struct connection *connection, struct sk_text frame)
{
    struct told_in in = {
        .sim = sim,
        .connection = connection,
        .frame = frame,
        .type = scan_member(frame, "type"),
        .match = fake_store_match(&sim->store, scan_number(scan_member(frame, "match"), 0)),
        .player = connection->session->player == NULL ? 0 : connection->session->player->id,
        .audience = SK_SPECTATOR,
    };
    enum store_record_kind kind;

    if (in.match != NULL) {
        in.audience = audience_of(&in, connection->session);
    }
    if (is_numbered(in.type, &kind)) {
        check_numbered(&in, kind);
        check_deadlines(&in);
    } else if (scan_is(in.type, "state")) {
        check_state(&in);
        check_deadlines(&in);
    } else if (scan_is(in.type, "accepted")) {
        check_command(&in, RECORD_SUBMISSION);
    } else if (scan_is(in.type, "withdrawn")) {
        check_command(&in, RECORD_WITHDRAWN);
    } else if (scan_is(in.type, "joined")) {
        check_joined(&in);
    } else if (scan_is(in.type, "done") && connection->device >= 0) {
        check_done(&in);
    } else if (scan_is(in.type, "error")) {
        check_error(&in);
    } else if (scan_is(in.type, "moved")) {
        check_moved(&in);
    } else {
        check_others(&in);
    }
    check_view(&in);
}

void
sim_note(struct sim *sim, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;

    for (size_t i = 0; i < size; i++) {
        sim->digest = (sim->digest ^ at[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    }
}

void
told_fini(struct sim *sim)
{
    for (size_t i = 0; i <= SK_COUNT_OF(sim->told); i++) {
        struct told **list = i < SK_COUNT_OF(sim->told) ? &sim->told[i] : &sim->answers;

        while (*list != NULL) {
            struct told *told = *list;

            *list = told->next;
            free(told->text);
            free(told);
        }
    }
}
