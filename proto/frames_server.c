/* The tables of what the server sends, and of the parts its frames are made of. */
#include "proto/frames.h"
#include "proto/frames_parts.h"

#define VIEW_DOC \
    "What this seat (or a spectator) sees, as the ruleset's schema of views describes it."
#define VERDICTS_DOC "One `{\"verdict\", \"check\"}` per command, in the order given."
#define EVENTS_DOC   "What happened, in order, as the ruleset's schema of events describes it."

#define HASH_OF(type, field, name, digits, text) \
    SK_TEXT_OF(type, field, name, .min = (digits), .max = (digits), .doc = (text))

/* For members that may be missing. */
#define HASH_IN(type, field, name, digits, text)                                          \
    SK_TEXT_OF(type, field, name, .min = (digits), .max = (digits), .flags = SK_OPTIONAL, \
               .doc = (text))

/* ---- parts ------------------------------------------------------------------------------- */

static const struct sk_member seat_item = { .kind = SK_KIND_INT, SEAT_BOUNDS };
static const struct sk_member deadline_item = {
    .kind = SK_KIND_LONG,
    .offset = offsetof(struct frame_deadline, left_ms),
    MAY_BE_NULL(struct frame_deadline, is_running),
};
static const struct sk_member bank_item = { .kind = SK_KIND_LONG };

static const struct sk_member turn_open_members[] = {
    TURN_OF(struct frame_turn_open, "The number of the turn that waits for commands."),
    SK_LIST(struct frame_turn_open, owing, "owing", &seat_item, sizeof(int32_t),
            .max = SK_SEATS_MAX, .doc = "The seats that owe commands."),
    SK_LIST(struct frame_turn_open, ready, "ready", &seat_item, sizeof(int32_t),
            .max = SK_SEATS_MAX, .doc = "Those of them that are ready."),
    SK_LIST(struct frame_turn_open, deadline_ms, "deadline_ms", &deadline_item,
            sizeof(struct frame_deadline), .max = SK_SEATS_MAX,
            .doc = "For each seat the milliseconds left when the frame was written; null: no "
                   "clock runs for it."),
    SK_LIST(struct frame_turn_open, bank_ms, "bank_ms", &bank_item, sizeof(int64_t),
            .max = SK_SEATS_MAX,
            .doc = "For each seat what its bank held when the turn opened; part of "
                   "`deadline_ms`.  Empty in a match without a clock."),
};
static const struct sk_schema turn_open =
    SK_SCHEMA("turn_open", NULL, turn_open_members, struct frame_turn_open);

#define TURN_OPEN_IN(type, text)                                                       \
    SK_OBJECT(type, turn_open, "turn_open", &turn_open, MAY_MISS(type, has_turn_open), \
              .doc = (text))

static const struct sk_member player_members[] = {
    SK_TEXT_OF(struct frame_player, name, "name", .min = 1, .max = FRAME_PLAYER_NAME_MAX,
               .doc = "The player's name."),
    SK_BOOL(struct frame_player, bot, "bot", .doc = "A program plays."),
    SK_BOOL(struct frame_player, is_here, "is_here",
            .doc = "At least one connection follows the match."),
};
static const struct sk_schema player =
    SK_SCHEMA("player", NULL, player_members, struct frame_player);
static const struct sk_member player_item = {
    .kind = SK_KIND_OBJECT,
    .object = &player,
    MAY_BE_NULL(struct frame_player, is_taken),
};

static const struct sk_member pending_members[] = {
    COMMAND_ID_OF(struct frame_pending, "The submission's `command_id`."),
    SK_JSON(struct frame_pending, commands, "commands", .doc = "The commands."),
    SK_JSON(struct frame_pending, verdicts, "verdicts", .doc = VERDICTS_DOC),
    SK_BOOL(struct frame_pending, ready, "ready", .doc = "May the turn close with these?"),
};
static const struct sk_schema pending =
    SK_SCHEMA("pending", NULL, pending_members, struct frame_pending);

