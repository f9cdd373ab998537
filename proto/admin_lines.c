#include "proto/admin_lines.h"

#include "common/base/limits.h"
#include "proto/frames.h"
#include "proto/frames_parts.h"

_Static_assert(ADMIN_REASON_MAX == FRAME_REASON_MAX, "a reason is sent in frames");

#define ADMIN_WORD(number, word) [number] = word,
const char *const sk_admin_commands[ADMIN_COMMAND_COUNT] = { ADMIN_COMMANDS(ADMIN_WORD) };
#undef ADMIN_WORD

#define ANY_TEXT(most) .min = 0, .max = (most), .flags = SK_OPTIONAL

static const struct sk_member request_members[] = {
    SK_ENUM(struct admin_request_line, command, "command", sk_admin_commands, .doc = "What to do."),
    SK_LONG(struct admin_request_line, match, "match", .min = 1,
            MAY_MISS(struct admin_request_line, has_match)),
    SEAT_OF(struct admin_request_line, MAY_MISS(struct admin_request_line, has_seat)),
    SK_TEXT_OF(struct admin_request_line, player, "player", ANY_TEXT(FRAME_PLAYER_NAME_MAX)),
    SK_TEXT_OF(struct admin_request_line, reason, "reason", ANY_TEXT(ADMIN_REASON_MAX)),
    SK_TEXT_OF(struct admin_request_line, text, "text", ANY_TEXT(FRAME_ANNOUNCE_MAX)),
    SK_INT(struct admin_request_line, hours, "hours", .min = 0, .max = ADMIN_HOURS_MAX,
           .flags = SK_OPTIONAL),
};

static const struct sk_member room_members[] = {
    SK_LONG(struct admin_room_line, match, "match", .min = 1),
    SK_TEXT_OF(struct admin_room_line, ruleset, "ruleset", .min = 0, .max = SK_ID_MAX),
    SK_TEXT_OF(struct admin_room_line, status, "status", .min = 1, .max = SK_ID_MAX),
    SK_INT(struct admin_room_line, turn, "turn", COUNT),
    SK_TEXT_OF(struct admin_room_line, players, "players", .min = 0,
               .max = SK_SEATS_MAX * (FRAME_PLAYER_NAME_MAX + 2)),
    SK_INT(struct admin_room_line, here, "here", COUNT),
    SK_INT(struct admin_room_line, watching, "watching", COUNT),
};

static const struct sk_schema room_schema =
    SK_SCHEMA("room", NULL, room_members, struct admin_room_line);
static const struct sk_member room_item = { .kind = SK_KIND_OBJECT, .object = &room_schema };

static const struct sk_member person_members[] = {
    SK_TEXT_OF(struct admin_person_line, name, "name", .min = 1, .max = FRAME_PLAYER_NAME_MAX),
    SK_BOOL(struct admin_person_line, is_bot, "bot", .doc = "It says that it is a bot."),
    SK_TEXT_OF(struct admin_person_line, address, "address", .min = 0, .max = ADMIN_ADDRESS_MAX),
    SK_INT(struct admin_person_line, seconds, "seconds", COUNT),
    SK_INT(struct admin_person_line, matches, "matches", COUNT),
};

static const struct sk_schema person_schema =
    SK_SCHEMA("person", NULL, person_members, struct admin_person_line);
static const struct sk_member person_item = { .kind = SK_KIND_OBJECT, .object = &person_schema };

static const struct sk_member answer_members[] = {
    SK_BOOL(struct admin_answer_line, ok, "ok", .doc = "It is done."),
    SK_TEXT_OF(struct admin_answer_line, message, "message", .min = 0, .max = 1000),
    SK_LIST(struct admin_answer_line, rooms, "rooms", &room_item, sizeof(struct admin_room_line),
            COUNT, .flags = SK_OPTIONAL),
    SK_LIST(struct admin_answer_line, people, "people", &person_item,
            sizeof(struct admin_person_line), COUNT, .flags = SK_OPTIONAL),
};

const struct sk_schema sk_admin_request_line =
    SK_SCHEMA("request", NULL, request_members, struct admin_request_line);
const struct sk_schema sk_admin_answer_line =
    SK_SCHEMA("answer", NULL, answer_members, struct admin_answer_line);
