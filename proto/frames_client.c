/* The tables of what clients send. */
#include "proto/frames.h"
#include "proto/frames_parts.h"

/* ---- who is there ------------------------------------------------------------------------ */

static const struct sk_member hello_members[] = {
    SK_INT(struct frame_hello, protocol, "protocol", .min = 1, .max = INT32_MAX,
           .doc = "The version of the protocol that the client uses: 1."),
    SK_TEXT_OF(struct frame_hello, token, "token", .min = 1, .max = FRAME_TOKEN_MAX,
               .flags = SK_OPTIONAL,
               .doc = "For a returning player: the token from an earlier `welcome`."),
    SK_TEXT_OF(struct frame_hello, name, "name", .min = 1, .max = FRAME_PLAYER_NAME_MAX,
               .flags = SK_OPTIONAL,
               .doc =
                   "For a new player: printable ASCII, not yet taken.  Not together with `token`."),
    SK_BOOL(struct frame_hello, bot, "bot", .flags = SK_OPTIONAL,
            .doc = "For a new player: a program plays.  Others see it."),
    SK_BOOL(struct frame_hello, spectator, "spectator", .flags = SK_OPTIONAL,
            .doc = "The connection only watches and is no player.  Not together with the others."),
};
FRAME_SCHEMA(hello, struct frame_hello);

static const struct sk_schema bare = { .title = "bare",
                                       .base = &sk_frame_head,
                                       .size = sizeof(struct frame_head) };

/* ---- matches ----------------------------------------------------------------------------- */

static const char *const visibilities[] = {
    [VISIBILITY_OPEN] = "open", [VISIBILITY_PRIVATE] = "private"
};

const char *const sk_frame_levels[LEVEL_COUNT] = {
    [LEVEL_RANDOM] = "random", [LEVEL_GREEDY] = "greedy", [LEVEL_SEARCH] = "search"
};

static const struct sk_member bot_members[] = {
    SK_ENUM(struct frame_bot, level, "level", sk_frame_levels,
            MAY_MISS(struct frame_bot, has_level),
            .doc = "One of the server's own: how well it plays."),
    SK_TEXT_OF(struct frame_bot, http, "http", .min = 1, .max = FRAME_BOT_URL_MAX,
               .flags = SK_OPTIONAL,
               .doc = "A web service at this address, if the server may call it."),
    SK_TEXT_OF(struct frame_bot, name, "name", .min = 1, .max = FRAME_PLAYER_NAME_MAX,
               .flags = SK_OPTIONAL,
               .doc = "A web service that the server knows by this name; with `http`, the "
                      "name that others see."),
};
const struct sk_schema sk_frame_bot = SK_SCHEMA("bot", NULL, bot_members, struct frame_bot);

static const struct sk_member seat_wish_members[] = {
    SK_OBJECT(struct frame_seat_wish, bot, "bot", &sk_frame_bot,
              .doc = "The bot that plays it; exactly one of the members, or `http` and `name`."),
};
static const struct sk_schema seat_wish =
    SK_SCHEMA("seat_wish", NULL, seat_wish_members, struct frame_seat_wish);
static const struct sk_member seat_wish_item = {
    .kind = SK_KIND_OBJECT,
    .object = &seat_wish,
    MAY_BE_NULL(struct frame_seat_wish, is_given),
};