#define OUTCOME_MEMBERS(type, in)                                                                  \
    { .kind = SK_KIND_INT,                                                                         \
      SK_NAMED("winner"),                                                                          \
      .offset = offsetof(type, in winner),                                                         \
      SEAT_BOUNDS,                                                                                 \
      MAY_BE_NULL(type, in has_winner),                                                            \
      .doc = "The seat that won; null: nobody did." },                                             \
        SK_TEXT_OF(type, in reason, "reason", .min = 1, .max = FRAME_REASON_MAX,                   \
                   .doc = "Why it ended; a draw's reason begins with `draw`."),                    \
        HASH_IN(type, in seed, "seed", FRAME_SEED_DIGITS, "The seed of all chance of the match."), \
        HASH_IN(type, in salt, "salt", FRAME_SEED_DIGITS,                                          \
                "With the seed it gives the `commitment` of the start."),                          \
        HASH_IN(type, in hash, "hash", FRAME_HASH_DIGITS, "The hash of the last state."),          \
        HASH_IN(type, in head, "head", FRAME_CHAIN_DIGITS,                                         \
                "The last hash of the chain of records.")

static const struct sk_member outcome_members[] = { OUTCOME_MEMBERS(struct frame_outcome, ) };
static const struct sk_schema outcome =
    SK_SCHEMA("outcome", NULL, outcome_members, struct frame_outcome);

/* ---- who is there ------------------------------------------------------------------------ */

static const struct sk_member welcome_members[] = {
    SK_INT(struct server_welcome, protocol, "protocol", .min = 1, .max = INT32_MAX,
           .doc = "The version of the protocol that is spoken from now on."),
    SK_LONG(struct server_welcome, player, "player", .min = 1,
            MAY_BE_NULL(struct server_welcome, has_player),
            .doc = "The player's number; null: a spectator."),
    SK_TEXT_OF(struct server_welcome, name, "name", .min = 1, .max = FRAME_PLAYER_NAME_MAX,
               .flags = SK_NULLABLE, .doc = "The player's name; null: a spectator."),
    SK_TEXT_OF(struct server_welcome, token, "token", .min = 1, .max = FRAME_TOKEN_MAX,
               .flags = SK_OPTIONAL,
               .doc =
                   "Only for a new player, and shown only once: keep it, it is the player's key."),
    SK_BOOL(struct server_welcome, bot, "bot", .doc = "A program plays."),
    SK_TEXT_OF(struct server_welcome, server, "server", .min = 1, .max = FRAME_VERSION_MAX,
               .doc = "The server's name and version."),
    SK_LONG(struct server_welcome, time_ms, "time_ms", .doc = "The server's time, see `pong`."),
    SK_INT(struct server_welcome, frames_per_second, "frames_per_second", .min = 1,
           .max = INT32_MAX,
           .doc = "How many frames per second the server reads from a connection."),
    SK_INT(struct server_welcome, frames_burst, "frames_burst", .min = 1, .max = INT32_MAX,
           .doc = "And how many at once, after a pause."),
};
FRAME_SCHEMA(welcome, struct server_welcome);

static const struct sk_member token_members[] = {
    SK_TEXT_OF(struct server_token, token, "token", .min = 1, .max = FRAME_TOKEN_MAX,
               .doc = "The token that is valid from now on."),
};
FRAME_SCHEMA(token, struct server_token);

/* ---- matches ----------------------------------------------------------------------------- */

static const struct sk_member matches_members[] = {
    SK_JSON(struct server_matches, matches, "matches",
            .doc = "A list of rows as in `/api/v1/matches`."),
    SK_LONG(struct server_matches, next, "next", MAY_BE_NULL(struct server_matches, has_next),
            .doc = "`after` for a `list` of the next ones; null: there are none."),
};
FRAME_SCHEMA(matches, struct server_matches);

static const struct sk_member joined_members[] = {
    MATCH_OF(struct server_joined),
    SEAT_OF(struct server_joined, MAY_BE_NULL(struct server_joined, has_seat),
            .doc = "The client's seat; null: a spectator."),
    CODE_OF(struct server_joined, "Of a private match: what others need to join it."),
};
FRAME_SCHEMA(joined, struct server_joined);

static const char *const statuses[] = {
    [MATCH_IS_WAITING] = "waiting", [MATCH_IS_RUNNING] = "running", [MATCH_IS_OVER] = "over"
};

