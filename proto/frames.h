/*
 * Every frame of the wire, described once.
 *
 * A frame is one JSON text message.  Each is a struct with a member table;
 * the reader, the writer, the published JSON Schemas and the tables in
 * PROTOCOL.md come from those tables, and PROTOCOL.md says what a frame
 * means and when it is sent.
 *
 * Conventions of the structs:
 *
 *   - `has_x` says whether `x` was given or is to be written.
 *   - An optional text without such a flag is absent when it is empty.
 *   - A struct sk_json that was read is a borrowed sk_value; one to be
 *     written is JSON text, and empty is null (or absent, if optional).
 *   - Seats, turns and seqs are int32_t, ids of matches and players int64_t.
 *     A client can send ids of 32 bits only, so no greater ones are given out.
 *
 * Owner:   what was read points into the arena and into the document that
 *          it was read from; what is written belongs to the caller.
 */
#ifndef SK_FRAMES_H
#define SK_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/fault.h"
#include "common/base/status.h"
#include "common/core/schema.h"
#include "proto/json_out.h"

struct sk_value;

/* The version of the wire: its first number is what `hello` says. */
#define SK_PROTOCOL         1
#define SK_PROTOCOL_VERSION "1.0.0"
#define SK_SUBPROTOCOL      "skirmish.v1"

/* Limits of the wire.  Bytes of a whole message: */
#define FRAME_BYTES_MAX        16384u
#define FRAME_CREATE_BYTES_MAX 262144u /* of `create` and `queue`, which carry params */

#define FRAME_ID_MAX              64
#define FRAME_COMMAND_ID_MAX      64
#define FRAME_PLAYER_NAME_MAX     24
#define FRAME_TOKEN_MAX           128
#define FRAME_CODE_MAX            32
#define FRAME_MS_PER_TURN_MAX     60000
#define FRAME_CHAT_MAX            500
#define FRAME_ANNOUNCE_MAX        1000
#define FRAME_REASON_MAX          64
#define FRAME_FAILURE_MESSAGE_MAX 255
#define FRAME_PATH_MAX            200
#define FRAME_VERSION_MAX         64
#define FRAME_TURN_MS_MIN         10
#define FRAME_CYCLE_MS_MIN        10
#define FRAME_CYCLE_MS_MAX        600000
#define FRAME_BOT_URL_MAX         500
#define FRAME_SPECTATOR_DELAY_MAX 1000
#define FRAME_SEED_DIGITS         (2 * SK_SEED_BYTES)
#define FRAME_HASH_DIGITS         16 /* of a view or a state */
#define FRAME_CHAIN_DIGITS        64 /* of commitments and of the chain of records */

/* Begins every frame of both directions. */
struct frame_head {
    uint8_t type; /* enum client_type or enum server_type */
    bool has_id;
    struct sk_text id; /* chosen by the client and echoed in the answer */
};

/* ---- parts that frames share ------------------------------------------------------------- */

/* Neither member: no clock runs. */
struct frame_clock {
    bool has_turn_ms;
    int32_t turn_ms; /* for each turn ... */
    int32_t bank_ms; /* ... and when that is used up, from this, once for the match */
};

/* How long a seat has.  Not running: it does not owe, or there is no clock. */
struct frame_deadline {
    bool is_running;
    int64_t left_ms;
};

/* A turn that waits for commands.  All lists except `owing` and `ready` are by seat. */
struct frame_turn_open {
    int32_t turn;
    struct sk_list owing;       /* int32_t: seats the turn waits for */
    struct sk_list ready;       /* int32_t: those of them that are ready already */
    struct sk_list deadline_ms; /* struct frame_deadline: time left when the frame was written */
    struct sk_list bank_ms;     /* int64_t; empty without a clock */
};

/* A seat's player.  Not taken: null. */
struct frame_player {
    bool is_taken;
    bool bot;
    bool is_here;
    struct sk_text name;
};

/* The client's submission that is stored for the open turn. */
struct frame_pending {
    struct sk_text command_id;
    struct sk_json commands;
    struct sk_json verdicts;
    bool ready;
};

/* How a match ended, and what proves it. */
struct frame_outcome {
    bool has_winner;
    int32_t winner;
    struct sk_text reason;
    struct sk_text seed; /* these four may be empty: a match that never began has none */
    struct sk_text salt;
    struct sk_text hash; /* of the last state */
    struct sk_text head; /* of the chain of records */
};

/* ---- from the client --------------------------------------------------------------------- */