static const struct sk_member create_members[] = {
    SK_ID_TEXT(struct frame_create, ruleset, "ruleset", .doc = "The name of the ruleset."),
    SK_JSON(struct frame_create, params, "params", .flags = SK_OPTIONAL,
            .doc = "The ruleset's params; its default match when missing."),
    SK_OBJECT(struct frame_create, clock, "clock", &sk_frame_clock,
              .flags = SK_OPTIONAL | SK_NULLABLE | SK_TRACKED,
              .present = offsetof(struct frame_create, has_clock),
              .doc = "The clock; the ruleset's default when missing, none when null."),
    SK_INT(struct frame_create, cycle_ms, "cycle_ms", .min = FRAME_CYCLE_MS_MIN,
           .max = FRAME_CYCLE_MS_MAX, .flags = SK_OPTIONAL | SK_NULLABLE | SK_TRACKED,
           .present = offsetof(struct frame_create, has_cycle),
           .doc = "Instead of a clock: every turn takes exactly this long and resolves with "
                  "what has been sent.  When missing: as the params say, or 1000 where only bots "
                  "play a ruleset in which all move at once; none when null."),
    SK_ENUM(struct frame_create, visibility, "visibility", visibilities, .flags = SK_OPTIONAL,
            .doc = "Shown in lists to everybody, or only to those who have its code."),
    SEAT_OF(struct frame_create, MAY_MISS(struct frame_create, has_seat),
            .doc = "The seat that the creator wants; the first one without a bot when missing."),
    SK_LIST(struct frame_create, seats, "seats", &seat_wish_item, sizeof(struct frame_seat_wish),
            .max = SK_SEATS_MAX, .flags = SK_OPTIONAL,
            .doc = "Who plays each seat; null or a shorter list: anybody who joins."),
    SK_INT(struct frame_create, spectator_delay, "spectator_delay", .min = 0,
           .max = FRAME_SPECTATOR_DELAY_MAX, .flags = SK_OPTIONAL,
           .doc = "How many turns later spectators see what happened."),
    SK_BOOL(struct frame_create, rated, "rated", MAY_MISS(struct frame_create, has_rated),
            .doc = "Whether the match may be rated; when missing, if it is open.  A private match "
                   "is rated if the others join with `rated` too."),
    SK_TEXT_OF(struct frame_create, seed, "seed", .min = FRAME_SEED_DIGITS,
               .max = FRAME_SEED_DIGITS, .flags = SK_OPTIONAL,
               .doc = "64 hex digits instead of a secret seed; the match is then unrated."),
};
FRAME_SCHEMA(create, struct frame_create);

static const struct sk_member join_members[] = {
    SK_LONG(struct frame_join, match, "match", .min = 1, MAY_MISS(struct frame_join, has_match),
            .doc = "The match; not needed where `code` names it."),
    CODE_OF(struct frame_join, "The code of a private match."),
    SEAT_OF(struct frame_join, MAY_MISS(struct frame_join, has_seat),
            .doc = "The seat wanted; the first free one when missing."),
    SK_BOOL(struct frame_join, rated, "rated", .flags = SK_OPTIONAL,
            .doc = "A private match may be rated, if its creator asked for it too."),
};
FRAME_SCHEMA(join, struct frame_join);

static const struct sk_member of_match_members[] = { MATCH_OF(struct frame_match) };
FRAME_SCHEMA(of_match, struct frame_match);

static const struct sk_member watch_members[] = {
    MATCH_OF(struct frame_watch),
    CODE_OF(struct frame_watch, "The code of a private match."),
    SK_INT(struct frame_watch, ms_per_turn, "ms_per_turn", .min = 0, .max = FRAME_MS_PER_TURN_MAX,
           MAY_MISS(struct frame_watch, has_ms_per_turn),
           .doc = "Shows a finished match, one turn in this many milliseconds; 0: only "
                  "the turn `turn`."),
    SK_INT(struct frame_watch, turn, "turn", COUNT, .flags = SK_OPTIONAL,
           .doc = "With `ms_per_turn`: from this turn on."),
    SEAT_OF(struct frame_watch, MAY_MISS(struct frame_watch, has_seat),
            .doc = "With `ms_per_turn`: as this seat saw it; everything when missing."),
};
FRAME_SCHEMA(watch, struct frame_watch);