static const struct sk_member state_members[] = {
    MATCH_OF(struct server_state),
    SEQ_OF(struct server_state, "Everything up to this number is in the state."),
    SK_ENUM(struct server_state, status, "status", statuses, .doc = "The match's status."),
    SK_ID_TEXT(struct server_state, ruleset, "ruleset", .doc = "The name of the ruleset."),
    SK_INT(struct server_state, version, "version", .min = 1, .max = INT32_MAX,
           .doc = "The version of its behaviour, fixed for the match."),
    SK_JSON(struct server_state, params, "params",
            .doc = "The ruleset's params with all defaults written out; until the match is over, "
                   "without hidden ones (snarl's levels)."),
    SK_LIST(struct server_state, players, "players", &player_item, sizeof(struct frame_player),
            .max = SK_SEATS_MAX, .doc = "Who has each seat; null: it is free."),
    SEAT_OF(struct server_state, MAY_BE_NULL(struct server_state, has_seat),
            .doc = "The client's seat; null: a spectator."),
    CODE_OF(struct server_state, "Of a private match, for its players."),
    SK_BOOL(struct server_state, rated, "rated", .doc = "Does the match count for the rating?"),
    SK_OBJECT(struct server_state, clock, "clock", &sk_frame_clock,
              MAY_BE_NULL(struct server_state, has_clock), .doc = "The clock; null: none."),
    SK_INT(struct server_state, cycle_ms, "cycle_ms", .min = FRAME_CYCLE_MS_MIN,
           .max = FRAME_CYCLE_MS_MAX, MAY_MISS(struct server_state, has_cycle),
           .doc = "Every turn takes exactly this many milliseconds."),
    SK_INT(struct server_state, spectator_delay, "spectator_delay", .min = 0,
           .max = FRAME_SPECTATOR_DELAY_MAX,
           .doc = "How many turns later spectators see what happened."),
    HASH_OF(struct server_state, commitment, "commitment", FRAME_CHAIN_DIGITS,
            "SHA-256 of the salt and the seed, which are published at the end."),
    SK_JSON(struct server_state, view, "view", .flags = SK_NULLABLE,
            .doc = VIEW_DOC "  Null before the start."),
    HASH_IN(struct server_state, hash, "hash", FRAME_HASH_DIGITS, "The hash of this view."),
    TURN_OPEN_IN(struct server_state, "The turn that waits for commands, if one does."),
    SK_OBJECT(struct server_state, pending, "pending", &pending,
              MAY_MISS(struct server_state, has_pending),
              .doc = "The client's submission that is stored for the open turn, if any."),
    SK_INT(struct server_state, offer, "offer", SEAT_BOUNDS,
           MAY_BE_NULL(struct server_state, has_offer),
           .doc = "The seat whose draw offer is open; null: none."),
    SK_OBJECT(struct server_state, outcome, "outcome", &outcome,
              MAY_MISS(struct server_state, has_outcome), .doc = "Once the match is over."),
};
FRAME_SCHEMA(state, struct server_state);

static const struct sk_member seated_members[] = {
    MATCH_OF(struct server_seated),
    SEQ_OF(struct server_seated, "The frame's number in the match."),
    SEAT_OF(struct server_seated, .doc = "The seat."),
    SK_TEXT_OF(struct server_seated, name, "name", .min = 1, .max = FRAME_PLAYER_NAME_MAX,
               .flags = SK_NULLABLE, .doc = "Who took it; null: it is free again."),
    SK_BOOL(struct server_seated, bot, "bot", .doc = "A program plays."),
    SK_BOOL(struct server_seated, unrated, "unrated", MAY_MISS(struct server_seated, has_unrated),
            .doc = "With `turn_open`: it does not count for ratings, because a program plays, or "
                   "because the match is private and not all asked for it."),
    TURN_OPEN_IN(struct server_seated, "With the last player: the first turn opens."),
    SK_JSON(struct server_seated, view, "view", .flags = SK_OPTIONAL,
            .doc = "With `turn_open`: what this seat (or a spectator) sees."),
    HASH_IN(struct server_seated, hash, "hash", FRAME_HASH_DIGITS,
            "With `turn_open`: the hash of this view."),
};
FRAME_SCHEMA(seated, struct server_seated);

static const struct sk_member queued_members[] = {
    SK_ID_TEXT(struct server_queued, ruleset, "ruleset", .doc = "The name of the ruleset."),
};
FRAME_SCHEMA(queued, struct server_queued);

/* ---- playing ----------------------------------------------------------------------------- */