enum client_type {
    FRAME_HELLO,
    FRAME_RENEW_TOKEN,
    FRAME_CREATE,
    FRAME_JOIN,
    FRAME_LEAVE,
    FRAME_WATCH,
    FRAME_QUEUE,
    FRAME_LIST,
    FRAME_SUBMIT,
    FRAME_WITHDRAW,
    FRAME_HINTS,
    FRAME_WHAT_IF,
    FRAME_RESIGN,
    FRAME_OFFER_DRAW,
    FRAME_ANSWER_DRAW,
    FRAME_REMATCH,
    FRAME_CLAIM,
    FRAME_CHAT,
    FRAME_MUTE,
    FRAME_RESUME,
    FRAME_PING,
    FRAME_COUNT
};

struct frame_hello {
    struct frame_head head;
    int32_t protocol;
    struct sk_text token; /* empty: a guest, who needs a name, or a spectator */
    struct sk_text name;
    bool bot;
    bool spectator;
};

enum frame_visibility {
    VISIBILITY_OPEN,
    VISIBILITY_PRIVATE
};

/* Words of `level`: how well a bot of the server's plays. */
enum frame_level {
    LEVEL_RANDOM,
    LEVEL_GREEDY,
    LEVEL_SEARCH,
    LEVEL_COUNT
};

extern const char *const sk_frame_levels[LEVEL_COUNT];

/* Who plays a seat instead of a connection: one of the three is given. */
struct frame_bot {
    bool has_level;
    uint8_t level;       /* enum frame_level: one of the server's own */
    struct sk_text http; /* the address of a web service */
    struct sk_text name; /* of the server's configuration, or of the address */
};

extern const struct sk_schema sk_frame_bot;

/* The player of a seat.  Not given: anybody who joins. */
struct frame_seat_wish {
    bool is_given;
    struct frame_bot bot;
};

struct frame_create {
    struct frame_head head;
    struct sk_text ruleset;
    struct sk_json params; /* object NULL: the ruleset's default params */
    bool has_clock;        /* neither this nor `without_clock`: the ruleset's default clock */
    bool without_clock;    /* the client sent null */
    struct frame_clock clock;
    bool has_cycle;     /* neither this nor `without_cycle`: the default */
    bool without_cycle; /* the client sent null */
    int32_t cycle_ms;
    uint8_t visibility;
    bool has_seat;
    int32_t seat;
    struct sk_list seats; /* struct frame_seat_wish, by seat */
    int32_t spectator_delay;
    bool has_rated; /* absent: rated if the match is open */
    bool rated;
    struct sk_text seed; /* FRAME_SEED_DIGITS bytes, not yet known to be hex digits; or empty */
};

struct frame_join {
    struct frame_head head;
    bool has_match;
    bool has_seat;
    int64_t match;
    struct sk_text code;
    int32_t seat;
    bool rated;
};

/* leave, hints, offer_draw, rematch, claim: nothing but the match. */
struct frame_match {
    struct frame_head head;
    int64_t match;
};

struct frame_watch {
    struct frame_head head;
    int64_t match;
    struct sk_text code;
    bool has_ms_per_turn; /* a match that is over is shown again */
    int32_t ms_per_turn;
    int32_t turn;
    bool has_seat;
    int32_t seat;
};

#define FRAME_RATING_MAX 4000

struct frame_queue {
    struct frame_head head;
    struct sk_text ruleset;
    struct sk_json params;
    bool has_rating_min;
    int32_t rating_min;
    bool has_rating_max;
    int32_t rating_max;
    bool cancel;
};

enum frame_status {
    STATUS_ANY, /* in `list` only */
    STATUS_WAITING,
    STATUS_RUNNING,
    STATUS_OVER
};

struct frame_list {
    struct frame_head head;
    uint8_t status; /* enum frame_status */
    struct sk_text ruleset;
    bool mine;
    bool has_after;
    int64_t after;
};

struct frame_submit {
    struct frame_head head;
    int64_t match;
    int32_t turn;
    struct sk_json commands;
    struct sk_text command_id;
    bool has_ready;
    bool ready;
};

struct frame_withdraw {
    struct frame_head head;
    int64_t match;
    int32_t turn;
    struct sk_text command_id;
};

struct frame_what_if {
    struct frame_head head;
    int64_t match;
    bool has_turn;
    int32_t turn;
    struct sk_text code;
    struct sk_json commands;
};

struct frame_resign {
    struct frame_head head;
    int64_t match;
    struct sk_text command_id;
};

struct frame_answer_draw {
    struct frame_head head;
    int64_t match;
    bool accept;
};

struct frame_chat {
    struct frame_head head;
    int64_t match;
    struct sk_text text;
};

struct frame_mute {
    struct frame_head head;
    int64_t match;
    bool muted;
};

struct frame_resume {
    struct frame_head head;
    int64_t match;
    int32_t seq;
    struct sk_text code;
};