static const struct sk_member queue_members[] = {
    SK_ID_TEXT(struct frame_queue, ruleset, "ruleset", .doc = "The name of the ruleset."),
    SK_JSON(struct frame_queue, params, "params", .flags = SK_OPTIONAL,
            .doc = "The ruleset's params; its default match when missing."),
    SK_INT(struct frame_queue, rating_min, "rating_min", .min = 0, .max = FRAME_RATING_MAX,
           MAY_MISS(struct frame_queue, has_rating_min),
           .doc = "Only opponents whose rating in this ruleset is at least this."),
    SK_INT(struct frame_queue, rating_max, "rating_max", .min = 0, .max = FRAME_RATING_MAX,
           MAY_MISS(struct frame_queue, has_rating_max),
           .doc = "Only opponents whose rating in this ruleset is at most this."),
    SK_BOOL(struct frame_queue, cancel, "cancel", .flags = SK_OPTIONAL, .doc = "Stops waiting."),
};
FRAME_SCHEMA(queue, struct frame_queue);

static const char *const list_statuses[] = { [STATUS_ANY] = "any",
                                             [STATUS_WAITING] = "waiting",
                                             [STATUS_RUNNING] = "running",
                                             [STATUS_OVER] = "over" };

static const struct sk_member list_members[] = {
    SK_ENUM(struct frame_list, status, "status", list_statuses, .flags = SK_OPTIONAL,
            .doc = "Only matches of this status."),
    SK_ID_TEXT(struct frame_list, ruleset, "ruleset", .flags = SK_OPTIONAL,
               .doc = "Only matches of this ruleset."),
    SK_BOOL(struct frame_list, mine, "mine", .flags = SK_OPTIONAL,
            .doc = "Only matches in which the asking player has a seat, private ones too."),
    SK_LONG(struct frame_list, after, "after", .min = 0, MAY_MISS(struct frame_list, has_after),
            .doc = "Continues a list: `next` of the previous `matches`."),
};
FRAME_SCHEMA(list, struct frame_list);

/* ---- playing ----------------------------------------------------------------------------- */

static const struct sk_member submit_members[] = {
    MATCH_OF(struct frame_submit),
    TURN_OF(struct frame_submit, "The open turn; for another one the answer is `wrong_turn`."),
    SK_JSON(struct frame_submit, commands, "commands",
            .doc = "The list of all commands of this turn, as the ruleset's schema describes "
                   "them."),
    COMMAND_ID_OF(struct frame_submit, "Chosen by the client, new for each submission."),
    SK_BOOL(struct frame_submit, ready, "ready", MAY_MISS(struct frame_submit, has_ready),
            .doc = "May the turn close with these?  When missing: yes, if every verdict is ok."),
};
FRAME_SCHEMA(submit, struct frame_submit);

static const struct sk_member withdraw_members[] = {
    MATCH_OF(struct frame_withdraw),
    TURN_OF(struct frame_withdraw, "The open turn."),
    COMMAND_ID_OF(struct frame_withdraw,
                  "Chosen by the client for this withdrawal, not that of the submission."),
};
FRAME_SCHEMA(withdraw, struct frame_withdraw);

static const struct sk_member what_if_members[] = {
    MATCH_OF(struct frame_what_if),
    SK_INT(struct frame_what_if, turn, "turn", .min = 0, .max = SK_TURN_MAX,
           MAY_MISS(struct frame_what_if, has_turn),
           .doc = "The open turn; if it is not open any more, the answer is `wrong_turn`."),
    CODE_OF(struct frame_what_if, "The code of a private match that is over."),
    SK_JSON(struct frame_what_if, commands, "commands",
            .doc = "One list of commands for each seat; nothing is kept."),
};
FRAME_SCHEMA(what_if, struct frame_what_if);

static const struct sk_member resign_members[] = {
    MATCH_OF(struct frame_resign),
    COMMAND_ID_OF(struct frame_resign, "Chosen by the client, as in `submit`."),
};
FRAME_SCHEMA(resign, struct frame_resign);