static const struct sk_member accepted_members[] = {
    MATCH_OF(struct server_accepted),
    TURN_OF(struct server_accepted, "The turn the commands are for."),
    COMMAND_ID_OF(struct server_accepted, "The `submit`'s `command_id`."),
    SK_JSON(struct server_accepted, verdicts, "verdicts", .doc = VERDICTS_DOC),
    SK_BOOL(struct server_accepted, ready, "ready", .doc = "May the turn close with these?"),
    SK_BOOL(struct server_accepted, superseded, "superseded",
            MAY_MISS(struct server_accepted, has_superseded),
            .doc = "True in the answer to a repeat whose commands were replaced since."),
};
FRAME_SCHEMA(accepted, struct server_accepted);

static const struct sk_member withdrawn_members[] = {
    MATCH_OF(struct server_withdrawn),
    TURN_OF(struct server_withdrawn, "The turn whose commands are withdrawn."),
    COMMAND_ID_OF(struct server_withdrawn, "The `withdraw`'s `command_id`."),
};
FRAME_SCHEMA(withdrawn, struct server_withdrawn);

static const struct sk_member ready_members[] = {
    MATCH_OF(struct server_ready),
    TURN_OF(struct server_ready, "The open turn."),
    SEAT_OF(struct server_ready, .doc = "The seat."),
    SK_BOOL(struct server_ready, ready, "ready",
            .doc = "False: it withdrew, or replaced its commands with a set that is not ready."),
};
FRAME_SCHEMA(ready, struct server_ready);

static const struct sk_member turn_members[] = {
    MATCH_OF(struct server_turn),
    SEQ_OF(struct server_turn, "The frame's number in the match."),
    TURN_OF(struct server_turn, "The match's turn number after this turn."),
    SK_JSON(struct server_turn, verdicts, "verdicts", .flags = SK_NULLABLE,
            .doc = "The final verdicts of the client's commands that were used; null for "
                   "spectators."),
    SK_JSON(struct server_turn, events, "events", .doc = EVENTS_DOC),
    SK_JSON(struct server_turn, view, "view", .doc = VIEW_DOC),
    HASH_OF(struct server_turn, hash, "hash", FRAME_HASH_DIGITS, "The hash of this view."),
    TURN_OPEN_IN(struct server_turn, "The next turn; missing when this was the last."),
    SK_JSON(struct server_turn, failures, "failures", .flags = SK_OPTIONAL,
            .doc = "Bots whose last answer in this turn did not count: a list of "
                   "`{\"seat\", \"error\", \"message\"}` as in `bot_failed`; missing when "
                   "there are none."),
};
FRAME_SCHEMA(turn, struct server_turn);

static const struct sk_member clock_members[] = {
    MATCH_OF(struct server_clock),
    SEQ_OF(struct server_clock, "The frame's number in the match."),
    SK_OBJECT(struct server_clock, turn_open, "turn_open", &turn_open,
              .doc = "The open turn with its new deadlines."),
};
FRAME_SCHEMA(clock, struct server_clock);

static const char *const offers[] = { [OFFER_MADE] = "made", [OFFER_DECLINED] = "declined" };

static const struct sk_member draw_members[] = {
    MATCH_OF(struct server_draw),
    SEQ_OF(struct server_draw, "The frame's number in the match."),
    SEAT_OF(struct server_draw, .doc = "Who offered, or declined."),
    SK_ENUM(struct server_draw, offer, "offer", offers, .doc = "What the seat did."),
};
FRAME_SCHEMA(draw, struct server_draw);

static const struct sk_member over_members[] = {
    MATCH_OF(struct server_over),
    SEQ_OF(struct server_over, "The frame's number in the match: its last."),
    OUTCOME_MEMBERS(struct server_over, outcome.),
};
FRAME_SCHEMA(over, struct server_over);

static const struct sk_member hints_members[] = {
    MATCH_OF(struct server_hints),
    TURN_OF(struct server_hints, "The open turn."),
    SK_JSON(struct server_hints, commands, "commands",
            .doc = "A list of commands, each of which would be ok alone."),
};
FRAME_SCHEMA(hints, struct server_hints);

static const struct sk_member what_if_members[] = {
    MATCH_OF(struct server_what_if),
    TURN_OF(struct server_what_if, "The turn number after it."),
    SK_JSON(struct server_what_if, verdicts, "verdicts",
            .doc = "One list of verdicts for each seat."),
    SK_JSON(struct server_what_if, events, "events", .doc = EVENTS_DOC),
    SK_JSON(struct server_what_if, view, "view", .doc = VIEW_DOC),
    SK_JSON(struct server_what_if, state, "state", .flags = SK_OPTIONAL,
            .doc = "Of a match that is over: the whole state."),
    SK_JSON(struct server_what_if, outcome, "outcome", .flags = SK_NULLABLE,
            .doc = "`{\"winner\", \"reason\"}` if the match would be over, else null."),
};
FRAME_SCHEMA(what_if, struct server_what_if);