/* renew_token and ping are heads alone. */
union client_frame {
    struct frame_head head;
    struct frame_hello hello;
    struct frame_create create;
    struct frame_join join;
    struct frame_match match;
    struct frame_watch watch;
    struct frame_queue queue;
    struct frame_list list;
    struct frame_submit submit;
    struct frame_withdraw withdraw;
    struct frame_what_if what_if;
    struct frame_resign resign;
    struct frame_answer_draw answer_draw;
    struct frame_chat chat;
    struct frame_mute mute;
    struct frame_resume resume;
};

extern const struct sk_variants sk_client_frames;

/* ---- from the server --------------------------------------------------------------------- */

enum server_type {
    SERVER_WELCOME,
    SERVER_TOKEN,
    SERVER_MATCHES,
    SERVER_JOINED,
    SERVER_STATE,
    SERVER_SEATED,
    SERVER_ACCEPTED,
    SERVER_WITHDRAWN,
    SERVER_READY,
    SERVER_TURN,
    SERVER_CLOCK,
    SERVER_DRAW,
    SERVER_OVER,
    SERVER_HINTS,
    SERVER_WHAT_IF,
    SERVER_REPLAY,
    SERVER_QUEUED,
    SERVER_CHAT,
    SERVER_PRESENCE,
    SERVER_BOT_FAILED,
    SERVER_REMATCH,
    SERVER_ANNOUNCE,
    SERVER_CLOSING,
    SERVER_MOVED,
    SERVER_DONE,
    SERVER_ERROR,
    SERVER_PONG,
    SERVER_COUNT
};

struct server_welcome {
    struct frame_head head;
    int32_t protocol;
    bool has_player; /* null, as is the name: a spectator */
    int64_t player;
    struct sk_text name;
    struct sk_text token; /* only for a new player, shown only once */
    bool bot;
    struct sk_text server;     /* its version */
    int64_t time_ms;           /* its wall clock */
    int32_t frames_per_second; /* accepted from one connection ... */
    int32_t frames_burst;      /* ... and how many at once */
};

struct server_token {
    struct frame_head head;
    struct sk_text token;
};

struct server_matches {
    struct frame_head head;
    struct sk_json matches;
    bool has_next;
    int64_t next; /* `after` of the next page; null on the last */
};

struct server_joined {
    struct frame_head head;
    int64_t match;
    bool has_seat; /* null: a spectator */
    int32_t seat;
    struct sk_text code; /* of a private match, for its players */
};

struct server_state {
    struct frame_head head;
    int64_t match;
    int32_t seq;
    uint8_t status; /* enum server_status */
    struct sk_text ruleset;
    int32_t version;
    struct sk_json params;
    struct sk_list players; /* struct frame_player, one per seat */
    bool has_seat;          /* null: a spectator */
    int32_t seat;
    struct sk_text code;
    bool rated;
    bool has_clock; /* null: no clock */
    struct frame_clock clock;
    bool has_cycle; /* each turn takes exactly this long */
    int32_t cycle_ms;
    int32_t spectator_delay;
    struct sk_text commitment;
    struct sk_json view; /* null before the match begins */
    struct sk_text hash; /* of the view, absent with it */
    bool has_turn_open;
    struct frame_turn_open turn_open;
    bool has_pending;
    struct frame_pending pending;
    bool has_offer;
    int32_t offer; /* the seat that offered a draw; null: nobody */
    bool has_outcome;
    struct frame_outcome outcome;
};

/* The words of state.status: as in `list`, without "any". */
enum server_status {
    MATCH_IS_WAITING,
    MATCH_IS_RUNNING,
    MATCH_IS_OVER
};

/* A player took a seat, or (name null) left it before the start.  The last one starts the match. */
struct server_seated {
    struct frame_head head;
    int64_t match;
    int32_t seq;
    int32_t seat;
    struct sk_text name; /* empty: the seat is free again */
    bool bot;
    bool has_unrated;
    bool unrated;       /* because of this player */
    bool has_turn_open; /* the match begins: with the first view and its hash */
    struct frame_turn_open turn_open;
    struct sk_json view;
    struct sk_text hash;
};

struct server_accepted {
    struct frame_head head;
    int64_t match;
    int32_t turn;
    struct sk_text command_id;
    struct sk_json verdicts;
    bool ready;
    bool has_superseded;
    bool superseded; /* a repeat of a submission that another has replaced */
};

struct server_withdrawn {
    struct frame_head head;
    int64_t match;
    int32_t turn;
    struct sk_text command_id;
};

struct server_ready {
    struct frame_head head;
    int64_t match;
    int32_t turn;
    int32_t seat;
    bool ready; /* false: it withdrew, or replaced its set with one that is not ready */
};