static const struct sk_member answer_draw_members[] = {
    MATCH_OF(struct frame_answer_draw),
    SK_BOOL(struct frame_answer_draw, accept, "accept",
            .doc = "True ends the match as a draw, false declines."),
};
FRAME_SCHEMA(answer_draw, struct frame_answer_draw);

/* ---- talking and following --------------------------------------------------------------- */

static const struct sk_member chat_members[] = {
    MATCH_OF(struct frame_chat),
    SK_TEXT_OF(struct frame_chat, text, "text", .min = 1, .max = FRAME_CHAT_MAX,
               .doc = "The message."),
};
FRAME_SCHEMA(chat, struct frame_chat);

static const struct sk_member mute_members[] = {
    MATCH_OF(struct frame_mute),
    SK_BOOL(struct frame_mute, muted, "muted",
            .doc = "True: this connection gets no `chat` of the match; false: it does."),
};
FRAME_SCHEMA(mute, struct frame_mute);

static const struct sk_member resume_members[] = {
    MATCH_OF(struct frame_resume),
    SEQ_OF(struct frame_resume, "The last `seq` that the client has seen; 0 asks for a `state`."),
    CODE_OF(struct frame_resume, "The code of a private match that is watched."),
};
FRAME_SCHEMA(resume, struct frame_resume);

/* ---- all of them ------------------------------------------------------------------------- */

static const struct sk_variant client_kinds[] = {
    [FRAME_HELLO] = { "hello", &hello, "The first frame of a connection: which player it is." },
    [FRAME_RENEW_TOKEN] = { "renew_token", &bare,
                            "Replaces the token; the old one becomes invalid." },
    [FRAME_CREATE] = { "create", &create, "Creates a match and takes a seat in it." },
    [FRAME_JOIN] = { "join", &join, "Takes a seat of a match that waits for players." },
    [FRAME_LEAVE] = { "leave", &of_match,
                      "Gives the seat up before the start; afterwards only stops following." },
    [FRAME_WATCH] = { "watch", &watch, "Follows a match without a seat." },
    [FRAME_QUEUE] = { "queue", &queue,
                      "Waits for a player who wants the same ruleset and params." },
    [FRAME_LIST] = { "list", &list, "Asks for matches, newest first." },
    [FRAME_SUBMIT] = { "submit", &submit,
                       "The seat's commands for the open turn; replaces earlier ones." },
    [FRAME_WITHDRAW] = { "withdraw", &withdraw, "Withdraws the commands of the open turn." },
    [FRAME_HINTS] = { "hints", &of_match, "Asks for every command that would be ok alone." },
    [FRAME_WHAT_IF] = { "what_if", &what_if, "Asks what commands of all seats would do." },
    [FRAME_RESIGN] = { "resign", &resign, "Gives the match up." },
    [FRAME_OFFER_DRAW] = { "offer_draw", &of_match, "Offers a draw." },
    [FRAME_ANSWER_DRAW] = { "answer_draw", &answer_draw, "Accepts or declines a draw." },
    [FRAME_REMATCH] = { "rematch", &of_match,
                        "Asks to play a finished match again, with the same settings." },
    [FRAME_CLAIM] = { "claim", &of_match,
                      "Claims a match without a clock when the other player stays away." },
    [FRAME_CHAT] = { "chat", &chat, "Says something to everybody in the match." },
    [FRAME_MUTE] = { "mute", &mute, "Hides or shows the chat of a match." },
    [FRAME_RESUME] = { "resume", &resume,
                       "Follows a match again and asks for the frames that were missed." },
    [FRAME_PING] = { "ping", &bare,
                     "Asks whether the connection works, and for the server's time." },
};

_Static_assert(SK_COUNT_OF(client_kinds) == FRAME_COUNT, "every client frame has its row");

const struct sk_variants sk_client_frames = {
    .title = "client frame",
    .tag = "type",
    .of = client_kinds,
    .count = FRAME_COUNT,
    .kind_offset = offsetof(struct frame_head, type),
    .size = sizeof(union client_frame),
};