static const struct sk_member replay_members[] = {
    MATCH_OF(struct server_replay),
    SK_INT(struct server_replay, last, "last", COUNT,
           .doc = "The turn number of the match's last moment."),
    SK_JSON(struct server_replay, moment, "moment",
            .doc = "The state after a turn and what led to it, as a line of "
                   "`/api/v1/matches/ID/moments`."),
};
FRAME_SCHEMA(replay, struct server_replay);

/* ---- talking and following --------------------------------------------------------------- */

static const struct sk_member chat_members[] = {
    MATCH_OF(struct server_chat),
    SEAT_OF(struct server_chat, MAY_BE_NULL(struct server_chat, has_seat),
            .doc = "The seat of the sender; null: a spectator."),
    SK_TEXT_OF(struct server_chat, name, "name", .min = 1, .max = FRAME_PLAYER_NAME_MAX,
               .doc = "The sender's name."),
    SK_TEXT_OF(struct server_chat, text, "text", .min = 1, .max = FRAME_CHAT_MAX,
               .doc = "What was said."),
};
FRAME_SCHEMA(chat, struct server_chat);

static const struct sk_member presence_members[] = {
    MATCH_OF(struct server_presence),
    SEAT_OF(struct server_presence, .doc = "The seat."),
    SK_BOOL(struct server_presence, is_here, "is_here",
            .doc = "At least one connection of its player follows the match."),
    SK_LONG(struct server_presence, claim_ms, "claim_ms",
            MAY_MISS(struct server_presence, has_claim_ms),
            .doc = "Away, and no clock runs: the milliseconds until others may `claim`."),
};
FRAME_SCHEMA(presence, struct server_presence);

static const struct sk_member bot_failed_members[] = {
    MATCH_OF(struct server_bot_failed),
    TURN_OF(struct server_bot_failed, "The turn that it was asked about."),
    SEAT_OF(struct server_bot_failed, .doc = "The seat."),
    SK_TEXT_OF(struct server_bot_failed, error, "error", .min = 1, .max = FRAME_REASON_MAX,
               .doc = "Why: see [Bots](#bots)."),
    SK_TEXT_OF(struct server_bot_failed, message, "message", .min = 1,
               .max = FRAME_FAILURE_MESSAGE_MAX, .doc = "The same in a sentence, for people."),
};
FRAME_SCHEMA(bot_failed, struct server_bot_failed);

static const struct sk_member rematch_members[] = {
    MATCH_OF(struct server_rematch),
    SK_LONG(struct server_rematch, next, "next", .min = 1, .doc = "The new match, to `join`."),
    CODE_OF(struct server_rematch, "If it is private: what the others need to join."),
};
FRAME_SCHEMA(rematch, struct server_rematch);

static const struct sk_member announce_members[] = {
    SK_TEXT_OF(struct server_announce, text, "text", .min = 1, .max = FRAME_ANNOUNCE_MAX,
               .doc = "The operator's message to everybody."),
};
FRAME_SCHEMA(announce, struct server_announce);

static const struct sk_member closing_members[] = {
    SK_TEXT_OF(struct server_closing, reason, "reason", .min = 1, .max = FRAME_REASON_MAX,
               .doc = "Why, in a word or two."),
    SK_INT(struct server_closing, retry_ms, "retry_ms", COUNT,
           .doc = "When to connect again, in milliseconds."),
};
FRAME_SCHEMA(closing, struct server_closing);

static const struct sk_member moved_members[] = {
    MATCH_OF(struct server_moved),
    SK_TEXT_OF(struct server_moved, path, "path", .min = 1, .max = FRAME_PATH_MAX,
               .doc = "Where: a path of the same address, from `/` on."),
};
FRAME_SCHEMA(moved, struct server_moved);

/* ---- short answers ----------------------------------------------------------------------- */

static const struct sk_schema done = { .title = "done",
                                       .base = &sk_frame_head,
                                       .size = sizeof(struct frame_head) };