struct server_turn {
    struct frame_head head;
    int64_t match;
    int32_t seq;
    int32_t turn;            /* the number after it */
    struct sk_json verdicts; /* of the own commands as used; null for spectators */
    struct sk_json events;
    struct sk_json view;
    struct sk_text hash; /* of this view */
    bool has_turn_open;
    struct frame_turn_open turn_open;
    struct sk_json failures; /* of bots; empty: none */
};

struct server_clock {
    struct frame_head head;
    int64_t match;
    int32_t seq;
    struct frame_turn_open turn_open;
};

enum server_offer {
    OFFER_MADE,
    OFFER_DECLINED
};

struct server_draw {
    struct frame_head head;
    int64_t match;
    int32_t seq;
    int32_t seat; /* who offered, or who declined */
    uint8_t offer;
};

struct server_over {
    struct frame_head head;
    int64_t match;
    int32_t seq;
    struct frame_outcome outcome;
};

struct server_hints {
    struct frame_head head;
    int64_t match;
    int32_t turn;
    struct sk_json commands;
};

struct server_what_if {
    struct frame_head head;
    int64_t match;
    int32_t turn;
    struct sk_json verdicts;
    struct sk_json events;
    struct sk_json view;
    struct sk_json state;
    struct sk_json outcome;
};

struct server_replay {
    struct frame_head head;
    int64_t match;
    int32_t last;
    struct sk_json moment;
};

struct server_queued {
    struct frame_head head;
    struct sk_text ruleset;
};

struct server_chat {
    struct frame_head head;
    int64_t match;
    bool has_seat; /* null: a spectator */
    int32_t seat;
    struct sk_text name;
    struct sk_text text;
};

struct server_presence {
    struct frame_head head;
    int64_t match;
    int32_t seat;
    bool is_here;
    bool has_claim_ms; /* away, no clock: the others may claim the match then */
    int64_t claim_ms;
};

/* The bot of a seat gave no answer that counts. */
struct server_bot_failed {
    struct frame_head head;
    int64_t match;
    int32_t turn;
    int32_t seat;
    struct sk_text error;   /* a word of proto/bot_failures.h */
    struct sk_text message; /* its sentence, and more where more is known */
};

struct server_rematch {
    struct frame_head head;
    int64_t match;
    int64_t next;        /* the new match, for the others to join */
    struct sk_text code; /* if it is private */
};

struct server_announce {
    struct frame_head head;
    struct sk_text text;
};

struct server_closing {
    struct frame_head head;
    struct sk_text reason;
    int32_t retry_ms;
};

struct server_moved {
    struct frame_head head;
    int64_t match;
    struct sk_text path;
};

/* `code` is a word of proto/errors.h; `at` and `check` are empty where there is none. */
struct server_error {
    struct frame_head head;
    struct sk_text code;
    struct sk_text message;
    struct sk_text at;
    struct sk_text check;
    bool has_match;
    int64_t match;
    bool has_retry_ms;
    int32_t retry_ms;
};

struct server_pong {
    struct frame_head head;
    int64_t time_ms;
};

/* done is a head alone. */
union server_frame {
    struct frame_head head;
    struct server_welcome welcome;
    struct server_token token;
    struct server_matches matches;
    struct server_joined joined;
    struct server_state state;
    struct server_seated seated;
    struct server_accepted accepted;
    struct server_withdrawn withdrawn;
    struct server_ready ready;
    struct server_turn turn;
    struct server_clock clock;
    struct server_draw draw;
    struct server_over over;
    struct server_hints hints;
    struct server_what_if what_if;
    struct server_replay replay;
    struct server_queued queued;
    struct server_chat chat;
    struct server_presence presence;
    struct server_bot_failed bot_failed;
    struct server_rematch rematch;
    struct server_announce announce;
    struct server_closing closing;
    struct server_moved moved;
    struct server_error error;
    struct server_pong pong;
};

extern const struct sk_variants sk_server_frames;

/* ---- reading, writing, describing -------------------------------------------------------- */

/* After a fault only ret_frame->head.id may be used: it is there if a usable `id` was. */
enum sk_status sk_frame_read(const struct sk_value *json, struct sk_arena *arena,
                             union client_frame *ret_frame, struct sk_fault *ret_fault);

/*
 * Finds the `id` of a message that is not read: one over the rate limit, or
 * one that is not JSON. A single pass over any bytes; false = none found.
 */
bool sk_frame_find_id(const char *text, size_t length, char ret_id[FRAME_ID_MAX + 1]);

/* `frame` is any of the server's, or of the client's, structs; its head says which. */
void sk_frame_write(struct sk_json_out *out, const void *frame);
void sk_client_frame_write(struct sk_json_out *out, const void *frame);

/* {"client": schema, "server": schema, "errors": [{"code", "meaning", "retry"}]} */
void sk_frames_document(struct sk_json_out *out);

#endif /* SK_FRAMES_H */