static const struct sk_member error_members[] = {
    SK_ID_TEXT(struct server_error, code, "code", .doc = "One of the codes below, for programs."),
    SK_TEXT_OF(struct server_error, message, "message", .min = 1, .max = SK_FAULT_MESSAGE_MAX,
               .doc = "The same in a sentence for people, with details where there are any."),
    SK_TEXT_OF(struct server_error, at, "at", .min = 1, .max = SK_FAULT_AT_MAX,
               .flags = SK_OPTIONAL,
               .doc = "The place in the frame that was sent, as a JSON pointer (RFC 6901)."),
    SK_ID_TEXT(struct server_error, check, "check", .flags = SK_OPTIONAL,
               .doc = "The check that refused: of the server, or of the ruleset's params."),
    SK_LONG(struct server_error, match, "match", .min = 1, MAY_MISS(struct server_error, has_match),
            .doc = "The match it is about."),
    SK_INT(struct server_error, retry_ms, "retry_ms", COUNT,
           MAY_MISS(struct server_error, has_retry_ms),
           .doc = "When to try again, in milliseconds."),
};
FRAME_SCHEMA(error, struct server_error);

static const struct sk_member pong_members[] = {
    SK_LONG(struct server_pong, time_ms, "time_ms",
            .doc = "The server's time: milliseconds since 1970-01-01 00:00 UTC."),
};
FRAME_SCHEMA(pong, struct server_pong);

/* ---- all of them ------------------------------------------------------------------------- */

static const struct sk_variant server_kinds[] = {
    [SERVER_WELCOME] = { "welcome", &welcome, "The answer to `hello`." },
    [SERVER_TOKEN] = { "token", &token, "The answer to `renew_token`." },
    [SERVER_MATCHES] = { "matches", &matches, "The answer to `list`." },
    [SERVER_JOINED] = { "joined", &joined,
                        "The connection follows a match from now on; a `state` is on its way." },
    [SERVER_STATE] = { "state", &state,
                       "A match as a whole, as this seat or a spectator sees it." },
    [SERVER_SEATED] = { "seated", &seated, "A player took a seat, or left it before the start." },
    [SERVER_ACCEPTED] = { "accepted", &accepted, "The commands of a `submit` are stored." },
    [SERVER_WITHDRAWN] = { "withdrawn", &withdrawn, "A `withdraw` is stored." },
    [SERVER_READY] = { "ready", &ready, "A seat is ready, or no longer ready." },
    [SERVER_TURN] = { "turn", &turn, "A turn was resolved and is stored." },
    [SERVER_CLOCK] = { "clock", &clock, "The deadlines of the open turn have moved." },
    [SERVER_DRAW] = { "draw", &draw, "A draw was offered or declined." },
    [SERVER_OVER] = { "over", &over, "The match is over." },
    [SERVER_HINTS] = { "hints", &hints, "The answer to `hints`." },
    [SERVER_WHAT_IF] = { "what_if", &what_if, "The answer to `what_if`." },
    [SERVER_REPLAY] = { "replay", &replay, "A moment of a match that is over, shown again." },
    [SERVER_QUEUED] = { "queued", &queued, "The answer to `queue`: the wait has begun." },
    [SERVER_CHAT] = { "chat", &chat, "A player or spectator said something." },
    [SERVER_PRESENCE] = { "presence", &presence, "A player's connection came or went." },
    [SERVER_BOT_FAILED] = { "bot_failed", &bot_failed,
                            "The bot of a seat gave no answer that counts." },
    [SERVER_REMATCH] = { "rematch", &rematch, "A player wants to play the match again." },
    [SERVER_ANNOUNCE] = { "announce", &announce, "A message from the operator." },
    [SERVER_CLOSING] = { "closing", &closing, "The server ends this connection." },
    [SERVER_MOVED] = { "moved", &moved, "Another node of the server runs the match now." },
    [SERVER_DONE] = { "done", &done, "What was asked for is done and stored." },
    [SERVER_ERROR] = { "error", &error, "What was asked for was not done." },
    [SERVER_PONG] = { "pong", &pong, "The answer to `ping`." },
};

_Static_assert(SK_COUNT_OF(server_kinds) == SERVER_COUNT, "every server frame has its row");

const struct sk_variants sk_server_frames = {
    .title = "server frame",
    .tag = "type",
    .of = server_kinds,
    .count = SERVER_COUNT,
    .kind_offset = offsetof(struct frame_head, type),
    .size = sizeof(union server_frame),
};
